import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { imagesSchema, type SentImages } from '#app/community/post-images/data.ts';
import { type AnswerOf, dataOf, readAnswer, type Schemas, unwrap } from '#app/errors.ts';
import { authorSchema } from '#app/frame/members/names.ts';
import { browserConfig, type Client, type ClientSource } from '#app/supabase.ts';
import { submitOnce, wasSubmitted } from '#app/ui/controls/submit-once.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import type { ForumChoice } from './categories.ts';

const topicFacts = (z: Schemas) => ({
  id: z.string(),
  title: z.string(),
  category: z.string(),
  language: z.string(),
  user_id: z.nullable(z.string()),
  is_pinned: z.boolean(),
  is_locked: z.boolean(),
  views_count: z.number(),
  posts_count: z.number(),
  created_at: z.string(),
  author: authorSchema(z),
});

const topicPage = (z: Schemas) =>
  z.object({
    items: z.array(
      z.object({
        ...topicFacts(z),
        excerpt: z.nullable(z.string()),
        is_answered: z.boolean(),
        /** The reply a search found, when the topic's own text does not contain all the words. */
        found: z.nullable(z.object({ id: z.string(), excerpt: z.string(), language: z.string() })),
      }),
    ),
    next_cursor: z.nullable(z.string()),
    /** The number of topics a search found; null without a search. */
    total: z.nullable(z.number()),
    /** There may be more results: the search did not look through all topics. */
    partial: z.boolean(),
  });

export type TopicCard = AnswerOf<typeof topicPage>['items'][number];

const wholeTopic = (z: Schemas) =>
  z.nullable(
    z.object({
      ...topicFacts(z),
      description: z.nullable(z.string()),
      images: imagesSchema(z),
      images_hidden_at: z.nullable(z.string()),
      edited_at: z.nullable(z.string()),
      mentions: z.array(z.string()),
      /** The reply that the topic’s author marked, with the beginning of its text. */
      answer: z.nullable(
        z.object({
          id: z.string(),
          user_id: z.nullable(z.string()),
          created_at: z.string(),
          author: authorSchema(z),
          language: z.string(),
          excerpt: z.string(),
        }),
      ),
      summary: z.nullable(z.string()),
      summary_language: z.nullable(z.string()),
      /** Who wrote the summary last; null also once they have left. */
      summary_by: z.nullable(z.string()),
      summary_author: authorSchema(z),
      summary_at: z.nullable(z.string()),
    }),
  );

export type Topic = NonNullable<AnswerOf<typeof wholeTopic>>;

const postsPage = (z: Schemas) =>
  z.object({
    items: z.array(
      z.object({
        id: z.string(),
        topic_id: z.string(),
        user_id: z.nullable(z.string()),
        content: z.string(),
        language: z.string(),
        created_at: z.string(),
        edited_at: z.nullable(z.string()),
        images: imagesSchema(z),
        images_hidden_at: z.nullable(z.string()),
        author: authorSchema(z),
        mentions: z.array(z.string()),
      }),
    ),
    previous_cursor: z.nullable(z.string()),
    next_cursor: z.nullable(z.string()),
  });

export type Post = AnswerOf<typeof postsPage>['items'][number] & {
  /** Removed while it was being read: its place stays until the page is opened again. */
  removed?: true;
};

export type PostsPage = AnswerOf<typeof postsPage> & { items: Post[] };

