import { infiniteQueryOptions } from '@tanstack/react-query';
import { readAnswer, type Schemas, unwrap } from '#app/errors.ts';
import { type Author, authorColumns, authorSchema } from '#app/members/names.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { submitOnce, wasSubmitted } from '#app/ui/submit-once.ts';

export interface Comment {
  id: string;
  user_id: string | null;
  content: string;
  parent_comment_id: string | null;
  created_at: string;
  /** Set on a removed comment that stays because of its replies. */
  deleted_at: string | null;
  author: Author | null;
}

/** A run of comments, and the cursor after it. */
export interface CommentsPage<Item = Comment> {
  items: Item[];
  next_cursor: string | null;
}

/** A first-level comment with the replies below it, at any depth, in order of time. */
export type Thread = Comment & { replies: CommentsPage };

export interface CommentNode extends Comment {
  replies: CommentNode[];
}

const commentFields = (z: Schemas) => ({
  id: z.string(),
  user_id: z.nullable(z.string()),
  content: z.string(),
  parent_comment_id: z.nullable(z.string()),
  created_at: z.string(),
  deleted_at: z.nullable(z.string()),
  author: authorSchema(z),
});

const repliesPage = (z: Schemas) =>
  z.object({ items: z.array(z.object(commentFields(z))), next_cursor: z.nullable(z.string()) });

const threadsPage = (z: Schemas) =>
  z.object({
    items: z.array(z.object({ ...commentFields(z), replies: repliesPage(z) })),
    next_cursor: z.nullable(z.string()),
  });

/** A solution's discussion page by page, newest first. */
export const commentsQuery = (client: ClientSource, solutionId: string) =>
  infiniteQueryOptions({
    queryKey: ['comments', solutionId],
    queryFn: async ({ pageParam }) => {
      const db = await client();
      const cursor = pageParam ? { cursor: pageParam } : {};
      return readAnswer<CommentsPage<Thread>>(
        db.rpc('comment_threads', { solution: solutionId, ...cursor }),
        threadsPage,
      );
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    // Readers who follow the discussion receive new comments; reading all of it again would move the text
    // they read.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The replies after those that came with their thread. */
export async function readReplies(db: Client, threadId: string, cursor: string): Promise<CommentsPage> {
  return readAnswer<CommentsPage>(db.rpc('comment_replies', { thread: threadId, cursor }), repliesPage);
}

const columns =
  `id,user_id,content,parent_comment_id,created_at,deleted_at,author:profiles!comments_user_id_fkey(${authorColumns})` as const;

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

export async function postComment(
  db: Client,
  comment: { solution_id: string; user_id: string; content: string; parent_comment_id: string | null },
): Promise<Comment> {
  return submitOnce(comment, async (submission_id) => {
    const response = await db
      .from('comments')
      .insert({ ...comment, submission_id })
      .select(columns)
      .single();
    if (!wasSubmitted(response.error)) return unwrap(response);
    const own = { user_id: comment.user_id, submission_id };
    return unwrap(await db.from('comments').select(columns).match(own).single());
  });
}

/** A comment that another session has already removed counts as removed. */
export async function deleteComment(db: Client, id: string): Promise<void> {
  const { error } = await db.from('comments').delete().eq('id', id);
  if (error) throw error;
}
