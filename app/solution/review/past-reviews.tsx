import { useQuery } from '@tanstack/react-query';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { consentText, reviewsQuery } from './data.ts';
import { ReviewHistory } from './review-history.tsx';

/** The review history of a solution, folded up: for its author and the moderators. */
export function PastReviews({ solution }: { solution: Solution }) {
  const reviews = useQuery(reviewsQuery(browserClient, solution.id, solution.revises)).data;
  return (
    <details className="mt-4 rounded-md border bg-surface px-5 py-3 md:px-6 print:hidden">
      <summary className="disclosure min-h-11 justify-between font-title md:min-h-9">Review history</summary>
      <div className="mt-3 flex flex-col gap-3">
        {reviews ? <ReviewHistory history={reviews.history} /> : <Skeleton className="h-6" />}
        {reviews?.consent && <p className="text-ink-2">Consent: {consentText(reviews.consent)}</p>}
      </div>
    </details>
  );
}