/** Topics page by page, pinned first, then newest. */
export const topicsQuery = (client: ClientSource, { category, search, after }: ForumChoice) =>
  infiniteQueryOptions({
    queryKey: ['forum', 'topics', { category, search, after }],
    queryFn: async ({ pageParam }) => {
      const db = await client();
      const call = db.rpc('browse_forum', {
        ...(category ? { category } : {}),
        ...(search ? { search } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      });
      return readAnswer(call, topicPage);
    },
    initialPageParam: after ?? '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** The topic at whose address the reader is; null when there is none. */
export const topicQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['forum', 'topic', id],
    queryFn: async () => {
      if (!isUuid(id)) return null;
      const db = await client();
      return readAnswer(db.rpc('forum_topic', { topic: id }), wholeTopic);
    },
  });

async function readPosts(
  db: Client,
  topic: string,
  position: { cursor: string } | { post: string; page_size?: number } | null,
): Promise<PostsPage> {
  return readAnswer(db.rpc('forum_replies', { topic, ...position }), postsPage);
}

/** A topic's replies page by page, oldest first: from the start, around one of them, or the latest. */
export const postsQuery = (client: ClientSource, topicId: string, at: string | null) =>
  infiniteQueryOptions({
    queryKey: ['forum', 'posts', topicId, at],
    queryFn: async ({ pageParam }) =>
      readPosts(
        await client(),
        topicId,
        pageParam
          ? { cursor: pageParam }
          : at === 'latest'
            ? { cursor: at }
            : isUuid(at)
              ? { post: at }
              : null,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    getPreviousPageParam: (page) => page.previous_cursor,
    // Readers receive new replies; reading all of them again would move the text they read.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The replies after a given one; all replies when there was none. */
export const postsAfter = (db: Client, topicId: string, last: Post | undefined) =>
  readPosts(db, topicId, last ? { cursor: `after~${last.created_at}~${last.id}` } : null);

/** The current state of a reply; undefined when it was deleted. */
export async function readPost(db: Client, topicId: string, id: string): Promise<Post | undefined> {
  const { items } = await readPosts(db, topicId, { post: id, page_size: 4 });
  return items.find((post) => post.id === id);
}

/**
 * Counts a visit, without the client library, which a visitor who only reads need not load. A visit that could
 * not be counted is no reason to disturb a reader.
 */
export async function countView(topic: string): Promise<void> {
  const { url, anonKey } = browserConfig();
  await fetch(`${url}/rest/v1/rpc/increment_topic_views`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ topic }),
    keepalive: true,
  }).catch(() => undefined);
}

export interface TopicText {
  title: string;
  description: string | null;
  category: string;
  language: string;
}

/** Opens a topic and returns its id; null for one that waits for a moderator. */
export async function createTopic(
  db: Client,
  topic: TopicText & { user_id: string } & Partial<SentImages>,
): Promise<string | null> {
  return submitOnce(topic, async (submission_id) => {
    const response = await db
      .from('forum_topics')
      .insert({ ...topic, submission_id })
      .select('id');
    if (!wasSubmitted(response.error)) return unwrap(response)[0]?.id ?? null;
    const own = { user_id: topic.user_id, submission_id };
    return unwrap(await db.from('forum_topics').select('id').match(own).single()).id;
  });
}

/** Updates a topic: its text by the author, its pin and lock by a moderator. */
export async function updateTopic(
  db: Client,
  id: string,
  change: TopicText | { is_pinned: boolean } | { is_locked: boolean },
): Promise<void> {
  const changed = unwrap(await db.from('forum_topics').update(change).eq('id', id).select('id'));
  if (changed.length === 0) throw new Error('A topic can be edited by its author for 15 minutes');
}

/** Marks the reply that helped the topic’s author; without one, takes the mark back. */
export async function markAnswer(db: Client, topic: string, post: string | null): Promise<void> {
  dataOf(await db.rpc('mark_answer', { topic, ...(post ? { post } : {}) }));
}

/** Writes the summary of a topic; without a text, removes it. */
export async function summariseTopic(
  db: Client,
  topic: string,
  text?: { content: string; language: string },
): Promise<void> {
  dataOf(await db.rpc('summarise_topic', { topic, ...text }));
}

/** Sends a reply and returns its id; null for one that waits for a moderator. */
export async function postReply(
  db: Client,
  reply: { topic_id: string; content: string; language: string; user_id: string } & Partial<SentImages>,
): Promise<string | null> {
  return submitOnce(reply, async (submission_id) => {
    const response = await db
      .from('forum_posts')
      .insert({ ...reply, submission_id })
      .select('id');
    if (!wasSubmitted(response.error)) return unwrap(response)[0]?.id ?? null;
    const own = { user_id: reply.user_id, submission_id };
    return unwrap(await db.from('forum_posts').select('id').match(own).single()).id;
  });
}

/**
 * Replaces the text of the member’s own reply.
 *
 * @throws Error saying so, when it can no longer be edited
 */
export async function editReply(
  db: Client,
  id: string,
  text: { content: string; language: string },
): Promise<void> {
  const changed = unwrap(await db.from('forum_posts').update(text).eq('id', id).select('id'));
  if (changed.length === 0) throw new Error('A reply can be edited by its author for 15 minutes');
}

/** Deletes as a moderator, and notifies the author; a failed notification is only logged. */
export async function deleteContent(
  db: Client,
  what: { topic: string; post?: string; authorId: string | null; moderatorId: string },
): Promise<void> {
  dataOf(
    what.post
      ? await db.from('forum_posts').delete().eq('id', what.post)
      : await db.from('forum_topics').delete().eq('id', what.topic),
  );
  if (!what.authorId || what.authorId === what.moderatorId) return;
  const notification = await db.from('notifications').insert({
    user_id: what.authorId,
    actor_id: what.moderatorId,
    type: 'content_deleted',
    // A notification can only lead to content that still exists.
    ...(what.post ? { forum_topic_id: what.topic } : {}),
  });
  if (notification.error) console.warn('author not notified:', notification.error.message);
}
