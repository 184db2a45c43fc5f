import { useAction } from '#app/frame/act/use-action.ts';
import { sendMessage } from '#app/frame/members/data.ts';
import { browserClient } from '#app/supabase.ts';
import type { Message } from './data.ts';
import { replyTo } from './reply.ts';

/** A reply to a message, or the first message of a conversation. */
type Outgoing = { content: string; language: string } & (
  | { message: Message }
  | { recipientId: string; subject: string | null }
);

/** Sends a message; the caller keeps the typed text until it has arrived. */
export function useReply(memberId: string, onSent: () => void) {
  return useAction({
    act: async (outgoing: Outgoing) =>
      sendMessage(
        await browserClient(),
        'message' in outgoing
          ? replyTo(outgoing.message, memberId, outgoing)
          : {
              sender_id: memberId,
              recipient_id: outgoing.recipientId,
              subject: outgoing.subject,
              content: outgoing.content.trim(),
              language: outgoing.language,
              solution_id: null,
            },
      ),
    done: (_nothing, outgoing) => ('message' in outgoing ? 'Reply sent' : 'Message sent'),
    failed: (_error, outgoing) => ('message' in outgoing ? 'Failed to send reply' : 'Failed to send message'),
    onDone: onSent,
  });
}
