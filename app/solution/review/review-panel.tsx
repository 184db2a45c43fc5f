import { useQuery } from '@tanstack/react-query';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { consentText, reviewsQuery } from './data.ts';
import { Decision } from './decision.tsx';
import { ReviewHistory } from './review-history.tsx';
import { ReviewedAudience } from './reviewed-audience.tsx';

/** What a moderator needs to decide on a pending solution, beside what is decided on. */
export function ReviewPanel({ solution }: { solution: Solution }) {
  const reviews = useQuery(reviewsQuery(browserClient, solution.id, solution.revises)).data;
  return (
    <section
      aria-label="Review"
      className="lg:sticky lg:top-[88px] lg:max-h-[calc(100dvh-104px)] lg:overflow-y-auto print:hidden"
    >
      <Decision key={solution.updated_at} solution={solution} />
      {reviews && (
        <dl className="mt-5 flex flex-col gap-3 px-5 md:px-6">
          <div>
            <dt className="text-sm text-ink-3">Who can see it</dt>
            <dd>
              <ReviewedAudience solution={solution} now={reviews.audience} />
            </dd>
          </div>
          {reviews.consent && (
            <div>
              <dt className="text-sm text-ink-3">Consent</dt>
              <dd>{consentText(reviews.consent)}</dd>
            </div>
          )}
          <div>
            <dt className="text-sm text-ink-3">History</dt>
            <dd className="mt-1">
              <ReviewHistory history={reviews.history} />
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}
