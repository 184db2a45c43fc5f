import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type AnswerOf, dataOf, readAnswer, type Schemas, unwrap } from '#app/errors.ts';
import { type Author, authorColumns, authorSchema } from '#app/frame/members/names.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

export interface Message {
  id: string;
  /** Null once the sender has deleted their account, and of a decision where the site names no moderators. */
  sender_id: string | null;
  /** Null once the recipient has deleted their account. */
  recipient_id: string | null;
  subject: string | null;
  content: string;
  language: string | null;
  /** Another one than `message` is of what a decision wrote. */
  notification_type: string;
  read: boolean;
  created_at: string;
  sender: Author | null;
  recipient: Author | null;
  /** Null also while the reader may not see it. */
  solution: { id: string; title: string; safety_kind: string | null } | null;
}

const conversationsPage = (z: Schemas) =>
  z.object({
    items: z.array(
      z.object({
        /** Null for members who have left, who are one conversation. */
        other: authorSchema(z),
        unread: z.number(),
        id: z.string(),
        sender_id: z.nullable(z.string()),
        subject: z.nullable(z.string()),
        content: z.string(),
        language: z.nullable(z.string()),
        created_at: z.string(),
      }),
    ),
    next_cursor: z.nullable(z.string()),
  });

/** A conversation as the list shows it: its latest message, of which the first 200 characters. */
export type ConversationCard = AnswerOf<typeof conversationsPage>['items'][number];

/** The member's conversations, the one with the latest message first, page by page. */
export const conversationsQuery = (client: ClientSource, memberId: string) =>
  infiniteQueryOptions({
    queryKey: ['messages', memberId, 'conversations'],
    queryFn: async ({ pageParam }) => {
      const db = await client();
      return readAnswer(db.rpc('conversations', pageParam ? { cursor: pageParam } : {}), conversationsPage);
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

const columns =
  `id,sender_id,recipient_id,subject,content,language,notification_type,read,created_at,sender:profiles!messages_sender_id_fkey(${authorColumns}),recipient:profiles!messages_recipient_id_fkey(${authorColumns}),solution:solutions(id,title,safety_kind)` as const;

const PAGE_SIZE = 20;

/**
 * The messages of a conversation, newest first, page by page.
 *
 * @param otherId null for the messages of members who have left
 */
export const messagesQuery = (client: ClientSource, memberId: string, otherId: string | null) =>
  infiniteQueryOptions({
    queryKey: ['messages', memberId, { with: otherId }],
    queryFn: async ({ pageParam: last }): Promise<Message[]> => {
      const db = await client();
      // Where one has left, a pair is twice the other.
      const pair = [memberId, otherId?.toLowerCase() ?? memberId].sort();
      let query = db.from('messages').select(columns).eq('pair', pair.join(' '));
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
  which: string[] | { from: string | null },
): Promise<void> {
  const unread = db.from('messages').update({ read: true }).eq('recipient_id', memberId).eq('read', false);
  dataOf(
    await (Array.isArray(which)
      ? unread.in('id', which)
      : which.from
        ? unread.eq('sender_id', which.from)
        : unread.is('sender_id', null)),
  );
}

/** A message that is deleted already counts as deleted. */
export async function deleteMessage(db: Client, id: string): Promise<void> {
  dataOf(await db.from('messages').delete().eq('id', id));
}

/** The member of an address, or null. */
export const memberQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['members', id, 'name'],
    queryFn: async (): Promise<Author | null> => {
      const db = await client();
      return dataOf(await db.from('profiles').select(authorColumns).eq('id', id).maybeSingle());
    },
  });

/** Whether there is no member of this id. Without an answer the page opens, and says itself what it cannot load. */
export async function isMissingMember(db: Client, id: string): Promise<boolean> {
  const { data, error } = await db.from('public_profiles').select('id').eq('id', id).maybeSingle();
  return !error && !data;
}
