import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { type Outcome, outcomeQuery } from './data.ts';

/** What became of a case, by how the act ends in the audit log. */
const SENTENCES: Record<string, (by: string, day: string) => string> = {
  approved: (by, day) => `This was approved by ${by} on ${day}.`,
  published: (by, day) => `This was approved by ${by} on ${day}.`,
  checked: (by, day) => `This was approved by ${by} on ${day}.`,
  rejected: (by, day) => `This was rejected by ${by} on ${day}.`,
  declined: (by, day) => `This was declined by ${by} on ${day}.`,
  dismissed: (by, day) => `This was dismissed by ${by} on ${day}.`,
  resolved: (by, day) => `This was closed by ${by} on ${day}.`,
  deleted: (by, day) => `This was deleted by ${by} on ${day}.`,
  removed: (by, day) => `This was removed by ${by} on ${day}.`,
  kept: (by, day) => `This was decided by ${by} on ${day}: the images stay.`,
};

interface CaseOutcomeProps {
  /** A new version is named by its solution. */
  id: string;
  /** Since when it waited, where that is known; what was decided before is not about it. */
  since: string | undefined;
  /** Whether it was open until now: then its own decision leads on by itself. */
  wasOpen: boolean;
  /** Whether something else waits; undefined until that is known. */
  hasNext: boolean | undefined;
  onNext: () => void;
}

/** Stands in the place of a case that no longer waits: who decided what, and the way to the next one. */
export function CaseOutcome({ id, since, wasOpen, hasNext, onNext }: CaseOutcomeProps) {
  const { data, isError, isFetching, refetch } = useQuery(outcomeQuery(browserClient, id));
  const outcome = data && (!since || data.at >= since) ? data : null;
  const isOwn = wasOpen && !isFetching && outcome?.mine === true;
  const leadsOn = isOwn && hasNext !== undefined;
  const goOn = useEffectEvent(onNext);
  useEffect(() => {
    if (leadsOn) goOn();
  }, [leadsOn]);
  if (isError) return <LoadFailed title="Failed to load the decision" onRetry={() => void refetch()} />;
  if (data === undefined || isFetching || isOwn) return <Skeleton className="h-64" />;
  return (
    <div role="status">
      <EmptyState
        icon={CircleCheck}
        action={
          hasNext && (
            <Button variant="primary" onClick={onNext}>
              Go on to what waits next
            </Button>
          )
        }
      >
        {sentenceOf(outcome)}
      </EmptyState>
    </div>
  );
}

function sentenceOf(outcome: Outcome | null): string {
  const sentence = outcome && SENTENCES[outcome.action.split('_').at(-1) ?? ''];
  return sentence
    ? sentence(outcome.mine ? 'you' : (outcome.by ?? 'a former member'), formatDay(outcome.at))
    : 'This isn’t in the list of what waits. It may have been withdrawn since.';
}
