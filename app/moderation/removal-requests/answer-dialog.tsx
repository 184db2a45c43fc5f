import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';
import type { RemovalRequest } from './moderation-data.ts';
import { RequestImages } from './removal-request-item.tsx';
import { useRemovalRequest } from './use-removal-request.ts';

interface RemovalRequestAnswerDialogProps {
  request: RemovalRequest;
  outcome: 'removed' | 'kept';
  onClose: () => void;
}

/** The decision on a request, with the answer to its sender. */
export function RemovalRequestAnswerDialog({ request, outcome, onClose }: RemovalRequestAnswerDialogProps) {
  const acting = useRemovalRequest(onClose);
  const keeps = outcome === 'kept';
  const about = request.title ? `“${request.title}”` : 'a deleted solution';
  return (
    <TextDialog
      title={keeps ? 'Decline the request' : 'Remove permanently'}
      description={
        keeps
          ? `The images of ${about} will stay public, or be shown again. The requester will see your reason.`
          : request.mediaCount === 1
            ? `The image below of ${about} and all its files are permanently deleted. The author is notified.`
            : `The ${request.mediaCount} images below of ${about} and all their files are permanently deleted. The author is notified.`
      }
      proposals={() => <RequestImages request={request} />}
      label={keeps ? 'Why can they stay?' : 'Message to the requester'}
      maxLength={2000}
      missing={keeps ? 'Please say why the images can stay' : undefined}
      action={{
        label: keeps ? 'Decline' : 'Remove permanently',
        variant: keeps ? 'primary' : 'danger',
        busy: acting.isPending && (keeps ? 'Declining' : 'Removing'),
      }}
      onSend={(answer) =>
        acting.mutate({
          id: request.id,
          decision: keeps ? { status: 'kept', answer } : { status: 'removed', answer: answer || null },
        })
      }
      onClose={onClose}
    />
  );
}
