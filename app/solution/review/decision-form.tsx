import { Check as CheckMark, X } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { ClaimNotice } from './claim-notice.tsx';
import { type Checklist, type DecidedKind, type Decision, reviewChecklist } from './data.ts';
import { DecisionBar } from './decision-bar.tsx';
import { useClaim } from './use-claim.ts';

const RejectDialog = lazyDialog(() => import('./reject-dialog.tsx'), 'RejectDialog');

interface DecisionFormProps {
  kind: DecidedKind;
  id: string;
  title: string;
  author: string;
  /** Details in the text that could identify the patient. */
  identifiers: string[];
  busy: boolean;
  /** What is ticked before an approval, by the keys that are stored with it; that of a solution when left out. */
  points?: Readonly<Record<string, string>>;
  /** Asked before the decision, besides the checklist. */
  question?: ReactNode;
  onDecide: (decision: Decision, checklist: Checklist, onDone?: () => void) => void;
}

/** The checklist and the two decisions on what waits; the ticks hold for the version that is shown. */
export function DecisionForm({
  kind,
  id,
  title,
  author,
  identifiers,
  busy,
  points = reviewChecklist,
  question,
  onDecide,
}: DecisionFormProps) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [incomplete, setIncomplete] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  const errorId = useId();
  const claim = useClaim(kind, id);
  const keys = Object.keys(points);
  const missing = keys.filter((key) => !checked.has(key));
  const checklist = Object.fromEntries(keys.map((key) => [key, checked.has(key)]));

  const approve = () => {
    if (missing.length === 0) return onDecide({ status: 'approved' }, checklist);
    setIncomplete(true);
    list.current?.querySelector<HTMLInputElement>('input:not(:checked)')?.focus();
  };

  return (
    <>
      <div className="rounded-md border bg-surface px-5 py-5 max-xl:mt-8 md:px-6">
        {claim && <ClaimNotice claim={claim} className="mb-4" />}
        <fieldset ref={list} aria-describedby={incomplete && missing.length > 0 ? errorId : undefined}>
          <legend className="text-xl font-title text-ink">Before approval</legend>
          {identifiers.length > 0 && (
            <p className="mt-2 text-red-ink">Possible identifiers found: {identifiers.join(', ')}</p>
          )}
          {incomplete && missing.length > 0 && (
            <p id={errorId} role="alert" className="mt-2 font-title text-red-ink">
              Please complete the checklist before you approve
            </p>
          )}
          <div className="mt-2 divide-y">
            {keys.map((key) => (
              <Checkbox
                key={key}
                checked={checked.has(key)}
                aria-invalid={(incomplete && !checked.has(key)) || undefined}
                onChange={({ target }) =>
                  setChecked(
                    (before) =>
                      new Set(target.checked ? [...before, key] : [...before].filter((one) => one !== key)),
                  )
                }
              >
                {points[key]}
              </Checkbox>
            ))}
          </div>
        </fieldset>
        {question}
      </div>
      <DecisionBar>
        <Button className="text-red-ink" onClick={() => setRejecting(true)}>
          <X className="size-5" strokeWidth={1.75} aria-hidden />
          Reject
        </Button>
        <Button variant="primary" busy={busy && !rejecting && 'Approving'} onClick={() => !busy && approve()}>
          <CheckMark className="size-5" strokeWidth={1.75} aria-hidden />
          Approve
        </Button>
      </DecisionBar>
      {rejecting && (
        <RejectDialog
          kind={kind}
          title={title}
          author={author}
          busy={busy}
          onReject={(reason) =>
            onDecide({ status: 'rejected', rejection_reason: reason }, checklist, () => setRejecting(false))
          }
          onClose={() => setRejecting(false)}
        />
      )}
    </>
  );
}
