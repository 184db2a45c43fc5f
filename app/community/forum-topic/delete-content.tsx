import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteContent } from '#app/community/forum/data.ts';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';

interface DeleteContentProps {
  what: Parameters<typeof deleteContent>[1];
  /** The name of the content, for example "topic" or "reply by Olu". */
  name: string;
  onDeleted: () => void;
}

/** A moderator's delete button, with a confirmation. */
export function DeleteContent({ what, name, onDeleted }: DeleteContentProps) {
  const [confirming, setConfirming] = useState(false);
  const kind = what.post ? 'reply' : 'topic';
  const removal = useMutation({
    mutationFn: async () => deleteContent(await browserClient(), what),
    onSuccess: () => {
      setConfirming(false);
      toast({ tone: 'success', title: 'Content Deleted' });
      onDeleted();
    },
    onError: (error) =>
      toast({ tone: 'error', title: `Failed to delete content: ${messageOf(error, 'please try again')}` }),
  });
  return (
    <>
      <button
        type="button"
        className="reach text-action in-data-compact:max-sm:px-2"
        onClick={() => setConfirming(true)}
      >
        <span className="icon icon-delete size-4" />
        <span className="in-data-compact:max-sm:sr-only">Delete</span>
        <span className="sr-only"> {name}</span>
      </button>
      {confirming && (
        <ConfirmDialog
          title={`Delete ${kind}`}
          question={
            what.post
              ? 'Are you sure you want to delete this reply? This action cannot be undone.'
              : 'Are you sure you want to delete this topic and all of its replies? This action cannot be undone.'
          }
          verb="Delete"
          busy={removal.isPending && 'Deleting'}
          onConfirm={() => removal.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
