import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';

/** What a member is told whose post is not public yet. */
export const HELD = {
  title: 'Waiting for review',
  text: 'A moderator reads the first posts of new members. We’ll notify you when yours is published.',
};

/** More than a member may add in a day. */
const MAX_LISTED = 50;

/** A member’s own posts that wait for a moderator, oldest first. */
export const heldPostsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['held-posts', memberId],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('held_posts')
          .select('id,solution_id,topic_id,title,category,content,language,images,created_at')
          .eq('user_id', memberId)
          .order('created_at')
          .limit(MAX_LISTED),
      ),
  });

export type HeldPost = QueryData<typeof heldPostsQuery>[number];

/** A waiting post for the moderator who decides on it; null once it no longer waits. */
export const heldPostQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['moderation', 'posts', id],
    queryFn: async () =>
      dataOf(
        await (await client())
          .from('held_posts')
          .select(
            `id,user_id,solution_id,topic_id,title,content,language,images,image_consent,created_at,version,author:profiles!held_posts_user_id_fkey(${authorColumns}),solution:solutions(title,language),topic:forum_topics(title,language),answered:comments(content,language)`,
          )
          .eq('id', id)
          .maybeSingle(),
      ),
  });

/** The text of a waiting post; a topic has a title and a category as well. */
export type HeldPostText = Pick<HeldPost, 'content' | 'language'> &
  Partial<Pick<HeldPost, 'title' | 'category'>>;

const decided = () => new Error('This post no longer waits for review');

/**
 * Replaces the text of the member’s own waiting post.
 *
 * @throws Error saying so, when it was decided on
 */
export async function editHeldPost(db: Client, id: string, text: HeldPostText): Promise<void> {
  const changed = unwrap(await db.from('held_posts').update(text).eq('id', id).select('id'));
  if (changed.length === 0) throw decided();
}

/**
 * Takes the member’s own waiting post back.
 *
 * @throws Error saying so, when it was decided on
 */
export async function withdrawHeldPost(db: Client, id: string): Promise<void> {
  const withdrawn = unwrap(await db.from('held_posts').delete().eq('id', id).select('id'));
  if (withdrawn.length === 0) throw decided();
}

/**
 * Publishes a waiting post or removes it; the first decision holds, and its author is notified.
 *
 * @param version of the text that the moderator has read
 */
export async function decideHeldPost(
  db: Client,
  { id, version }: { id: string; version: number },
  publish: boolean,
): Promise<void> {
  dataOf(await db.rpc('decide_held_post', { post: id, publish, version }));
}
