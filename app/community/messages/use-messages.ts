import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { useFields } from '#app/frame/act/use-fields.ts';
import { sendMessage } from '#app/frame/members/data.ts';
import { useRealtime } from '#app/realtime.ts';
import { browserClient } from '#app/supabase.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { conversationsQuery, deleteMessage, type Message, markRead, messagesQuery } from './data.ts';
import { replyTo } from './reply.ts';

/** A member's conversations as far as they are loaded; they and their messages are kept in step with the database. */
export function useConversations(memberId: string) {
  const cache = useQueryClient();
  const query = useInfiniteQuery({
    ...conversationsQuery(browserClient, memberId),
    refetchOnWindowFocus: true,
  });
  useRealtime(
    `messages:${memberId}`,
    [
      { table: 'messages', filter: `recipient_id=eq.${memberId}` },
      { table: 'messages', filter: `sender_id=eq.${memberId}` },
      // What the member deletes in another tab or on another device.
      { table: 'message_deletions', event: 'INSERT', filter: `user_id=eq.${memberId}` },
      // A deletion event carries only the row's id, which no filter can match.
      { table: 'messages', event: 'DELETE' },
    ],
    () => void cache.invalidateQueries({ queryKey: ['messages', memberId] }),
  );
  useErrorToast(query.isError, 'Failed to load messages');
  return { query, conversations: query.data?.pages.flatMap(({ items }) => items) };
}

/** The messages of a conversation as far as they are loaded, and the actions on them. */
export function useMessages(memberId: string, otherId: string | null) {
  const cache = useQueryClient();
  const query = useInfiniteQuery({
    ...messagesQuery(browserClient, memberId, otherId),
    refetchOnWindowFocus: true,
  });
  const refresh = () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: ['messages', memberId] }),
      cache.invalidateQueries({ queryKey: ['viewer', memberId] }),
    ]);
  const read = useMutation({
    mutationFn: async (which: Parameters<typeof markRead>[2]) =>
      markRead(await browserClient(), memberId, which),
    onSuccess: refresh,
    onError: (error) => console.error('A message could not be marked read:', error),
  });
  const remove = useConfirmedAction({
    title: 'Delete message',
    question: 'Are you sure you want to delete this message? This action cannot be undone.',
    verb: 'Delete',
    busy: 'Deleting',
    act: async (id: string) => deleteMessage(await browserClient(), id),
    done: 'Message deleted',
    failed: { title: 'Failed to delete message', text: undefined },
    onDone: refresh,
  });
  return { query, messages: query.data?.pages.flat(), read, remove, refresh };
}

/** The form of a reply to a message, or of the first message of a conversation. */
export function useReply(
  memberId: string,
  draft: string,
  to: { message: Message } | { recipientId: string },
  onSent: () => void,
) {
  const isReply = 'message' in to;
  return useFields(
    // Only a first message has a subject that is typed.
    { subject: '', content: '', language: '' },
    {
      draft,
      isEmpty: ({ content }) => !content.trim(),
      act: async ({ subject, ...typed }) => {
        const content = typed.content.trim();
        const language = chosenLanguage(typed.language, content);
        await sendMessage(
          await browserClient(),
          isReply
            ? replyTo(to.message, memberId, { content, language })
            : {
                sender_id: memberId,
                recipient_id: to.recipientId,
                subject: subject.trim() || null,
                content,
                language,
                solution_id: null,
              },
        );
        // The answered message may come, or be another one, before this has arrived.
        return isReply;
      },
      done: (wasReply) => (wasReply ? 'Reply sent' : 'Message sent'),
      failed: isReply ? 'Failed to send reply' : 'Failed to send message',
      onDone: onSent,
    },
  );
}
