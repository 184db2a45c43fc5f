import type { QueryKey } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { reasonOr, type Saying, useAction } from '#app/frame/act/use-action.ts';
import type { Client } from '#app/supabase.ts';
import { browserClient } from '#app/supabase.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import type { Checklist, Decision } from './data.ts';
import { DecisionBar, NoDecision } from './decision-bar.tsx';

const RejectDialog = lazyDialog(() => import('./reject-dialog.tsx'), 'RejectDialog');

interface ReviewCaseProps
  extends Pick<ComponentProps<typeof DecisionBar>, 'kind' | 'id' | 'points' | 'hint'> {
  /** What is decided on. */
  children?: ReactNode;
  /** Names the state that is shown, where that can change: ticks and a reason hold for it alone. */
  version?: string;
  /** Why the viewer does not decide, on work of their own. */
  own?: string | false;
  act: (db: Client, decision: Decision, checklist: Checklist) => Promise<void>;
  done: Record<Decision['status'], Saying>;
  failed?: (error: Error, decision: Decision) => Saying;
  onDone?: (decision: Decision) => unknown;
  /** What is read again after the queue. */
  refresh: QueryKey[];
  /** The dialog of the second act: a question, or where there is none the field for a reason. */
  decline: Omit<ComponentProps<typeof RejectDialog>, 'verb' | 'busy' | 'onReject' | 'onClose'> & {
    /** On the bar. */
    label?: string;
    /** On the button of the dialog; its title when left out. */
    verb?: string;
    busy?: string;
    question?: string;
  };
}

/** A case under review, which one press approves and a dialog declines; a toast says which, and the queue goes on. */
export function ReviewCase({
  children,
  version = '',
  own,
  act,
  done,
  failed = reasonOr('Failed to save the decision'),
  onDone,
  refresh,
  decline: { label = 'Decline', title, verb = title, busy = 'Declining', question, ...reason },
  ...bar
}: ReviewCaseProps) {
  /** What was ticked when the dialog was opened, and in which version. */
  const [declined, setDeclined] = useState<{ version: string; checklist: Checklist }>();
  const decision = useAction({
    act: async ({ made, checklist }: { made: Decision; checklist: Checklist }) =>
      act(await browserClient(), made, checklist),
    done: (_nothing, { made }) => done[made.status],
    failed: (error, { made }) => failed(error, made),
    onDone: (_nothing, { made }) => onDone?.(made),
    // The queue goes on to its next case first: read again, a decided case would offer a second decision.
    refresh: [['moderation'], ...refresh],
  });
  const { isPending, variables } = decision;
  const dialog = {
    title,
    verb,
    busy: isPending && busy,
    onClose: () => setDeclined(undefined),
  };
  const reject = (rejection_reason: string) => {
    if (declined)
      decision.mutate(
        { made: { status: 'rejected', rejection_reason }, checklist: declined.checklist },
        { onSuccess: dialog.onClose },
      );
  };
  return (
    <>
      {children}
      {own ? (
        <NoDecision>{own}</NoDecision>
      ) : (
        <DecisionBar
          key={version}
          {...bar}
          primary={{
            label: 'Approve',
            icon: Check,
            busy: isPending && variables.made.status === 'approved' && 'Approving',
            onPress: (checklist) => isPending || decision.mutate({ made: { status: 'approved' }, checklist }),
          }}
          second={{
            label,
            icon: X,
            isRed: true,
            onPress: (checklist) => setDeclined({ version, checklist }),
          }}
        />
      )}
      {declined?.version === version &&
        (question ? (
          <ConfirmDialog {...dialog} question={question} onConfirm={() => reject('')} />
        ) : (
          <RejectDialog {...dialog} {...reason} onReject={reject} />
        ))}
    </>
  );
}
