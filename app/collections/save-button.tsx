import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { lazyDialog } from '#app/ui/region.tsx';
import { toast } from '#app/ui/toast.tsx';
import { collectionsOfQuery } from './data.ts';

const SaveDialog = lazyDialog(() => import('./save-dialog.tsx').then((module) => module.SaveDialog));

/** Opens the choice of collections that a solution is saved in. */
export function SaveButton({ solution }: { solution: { id: string; title: string } }) {
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const [isOpen, setIsOpen] = useState(false);
  const own = useQuery({
    ...collectionsOfQuery(browserClient, member?.id ?? '', solution.id),
    enabled: member != null,
  }).data;
  const isSaved = own?.some(({ hasSolution }) => hasSolution);
  const open = () => {
    if (member) return setIsOpen(true);
    toast({ tone: 'error', title: 'Sign in required', text: 'Please sign in to save solutions' });
    signInFirst();
  };
  return (
    <>
      <Button className="max-md:flex-1 max-md:px-2" onClick={open}>
        <span className={isSaved ? 'icon icon-check' : 'icon icon-bookmark'} />
        {isSaved ? 'Saved' : 'Save'}
      </Button>
      {isOpen && member && (
        <SaveDialog userId={member.id} solution={solution} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
