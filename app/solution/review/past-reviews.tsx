import { useQuery } from '@tanstack/react-query';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { consentText, reviewsQuery } from './data.ts';
import { ReviewHistory } from './review-history.tsx';

/** The review history of a solution: for its author and the moderators. */
export function PastReviews({ solution }: { solution: Solution }) {
  const reviews = useQuery(reviewsQuery(browserClient, solution.id, solution.revises)).data;
  return (
    <section className="flex flex-col gap-3 print:hidden">
      <h3 className="text-sm text-ink-3">Review history</h3>
      {reviews ? <ReviewHistory history={reviews.history} /> : <Skeleton className="h-6" />}
      {reviews?.consent && <p className="text-ink-2">Consent: {consentText(reviews.consent)}</p>}
    </section>
  );
}
