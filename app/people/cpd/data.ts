import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { dataOf, readAnswer, unwrap } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** The longest subject and reflection of an entry, and the most minutes. */
export const MAX_SUBJECT = 200;
export const MAX_REFLECTION = 1000;
export const MAX_MINUTES = 1440;
const PAGE_SIZE = 100;

/** What a member can have done, with its name on screen. */
export const activities = {
  read: 'Read',
  tried: 'Tried',
  reviewed: 'Reviewed',
  discussed: 'Discussed',
} as const;
export type Activity = keyof typeof activities;

/** What an entry is about, and when: without the member's own part. */
export interface CpdSubject {
  activity: Activity;
  subject: string;
  solution_id: string | null;
  topic_id: string | null;
  /** YYYY-MM-DD */
  day: string;
}

export interface CpdEntry extends CpdSubject {
  id: string;
  minutes: number;
  reflection: string | null;
}

/** The member's record of one year, or of all years for '', the latest day first, page by page. */
export const recordQuery = (client: ClientSource, memberId: string, year: string) =>
  infiniteQueryOptions({
    queryKey: ['cpd', 'record', memberId, year],
    queryFn: async ({ pageParam }): Promise<CpdEntry[]> => {
      let entries = (await client())
        .from('cpd_entries')
        .select('id,activity,subject,solution_id,topic_id,day,minutes,reflection')
        .eq('user_id', memberId)
        .order('day', { ascending: false })
        .order('created_at', { ascending: false })
        .order('id')
        .range(pageParam, pageParam + PAGE_SIZE - 1);
      if (year) entries = entries.gte('day', `${year}-01-01`).lte('day', `${year}-12-31`);
      return unwrap(await entries).map((row) => ({ ...row, activity: row.activity as Activity }));
    },
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE_SIZE ? null : pages.length * PAGE_SIZE),
  });

/** The years that the record has entries of, the latest first, with the number of entries and their minutes. */
export const yearsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['cpd', 'years', memberId],
    queryFn: async () =>
      readAnswer((await client()).rpc('cpd_years'), (z) =>
        z.array(z.object({ year: z.string(), entries: z.number(), minutes: z.number() })),
      ),
  });

/** What the member discussed and reviewed lately that the record does not have yet. */
export const suggestionsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['cpd', 'suggestions', memberId],
    queryFn: async (): Promise<CpdSubject[]> =>
      readAnswer((await client()).rpc('cpd_suggestions'), (z) =>
        z.array(
          z.object({
            activity: z.oneOf(['read', 'tried', 'reviewed', 'discussed']),
            subject: z.string(),
            solution_id: z.nullable(z.string()),
            topic_id: z.nullable(z.string()),
            day: z.string(),
          }),
        ),
      ),
  });

/** The title of a solution, for a new entry about it; null where the member cannot see it. */
export const titleQuery = (client: ClientSource, solutionId: string) =>
  queryOptions({
    queryKey: ['cpd', 'title', solutionId],
    queryFn: async () => {
      const { data, error } = await (await client())
        .from('solutions')
        .select('title')
        .eq('id', solutionId)
        .maybeSingle();
      if (error) throw error;
      return data?.title ?? null;
    },
  });

/** Adds an entry, or saves the one that has this id. */
export async function saveEntry(
  db: Client,
  memberId: string,
  id: string | undefined,
  { solution_id, topic_id, ...own }: Omit<CpdEntry, 'id'>,
): Promise<void> {
  const { error } = id
    ? await db.from('cpd_entries').update(own).eq('id', id)
    : await db.from('cpd_entries').insert({ ...own, solution_id, topic_id, user_id: memberId });
  if (error) throw error;
}

/** An entry that is deleted already counts as deleted. */
export async function deleteEntry(db: Client, id: string): Promise<void> {
  dataOf(await db.from('cpd_entries').delete().eq('id', id));
}
