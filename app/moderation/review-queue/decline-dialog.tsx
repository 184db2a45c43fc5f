import { MAX_REASON } from '#app/account/registrations/data.ts';
import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';

interface DeclineDialogProps {
  name: string;
  busy: boolean;
  onDecline: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a registration could not be checked. */
export function DeclineDialog({ name, busy, onDecline, onClose }: DeclineDialogProps) {
  return (
    <TextDialog
      title="Decline registration"
      description={`${name} sees your reason and can correct the registration.`}
      label="Reason"
      hint="Say what differs from the register, for example the name"
      maxLength={MAX_REASON}
      missing="Please provide a reason"
      action={{ label: 'Decline registration', variant: 'danger', busy: busy && 'Declining' }}
      onSend={onDecline}
      onClose={onClose}
    />
  );
}
