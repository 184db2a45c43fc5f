import { queryOptions } from '@tanstack/react-query';
import { readAnswer, unwrap } from '#app/errors.ts';
import { waitingKinds } from '#app/kinds.ts';
import { signFiles } from '#app/solution/solutions/private-files.ts';
import type { ClientSource } from '#app/supabase.ts';
import type { Summary } from './summary-sentence.ts';

/** The number of items listed; the rest follows as these are decided. */
const MAX_LISTED = 100;

const LIVE_QUERY = { refetchOnWindowFocus: true, refetchInterval: 60_000 };

/** The items that wait for a moderator, of one kind or of all: first where a patient may be harmed, then those that are due first. */
export const queueQuery = (client: ClientSource, kind?: string) =>
  queryOptions({
    queryKey: ['moderation', 'queue', kind ?? 'all'],
    queryFn: async () => {
      const db = await client();
      const waiting = db
        .from('review_queue')
        .select()
        .order('at_risk', { ascending: false })
        .order('due_at')
        .order('submitted_at')
        .order('id')
        .limit(MAX_LISTED);
      const rows = unwrap(await (kind ? waiting.eq('kind', kind) : waiting));
      const signed = await signFiles(
        db,
        rows.map(({ picture }) => picture),
      );
      // The generated types of a view do not say that these are never null.
      return rows.flatMap(({ kind, id, title, submitted_at, picture, ...row }) =>
        waitingKinds.has(kind ?? '') && kind && id && title && submitted_at
          ? [
              {
                ...row,
                kind,
                id,
                title,
                submitted_at,
                picture: picture && (signed.get(picture) ?? picture),
              },
            ]
          : [],
      );
    },
    ...LIVE_QUERY,
  });

export type QueueItem = Awaited<ReturnType<NonNullable<ReturnType<typeof queueQuery>['queryFn']>>>[number];

/** The number of waiting items of each kind, and the most urgent ones. */
export const queueSummaryQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['moderation', 'queue', 'summary'],
    queryFn: async () => {
      const db = await client();
      return readAnswer<Summary>(db.rpc('review_summary'), (z) => {
        const kind = z.oneOf([...waitingKinds.keys()]);
        return z.object({
          counts: z.record(z.string(), z.number()),
          at_risk: z.array(z.object({ kind, id: z.string(), due_at: z.nullable(z.string()) })),
          first: z.nullable(
            z.object({ kind, id: z.string(), due_at: z.nullable(z.string()), submitted_at: z.string() }),
          ),
        });
      });
    },
    ...LIVE_QUERY,
  });

/** What was decided last on an item. */
export interface Outcome {
  /** As the audit log has it. */
  action: string;
  at: string;
  /** Null for who has left. */
  by: string | null;
  mine: boolean;
}

/** What was decided on an item that no longer waits; null where nothing is known. */
export const outcomeQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['moderation', 'outcome', id],
    queryFn: async () => {
      const db = await client();
      return readAnswer<Outcome | null>(db.rpc('review_outcome', { item: id }), (z) =>
        z.nullable(
          z.object({
            action: z.string(),
            at: z.string(),
            by: z.nullable(z.string()),
            mine: z.boolean(),
          }),
        ),
      );
    },
    // An item may be decided on, sent again and decided on once more.
    gcTime: 0,
  });
