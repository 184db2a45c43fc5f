import { Button } from '#app/ui/controls/button.tsx';
import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';
import { cutText } from '../../../texts/cut-text.ts';

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
  title: string;
  /** On its button. */
  verb: string;
  /** What its author can revise, as the frequent reasons say. */
  work?: { title: string; author: string };
  /** Who reads the reason, where nothing is revised. */
  description?: string;
  hint?: string;
  maxLength?: number;
  missing?: string;
  busy: string | false;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of a rejection, which the author reads; frequent ones can be put in by a press. */
export function RejectDialog({
  title,
  verb,
  work,
  description,
  hint = 'Say what to change, and where',
  maxLength = 2000,
  missing = 'Please provide a reason',
  busy,
  onReject,
  onClose,
}: RejectDialogProps) {
  return (
    <TextDialog
      title={title}
      description={
        work
          ? `“${work.title}” by ${work.author}. The author sees your reason and can revise and resubmit.`
          : description
      }
      label="Reason"
      hint={hint}
      rows={work ? 5 : 4}
      maxLength={maxLength}
      missing={missing}
      action={{ label: verb, variant: 'danger', busy }}
      proposals={(change) =>
        work && (
          <fieldset className="mt-5 -mb-1 flex flex-wrap gap-2">
            <legend className="sr-only">Common reasons</legend>
            {CANNED_REASONS.map(({ label, text }) => (
              <Button
                key={label}
                size="small"
                onClick={() =>
                  change((typed) => cutText(typed.trim() ? `${typed.trimEnd()}\n${text}` : text, maxLength))
                }
              >
                {label}
              </Button>
            ))}
          </fieldset>
        )
      }
      onSend={onReject}
      onClose={onClose}
    />
  );
}
