import { useState } from 'react';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';

const FollowDialog = lazyDialog(() => import('./follow-dialog.tsx'), 'FollowDialog');

/** Opens the choice of what to follow from a solution's page. */
export function FollowSolution({ solution }: { solution: Solution }) {
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    if (member) return setIsOpen(true);
    signInFirst('Please sign in to follow');
  };
  return (
    <>
      <Button className="mt-4 w-full print:hidden" onClick={open}>
        <span className="icon icon-plus" />
        Follow solution, author or tags
      </Button>
      {isOpen && member && (
        <FollowDialog memberId={member.id} solution={solution} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
