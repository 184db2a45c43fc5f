import { useQuery } from '@tanstack/react-query';
import { Check, ExternalLink, X } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  decideRegistration,
  registrationChecklist,
  type WaitingRegistration,
  waitingRegistrationQuery,
} from '#app/account/registrations/data.ts';
import { useAction } from '#app/frame/context/use-action.ts';
import { AuthorName } from '#app/people/members/author-name.tsx';
import { authorName } from '#app/people/members/names.ts';
import { ClaimNotice } from '#app/solution/review/claim-notice.tsx';
import { useClaim } from '#app/solution/review/use-claim.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { CopyButton } from '#app/ui/controls/copy-link.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';

const DeclineDialog = lazyDialog(() => import('./decline-dialog.tsx'), 'DeclineDialog');

interface RegistrationReviewProps {
  id: string;
  /** A moderator's own, which another moderator must check. */
  isOwn: boolean;
}

/** One registration of the queue. */
export function RegistrationReview({ id, isOwn }: RegistrationReviewProps) {
  const { data, isError, refetch } = useQuery(waitingRegistrationQuery(browserClient, id));
  if (!data?.member || !data.register)
    return (
      <NotLoaded
        loading="Loading the registration"
        failed="Failed to load the registration"
        query={{ isError, refetch }}
      />
    );
  return <Registration key={data.updated_at} registration={data} isOwn={isOwn} />;
}

type Point = keyof typeof registrationChecklist;
const points = Object.keys(registrationChecklist) as Point[];

/** A registration beside the way to look it up, the checklist, and the two decisions. */
function Registration({ registration, isOwn }: { registration: WaitingRegistration; isOwn: boolean }) {
  const { member, register, number } = registration;
  const ago = useRelativeTime(registration.submitted_at);
  const claim = useClaim('registration', isOwn ? undefined : registration.id);
  const [confirmed, setConfirmed] = useState<ReadonlySet<Point>>(new Set());
  const [isIncomplete, setIsIncomplete] = useState(false);
  const [isDeclining, setIsDeclining] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  const shown = useRef<HTMLSpanElement>(null);
  const decision = useAction({
    act: async (reason: string | null) => decideRegistration(await browserClient(), registration, reason),
    done: (_nothing, reason) => ({
      title: reason === null ? 'Registration checked' : 'Registration declined',
      text: 'The member has been notified.',
    }),
    failed: 'Failed to record the decision',
    onDone: () => setIsDeclining(false),
    refresh: [['moderation'], ['solutions'], ['profiles']],
  });
  const missing = points.some((point) => !confirmed.has(point));
  const name = authorName(registration.user_id, member);
  const approve = () => {
    if (!missing) return decision.mutate(null);
    setIsIncomplete(true);
    list.current?.querySelector<HTMLInputElement>('input:not(:checked)')?.focus();
  };
  return (
    <>
      {claim && <ClaimNotice claim={claim} className="mb-4" />}
      <div className="rounded-md border bg-surface px-4 py-5 md:px-6">
        <h2 dir="auto" className="text-left text-xl wrap-anywhere">
          {name}
        </h2>
        <p className="mt-1 text-ink-2 wrap-anywhere">
          <bdi>{[member.profession, member.workplace, member.location].filter(Boolean).join(', ')}</bdi>
        </p>
        <p className="text-sm text-ink-3">
          Submitted {ago} · profile: <AuthorName author={member} name={member.username ?? name} />
        </p>
        <dl className="mt-5 flex flex-col gap-4 border-t pt-5">
          <div>
            <dt className="text-sm text-ink-3">Register</dt>
            <dd>
              <span className="font-title">{register.code}</span>, {register.name}
              <span className="block text-sm text-ink-2">
                {register.country} · {register.professions}
              </span>
            </dd>
          </div>
          <div>
            <dt className="text-sm text-ink-3">Number</dt>
            <dd className="mt-1 flex flex-wrap items-center gap-3">
              <span ref={shown} className="text-lg font-title wrap-anywhere tabular-nums">
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
            className="link inline-flex items-center gap-1.5"
          >
            Open the public register
            <ExternalLink className="size-4 shrink-0" strokeWidth={2} aria-hidden />
            <span className="sr-only"> in a new tab</span>
          </a>
        </p>
        <div className="mt-6 border-t pt-5" data-decision>
          {isOwn ? (
            <p className="text-ink-2">This is your own registration. Another moderator must check it.</p>
          ) : (
            <>
              <fieldset ref={list} aria-describedby={isIncomplete && missing ? 'unconfirmed' : undefined}>
                <legend className="text-lg font-title">Found in the register</legend>
                {registration.warnings.map((warning) => (
                  <p key={warning} className="mt-2 text-red-ink">
                    {warning}
                  </p>
                ))}
                {isIncomplete && missing && (
                  <p id="unconfirmed" role="alert" className="mt-2 font-title text-red-ink">
                    Confirm each point of the checklist first
                  </p>
                )}
                <div className="mt-2 divide-y">
                  {points.map((point) => (
                    <Checkbox
                      key={point}
                      checked={confirmed.has(point)}
                      aria-invalid={(isIncomplete && !confirmed.has(point)) || undefined}
                      onChange={({ target }) =>
                        setConfirmed(
                          (before) =>
                            new Set(
                              target.checked
                                ? [...before, point]
                                : [...before].filter((one) => one !== point),
                            ),
                        )
                      }
                    >
                      {registrationChecklist[point]}
                    </Checkbox>
                  ))}
                </div>
              </fieldset>
              <div className="mt-5 flex flex-wrap gap-3">
                <Button className="text-red-ink" onClick={() => setIsDeclining(true)}>
                  <X className="size-5" strokeWidth={1.75} aria-hidden />
                  Decline
                </Button>
                <Button
                  variant="primary"
                  busy={decision.isPending && !isDeclining && 'Recording'}
                  onClick={() => !decision.isPending && approve()}
                >
                  <Check className="size-5" strokeWidth={1.75} aria-hidden />
                  Record as checked
                </Button>
              </div>
            </>
          )}
        </div>
      </div>
      {isDeclining && (
        <DeclineDialog
          name={name}
          busy={decision.isPending}
          onDecline={(reason) => decision.mutate(reason)}
          onClose={() => setIsDeclining(false)}
        />
      )}
    </>
  );
}
