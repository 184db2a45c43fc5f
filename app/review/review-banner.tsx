import { useQuery } from '@tanstack/react-query';
import { CircleX, Clock } from 'lucide-react';
import { Link } from 'react-router';
import { reviewsQuery, type Solution } from '#app/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { buttonClass } from '#app/ui/button.tsx';
import { consentText } from './data.ts';
import { Decision } from './decision.tsx';
import { ReviewHistory } from './review-history.tsx';

interface ReviewBannerProps {
  solution: Solution;
  isAuthor: boolean;
  /** A moderator who may decide on this solution. */
  mayDecide: boolean;
}

/**
 * The review state of a solution that is not public: for its author and the moderators, who can decide from
 * here.
 */
export function ReviewBanner({ solution, isAuthor, mayDecide }: ReviewBannerProps) {
  const reviews = useQuery(reviewsQuery(browserClient, solution.id)).data;
  const pending = solution.status === 'pending';
  return (
    <Banner
      tone={pending ? 'amber' : 'red'}
      icon={pending ? Clock : CircleX}
      title={pending ? 'Pending Review.' : 'Rejected.'}
      className="mb-6"
    >
      {pending ? (
        `Only ${isAuthor ? 'you' : 'its author'} and the moderators can see this solution.`
      ) : (
        <bdi dir="auto">{solution.rejection_reason}</bdi>
      )}
      {reviews && (reviews.history.length > 1 || mayDecide) && (
        <div className="mt-3 grid gap-4 border-t border-current/25 pt-4 md:grid-cols-2">
          <div className="flex flex-col gap-3">
            <ReviewHistory history={reviews.history} stated={solution.rejection_reason} />
            {mayDecide && reviews.consent && <p>Consent: {consentText(reviews.consent.basis)}</p>}
          </div>
          {mayDecide && pending && (
            <div className="rounded-md border bg-surface px-5 py-4 text-ink">
              <Decision key={solution.updated_at} solution={solution} />
            </div>
          )}
        </div>
      )}
      {isAuthor && (
        <div className="mt-4">
          <Link to={`/upload?solution=${solution.id}`} className={buttonClass()}>
            {pending ? 'Edit' : 'Edit and send again'}
          </Link>
        </div>
      )}
    </Banner>
  );
}
