import { queryOptions } from '@tanstack/react-query';
import { dataOf, readAnswer, throwUnlessThere, unwrap } from '#app/errors.ts';
import type { Filters } from '#app/solution/solutions/filters.ts';
import { withOpenPictures } from '#app/solution/solutions/private-files.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';
import { newsSchema } from './news.ts';

/** What can be followed, as a row of `follows` names it. */
export type Subject =
  | { topic_id: string }
  | { member_id: string }
  | { solution_id: string }
  | { tag: string }
  | { search: string; filters: string[]; match: 'all' | 'any' };

/** Tags are followed in lower case, in which they are compared. */
export const tagSubject = (tag: string): Subject => ({ tag: tag.toLowerCase() });

/** The same search with its filters in another order is the same subject. */
export const searchSubject = ({ search, values, match }: Filters): Subject => ({
  search,
  filters: values.toSorted(),
  match: values.length > 1 ? match : 'all',
});

/** All that a member follows, at most 200 rows; topics are not among them. */
export const followsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['follows', 'own', memberId],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('follows')
          .select('id,member_id,solution_id,tag,search,filters,match')
          .eq('user_id', memberId)
          .is('topic_id', null),
      ),
    staleTime: 60_000,
  });

/** The id of the member's follow of a topic; null without one. There may be more of these than are read at once. */
export const topicFollowQuery = (client: ClientSource, memberId: string, topicId: string) =>
  queryOptions({
    queryKey: ['follows', 'topic', memberId, topicId],
    queryFn: async () => {
      const db = await client();
      const own = db.from('follows').select('id').eq('user_id', memberId).eq('topic_id', topicId);
      return unwrap(await own)[0]?.id ?? null;
    },
    staleTime: 60_000,
  });

type Follow = QueryData<typeof followsQuery>[number];

/** The member's follow of a subject, when there is one. */
export const followOf = (follows: Follow[] | undefined, subject: Subject): Follow | undefined =>
  follows?.find((follow) =>
    Object.entries(subject).every(
      ([column, value]) => String(follow[column as keyof Follow]) === String(value),
    ),
  );

/** Following the same subject twice changes nothing. */
export async function follow(db: Client, memberId: string, subject: Subject): Promise<void> {
  throwUnlessThere(await db.from('follows').insert({ user_id: memberId, ...subject }));
}

/** Ends following a subject. */
export async function unfollow(db: Client, id: string): Promise<void> {
  dataOf(await db.from('follows').delete().eq('id', id));
}

/** Days whose news the page shows. */
export const NEWS_DAYS = 30;

/** What a member follows, topics included, each with its news of the last 30 days. */
export const newsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['follows', 'news', memberId],
    queryFn: async () => {
      const since = new Date(Date.now() - NEWS_DAYS * 86_400_000).toISOString();
      const db = await client();
      return readAnswer(db.rpc('following_news', { since }), newsSchema);
    },
    refetchOnWindowFocus: 'always',
  });

/** The pictures of solutions by their ids, at most a page of the feed. */
export const picturesQuery = (client: ClientSource, ids: string[]) =>
  queryOptions({
    queryKey: ['follows', 'pictures', ids],
    queryFn: async () => {
      const db = await client();
      const rows = unwrap(await db.from('solutions').select('id,thumbnail_url').in('id', ids));
      const open = await withOpenPictures(db, rows);
      return new Map(open.map(({ id, thumbnail_url }) => [id, thumbnail_url]));
    },
  });
