import { infiniteQueryOptions } from '@tanstack/react-query';
import { type AnswerOf, dataOf, readAnswer, type Schemas, unwrap } from '#app/errors.ts';
import { authorColumns, authorSchema } from '#app/frame/members/names.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { submitOnce, wasSubmitted } from '#app/ui/controls/submit-once.ts';

const commentFields = (z: Schemas) => ({
  id: z.string(),
  user_id: z.nullable(z.string()),
  content: z.string(),
  language: z.string(),
  /** For whom it is: those who could read the solution when it was written. */
  audience: z.string(),
  parent_comment_id: z.nullable(z.string()),
  created_at: z.string(),
  edited_at: z.nullable(z.string()),
  /** Set on a removed comment that stays because of its replies. */
  deleted_at: z.nullable(z.string()),
  author: authorSchema(z),
});

const repliesPage = (z: Schemas) =>
  z.object({ items: z.array(z.object(commentFields(z))), next_cursor: z.nullable(z.string()) });

const thread = (z: Schemas) =>
  z.object({
    ...commentFields(z),
    /** The number of all replies, loaded or not, without removed ones. */
    reply_count: z.number(),
    replies: repliesPage(z),
  });

const threadsPage = (z: Schemas) =>
  z.object({
    items: z.array(thread(z)),
    next_cursor: z.nullable(z.string()),
  });

/** A run of comments, and the cursor after it. */
export type CommentsPage = AnswerOf<typeof repliesPage>;
export type Comment = CommentsPage['items'][number];
/** A first-level comment with the replies below it, at any depth, in order of time. */
export type Thread = AnswerOf<typeof thread>;
export type ThreadsPage = AnswerOf<typeof threadsPage>;

export type Sort = 'newest' | 'oldest';

export interface CommentNode extends Comment {
  /** The number of all replies below it, without removed ones; null where not all are loaded. */
  reply_count: number | null;
  replies: CommentNode[];
}

/** A solution's discussion page by page. */
export const commentsQuery = (client: ClientSource, solutionId: string, sort: Sort = 'newest') =>
  infiniteQueryOptions({
    queryKey: ['comments', solutionId, sort],
    queryFn: async ({ pageParam }) => {
      const db = await client();
      const cursor = pageParam ? { cursor: pageParam } : {};
      return readAnswer(db.rpc('comment_threads', { solution: solutionId, sort, ...cursor }), threadsPage);
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    // Readers who follow the discussion receive new comments; reading all of it again would move the text
    // they read.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The thread to which a comment belongs, wherever in the discussion it is; null when there is no such comment. */
export async function readThread(db: Client, id: string): Promise<Thread | null> {
  return readAnswer(db.rpc('comment_thread', { comment: id }), (z) => z.nullable(thread(z)));
}

/** The replies after those that came with their thread. */
export async function readReplies(db: Client, threadId: string, cursor: string): Promise<CommentsPage> {
  return readAnswer(db.rpc('comment_replies', { thread: threadId, cursor }), repliesPage);
}

const columns =
  `id,user_id,content,language,audience,parent_comment_id,created_at,edited_at,deleted_at,author:profiles!comments_user_id_fkey(${authorColumns})` as const;

/** The comments with these ids in order of time, none before the one that it answers. */
export async function readComments(db: Client, ids: string[]): Promise<Comment[]> {
  return unwrap(await db.from('comments').select(columns).in('id', ids).order('created_at').order('depth'));
}

/** The ids of the newest comments, at any level, that came after a known one. */
export async function newerComments(db: Client, solutionId: string, after: string): Promise<string[]> {
  const rows = await db
    .from('comments')
    .select('id')
    .eq('solution_id', solutionId)
    .gt('created_at', after)
    .is('deleted_at', null)
    .order('created_at', { ascending: false })
    .limit(100);
  return unwrap(rows).map(({ id }) => id);
}

/**
 * Writes a comment or a reply.
 *
 * @returns the comment as it was written, also by an earlier try whose response was lost; null for one that waits for a
 * moderator
 */
export async function postComment(
  db: Client,
  comment: {
    solution_id: string;
    user_id: string;
    content: string;
    language: string;
    parent_comment_id: string | null;
  },
): Promise<Comment | null> {
  return submitOnce(comment, async (submission_id) => {
    const response = await db
      .from('comments')
      .insert({ ...comment, submission_id })
      .select(columns);
    if (!wasSubmitted(response.error)) return unwrap(response)[0] ?? null;
    const own = { user_id: comment.user_id, submission_id };
    return unwrap(await db.from('comments').select(columns).match(own).single());
  });
}

/** The time in which its author may edit a comment; the database enforces it. */
export const EDITABLE_MS = 15 * 60_000;

/** @throws Error saying so, when the comment can no longer be edited */
export async function editComment(
  db: Client,
  id: string,
  text: { content: string; language: string },
): Promise<Pick<Comment, 'content' | 'language' | 'edited_at'>> {
  const rows = unwrap(
    await db.from('comments').update(text).eq('id', id).select('content,language,edited_at'),
  );
  if (!rows[0]) throw new Error('A comment can be edited for 15 minutes. Please add a reply instead.');
  return rows[0];
}

/** A comment that another session has already removed counts as removed. */
export async function deleteComment(db: Client, id: string): Promise<void> {
  dataOf(await db.from('comments').delete().eq('id', id));
}
