import { dataOf, unwrap } from '#app/errors.ts';
import { withdrawSolution } from '#app/solution/withdrawals/data.ts';
import type { Client } from '#app/supabase.ts';
import type { Report, ReportedContent } from './data.ts';

/** The session has ended; the moderator must sign in again. */
export class AuthenticationRequired extends Error {
  constructor() {
    super('Authentication required');
  }
}

async function requireSession(db: Client): Promise<string> {
  const { data } = await db.auth.getSession();
  if (!data.session) throw new AuthenticationRequired();
  return data.session.user.id;
}

/** Takes the link of a reported collection away, tells its owner why, and closes all reports of it. */
export async function stopSharing(db: Client, collectionId: string, reason: string): Promise<void> {
  dataOf(await db.rpc('stop_sharing', { collection: collectionId, reason }));
}

type Outcome = { status: 'resolved'; admin_response: string } | { status: 'dismissed' };

/** Closes a report; the first decision holds. */
export async function closeReport(db: Client, id: string, outcome: Outcome): Promise<void> {
  await requireSession(db);
  const closed = unwrap(
    await db.from('content_reports').update(outcome).eq('id', id).eq('status', 'pending').select('id'),
  );
  if (closed.length === 0) throw new Error('Another moderator has already closed this report');
}

/** Kinds of content that a moderator can delete, with what is said before and the subject of a message to the author. */
export const removable = {
  topic: {
    table: 'forum_topics',
    warning: 'The forum topic and all of its replies will be permanently deleted and its reports closed.',
    subject: 'Your forum topic was removed',
  },
  post: {
    table: 'forum_posts',
    warning: 'The forum post will be permanently deleted and its reports closed.',
    subject: 'Your forum post was removed',
  },
  solution: {
    table: 'solutions',
    warning: 'The solution will be permanently deleted and its reports closed.',
    subject: 'Your solution was removed',
  },
  translation: {
    table: 'solution_translations',
    warning: 'The translation will be permanently deleted and its reports closed.',
    subject: 'Your translation was removed',
  },
  trial: {
    table: 'solution_trials',
    warning: 'The trial report will be permanently deleted and its reports closed.',
    subject: 'Your trial report was removed',
  },
  comment: {
    table: 'comments',
    warning: 'The comment will be permanently deleted and its reports closed.',
    subject: 'Your comment was removed',
  },
} as const;
export type Removable = keyof typeof removable;

/** Whether moderators can delete content of this kind. */
export const isRemovable = (kind: string): kind is Removable => kind in removable;

/**
 * Deletes the subject of a report, notifies its author, and closes all reports of it. Content that is deleted
 * already is no failure, so that an interrupted deletion can be repeated.
 *
 * @param message to the author; none when blank
 * @param reason for the address of a solution, one of `withdrawalReasons`
 * @returns whether the reports could be closed too
 * @throws when the content could not be deleted; nothing has changed then
 */
export async function deleteReported(
  db: Client,
  report: Report,
  reported: ReportedContent | undefined,
  message: string,
  reason = '',
): Promise<{ closed: boolean }> {
  const moderatorId = await requireSession(db);
  const { content_type: kind, content_id: id } = report;
  if (!isRemovable(kind)) throw new Error('this cannot be deleted by moderators');

  const { table } = removable[kind];
  const isDeleted =
    kind === 'solution'
      ? await withdrawn(db, id, reason)
      : unwrap(await db.from(table).delete().eq('id', id).select('id')).length > 0;
  if (!isDeleted && (await isThere(db, table, id))) throw new Error('you may not delete it');
  if (reported?.authorId && reported.authorId !== moderatorId)
    await notifyAuthor(db, { moderatorId, authorId: reported.authorId, kind, reported, message });

  const { error } = await db
    .from('content_reports')
    .update({ status: 'resolved', admin_response: 'The content was removed.' })
    .eq('content_type', kind)
    .eq('content_id', id)
    .eq('status', 'pending');
  if (error) console.error('report not closed:', error.message);
  return { closed: !error };
}

/** @returns whether the solution was there, and the moderator could delete it */
const withdrawn = (db: Client, id: string, reason: string): Promise<boolean> =>
  withdrawSolution(db, id, reason).then(
    () => true,
    (error: { code?: string }) => {
      if (error.code !== 'PT404') throw error;
      return false;
    },
  );

/** A comment with replies leaves an empty place behind, which does not count. */
async function isThere(db: Client, table: (typeof removable)[Removable]['table'], id: string) {
  const response =
    table === 'comments'
      ? await db.from(table).select('id').eq('id', id).is('deleted_at', null)
      : await db.from(table).select('id').eq('id', id);
  return unwrap(response).length > 0;
}

interface AuthorNotice {
  moderatorId: string;
  authorId: string;
  kind: Removable;
  reported: ReportedContent;
  message: string;
}

/**
 * The content is already deleted, so a failed notification of its author is only logged. The notification
 * names the message, so that the two count as one.
 */
async function notifyAuthor(db: Client, { moderatorId, authorId, kind, reported, message }: AuthorNotice) {
  const letter = message.trim()
    ? await db
        .from('messages')
        .insert({
          sender_id: moderatorId,
          recipient_id: authorId,
          subject: removable[kind].subject,
          content: message.trim(),
        })
        .select('id')
        .single()
    : undefined;
  if (letter?.error) console.warn('author not sent the message:', letter.error.message);
  const notification = await db.from('notifications').insert({
    user_id: authorId,
    actor_id: moderatorId,
    type: 'content_deleted',
    ...(letter?.data ? { message_id: letter.data.id } : {}),
    ...reported.within,
  });
  if (notification.error) console.warn('author not notified:', notification.error.message);
}
