import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, readAnswer, type Schemas, throwUnlessThere, unwrap } from '#app/errors.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';
import { submitOnce, wasSubmitted } from '#app/ui/controls/submit-once.ts';
import { authorColumns, authorFields } from './names.ts';

/** Whether a member accepts messages; visible to signed-in members only. */
export const acceptsMessagesQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['members', memberId, 'accepts-messages'],
    queryFn: async () => {
      const db = await client();
      return unwrap(await db.from('profiles').select('allow_messages').eq('id', memberId).single())
        .allow_messages;
    },
  });

const foundMembers = (z: Schemas) =>
  z.array(z.object({ ...authorFields(z), username: z.string(), allow_messages: z.boolean() }));

export type FoundMember = AnswerOf<typeof foundMembers>[number];

/** At most eight members whose name or username contains the text, the best match first. */
export const memberSearchQuery = (client: ClientSource, search: string) =>
  queryOptions({
    queryKey: ['members', 'search', search],
    queryFn: async () => {
      const db = await client();
      return readAnswer(db.rpc('search_members', { search }), foundMembers);
    },
    networkMode: 'always',
  });

/** Sends a message to another member; one that is tried again after a lost response is still sent once. */
export async function sendMessage(
  db: Client,
  message: {
    sender_id: string;
    recipient_id: string;
    subject: string | null;
    content: string;
    language: string;
    solution_id: string | null;
  },
): Promise<void> {
  await submitOnce(message, async (submission_id) => {
    const { error } = await db.from('messages').insert({ ...message, submission_id });
    if (error && !wasSubmitted(error)) throw error;
  });
}

/** The member's report of it still waits. */
export class AlreadyReported extends Error {}

/** Whether a report by the member still waits. */
export const hasReportedQuery = (
  client: ClientSource,
  memberId: string,
  content: { kind: string; id: string },
) =>
  queryOptions({
    queryKey: ['viewer', memberId, 'reported', content],
    queryFn: async () => {
      const db = await client();
      const own = db.from('content_reports').select('id').eq('reporter_id', memberId).is('resolved_at', null);
      return unwrap(await own.eq('content_type', content.kind).eq('content_id', content.id)).length > 0;
    },
    // A report is made from this device or another.
    staleTime: 0,
  });

/**
 * Reports unsuitable content to the moderators.
 *
 * @throws AlreadyReported
 */
export async function reportContent(
  db: Client,
  report: {
    reporter_id: string;
    content_type: string;
    content_id: string;
    reason: string;
    shows_patient?: boolean;
    tells_of_harm?: boolean;
  },
): Promise<void> {
  const { error } = await db.from('content_reports').insert(report);
  if (error?.code === '23505') throw new AlreadyReported('We’ll notify you of the decision.');
  if (error) throw error;
}

/** The members whose messages are blocked, the latest first. */
export const blockedMembersQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['members', memberId, 'blocked'],
    queryFn: async () => {
      const db = await client();
      return unwrap(
        await db
          .from('member_blocks')
          .select(`blocked_id,member:profiles!member_blocks_blocked_id_fkey(${authorColumns})`)
          .eq('blocker_id', memberId)
          .order('created_at', { ascending: false }),
      );
    },
  });

/** Blocking a member twice changes nothing. */
export async function setBlocked(
  db: Client,
  { blockerId, blockedId, blocked }: { blockerId: string; blockedId: string; blocked: boolean },
): Promise<void> {
  throwUnlessThere(
    blocked
      ? await db.from('member_blocks').insert({ blocker_id: blockerId, blocked_id: blockedId })
      : await db.from('member_blocks').delete().eq('blocker_id', blockerId).eq('blocked_id', blockedId),
  );
}

/** A member's sanctions, the latest first. */
export const sanctionsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['moderation', 'sanctions', memberId],
    queryFn: async () => {
      const db = await client();
      return unwrap(
        await db
          .from('sanctions')
          .select(
            'id,kind,reason,until,created_at,lifted_at,by:profiles!sanctions_created_by_fkey(full_name,username)',
          )
          .eq('user_id', memberId)
          .order('created_at', { ascending: false }),
      );
    },
  });

export type Sanction = QueryData<typeof sanctionsQuery>[number];
