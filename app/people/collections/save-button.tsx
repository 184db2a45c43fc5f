import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { ownMarksQuery, saveIn, setSaved, USED_IN_CLINIC } from './data.ts';

const SaveDialog = lazyDialog(() => import('./save-dialog.tsx'), 'SaveDialog');

const isUsedInClinic = ({ title, hasSolution }: { title: string; hasSolution: boolean }) =>
  title === USED_IN_CLINIC && hasSolution;

interface Saved {
  id: string;
  title: string;
  safety_kind?: string | null;
}

/** Opens the choice of collections that a solution is saved in. */
export function SaveButton({ solution }: { solution: Saved }) {
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const [isOpen, setIsOpen] = useState(false);
  const options = ownMarksQuery(browserClient, member?.id ?? '', solution.id);
  const own = useQuery({ ...options, enabled: member != null }).data;
  const isSaved = own?.collections.some(({ hasSolution }) => hasSolution);
  const open = () => {
    if (member) return setIsOpen(true);
    signInFirst('Please sign in to save solutions');
  };
  return (
    <>
      <Button className="max-md:flex-1 max-md:px-2" onClick={open}>
        <span className={classes('icon max-sm:hidden', isSaved ? 'icon-check' : 'icon-bookmark')} />
        {isSaved ? 'Saved' : 'Save'}
      </Button>
      {isOpen && member && (
        <SaveDialog userId={member.id} solution={solution} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}

/**
 * Whether the member has a solution among those used in their clinic, and the change of that by one press.
 *
 * @param onNote called instead when the press would remove a note
 */
export function useUsedInClinic(solution: Saved, onNote: () => void) {
  const cache = useQueryClient();
  const member = useMember();
  const options = ownMarksQuery(browserClient, member?.id ?? '', solution.id);
  const own = useQuery({ ...options, enabled: member != null }).data;
  const change = useAction({
    act: async (userId: string) => {
      // A press can come before the present state is known.
      const used = (await cache.ensureQueryData(options)).collections.find(isUsedInClinic);
      // A note is not thrown away by one press.
      if (used?.note) return onNote();
      const db = await browserClient();
      if (used) await setSaved(db, { userId, collectionId: used.id, solutionId: solution.id, saved: false });
      else await saveIn(db, userId, USED_IN_CLINIC, solution.id);
    },
    failed: 'Failed to save',
    fallback: 'Please try again',
    refresh: [['collections']],
  });
  return {
    isUsed: own?.collections.some(isUsedInClinic) ?? false,
    toggle: () => member && !change.isPending && change.mutate(member.id),
  };
}
