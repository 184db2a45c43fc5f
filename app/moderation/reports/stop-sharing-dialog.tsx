import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import type { ReportedContent } from './data.ts';
import { stopSharing } from './report-actions.ts';

interface StopSharingDialogProps {
  collectionId: string;
  reported: ReportedContent;
  onClose: () => void;
}

/** Asks for the reason, which the owner of the collection reads. */
export function StopSharingDialog({ collectionId, reported, onClose }: StopSharingDialogProps) {
  const cache = useQueryClient();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const removal = useMutation({
    mutationFn: async () => stopSharing(await browserClient(), collectionId, reason.trim()),
    onSuccess: () => {
      toast({ tone: 'success', title: 'Collection no longer shared' });
      onClose();
    },
    onError: (failure) =>
      toast({
        tone: 'error',
        title: 'Failed to stop sharing',
        text: messageOf(failure, 'Please try again'),
      }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['moderation'] }),
  });
  const stop = () => (reason.trim() ? removal.mutate() : setError('Please give the owner a reason'));
  return (
    <Dialog
      onClose={onClose}
      title="Stop sharing"
      description="The link stops working permanently and the reports are closed. The owner keeps the collection and its notes."
      onSubmit={stop}
      action={{ label: 'Stop sharing', variant: 'danger', busy: removal.isPending && 'Stopping' }}
    >
      <Field
        label={
          <>
            Reason for <bdi dir="auto">{reported.authorName}</bdi>
          </>
        }
        hint="Sent as “Your collection is no longer shared”."
        error={error}
        className="mt-5"
      >
        <Textarea
          dir="auto"
          rows={4}
          maxLength={5000}
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
