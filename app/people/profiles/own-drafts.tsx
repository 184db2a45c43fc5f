import { useQuery } from '@tanstack/react-query';
import { FilePen } from 'lucide-react';
import { Link } from 'react-router';
import { useSubmitted } from '#app/sharing/outbox/submitted.ts';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { formatRelativeTime } from '#app/ui/texts/relative-time.ts';
import { ownDraftsQuery } from './data.ts';

/** Where unfinished submissions are found again, first those that only this device has and wait to be sent. */
export function OwnDrafts({ userId }: { userId: string }) {
  const { data: stored, isError, refetch } = useQuery(ownDraftsQuery(browserClient, userId));
  const submitted = useSubmitted(userId);
  if (isError) return <LoadFailed title="Failed to load your drafts" onRetry={() => void refetch()} />;
  if (!stored) return <Skeleton className="h-14" />;
  const drafts = [
    ...submitted.map(({ target, title, problem }) => ({
      solutionId: target.solutionId,
      title,
      state: problem === null ? 'waiting to be sent' : 'not accepted',
    })),
    ...stored
      .filter(({ solutionId }) => submitted.every(({ target }) => target.solutionId !== solutionId))
      .map(({ updatedAt, ...draft }) => ({ ...draft, state: `saved ${formatRelativeTime(updatedAt)}` })),
  ];
  if (drafts.length === 0) return <p className="text-ink-2">You have no drafts.</p>;
  return (
    <ul className="divide-y rounded-md border bg-surface">
      {drafts.map(({ solutionId, title, state }) => (
        <li key={solutionId} className="relative flex min-h-14 items-center gap-3 px-4 py-2">
          <FilePen className="size-5 shrink-0 text-ink-2" strokeWidth={1.75} aria-hidden />
          <div className="min-w-0 flex-1 gap-3 sm:flex sm:items-center sm:justify-between">
            <Link
              to={solutionId ? `/upload?solution=${solutionId}` : '/upload'}
              className="link font-bold wrap-anywhere after:absolute after:inset-0"
            >
              <bdi>{title}</bdi>
            </Link>
            <p className="shrink-0 text-sm text-ink-3">
              {solutionId ? 'Edit' : 'New solution'} · {state}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
