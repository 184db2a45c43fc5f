import { useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';

/** The most frequent reasons for rejection, ready to be made more precise. */
const CANNED_REASONS = [
  {
    label: 'Person identifiable',
    text: 'A person is identifiable in image [number]. Please crop it, hide the details or state written consent.',
  },
  {
    label: 'Patient details',
    text: 'The text or a label shows patient details ([which]). Please remove them.',
  },
  {
    label: 'Consent missing',
    text: 'The consent statement doesn’t match the media. Please choose the one that does.',
  },
  {
    label: 'Too little detail',
    text: 'There isn’t enough detail to reproduce this. Please add measurements, materials and what you tried first.',
  },
  {
    label: 'Outcome claimed',
    text: 'Outcomes are claimed rather than reported. Please state what you observed, in how many people and over what period.',
  },
] as const;

interface RejectDialogProps {
  /** What is rejected, for example "Solution". */
  noun: string;
  title: string;
  author: string;
  busy: boolean;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of a rejection, which the author reads; frequent ones can be put in by a press. */
export function RejectDialog({ noun, title, author, busy, onReject, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  return (
    <Dialog
      onClose={onClose}
      title={`Reject ${noun}`}
      description={`“${title}” by ${author}. The author sees your reason and can revise and resubmit.`}
      onSubmit={() => {
        if (!reason.trim()) setError('Please provide a reason for rejection');
        else onReject(reason.trim());
      }}
      action={{ label: `Reject ${noun}`, variant: 'danger', busy: busy && 'Rejecting' }}
    >
      <fieldset className="mt-5 flex flex-wrap gap-2">
        <legend className="sr-only">Common reasons</legend>
        {CANNED_REASONS.map(({ label, text }) => (
          <Button
            key={label}
            size="small"
            onClick={() =>
              setReason((typed) => (typed.trim() ? `${typed.trimEnd()}\n${text}` : text).slice(0, 2000))
            }
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <Field label="Reason" hint="Say what to change, and where" error={error} className="mt-4">
        <Textarea
          rows={5}
          maxLength={2000}
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
