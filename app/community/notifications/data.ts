import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import type { NoticeType } from '#app/frame/kinds/notice-type.ts';
import { type Author, authorColumns } from '#app/frame/members/names.ts';
import { namesOfTypes, warningTypes } from '#app/notice-types.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

export interface Notification {
  id: string;
  type: string;
  removal_request_id: string | null;
  use_question_id: string | null;
  is_read: boolean;
  created_at: string;
  /** Null for notifications of the site itself, and once the acting member has deleted their account. */
  actor: Author | null;
  solution: {
    id: string;
    language: string;
    title: string;
    safety_kind: string | null;
    rejection_reason: string | null;
    thumbnail_url: string | null;
    /** Those that the member may read; ended ones have a time. */
    safety_notices: { kind: string; content: string; language: string | null; ended_at: string | null }[];
  } | null;
  trial: { result: string } | null;
  comment: { id: string; content: string; language: string } | null;
  topic: { id: string; title: string; language: string } | null;
  post: { id: string; content: string; language: string } | null;
  message: { subject: string | null; content: string } | null;
  suggestion: { resource_name: string; language: string | null } | null;
  report: { title: string | null } | null;
  badge: { name: string } | null;
  /** Null for one that has ended, which the member cannot read. */
  part_notice: {
    maker: string;
    part_number: string;
    kind: string;
    content: string;
    language: string | null;
  } | null;
}

export type Filter = 'all' | NonNullable<NoticeType['filter']>;

const columns =
  `id,type,removal_request_id,use_question_id,is_read,created_at,actor:profiles!notifications_actor_id_fkey(${authorColumns}),solution:solutions(id,language,title,safety_kind,rejection_reason,thumbnail_url,safety_notices(kind,content,language,ended_at)),trial:solution_trials(result),comment:comments(id,content,language),topic:forum_topics(id,title,language),post:forum_posts(id,content,language),message:messages(subject,content),suggestion:resource_suggestions(resource_name,language),report:content_reports(title:reported_title),badge:badges(name),part_notice:part_notices(maker,part_number,kind,content,language)` as const;

/** A page of the list; the specification shows the latest. */
export const PAGE_SIZE = 50;

/** The warnings that a member has not read, whatever came after them. */
export const warningsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['notifications', memberId, 'warnings'],
    queryFn: async (): Promise<Notification[]> => {
      const unread = (await client()).from('notifications').select(columns).eq('user_id', memberId);
      return unwrap(
        await unread.eq('is_read', false).in('type', warningTypes).order('created_at', { ascending: false }),
      );
    },
  });

/** What is no warning, in the words of the API. */
const NO_WARNING = `(${warningTypes.join(',')})`;

/** A member's notifications, newest first and page by page, besides the warnings that they have not read. */
export const notificationsQuery = (
  client: ClientSource,
  memberId: string,
  filter: Filter,
  unreadOnly: boolean,
) =>
  infiniteQueryOptions({
    queryKey: ['notifications', memberId, filter, unreadOnly],
    queryFn: async ({ pageParam: last }): Promise<Notification[]> => {
      const db = await client();
      let query = db.from('notifications').select(columns).eq('user_id', memberId);
      if (filter !== 'all')
        query = query.in(
          'type',
          namesOfTypes((type) => type.filter === filter),
        );
      query = unreadOnly
        ? query.eq('is_read', false).not('type', 'in', NO_WARNING)
        : query.or(`is_read.eq.true,type.not.in.${NO_WARNING}`);
      if (last)
        query = query
          .lte('created_at', last.created_at)
          .or(`created_at.lt."${last.created_at}",id.lt.${last.id}`);
      return unwrap(
        await query
          .order('created_at', { ascending: false })
          .order('id', { ascending: false })
          .limit(PAGE_SIZE),
      );
    },
    initialPageParam: null as Pick<Notification, 'id' | 'created_at'> | null,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : (page.at(-1) ?? null)),
  });

/** Marks some notifications as read, or all unread ones but warnings, each of which its reader has to have read. */
export async function markRead(db: Client, memberId: string, ids?: string[]): Promise<void> {
  const unread = db
    .from('notifications')
    .update({ is_read: true })
    .eq('user_id', memberId)
    .eq('is_read', false);
  dataOf(await (ids ? unread.in('id', ids) : unread.not('type', 'in', NO_WARNING)));
}

/**
 * Ends the emails that the token of a link in one of them names.
 *
 * @returns the kind of emails that end, or why none does
 */
export const unsubscribe = async (db: Client, token: string) =>
  unwrap(await db.rpc('unsubscribe_from_mail', { token }));
