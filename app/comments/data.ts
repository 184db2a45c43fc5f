import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import type { Author } from '#app/members/names.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

export interface Comment {
  id: string;
  user_id: string | null;
  content: string;
  parent_comment_id: string | null;
  created_at: string;
  /** Set on a removed comment that stays because of its replies. */
  deleted_at: string | null;
  author: Author | null;
  replies: Comment[];
}

/** A solution's comments as a tree: the first level newest first, replies in the order of talking. */
export const commentsQuery = (client: ClientSource, solutionId: string) =>
  queryOptions({
    queryKey: ['comments', solutionId],
    queryFn: async () => {
      const db = await client();
      const rows = await db
        .from('comments')
        .select(
          'id,user_id,content,parent_comment_id,created_at,deleted_at,author:profiles!comments_user_id_fkey(id,username,full_name,profession,avatar_url)',
        )
        .eq('solution_id', solutionId)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false });
      return threads(unwrap(rows));
    },
  });

/** Hangs each reply on what it answers; rows come newest first. */
export function threads(rows: Omit<Comment, 'replies'>[]): Comment[] {
  const byId = new Map(rows.map((row): [string, Comment] => [row.id, { ...row, replies: [] }]));
  const top: Comment[] = [];
  for (const comment of byId.values()) {
    const parent = comment.parent_comment_id ? byId.get(comment.parent_comment_id) : undefined;
    if (parent) parent.replies.unshift(comment);
    else top.push(comment);
  }
  return top;
}

/** How many comments can be read, at any depth. */
export function countComments(comments: Comment[]): number {
  return comments.reduce(
    (sum, comment) => sum + (comment.deleted_at ? 0 : 1) + countComments(comment.replies),
    0,
  );
}

export async function postComment(
  db: Client,
  comment: { solution_id: string; user_id: string; content: string; parent_comment_id: string | null },
): Promise<void> {
  const { error } = await db.from('comments').insert(comment);
  if (error) throw error;
}

export async function deleteComment(db: Client, id: string): Promise<void> {
  const { error } = await db.from('comments').delete().eq('id', id);
  if (error) throw error;
}
