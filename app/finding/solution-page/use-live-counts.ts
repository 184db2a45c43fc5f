import { useQueryClient } from '@tanstack/react-query';
import { type Change, useRealtime } from '#app/realtime.ts';
import { useMember } from '#app/session.ts';
import { type Solution, solutionQuery } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { readCounts } from './data.ts';

/**
 * Keeps a public solution's likes and comments as the database counts them, live for members. Returns a
 * function that reads them again: no count is computed here, so that none drifts when two tabs or a poor
 * connection are at work.
 */
export function useLiveCounts(id: string): () => Promise<void> {
  const cache = useQueryClient();
  const member = useMember();
  const { queryKey } = solutionQuery(browserClient, id);
  const put = (counts: Partial<Pick<Solution, 'likes_count' | 'comments_count'>>) =>
    cache.setQueryData(queryKey, (before) => before && { ...before, ...counts });

  const refresh = async () => {
    const counts = await readCounts(await browserClient(), id);
    if (counts) put(counts);
  };
  const onChange = ({ eventType, new: row }: Change) => {
    if (eventType === 'DELETE') void cache.invalidateQueries({ queryKey });
    else if (typeof row.likes_count === 'number') put({ likes_count: row.likes_count });
    else if (typeof row.comments_count === 'number') put({ comments_count: row.comments_count });
  };
  const quietly = async () => refresh().catch(() => undefined);
  useRealtime(
    member ? `solution:${id}` : undefined,
    [
      { table: 'solutions', filter: `id=eq.${id}` },
      { table: 'comment_counts', filter: `solution_id=eq.${id}` },
    ],
    () => void quietly(),
    onChange,
  );
  return quietly;
}
