import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Textarea } from '#app/ui/input.tsx';

interface RejectDialogProps {
  title: string;
  author: string;
  busy: boolean;
  onReject: (reason: string) => void;
  onClose: () => void;
}

export function RejectDialog({ title, author, busy, onReject, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Reject Solution"
      description={`“${title}” by ${author}. The author receives your reason and can send the solution again.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            busy={busy && 'Rejecting'}
            onClick={() =>
              reason.trim() ? onReject(reason.trim()) : setError('Please provide a reason for rejection')
            }
          >
            Reject Solution
          </Button>
        </>
      }
    >
      <Field label="Reason" hint="Say what to change, and where" error={error} className="mt-5">
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            maxLength={2000}
            autoFocus
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
