import { useMutation } from '@tanstack/react-query';
import { messageOf } from '#app/errors.ts';
import { sendMessage } from '#app/members/data.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/toast.tsx';
import type { Message } from './data.ts';
import { replyTo } from './reply.ts';

/** Sends a reply; the caller keeps the typed text until the reply has arrived. */
export function useReply(memberId: string, onSent: () => void) {
  return useMutation({
    mutationFn: async ({ message, content }: { message: Message; content: string }) =>
      sendMessage(await browserClient(), replyTo(message, memberId, content)),
    // Without a connection sending fails at once.
    networkMode: 'always',
    onSuccess: () => {
      toast({ tone: 'success', title: 'Reply sent' });
      onSent();
    },
    onError: (error) =>
      toast({ tone: 'error', title: 'Failed to send reply', text: messageOf(error, '') || undefined }),
  });
}
