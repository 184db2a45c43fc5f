import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';
import type { RemovalRequest } from './moderation-data.ts';
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
  return (
    <TextDialog
      title={keeps ? 'Keep the images' : 'Remove permanently'}
      description={
        keeps
          ? 'The images stay on the site or are shown again. The requester will see your reason.'
          : 'The images and all their files are permanently deleted. The author is notified.'
      }
      label={keeps ? 'Why can they stay?' : 'Message to the requester'}
      maxLength={2000}
      missing={keeps ? 'Please say why the images can stay' : undefined}
      action={{
        label: keeps ? 'Keep the images' : 'Remove permanently',
        variant: keeps ? 'primary' : 'danger',
        busy: acting.isPending && (keeps ? 'Keeping' : 'Removing'),
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
