import type { Ref } from 'react';
import { Link } from 'react-router';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { timeLeft, useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { REQUESTER_ROLES } from './data.ts';
import type { RemovalRequest } from './moderation-data.ts';

const states = {
  received: { tone: 'red', label: 'Visible to everyone' },
  hidden: { tone: 'amber', label: 'Hidden until decided' },
  removed: { tone: 'neutral', label: 'Removed' },
  kept: { tone: 'neutral', label: 'Kept' },
} as const;
const stateOf = (status: string) => states[status as keyof typeof states] ?? states.received;

interface RemovalRequestItemProps {
  request: RemovalRequest;
  heading?: Ref<HTMLHeadingElement>;
}

/** A removal request: what it is about, with its images, what its sender wrote, and what was decided. */
export function RemovalRequestItem({ request, heading }: RemovalRequestItemProps) {
  const ago = useRelativeTime(request.created_at);
  const { tone, label } = stateOf(request.status);
  const open = !request.resolved_at;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone={tone}>{label}</Badge>
        {open && (
          <span className={request.isOverdue ? 'font-bold text-red-ink' : 'text-sm font-bold text-amber-ink'}>
            {timeLeft(request.due_at)}
          </span>
        )}
        <span className="text-sm text-ink-3">received {ago}</span>
      </div>
      <h2 ref={heading} tabIndex={-1} className="mt-2 text-xl wrap-anywhere md:text-2xl">
        {request.solution_id ? (
          <Link to={`/solutions/${request.solution_id}`} className="link">
            <bdi>{request.title}</bdi>
          </Link>
        ) : (
          'Deleted solution'
        )}
      </h2>
      {request.author && (
        <p className="text-ink-2 wrap-anywhere">
          by <bdi>{request.author}</bdi>
        </p>
      )}
      <RequestImages request={request} />
      <dl className="mt-4 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-ink-3">Requester</dt>
        <dd>
          {REQUESTER_ROLES.find(({ value }) => value === request.asker)?.moderatorLabel ??
            'A moderator, after a report'}
        </dd>
        {request.reason && (
          <>
            <dt className="text-ink-3">Reason given</dt>
            <dd {...asWritten(request.reason)} className="whitespace-pre-line wrap-anywhere">
              {request.reason}
            </dd>
          </>
        )}
        {open && request.asker !== 'moderator' && (
          <>
            <dt className="text-ink-3">Reply goes to</dt>
            <dd className="wrap-anywhere">{request.email ?? 'the request’s own page (no email given)'}</dd>
          </>
        )}
        {!open && (
          <>
            <dt className="text-ink-3">Decided by</dt>
            <dd>{request.decider ?? 'System (images already removed)'}</dd>
          </>
        )}
        {request.answer && (
          <>
            <dt className="text-ink-3">Answer</dt>
            <dd {...asWritten(request.answer)} className="whitespace-pre-line wrap-anywhere">
              {request.answer}
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

/** What a request asks to have removed, also while readers do not see it, each with its description; each opens in full. */
export function RequestImages({ request }: { request: RemovalRequest }) {
  const fileUrl = useFileUrl();
  if (request.pictures.length === 0) return null;
  return (
    <ul className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
      {request.pictures.map(({ id, url, name }, number) => (
        <li key={id}>
          <a href={fileUrl(url)} target="_blank" rel="noopener noreferrer" className="block rounded-md">
            <Picture
              src={fileUrl(url)}
              alt={`${number + 1} of ${request.pictures.length} in the request, opens in a new tab`}
              width={320}
              height={240}
              loading="lazy"
              className="aspect-4/3 w-full rounded-md bg-sunken object-contain"
            />
          </a>
          {name && (
            <p {...asWritten(name)} className="mt-1 line-clamp-2 text-sm text-ink-2 wrap-anywhere">
              {name}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
