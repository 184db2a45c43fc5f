import { type ReactNode, useState } from 'react';
import { useAction } from '#app/frame/context/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { withdrawSolution } from './data.ts';

const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'), 'DeleteDialog');

interface DeleteSolutionProps {
  id: string;
  title: string;
  isAuthor: boolean;
  /** Whether it has ever been public, so that its address says that it was withdrawn. */
  isPublished: boolean;
  onDeleted?: () => void;
  /** The button's contents and look; a small one over a picture when left out. */
  children?: ReactNode;
  className?: string;
}

/** The button that deletes a solution, which asks first, and for a reason where the solution was public. */
export function DeleteSolution({
  id,
  title,
  isAuthor,
  isPublished,
  onDeleted,
  children,
  className,
}: DeleteSolutionProps) {
  const [confirming, setConfirming] = useState(false);
  const removal = useAction({
    act: async (reason: string) => withdrawSolution(await browserClient(), id, reason),
    done: { title: 'Success', text: 'Solution deleted successfully' },
    failed: { title: 'Error', text: 'Failed to delete solution' },
    onDone: () => {
      setConfirming(false);
      onDeleted?.();
    },
    refresh: [['solutions', 'browse']],
  });
  return (
    <>
      <button
        type="button"
        data-over-picture={children ? undefined : true}
        className={className ?? buttonClass('over-picture', 'icon')}
        onClick={() => setConfirming(true)}
      >
        {children ?? (
          <>
            <span className="icon icon-delete" />
            <span className="sr-only">Delete {title}</span>
          </>
        )}
      </button>
      {confirming && (
        <DeleteDialog
          isAuthor={isAuthor}
          isPublished={isPublished}
          busy={removal.isPending}
          onConfirm={(reason) => removal.isPending || removal.mutate(reason)}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
