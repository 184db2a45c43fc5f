import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { type Checklist, type DecidedKind, type Decision, reviewChecklist } from './data.ts';
import { DecisionBar } from './decision-bar.tsx';

const RejectDialog = lazyDialog(() => import('./reject-dialog.tsx'), 'RejectDialog');

interface DecisionFormProps {
  kind: DecidedKind;
  id: string;
  title: string;
  author: string;
  busy: boolean;
  /** What is ticked before an approval, by the keys that are stored with it; that of a solution when left out. */
  points?: Readonly<Record<string, string>>;
  onDecide: (decision: Decision, checklist: Checklist, onDone?: () => void) => void;
}

/** The checklist and the two decisions on what waits; the ticks hold for the version that is shown. */
export function DecisionForm({
  kind,
  id,
  title,
  author,
  busy,
  points = reviewChecklist,
  onDecide,
}: DecisionFormProps) {
  /** What was ticked when the dialog was opened. */
  const [rejected, setRejected] = useState<Checklist>();
  return (
    <>
      <DecisionBar
        kind={kind}
        id={id}
        points={points}
        primary={{
          label: 'Approve',
          icon: Check,
          busy: busy && !rejected && 'Approving',
          onPress: (checklist) => busy || onDecide({ status: 'approved' }, checklist),
        }}
        second={{
          label: kind === 'solution' ? 'Reject' : 'Decline',
          icon: X,
          isRed: true,
          onPress: setRejected,
        }}
      />
      {rejected && (
        <RejectDialog
          kind={kind}
          title={title}
          author={author}
          busy={busy}
          onReject={(reason) =>
            onDecide({ status: 'rejected', rejection_reason: reason }, rejected, () => setRejected(undefined))
          }
          onClose={() => setRejected(undefined)}
        />
      )}
    </>
  );
}
