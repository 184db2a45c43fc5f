import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useRef } from 'react';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { ReviewCase } from '#app/solution/review/review-case.tsx';
import { CaseWarning } from '#app/solution/review/review-panel.tsx';
import { browserClient } from '#app/supabase.ts';
import { CopyButton } from '#app/ui/controls/copy-link.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import {
  decideRegistration,
  MAX_REASON,
  registrationChecklist,
  type WaitingRegistration,
  waitingRegistrationQuery,
} from './data.ts';

/** One registration of the queue. */
export function RegistrationReview({ id, isOwn }: ReviewProps) {
  const query = useQuery(waitingRegistrationQuery(browserClient, id));
  const { data } = query;
  if (!data?.member || !data.register)
    return (
      <NotLoaded loading="Loading the registration" failed="Failed to load the registration" query={query} />
    );
  return <Registration key={data.updated_at} registration={data} isOwn={isOwn} />;
}

/** A registration beside the way to look it up, the checklist, and the two decisions. */
function Registration({ registration, isOwn }: { registration: WaitingRegistration; isOwn: boolean }) {
  const { member, register, number } = registration;
  const ago = useRelativeTime(registration.submitted_at);
  const shown = useRef<HTMLSpanElement>(null);
  const name = authorName(registration.user_id, member);
  return (
    <ReviewCase
      kind="registration"
      id={registration.id}
      own={isOwn && 'This is your own registration. Another moderator must check it.'}
      points={registrationChecklist}
      act={(db, made) => decideRegistration(db, registration, made)}
      done={{
        approved: { title: 'Registration approved', text: 'The member has been notified.' },
        rejected: { title: 'Registration declined', text: 'The member has been notified.' },
      }}
      failed={() => 'Failed to record the decision'}
      refresh={[['solutions'], ['profiles']]}
      decline={{
        title: 'Decline registration',
        description: `${name} sees your reason and can correct the registration.`,
        hint: 'Say what differs from the register, for example the name',
        maxLength: MAX_REASON,
      }}
    >
      {registration.warnings.map((warning) => (
        <CaseWarning key={warning}>{warning}</CaseWarning>
      ))}
      <div className="rounded-md border bg-surface px-4 py-5 md:px-6">
        <h2 dir="auto" className="text-left text-xl wrap-anywhere">
          {name}
        </h2>
        <p className="mt-1 text-ink-2 wrap-anywhere">
          <bdi>{[member.profession, member.workplace, member.location].filter(Boolean).join(', ')}</bdi>
        </p>
        <p className="dotted text-sm text-ink-3">
          <span>Submitted {ago}</span>
          <span>
            profile: <AuthorName author={member} name={member.username ?? name} />
          </span>
        </p>
        <dl className="mt-5 flex flex-col gap-4 border-t pt-5">
          <div>
            <dt className="text-sm text-ink-3">Register</dt>
            <dd>
              <span className="font-bold">{register.code}</span>, {register.name}
              <span className="block text-sm text-ink-2">
                {register.country} · {register.professions}
              </span>
            </dd>
          </div>
          <div>
            <dt className="text-sm text-ink-3">Number</dt>
            <dd className="mt-1 flex flex-wrap items-center gap-3">
              <span ref={shown} className="text-lg font-bold wrap-anywhere tabular-nums">
                {number}
              </span>
              {/* It is never part of another site's address. */}
              <CopyButton text={number} label="Copy number" shown={shown} />
            </dd>
          </div>
        </dl>
        <p className="mt-4">
          <a
            href={register.search_url}
            target="_blank"
            rel="noopener noreferrer"
            referrerPolicy="no-referrer"
            className="link inline-flex items-center gap-2"
          >
            Open the public register
            <ExternalLink className="size-4 shrink-0" strokeWidth={2} aria-hidden />
            <span className="sr-only"> in a new tab</span>
          </a>
        </p>
      </div>
    </ReviewCase>
  );
}
