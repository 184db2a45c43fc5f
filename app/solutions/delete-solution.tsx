import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { lazyDialog } from '#app/ui/region.tsx';
import { toast } from '#app/ui/toast.tsx';
import { deleteSolution } from './data.ts';

const ConfirmDialog = lazyDialog(() =>
  import('#app/ui/confirm-dialog.tsx').then((module) => module.ConfirmDialog),
);

interface DeleteSolutionProps {
  id: string;
  title: string;
  onDeleted?: () => void;
  /** The button's contents and look; a small one over a picture when left out. */
  children?: ReactNode;
  className?: string;
}

export function DeleteSolution({ id, title, onDeleted, children, className }: DeleteSolutionProps) {
  const cache = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const removal = useMutation({
    mutationFn: async () => deleteSolution(await browserClient(), id),
    onSuccess: async () => {
      setConfirming(false);
      toast({ tone: 'success', title: 'Success', text: 'Solution deleted successfully' });
      onDeleted?.();
      await cache.invalidateQueries({ queryKey: ['solutions', 'browse'] });
    },
    onError: () => toast({ tone: 'error', title: 'Error', text: 'Failed to delete solution' }),
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
        <ConfirmDialog
          title="Delete solution"
          question="Are you sure you want to delete this solution?"
          verb="Delete"
          busy={removal.isPending && 'Deleting'}
          onConfirm={() => removal.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
