import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#app/frame/context/use-action.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { collectionsOfQuery, saveIn, setSaved, USED_IN_CLINIC } from './data.ts';

const SaveDialog = lazyDialog(() => import('./save-dialog.tsx'), 'SaveDialog');

const isUsedInClinic = ({ title, hasSolution }: { title: string; hasSolution: boolean }) =>
  title === USED_IN_CLINIC && hasSolution;

/** Opens the choice of collections that a solution is saved in, and beside it one of them by one press. */
export function SaveButtons({ solution }: { solution: { id: string; title: string } }) {
  const cache = useQueryClient();
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const [isOpen, setIsOpen] = useState(false);
  const options = collectionsOfQuery(browserClient, member?.id ?? '', solution.id);
  const own = useQuery({ ...options, enabled: member != null }).data;
  const isSaved = own?.some(({ hasSolution }) => hasSolution);
  const isUsed = own?.some(isUsedInClinic) ?? false;
  const change = useAction({
    act: async (userId: string) => {
      // A press can come before the present state is known.
      const used = (await cache.ensureQueryData(options)).find(isUsedInClinic);
      // A note is not thrown away by one press.
      if (used?.note) return setIsOpen(true);
      const db = await browserClient();
      if (used) await setSaved(db, { userId, collectionId: used.id, solutionId: solution.id, saved: false });
      else await saveIn(db, userId, USED_IN_CLINIC, solution.id);
    },
    failed: 'Failed to save',
    fallback: 'Please try again',
    refresh: [['collections']],
  });
  const open = () => {
    if (member) return setIsOpen(true);
    signInFirst('Please sign in to save solutions');
  };
  return (
    <>
      <Button className="max-md:flex-1 max-md:px-2" onClick={open}>
        <span className={isSaved ? 'icon icon-check' : 'icon icon-bookmark'} />
        {isSaved ? 'Saved' : 'Save'}
      </Button>
      <button
        type="button"
        aria-pressed={isUsed}
        className={buttonClass('default', 'normal', 'visitor:hidden max-md:flex-1 max-md:px-2')}
        onClick={() => member && !change.isPending && change.mutate(member.id)}
      >
        <span className={isUsed ? 'icon icon-check' : 'icon icon-plus'} />
        {USED_IN_CLINIC}
      </button>
      {isOpen && member && (
        <SaveDialog userId={member.id} solution={solution} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
