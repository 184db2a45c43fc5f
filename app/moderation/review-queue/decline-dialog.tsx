import { useState } from 'react';
import { MAX_REASON } from '#app/account/registrations/data.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';

interface DeclineDialogProps {
  name: string;
  busy: boolean;
  onDecline: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a registration could not be checked. */
export function DeclineDialog({ name, busy, onDecline, onClose }: DeclineDialogProps) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  return (
    <Dialog
      onClose={onClose}
      title="Decline registration"
      description={`${name} sees your reason and can correct the registration.`}
      onSubmit={() => {
        if (!reason.trim()) setError('Please provide a reason');
        else onDecline(reason.trim());
      }}
      action={{ label: 'Decline registration', variant: 'danger', busy: busy && 'Declining' }}
    >
      <Field
        label="Reason"
        hint="Say what differs from the register, for example the name"
        error={error}
        className="mt-5"
      >
        <Textarea
          rows={4}
          maxLength={MAX_REASON}
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
