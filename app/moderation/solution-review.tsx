import { useQuery } from '@tanstack/react-query';
import { formatDistanceToNow } from 'date-fns';
import { Check, Clock, Eye, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { formatDay } from '#app/dates.ts';
import { useFileUrl } from '#app/files.ts';
import { authorName, professionOf } from '#app/members/names.ts';
import { useSession } from '#app/session.ts';
import { reviewsQuery, solutionQuery } from '#app/solutions/data.ts';
import { Fact } from '#app/solutions/details-card.tsx';
import { Gallery } from '#app/solutions/gallery.tsx';
import { LevelGlyph } from '#app/solutions/level-glyph.tsx';
import { Prose, Section } from '#app/solutions/prose.tsx';
import { consentText } from '#app/solutions/review.ts';
import { ReviewHistory } from '#app/solutions/review-history.tsx';
import { useDecision } from '#app/solutions/use-decision.ts';
import { browserClient } from '#app/supabase.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Checkbox } from '#app/ui/choice.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { PendingSolution } from './data.ts';
import { useClaim } from './use-claim.ts';

const RejectDialog = lazy(() =>
  import('#app/solutions/reject-dialog.tsx').then((module) => ({ default: module.RejectDialog })),
);

/** What a moderator looks at before a solution becomes public. */
const checks = [
  'No person can be recognised in photos or video, or consent covers it',
  'Consent matches what is shown',
  'No names, dates or hospital numbers in the text',
  'Facts and materials agree with the pictures',
  'Outcomes are described, not promised',
];

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth'];

interface SolutionReviewProps {
  item: PendingSolution;
  isAdmin: boolean;
  onDecided: (id: string) => void;
}

/** One waiting solution as readers will see it, with the consent, the history and the decision beside it. */
export function SolutionReview({ item, isAdmin, onDecided }: SolutionReviewProps) {
  const fileUrl = useFileUrl();
  const member = useSession()?.member;
  const solution = useQuery({
    ...solutionQuery(browserClient, item.id, member?.id),
    enabled: member != null,
  }).data;
  const name = authorName(item.user_id, item.author);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-9 gap-y-8 xl:grid-cols-[minmax(0,1fr)_336px]">
      <article className="min-w-0">
        <div className="flex flex-wrap items-center gap-2.5">
          <Badge tone="amber">
            <Clock aria-hidden />
            Pending Review
          </Badge>
          {item.submissions > 1 && (
            <span className="text-ink-2">
              {ordinals[item.submissions - 1] ?? `${item.submissions}th`} submission
            </span>
          )}
        </div>
        <h2 className="mt-3 text-xl wrap-anywhere md:text-2xl">{item.title}</h2>
        <div className="mt-2.5 mb-5 flex items-center gap-2.5">
          <Avatar
            name={name}
            src={item.author?.avatar_url ? fileUrl(item.author.avatar_url) : null}
            size={32}
          />
          <p className="text-ink-2">
            <span className="font-title text-ink">{name}</span> · {professionOf(item.author)} ·{' '}
            {formatDay(item.submittedAt)}
          </p>
        </div>
        {solution ? (
          <>
            {solution.media.length > 0 && <Gallery media={solution.media} title={solution.title} />}
            <div className="mt-6">
              <Prose text={solution.description} />
              <Section title="Durability & Testing" text={solution.durability_testing} />
              <Section title="Patient Outcomes" text={solution.patient_outcomes} />
              <Section title="Challenges Overcome" text={solution.challenges_overcome} />
            </div>
            <dl className="mt-8 rounded-md border bg-surface px-5 py-3 *:first:border-t-0 md:px-6">
              <Fact name="Amputation Level">
                <span className="flex items-center gap-2.5">
                  <LevelGlyph
                    level={solution.amputation_level}
                    className="size-[22px] shrink-0 text-accent"
                  />
                  {solution.amputation_level}
                </span>
              </Fact>
              <Fact name="Function in mind">{solution.occupation}</Fact>
              <Fact name="Age Group">{solution.age_group}</Fact>
              <Fact name="Prosthesis Type">{solution.prosthesis_type}</Fact>
              <Fact name="Cost Range">{solution.cost_range}</Fact>
              {solution.materials.length > 0 && (
                <Fact name="Materials Used">{solution.materials.join(', ')}</Fact>
              )}
              {solution.custom_tags.length > 0 && <Fact name="Tags">{solution.custom_tags.join(', ')}</Fact>}
            </dl>
          </>
        ) : (
          <Skeleton className="aspect-[16/10]" />
        )}
      </article>
      <Decision
        item={item}
        name={name}
        isOwn={item.user_id === member?.id && !isAdmin}
        onDecided={onDecided}
      />
    </div>
  );
}

