import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useAction } from '#app/frame/act/use-action.ts';
import { useRealtime } from '#app/realtime.ts';
import { browserClient } from '#app/supabase.ts';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { type Filter, markRead, notificationsQuery, warningsQuery } from './data.ts';

/** A member's notifications, kept in step with the database, and the function that marks them read. */
export function useNotifications(memberId: string, filter: Filter, unreadOnly: boolean) {
  const cache = useQueryClient();
  const query = useInfiniteQuery({
    ...notificationsQuery(browserClient, memberId, filter, unreadOnly),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
  const warnings = useQuery({ ...warningsQuery(browserClient, memberId), refetchOnWindowFocus: true });
  const refresh = () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: ['notifications', memberId] }),
      cache.invalidateQueries({ queryKey: ['viewer', memberId] }),
    ]);
  useRealtime(
    `notifications:${memberId}`,
    [
      { table: 'notifications', filter: `user_id=eq.${memberId}` },
      // A deletion event carries only the row's id, which no filter can match.
      { table: 'notifications', event: 'DELETE' },
    ],
    () => void cache.invalidateQueries({ queryKey: ['notifications', memberId] }),
  );
  const isError = query.isError || warnings.isError;
  useErrorToast(isError, 'Failed to load notifications');

  const read = useMutation({
    mutationFn: async (ids: string[]) => markRead(await browserClient(), memberId, ids),
    onSuccess: refresh,
    onError: (error) => console.error('A notification could not be marked read:', error),
  });
  const readAll = useAction({
    act: async () => markRead(await browserClient(), memberId),
    done: {
      title: 'All notifications marked as read',
      ...(warnings.data?.length && { text: 'Warnings stay here until you’ve read each one.' }),
    },
    failed: { title: 'Failed to mark all as read', text: undefined },
    onDone: refresh,
  });
  return { query, warnings, read, readAll };
}
