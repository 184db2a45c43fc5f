import { Button } from '#app/ui/controls/button.tsx';
import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';
import { cutText } from '../../../texts/cut-text.ts';
import type { DecidedKind } from './data.ts';

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

/** The heading and the button for each kind of what is rejected. */
const VERBS: Record<DecidedKind, string> = {
  solution: 'Reject Solution',
  trial: 'Decline trial report',
  translation: 'Decline translation',
};

interface RejectDialogProps {
  kind: DecidedKind;
  title: string;
  author: string;
  busy: boolean;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of a rejection, which the author reads; frequent ones can be put in by a press. */
export function RejectDialog({ kind, title, author, busy, onReject, onClose }: RejectDialogProps) {
  return (
    <TextDialog
      title={VERBS[kind]}
      description={`“${title}” by ${author}. The author sees your reason and can revise and resubmit.`}
      label="Reason"
      hint="Say what to change, and where"
      rows={5}
      maxLength={2000}
      missing={kind === 'solution' ? 'Please provide a reason for rejection' : 'Please provide a reason'}
      action={{
        label: VERBS[kind],
        variant: 'danger',
        busy: busy && (kind === 'solution' ? 'Rejecting' : 'Declining'),
      }}
      proposals={(change) => (
        <fieldset className="mt-5 -mb-1 flex flex-wrap gap-2">
          <legend className="sr-only">Common reasons</legend>
          {CANNED_REASONS.map(({ label, text }) => (
            <Button
              key={label}
              size="small"
              onClick={() =>
                change((typed) => cutText(typed.trim() ? `${typed.trimEnd()}\n${text}` : text, 2000))
              }
            >
              {label}
            </Button>
          ))}
        </fieldset>
      )}
      onSend={onReject}
      onClose={onClose}
    />
  );
}