interface DecisionProps {
  item: PendingSolution;
  name: string;
  /** A moderator's own work, which another one must decide on. */
  isOwn: boolean;
  onDecided: (id: string) => void;
}

function Decision({ item, name, isOwn, onDecided }: DecisionProps) {
  const [rejecting, reject] = useState(false);
  const reviews = useQuery(reviewsQuery(browserClient, item.id)).data;
  const decision = useDecision(onDecided);
  const claim = useClaim(isOwn ? undefined : item.id);
  return (
    <aside aria-label="Decision" className="xl:sticky xl:top-[88px] xl:self-start">
      <section aria-labelledby="before-approval" className="rounded-md border bg-surface px-5 py-5 md:px-6">
        {claim && (
          <p className="mb-4 flex gap-2 text-amber-ink" role="status">
            <Eye className="mt-0.5 size-5 shrink-0" strokeWidth={1.75} aria-hidden />
            <span>
              <span className="font-title">{claim.name}</span> opened this{' '}
              {formatDistanceToNow(new Date(claim.claimed_at), { addSuffix: true })} and may be deciding.
            </span>
          </p>
        )}
        <h3 id="before-approval" className="text-xl">
          Before approval
        </h3>
        {item.identifiers.length > 0 && (
          <p className="mt-2 text-red-ink">The text seems to hold: {item.identifiers.join(', ')}</p>
        )}
        <div className="mt-2 divide-y">
          {checks.map((check) => (
            <Checkbox key={check}>{check}</Checkbox>
          ))}
        </div>
        {isOwn ? (
          <p className="mt-4 text-ink-2">This is your own solution; another moderator decides on it.</p>
        ) : (
          <div className="mt-5 grid grid-cols-2 gap-3">
            <Button className="text-red-ink" onClick={() => reject(true)}>
              <X className="size-5" strokeWidth={1.75} aria-hidden />
              Reject
            </Button>
            <Button
              variant="primary"
              busy={decision.isPending && !rejecting && 'Approving'}
              onClick={() => decision.mutate({ id: item.id, decision: { status: 'approved' } })}
            >
              <Check className="size-5" strokeWidth={1.75} aria-hidden />
              Approve
            </Button>
          </div>
        )}
      </section>
      {reviews && (
        <div className="mt-6 flex flex-col gap-5 px-5 md:px-6">
          <section aria-labelledby="consent">
            <h3 id="consent" className="text-sm text-ink-3">
              Consent
            </h3>
            {reviews.consent ? (
              <>
                <p>{consentText(reviews.consent.basis)}</p>
                <p className="text-sm text-ink-3">
                  {formatDay(reviews.consent.recorded_at)} · text version {reviews.consent.statement_version}
                </p>
              </>
            ) : (
              <p className="text-red-ink">No consent statement was given</p>
            )}
          </section>
          <section aria-labelledby="history">
            <h3 id="history" className="mb-1 text-sm text-ink-3">
              History
            </h3>
            <ReviewHistory history={reviews.history} />
          </section>
        </div>
      )}
      {rejecting && (
        <Suspense>
          <RejectDialog
            title={item.title}
            author={name}
            busy={decision.isPending}
            onReject={(reason) =>
              decision.mutate({ id: item.id, decision: { status: 'rejected', rejection_reason: reason } })
            }
            onClose={() => reject(false)}
          />
        </Suspense>
      )}
    </aside>
  );
}
