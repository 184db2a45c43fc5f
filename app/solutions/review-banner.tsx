import { useQuery } from '@tanstack/react-query';
import { Check, CircleX, Clock, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { authorName } from '#app/members/names.ts';
import { browserClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { reviewsQuery, type Solution } from './data.ts';
import { consentText } from './review.ts';
import { ReviewHistory } from './review-history.tsx';
import { useDecision } from './use-decision.ts';

const RejectDialog = lazy(() =>
  import('./reject-dialog.tsx').then((module) => ({ default: module.RejectDialog })),
);

interface ReviewBannerProps {
  solution: Solution;
  isAuthor: boolean;
  /** A moderator who may decide on this one. */
  mayDecide: boolean;
}

/** Where a solution that is not public stands: for its author and the moderators, who can decide from here. */
export function ReviewBanner({ solution, isAuthor, mayDecide }: ReviewBannerProps) {
  const [rejecting, reject] = useState(false);
  const reviews = useQuery(reviewsQuery(browserClient, solution.id)).data;
  const decision = useDecision(() => reject(false));
  const pending = solution.status === 'pending';
  return (
    <Banner
      tone={pending ? 'amber' : 'red'}
      icon={pending ? Clock : CircleX}
      title={pending ? 'Pending Review.' : 'Rejected.'}
      className="mb-6"
    >
      {pending
        ? `Only ${isAuthor ? 'you' : 'its author'} and the moderators can see this solution.`
        : solution.rejection_reason}
      {reviews && (reviews.history.length > 1 || mayDecide) && (
        <div className="mt-3 grid gap-4 border-t border-current/25 pt-3 md:grid-cols-2">
          <ReviewHistory history={reviews.history} stated={solution.rejection_reason} />
          {mayDecide && reviews.consent && <p>Consent: {consentText(reviews.consent.basis)}</p>}
        </div>
      )}
      {((mayDecide && pending) || isAuthor) && (
        <div className="mt-4 flex flex-wrap gap-3">
          {mayDecide && pending && (
            <>
              <Button className="text-red-ink" onClick={() => reject(true)}>
                <X className="size-5" strokeWidth={1.75} aria-hidden />
                Reject
              </Button>
              <Button
                variant="primary"
                busy={decision.isPending && !rejecting && 'Approving'}
                onClick={() => decision.mutate({ id: solution.id, decision: { status: 'approved' } })}
              >
                <Check className="size-5" strokeWidth={1.75} aria-hidden />
                Approve
              </Button>
            </>
          )}
          {isAuthor && (
            <Link to={`/upload?solution=${solution.id}`} className={buttonClass()}>
              {pending ? 'Edit' : 'Edit and send again'}
            </Link>
          )}
        </div>
      )}
      {rejecting && (
        <Suspense>
          <RejectDialog
            title={solution.title}
            author={authorName(solution.user_id, solution.author)}
            busy={decision.isPending}
            onReject={(reason) =>
              decision.mutate({ id: solution.id, decision: { status: 'rejected', rejection_reason: reason } })
            }
            onClose={() => reject(false)}
          />
        </Suspense>
      )}
    </Banner>
  );
}
