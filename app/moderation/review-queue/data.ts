import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import type { QueueKind } from '#app/solution/review/use-claim.ts';
import { signFiles } from '#app/solution/solutions/private-files.ts';
import type { ClientSource } from '#app/supabase.ts';

export const queueKinds: Record<QueueKind, string> = {
  solution: 'Solutions',
  trial: 'Trials',
  resource: 'Resources',
  report: 'Reports',
  removal_request: 'Removals',
  registration: 'Registrations',
};
/** Whether a value of an address or a row is a kind that the queue shows. */
export const isQueueKind = (value: unknown): value is QueueKind =>
  typeof value === 'string' && value in queueKinds;

/** The number of items listed; the rest follows as these are decided. */
const MAX_LISTED = 100;

const LIVE_QUERY = { refetchOnWindowFocus: true, refetchInterval: 60_000 };

/** The items that have waited longest for a moderator, of one kind or of all. */
export const queueQuery = (client: ClientSource, kind?: QueueKind) =>
  queryOptions({
    queryKey: ['moderation', 'queue', kind ?? 'all'],
    queryFn: async () => {
      const db = await client();
      const waiting = db.from('review_queue').select().order('submitted_at').order('id').limit(MAX_LISTED);
      const rows = unwrap(await (kind ? waiting.eq('kind', kind) : waiting));
      const signed = await signFiles(
        db,
        rows.map(({ picture }) => picture),
      );
      // The generated types of a view do not say that these are never null.
      return rows.flatMap(({ kind, id, title, submitted_at, picture, ...row }) =>
        isQueueKind(kind) && id && title && submitted_at
          ? [{ ...row, kind, id, title, submitted_at, picture: picture && (signed.get(picture) ?? picture) }]
          : [],
      );
    },
    ...LIVE_QUERY,
  });

export type QueueItem = Awaited<ReturnType<NonNullable<ReturnType<typeof queueQuery>['queryFn']>>>[number];

/** The number of waiting items of each kind. */
export const queueCountsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['moderation', 'queue', 'counts'],
    queryFn: async () => {
      const db = await client();
      const counted = await Promise.all(
        Object.keys(queueKinds).map(async (kind) => {
          const { count, error } = await db
            .from('review_queue')
            .select('id', { count: 'exact', head: true })
            .eq('kind', kind);
          if (error) throw error;
          return [kind, count ?? 0] as const;
        }),
      );
      return Object.fromEntries(counted) as Record<QueueKind, number>;
    },
    ...LIVE_QUERY,
  });
