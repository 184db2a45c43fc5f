import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** Whether a member lets others write to them; told to signed-in members only. */
export const acceptsMessagesQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['members', memberId, 'accepts-messages'],
    queryFn: async () => {
      const db = await client();
      return unwrap(await db.from('profiles').select('allow_messages').eq('id', memberId).single())
        .allow_messages;
    },
  });

export async function sendMessage(
  db: Client,
  message: {
    sender_id: string;
    recipient_id: string;
    subject: string | null;
    content: string;
    solution_id: string | null;
  },
): Promise<void> {
  const { error } = await db.from('messages').insert(message);
  if (error) throw error;
}

/** Tells the moderators about something that should not be on the site. */
export async function reportContent(
  db: Client,
  report: {
    reporter_id: string;
    content_type: 'topic' | 'post' | 'solution' | 'comment' | 'message' | 'profile';
    content_id: string;
    reason: string;
  },
): Promise<void> {
  const { error } = await db.from('content_reports').insert(report);
  if (error) throw error;
}
