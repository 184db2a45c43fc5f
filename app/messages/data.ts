import { infiniteQueryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import { type Author, authorColumns } from '#app/members/names.ts';
import { type Client, type ClientSource, quoteFilterValue } from '#app/supabase.ts';

export interface Message {
  id: string;
  /** Null once the sender has deleted their account. */
  sender_id: string | null;
  /** Null once the recipient has deleted their account. */
  recipient_id: string | null;
  subject: string | null;
  content: string;
  read: boolean;
  created_at: string;
  sender: Author | null;
  recipient: Author | null;
  /** Null also while the reader may not see it. */
  solution: { id: string; title: string } | null;
}

/** Selects messages: those received, those sent, or all that were exchanged with one member. */
export type Box = 'inbox' | 'sent' | { with: string };

const columns =
  `id,sender_id,recipient_id,subject,content,read,created_at,sender:profiles!messages_sender_id_fkey(${authorColumns}),recipient:profiles!messages_recipient_id_fkey(${authorColumns}),solution:solutions(id,title)` as const;

const PAGE_SIZE = 20;

/** Messages of a member, newest first, page by page. */
export const messagesQuery = (client: ClientSource, memberId: string, box: Box) =>
  infiniteQueryOptions({
    queryKey: ['messages', memberId, box],
    queryFn: async ({ pageParam: last }): Promise<Message[]> => {
      const db = await client();
      let query = db.from('messages').select(columns);
      if (box === 'inbox') query = query.eq('recipient_id', memberId);
      else if (box === 'sent') query = query.eq('sender_id', memberId);
      else {
        // From the page's address.
        const other = quoteFilterValue(box.with);
        query = query.or(
          `and(sender_id.eq.${memberId},recipient_id.eq.${other}),and(sender_id.eq.${other},recipient_id.eq.${memberId})`,
        );
      }
      if (last)
        query = query.or(
          `created_at.lt."${last.created_at}",and(created_at.eq."${last.created_at}",id.lt.${last.id})`,
        );
      return unwrap(
        await query
          .order('created_at', { ascending: false })
          .order('id', { ascending: false })
          .limit(PAGE_SIZE),
      );
    },
    initialPageParam: null as Pick<Message, 'id' | 'created_at'> | null,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : (page.at(-1) ?? null)),
  });

/** Marks received messages as read: some of them, or all from one sender. */
export async function markRead(
  db: Client,
  memberId: string,
  which: string[] | { from: string },
): Promise<void> {
  const unread = db.from('messages').update({ read: true }).eq('recipient_id', memberId).eq('read', false);
  const { error } = await (Array.isArray(which)
    ? unread.in('id', which)
    : unread.eq('sender_id', which.from));
  if (error) throw error;
}

/** A message that is deleted already counts as deleted. */
export async function deleteMessage(db: Client, id: string): Promise<void> {
  const { error } = await db.from('messages').delete().eq('id', id);
  if (error) throw error;
}

export async function readMember(db: Client, id: string): Promise<Author | null> {
  const { data, error } = await db.from('profiles').select(authorColumns).eq('id', id).maybeSingle();
  if (error) throw error;
  return data;
}
