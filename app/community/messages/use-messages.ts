import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useAction } from '#app/frame/act/use-action.ts';
import { useRealtime } from '#app/realtime.ts';
import { browserClient } from '#app/supabase.ts';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { conversationsQuery, deleteMessage, markRead, messagesQuery } from './data.ts';

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
  const remove = useAction({
    act: async (id: string) => deleteMessage(await browserClient(), id),
    done: 'Message deleted',
    failed: { title: 'Failed to delete message', text: undefined },
    onDone: refresh,
  });
  return { query, messages: query.data?.pages.flat(), read, remove, refresh };
}
