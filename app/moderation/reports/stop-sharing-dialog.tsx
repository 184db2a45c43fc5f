import { useAction } from '#app/frame/act/use-action.ts';
import type { ReportedContent } from '#app/frame/kinds/reported.ts';
import { browserClient } from '#app/supabase.ts';
import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';
import { stopSharing } from './report-actions.ts';

interface StopSharingDialogProps {
  collectionId: string;
  reported: ReportedContent;
  onClose: () => void;
}

/** Asks for the reason, which the owner of the collection reads. */
export function StopSharingDialog({ collectionId, reported, onClose }: StopSharingDialogProps) {
  const removal = useAction({
    act: async (reason: string) => stopSharing(await browserClient(), collectionId, reason),
    done: 'Collection no longer shared',
    failed: 'Failed to stop sharing',
    fallback: 'Please try again',
    onDone: onClose,
    refresh: [['moderation']],
  });
  return (
    <TextDialog
      title="Stop sharing"
      description="The link stops working permanently and the reports are closed. The owner keeps the collection and its notes."
      label={
        <>
          Reason for <bdi dir="auto">{reported.authorName}</bdi>
        </>
      }
      hint="Sent as “Your collection is no longer shared”."
      maxLength={5000}
      missing="Please give the owner a reason"
      action={{ label: 'Stop sharing', variant: 'danger', busy: removal.isPending && 'Stopping' }}
      onSend={removal.mutate}
      onClose={onClose}
    />
  );
}
