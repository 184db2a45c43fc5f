import { useInfiniteQuery } from '@tanstack/react-query';
import { Clock, Images, Plus, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import { CardSave, CardSaves } from '#app/people/collections/card-saves.tsx';
import { SolutionCard, SolutionCardSkeleton } from '#app/solution/cards/solution-card.tsx';
import { ReviewWait } from '#app/solution/review/review-banner.tsx';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { ownSolutionsQuery } from './data.ts';

const grid = 'grid gap-x-7 gap-y-10 sm:grid-cols-2 xl:grid-cols-3';

/**
 * The member’s own solutions in every state, with the wait for a review or the reason of a rejection: first those that wait
 * for the member, then the newest.
 */
export function MySolutions({ userId }: { userId: string }) {
  const solutions = useInfiniteQuery(ownSolutionsQuery(browserClient, userId));
  if (solutions.isPending) {
    return (
      <div className={grid}>
        <SolutionCardSkeleton />
        <SolutionCardSkeleton />
        <SolutionCardSkeleton />
      </div>
    );
  }
  if (solutions.isError)
    return <LoadFailed title="Failed to load your solutions" onRetry={() => void solutions.refetch()} />;
  const own = solutions.data.pages.flat();
  if (own.length === 0) {
    return (
      <EmptyState
        icon={Images}
        action={
          <Link to="/upload" className={buttonClass('primary')}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            Share Your First Solution
          </Link>
        }
      >
        Your solutions and their review status appear here.
      </EmptyState>
    );
  }
  const sorted = [true, false].flatMap((waits) =>
    own.filter((solution) => (stateOf(solution) === 'rejected') === waits),
  );
  return (
    <CardSaves solutions={sorted}>
      <ul className={grid}>
        {sorted.map((solution) => (
          <li key={solution.id} className="flex flex-col gap-3">
            <SolutionCard
              solution={solution}
              to={`/solutions/${solution.id}`}
              save={solution.status === 'approved' && <CardSave solution={solution} />}
              action={
                stateOf(solution) === 'pending' ? (
                  <Badge tone="amber">
                    <Clock aria-hidden />
                    {solution.revision ? 'New version: Pending Review' : 'Pending Review'}
                  </Badge>
                ) : stateOf(solution) === 'rejected' ? (
                  <Badge tone="red">
                    <TriangleAlert aria-hidden />
                    {solution.revision ? 'New version: Rejected' : 'Rejected'}
                  </Badge>
                ) : undefined
              }
            />
            {stateOf(solution) === 'pending' && (
              <p className="text-sm text-ink-2">
                <ReviewWait since={solution.revision?.submitted_at ?? solution.submitted_at} />
              </p>
            )}
            {solution.status === 'approved' && !solution.licence && (
              <p className="text-sm text-ink-2">
                Its texts and images have no licence yet.{' '}
                <Link to={`/upload?solution=${solution.id}`} className="link">
                  Choose one<span className="sr-only"> for {solution.title}</span>
                </Link>
              </p>
            )}
            {stateOf(solution) === 'rejected' && (
              <div className="text-sm">
                <p dir="auto" className="line-clamp-3 text-ink-2">
                  {solution.revision?.rejection_reason ?? solution.rejection_reason}
                </p>
                <Link to={`/upload?solution=${solution.id}`} className="link mt-2 inline-block">
                  Revise and resubmit<span className="sr-only"> {solution.title}</span>
                </Link>
              </div>
            )}
          </li>
        ))}
      </ul>
      <MoreButton query={solutions} className="mt-8">
        Show more
      </MoreButton>
    </CardSaves>
  );
}

/** The state of a solution's new version if it has one, and otherwise its own. */
const stateOf = ({ status, revision }: { status: string; revision: { status: string } | null }) =>
  revision?.status ?? status;
