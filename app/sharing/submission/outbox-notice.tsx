import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Link, useLocation } from 'react-router';
import { useOnline } from '#app/frame/offline/online.ts';
import { useMember, useSession } from '#app/session.ts';
import { draftKey } from '#app/sharing/outbox/draft-key.ts';
import { formPath, hasWaiting, type Submitted, useSubmitted } from '#app/sharing/outbox/submitted.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** Doubled after each attempt that found no connection. */
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 5 * 60_000;

async function send(waiting: readonly Submitted[], cache: QueryClient): Promise<void> {
  try {
    const { sendSubmitted } = await import('./send-submitted.ts');
    for (const item of waiting) await sendSubmitted(item, cache);
  } catch (error) {
    // Its code could not be loaded.
    console.warn('outbox:', error);
  }
}

/** Sends what waits: now, and again at growing intervals. */
function useSender(waiting: readonly Submitted[], isPossible: boolean): void {
  const cache = useQueryClient();
  const attempt = useEffectEvent(() => send(waiting, cache));
  const keys = waiting.map(({ target }) => draftKey(target)).join(' ');
  useEffect(() => {
    if (!isPossible || keys === '') return;
    let delay = FIRST_RETRY_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const tryAndRepeat = async () => {
      await attempt();
      if (isOver) return;
      timer = setTimeout(tryAndRepeat, delay);
      delay = Math.min(2 * delay, MAX_RETRY_MS);
    };
    void tryAndRepeat();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isPossible, keys]);
}

/** Says on every page what waits to be sent, and sends it; the region is there before, so that it is announced. */
export function OutboxNotice() {
  const session = useSession();
  const member = useMember();
  const submitted = useSubmitted(member?.id);
  const waiting = submitted.filter(({ problem }) => problem === null);
  useSender(waiting, useOnline() && session?.ended === false);
  const { pathname, search } = useLocation();
  // The form's own page says it there.
  const isElsewhere = (item: Submitted) => formPath(item) !== pathname + search;
  const first = waiting.find(isElsewhere);
  const refused = submitted.filter((item) => item.problem !== null && isElsewhere(item));

  useEffect(() => {
    const id = member?.id;
    if (!id) return;
    return () => {
      if (!hasWaiting(id)) return;
      toast({
        tone: 'warning',
        title: 'A solution wasn’t sent yet',
        text: 'It stays on this device and is sent after you sign in here again.',
      });
    };
  }, [member?.id]);

  return (
    <div role="status" className="print:hidden">
      {first && (
        <p className="border-b bg-accent-soft py-3 text-accent-ink">
          <span className="page block">
            {waiting.length === 1
              ? '1 solution is waiting to be sent.'
              : `${waiting.length} solutions are waiting to be sent.`}{' '}
            <Link to={formPath(first)} className="reach underline underline-offset-4">
              View
            </Link>
          </span>
        </p>
      )}
      {refused.map((item) => (
        <p key={item.target.solutionId} className="border-b bg-red-soft py-3 text-red-ink">
          <span className="page block wrap-anywhere">
            Your solution “<bdi>{item.title}</bdi>” wasn’t accepted and is a draft again. {item.problem}{' '}
            <Link to={formPath(item)} className="reach underline underline-offset-4">
              Open draft
            </Link>
          </span>
        </p>
      ))}
    </div>
  );
}
