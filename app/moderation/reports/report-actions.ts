import { dataOf, unwrap } from '#app/errors.ts';
import type { Removal, ReportedContent } from '#app/frame/kinds/reported.ts';
import type { Client } from '#app/supabase.ts';
import type { Report } from './data.ts';

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

interface Deletion {
  report: Report;
  reported: ReportedContent | undefined;
  removal: Removal;
  /** To the author; none when blank. */
  message: string;
  /** For the address of a solution, one of `withdrawalReasons`. */
  reason?: string;
}

/**
 * Deletes the subject of a report, notifies its author, and closes all reports of it. Content that is deleted
 * already is no failure, so that an interrupted deletion can be repeated.
 *
 * @returns whether the reports could be closed too
 * @throws when the content could not be deleted; nothing has changed then
 */
export async function deleteReported(
  db: Client,
  { report, reported, removal, message, reason = '' }: Deletion,
): Promise<{ closed: boolean }> {
  const moderatorId = await requireSession(db);
  const { content_type: kind, content_id: id } = report;
  await removal.remove(db, id, reason);
  if (reported?.authorId && reported.authorId !== moderatorId)
    await notifyAuthor(db, { moderatorId, authorId: reported.authorId, removal, reported, message });

  const { error } = await db
    .from('content_reports')
    .update({ status: 'resolved', admin_response: 'The content was removed.' })
    .eq('content_type', kind)
    .eq('content_id', id)
    .eq('status', 'pending');
  if (error) console.error('report not closed:', error.message);
  return { closed: !error };
}

interface AuthorNotice {
  moderatorId: string;
  authorId: string;
  removal: Removal;
  reported: ReportedContent;
  message: string;
}

/**
 * The content is already deleted, so a failed notification of its author is only logged. The notification
 * names the message, so that the two count as one.
 */
async function notifyAuthor(db: Client, { moderatorId, authorId, removal, reported, message }: AuthorNotice) {
  const letter = message.trim()
    ? await db
        .from('messages')
        .insert({
          sender_id: moderatorId,
          recipient_id: authorId,
          subject: removal.subject,
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
