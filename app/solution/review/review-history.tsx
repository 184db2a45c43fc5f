import { Check, RotateCcw, Send, Undo2, X } from 'lucide-react';
import { formatDay } from '#app/ui/texts/dates.ts';

const steps = {
  submitted: { icon: Send, text: 'Submitted' },
  resubmitted: { icon: RotateCcw, text: 'Resubmitted' },
  approved: { icon: Check, text: 'Approved' },
  rejected: { icon: X, text: 'Rejected' },
  discarded: { icon: Undo2, text: 'New version discarded' },
};

const isStep = (decision: string): decision is keyof typeof steps => decision in steps;

interface ReviewStep {
  id: number;
  decision: string;
  reason: string | null;
  created_at: string;
  /** Their name; null for one who has left, and for authors where the site names no moderators. */
  reviewer: string | null;
}

/** Each submission and each decision of a review, with its day and the reason that was given. */
export function ReviewHistory({ history }: { history: ReviewStep[] }) {
  return (
    <ol className="flex flex-col gap-2">
      {history.map(({ id, decision, reason, created_at, reviewer }) => {
        const step = isStep(decision) ? steps[decision] : steps.submitted;
        return (
          <li key={id} className="flex gap-2">
            <step.icon className="mt-1 size-4 shrink-0" strokeWidth={2} aria-hidden />
            <div className="min-w-0">
              <p>
                {step.text}
                {reviewer ? (
                  <>
                    {' '}
                    by <bdi>{reviewer}</bdi>
                  </>
                ) : (
                  ['approved', 'rejected'].includes(decision) && ' by a moderator'
                )}
                , {formatDay(created_at)}
              </p>
              {reason && (
                <p dir="auto" className="opacity-85 wrap-anywhere">
                  “{reason}”
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
