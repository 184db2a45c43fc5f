import { useQuery } from '@tanstack/react-query';
import { formatDistanceToNow } from 'date-fns';
import { ImageOff, Inbox } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';
import { useFileUrl } from '#app/files.ts';
import { authorName } from '#app/members/names.ts';
import { useSession } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toasts.tsx';
import { type PendingSolution, pendingQuery } from './data.ts';
import { SolutionReview } from './solution-review.tsx';

/** The review queue, longest waiting first, and the chosen solution beside it. */
export function PendingSolutions({ isAdmin }: { isAdmin: boolean }) {
  const queue = useQuery(pendingQuery(browserClient));
  const failed = queue.isError;

  useEffect(() => {
    if (failed) toast({ tone: 'error', title: 'Error', text: 'Failed to load pending solutions' });
  }, [failed]);

  if (queue.isPending) {
    return (
      <div className="grid gap-9 lg:grid-cols-[304px_minmax(0,1fr)]">
        <div className="flex flex-col gap-4">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} className="h-[68px]" />
          ))}
        </div>
        <Skeleton className="aspect-[16/10] max-lg:hidden" />
      </div>
    );
  }
  if (!queue.data) {
    return (
      <EmptyState icon={ImageOff} action={<Button onClick={() => void queue.refetch()}>Try again</Button>}>
        Failed to load pending solutions
      </EmptyState>
    );
  }
  if (queue.data.length === 0)
    return <EmptyState icon={Inbox}>No solutions are waiting for review</EmptyState>;
  return <Queue waiting={queue.data} isAdmin={isAdmin} />;
}

function Queue({ waiting, isAdmin }: { waiting: PendingSolution[]; isAdmin: boolean }) {
  const [params, setParams] = useSearchParams();
  const member = useSession()?.member;
  const wanted = params.get('solution');
  const chosen =
    waiting.find(({ id }) => id === wanted) ??
    waiting.find((item) => !isClaimed(item, member?.id)) ??
    waiting[0];
  const choose = (id: string, replace = false) =>
    setParams({ tab: 'solutions', solution: id }, { preventScrollReset: true, replace });

  // What one reviews stays chosen when the list is read anew.
  const hold = useEffectEvent((id: string) => choose(id, true));
  const unheld = chosen && chosen.id !== wanted ? chosen.id : undefined;
  useEffect(() => {
    if (unheld) hold(unheld);
  }, [unheld]);

  const step = useEffectEvent((by: 1 | -1) => {
    const next = waiting[(chosen ? waiting.indexOf(chosen) : 0) + by];
    if (next) choose(next.id);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      // Opens the choices of a field, and a dialog is about the one that is chosen.
      if (event.target instanceof Element && event.target.closest('select, [role=dialog]')) return;
      event.preventDefault();
      step(event.key === 'ArrowDown' ? 1 : -1);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  if (!chosen) return null;
  const decided = (id: string) => {
    const place = waiting.findIndex((item) => item.id === id);
    const next = waiting[place + 1] ?? waiting[place - 1];
    setParams({ tab: 'solutions', ...(next ? { solution: next.id } : {}) }, { preventScrollReset: true });
  };
  return (
    <div className="grid gap-x-9 gap-y-8 lg:grid-cols-[304px_minmax(0,1fr)]">
      <nav
        aria-label="Solutions waiting for review"
        className="-m-3 lg:sticky lg:top-[76px] lg:max-h-[calc(100dvh-88px)] lg:self-start lg:overflow-y-auto"
      >
        <p className="px-3.5 pb-2 text-sm text-ink-3 max-lg:hidden">
          <kbd className="font-sans font-semibold">Alt ↓</kbd> next,{' '}
          <kbd className="font-sans font-semibold">Alt ↑</kbd> previous
        </p>
        <ol className="flex flex-col gap-2 p-0.5">
          {waiting.map((item) => (
            <li key={item.id}>
              <QueueItem item={item} current={item.id === chosen.id} onChoose={() => choose(item.id)} />
            </li>
          ))}
        </ol>
      </nav>
      <SolutionReview key={chosen.id} item={chosen} isAdmin={isAdmin} onDecided={decided} />
    </div>
  );
}

/** Whether another moderator has it open. */
function isClaimed({ claim }: PendingSolution, viewerId: string | undefined): boolean {
  return (
    claim !== null &&
    claim.moderator_id !== viewerId &&
    Date.parse(claim.claimed_at) > Date.now() - 15 * 60_000
  );
}

function QueueItem({
  item,
  current,
  onChoose,
}: {
  item: PendingSolution;
  current: boolean;
  onChoose: () => void;
}) {
  const fileUrl = useFileUrl();
  return (
    <button
      type="button"
      aria-current={current ? 'true' : undefined}
      onClick={onChoose}
      className="flex w-full gap-3 rounded-md border border-transparent p-3 text-left transition-colors hover:bg-chip aria-[current]:border-accent aria-[current]:bg-surface aria-[current]:ring-1 aria-[current]:ring-accent"
    >
      {item.picture ? (
        <img
          src={fileUrl(item.picture)}
          alt=""
          width={84}
          height={63}
          className="picture h-[63px] w-[84px] shrink-0 rounded-sm object-cover"
        />
      ) : (
        <span className="flex h-[63px] w-[84px] shrink-0 items-center justify-center rounded-sm bg-chip">
          <ImageOff className="size-5 text-ink-3" strokeWidth={1.75} aria-hidden />
        </span>
      )}
      <span className="min-w-0">
        <span className="line-clamp-2 text-base/5 font-title wrap-anywhere">{item.title}</span>
        <span className="mt-1 block text-sm text-ink-3">
          {authorName(item.user_id, item.author)},{' '}
          {formatDistanceToNow(new Date(item.submittedAt), { addSuffix: true })}
        </span>
      </span>
    </button>
  );
}
