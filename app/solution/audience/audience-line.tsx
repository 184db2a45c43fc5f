import { useState } from 'react';
import { useMember } from '#app/session.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { audienceLabel } from '#app/solution/solutions/value-lists.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { narrowerThan } from './data.ts';

const NarrowDialog = lazyDialog(() => import('./narrow-dialog.tsx'), 'NarrowDialog');

/** Who can see a solution, with the author's way to show it to fewer; null where everyone can and the reader is no author. */
export function AudienceLine({ solution }: { solution: Solution }) {
  const member = useMember();
  const [isOpen, setOpen] = useState(false);
  const isAuthor = member != null && member.id === solution.user_id;
  const mayNarrow = isAuthor && solution.status === 'approved' && narrowerThan(solution.audience).length > 0;
  if (solution.audience === 'public' && !mayNarrow) return null;
  return (
    <p className="mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-2">
      <span className="with-icon icon-lock inline-flex items-center gap-1.5 before:size-4">
        Who can see it: {audienceLabel(solution.audience)}
      </span>
      {mayNarrow && (
        <button type="button" className="reach link print:hidden" onClick={() => setOpen(true)}>
          Show to fewer people
        </button>
      )}
      {isOpen && <NarrowDialog solution={solution} onClose={() => setOpen(false)} />}
    </p>
  );
}
