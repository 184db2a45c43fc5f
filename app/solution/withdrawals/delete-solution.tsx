import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { withdrawSolution } from './data.ts';

const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'), 'DeleteDialog');

interface DeletedSolution {
  id: string;
  isAuthor: boolean;
  /** Whether it has ever been public, so that its address says that it was withdrawn. */
  isPublished: boolean;
  onDeleted?: (() => void) | undefined;
}

/** A small button over a picture that deletes a solution. */
export function DeleteSolution({ title, ...solution }: DeletedSolution & { title: string }) {
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <button
        type="button"
        data-over-picture
        className={buttonClass('over-picture', 'icon')}
        onClick={() => setConfirming(true)}
      >
        <span className="icon icon-delete" />
        <span className="sr-only">Delete {title}</span>
      </button>
      {confirming && <ConfirmDeletion {...solution} onClose={() => setConfirming(false)} />}
    </>
  );
}

/** Asks before it deletes a solution, and for a reason where the solution was public. */
export function ConfirmDeletion({
  id,
  isAuthor,
  isPublished,
  onDeleted,
  onClose,
}: DeletedSolution & { onClose: () => void }) {
  const removal = useAction({
    act: async (reason: string) => withdrawSolution(await browserClient(), id, reason),
    done: { title: 'Success', text: 'Solution deleted successfully' },
    failed: { title: 'Error', text: 'Failed to delete solution' },
    onDone: () => {
      onClose();
      onDeleted?.();
    },
    refresh: [['solutions', 'browse']],
  });
  return (
    <DeleteDialog
      isAuthor={isAuthor}
      isPublished={isPublished}
      busy={removal.isPending}
      onConfirm={(reason) => removal.isPending || removal.mutate(reason)}
      onClose={onClose}
    />
  );
}
