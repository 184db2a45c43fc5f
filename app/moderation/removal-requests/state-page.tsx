import { Check, Circle } from 'lucide-react';
import { useEffect } from 'react';
import { data, Link, useRevalidator } from 'react-router';
import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { useOperator } from '#app/frame/page/operator.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { serverClient } from '#app/supabase.ts';
import { CopyLink } from '#app/ui/controls/copy-link.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import type { Route } from './+types/state-page.ts';
import { type RemovalRequestState, removalRequestState } from './data.ts';

export async function loader({ params, context, request }: Route.LoaderArgs) {
  const state = isUuid(params.id) ? await removalRequestState(serverClient(context), params.id) : null;
  const url = new URL(`/removal-request/${params.id}`, request.url).href;
  return data({ state, url }, { status: state ? 200 : 404 });
}

export const handle = CLOSED;

export const meta = () => [
  { title: pageTitle('Your request') },
  { name: 'robots', content: 'noindex' },
  // The address alone gives access to the state.
  { name: 'referrer', content: 'same-origin' },
];

const outcomes = {
  received: 'A moderator will look at your request within 24 hours.',
  hidden: 'Readers no longer see the images. A moderator will now decide whether to remove them permanently.',
  removed:
    'The images have been removed in every size. Copies in backups are deleted when the backups are replaced.',
  kept: 'The images stay on the site.',
};

/**
 * The state of a removal request, for its sender; it stays up to date by itself while the request is open.
 */
export default function RemovalRequestStatePage({ loaderData: { state, url } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const open = state?.status === 'received' || state?.status === 'hidden';
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => !document.hidden && void revalidate(), 10_000);
    return () => clearInterval(timer);
  }, [open, revalidate]);
  if (!state)
    return (
      <ErrorScreen title="Request not found" way={{ to: '/contact', label: 'Contact us' }}>
        The link may have been broken by your email app. Try copying all of it.
      </ErrorScreen>
    );
  return (
    <div className="page py-8 md:py-12">
      <div className="max-w-[760px]">
        <h1 className="text-2xl md:text-3xl">Your request</h1>
        <p className="mt-2 text-ink-2">
          About {state.pictures === 1 ? 'one image' : `${state.pictures} images`}
          {state.solution_id && (
            <>
              {' '}
              of{' '}
              <Link to={`/solutions/${state.solution_id}`} className="link">
                this solution
              </Link>
            </>
          )}
        </p>
        <div role="status">
          <p className="mt-6 max-w-[60ch] text-prose">{outcomes[state.status]}</p>
          {state.answer && (
            <blockquote
              dir="auto"
              className="mt-4 max-w-[60ch] border-s-4 ps-4 text-prose whitespace-pre-line text-ink-2 wrap-anywhere"
            >
              {state.answer}
            </blockquote>
          )}
        </div>
        <Steps state={state} />
        {open && <KeepAddress url={url} byMail={state.by_mail} />}
        <Disagree />
      </div>
    </div>
  );
}

function Steps({ state }: { state: RemovalRequestState }) {
  const decision = state.status === 'kept' ? 'Decided' : 'Images removed';
  const steps = [
    { name: 'Request received', at: state.created_at },
    // Skipped when the pictures were removed, or stayed, without being hidden first.
    ...(state.hidden_at || !state.resolved_at ? [{ name: 'Images hidden', at: state.hidden_at }] : []),
    { name: state.resolved_at ? decision : 'Decided', at: state.resolved_at },
  ];
  return (
    <ol aria-label="Progress" className="mt-8 divide-y overflow-clip rounded-md border bg-surface">
      {steps.map(({ name, at }) => (
        <li key={name} className={`flex min-h-14 items-center gap-3 px-5 ${at ? '' : 'text-ink-3'}`}>
          {at ? (
            <Check className="size-5 shrink-0 text-ok" strokeWidth={2} aria-hidden />
          ) : (
            <Circle className="size-5 shrink-0" strokeWidth={1.75} aria-hidden />
          )}
          <span className={at ? 'font-bold' : undefined}>{name}</span>
          <span className="ms-auto text-sm text-ink-3">
            {at ? <time dateTime={at}>{formatDay(at)}</time> : 'Not yet'}
          </span>
        </li>
      ))}
    </ol>
  );
}

function KeepAddress({ url, byMail }: { url: string; byMail: boolean }) {
  return (
    <section aria-labelledby="keep" className="mt-8">
      <h2 id="keep" className="text-xl">
        Keep the link to this page
      </h2>
      <p className="mt-2 max-w-[60ch] text-ink-2">
        {byMail ? 'We’ll also email you. ' : 'It’s the only way back to your request. '}
        Anyone with the link can see its progress, so keep it private.
      </p>
      <div className="mt-4 max-w-[60ch]">
        <CopyLink url={url} />
      </div>
    </section>
  );
}

function Disagree() {
  const email = useOperator()?.legalEmail;
  if (!email) return null;
  return (
    <p className="mt-8 border-t pt-5 text-sm text-ink-3">
      If something is wrong or you disagree, email{' '}
      <a href={`mailto:${email}`} className="link wrap-anywhere">
        {email}
      </a>
      . You can also complain to the Information Commissioner’s Office, at{' '}
      <a href="https://ico.org.uk/" rel="noopener noreferrer" className="link">
        ico.org.uk
      </a>
      .
    </p>
  );
}
