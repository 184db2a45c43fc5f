import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { consentText, reviewsQuery } from './data.ts';
import { ReviewHistory } from './review-history.tsx';
import { ReviewedAudience } from './reviewed-audience.tsx';

/** What a moderator has to know of a case before anything else, above its title. */
export const CaseWarning = ({ children }: { children: ReactNode }) => (
  <p className="mb-4 flex items-start gap-2 font-bold text-red-ink">
    <span className="icon icon-failed on-first-line" />
    {children}
  </p>
);

/** Says what was found in a text that could identify the patient. */
export function FoundIdentifiers({ identifiers = [] }: { identifiers: readonly string[] | undefined }) {
  if (identifiers.length === 0) return null;
  return <CaseWarning>Possible identifiers found: {identifiers.join(', ')}</CaseWarning>;
}

/** What a moderator needs to know to decide on a pending solution, beside what is decided on. */
export function ReviewPanel({ solution }: { solution: Solution }) {
  const reviews = useQuery(reviewsQuery(browserClient, solution.id, solution.revises)).data;
  return (
    <section aria-label="Review" className="lg:sticky lg:top-(--below-header) print:hidden">
      <FoundIdentifiers identifiers={reviews?.identifiers} />
      {reviews && (
        <dl className="flex flex-col gap-3 rounded-md border bg-surface px-5 py-5 md:px-6">
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
