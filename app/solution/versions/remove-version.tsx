import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { removeVersion } from './content.ts';

/** Takes away the text of an earlier version, for its author and the moderators. */
export function RemoveVersion({ solutionId, version }: { solutionId: string; version: number }) {
  const cache = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const removal = useMutation({
    mutationFn: async () => removeVersion(await browserClient(), solutionId, version),
    onSuccess: async () => {
      setConfirming(false);
      toast({ tone: 'success', title: 'Text of the version removed' });
      await cache.invalidateQueries({ queryKey: ['solutions'] });
    },
    onError: (error) =>
      toast({ tone: 'error', title: 'The text couldn’t be removed', text: messageOf(error, '') }),
  });
  return (
    <>
      <button type="button" className="reach link text-red-ink" onClick={() => setConfirming(true)}>
        Remove the text of this version
      </button>
      {confirming && (
        <ConfirmDialog
          title="Remove version"
          question={`The text of version ${version} is permanently deleted. Its address then says that it was removed.`}
          verb="Remove"
          busy={removal.isPending && 'Removing'}
          onConfirm={() => removal.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
