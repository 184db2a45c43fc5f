import { EyeOff, RotateCcw, Trash2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useFileUrl } from '#app/file-url.ts';
import { DecisionBar } from '#app/solution/review/decision-bar.tsx';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { timeLeft, useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { REQUESTER_ROLES } from './data.ts';
import type { RemovalRequest } from './moderation-data.ts';
import { useRemovalRequest } from './use-removal-request.ts';

const RemovalRequestAnswerDialog = lazyDialog(
  () => import('./answer-dialog.tsx'),
  'RemovalRequestAnswerDialog',
);

const states = {
  received: { tone: 'red', label: 'Visible to everyone' },
  hidden: { tone: 'amber', label: 'Hidden until decided' },
  removed: { tone: 'neutral', label: 'Removed' },
  kept: { tone: 'neutral', label: 'Kept' },
} as const;
const stateOf = (status: string) => states[status as keyof typeof states] ?? states.received;

interface RemovalRequestItemProps {
  request: RemovalRequest;
  /** The request an alert has led to. */
  isChosen: boolean;
  /** Only an admin may decide that pictures of their own stay. */
  mayKeep: boolean;
}

/** A removal request with its images, what its sender wrote, and the decisions that are open to the reader. */
export function RemovalRequestItem({ request, isChosen, mayKeep }: RemovalRequestItemProps) {
  const [answering, setAnswering] = useState<'removed' | 'kept'>();
  const item = useRef<HTMLLIElement>(null);
  const ago = useRelativeTime(request.created_at);
  const acting = useRemovalRequest();
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const { tone, label } = stateOf(request.status);
  const about = request.title ? `“${request.title}”` : 'a deleted solution';
  const open = !request.resolved_at;
  return (
    <li
      ref={item}
      aria-current={isChosen || undefined}
      className={`rounded-md border bg-surface px-4 py-5 md:px-6 ${isChosen ? 'border-accent ring-1 ring-accent' : ''}`}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone={tone}>{label}</Badge>
        {open && (
          <span
            className={request.isOverdue ? 'font-title text-red-ink' : 'text-sm font-title text-amber-ink'}
          >
            {timeLeft(request.due_at)}
          </span>
        )}
        <span className="text-sm text-ink-3">received {ago}</span>
      </div>
      <p className="mt-2.5 text-lg font-title wrap-anywhere">
        {request.solution_id ? (
          <Link to={`/solutions/${request.solution_id}`} className="link">
            <bdi>{request.title}</bdi>
          </Link>
        ) : (
          'Deleted solution'
        )}
        {request.author && (
          <span className="font-normal text-ink-2">
            {' '}
            by <bdi>{request.author}</bdi>
          </span>
        )}
      </p>
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
            <dt className="text-ink-3">Answer is sent to</dt>
            <dd className="wrap-anywhere">{request.email ?? 'the page of the request'}</dd>
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
      {open && (
        <DecisionBar>
          {request.status === 'received' && (
            <Button
              variant="primary"
              busy={acting.isPending && 'Hiding'}
              onClick={() => acting.mutate({ id: request.id, decision: { status: 'hidden' } })}
            >
              <EyeOff className="size-5" strokeWidth={1.75} aria-hidden />
              Hide {request.mediaCount === 1 ? 'the image' : 'the images'} now
              <span className="sr-only"> of {about}</span>
            </Button>
          )}
          <Button className="text-red-ink" onClick={() => setAnswering('removed')}>
            <Trash2 className="size-5" strokeWidth={1.75} aria-hidden />
            Remove permanently<span className="sr-only"> from {about}</span>
          </Button>
          {mayKeep && (
            <Button onClick={() => setAnswering('kept')}>
              {request.status === 'hidden' ? (
                <RotateCcw className="size-5" strokeWidth={1.75} aria-hidden />
              ) : (
                <X className="size-5" strokeWidth={1.75} aria-hidden />
              )}
              {request.status === 'hidden' ? 'Show again' : 'Decline'}
              <span className="sr-only"> for {about}</span>
            </Button>
          )}
        </DecisionBar>
      )}
      {answering && (
        <RemovalRequestAnswerDialog
          request={request}
          outcome={answering}
          onClose={() => setAnswering(undefined)}
        />
      )}
    </li>
  );
}

/** What a request asks to have removed, also while readers do not see it; each opens in full. */
export function RequestImages({ request }: { request: RemovalRequest }) {
  const fileUrl = useFileUrl();
  if (request.pictures.length === 0) return null;
  return (
    <ul className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
      {request.pictures.map(({ id, url }, number) => (
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
        </li>
      ))}
    </ul>
  );
}
