import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { blockedMembersQuery, setBlocked } from './data.ts';

/** The members that the member blocks, and functions that change the list. */
export function useBlocks(memberId: string) {
  const cache = useQueryClient();
  const options = blockedMembersQuery(browserClient, memberId);
  const query = useQuery(options);
  const change = useMutation({
    mutationFn: async (what: { id: string; name: string; blocked: boolean }) =>
      setBlocked(await browserClient(), { blockerId: memberId, blockedId: what.id, blocked: what.blocked }),
    onSuccess: (_nothing, { name, blocked }) => {
      toast({
        tone: 'success',
        title: blocked ? `${name} is blocked` : `${name} is no longer blocked`,
        text: blocked ? 'They can’t message you any more. We don’t tell them.' : undefined,
      });
      return cache.invalidateQueries({ queryKey: options.queryKey });
    },
    onError: (error, { blocked }) =>
      toast({
        tone: 'error',
        title: blocked ? 'Failed to block the member' : 'Failed to unblock the member',
        text: messageOf(error, ''),
      }),
  });
  return {
    query,
    isBlocked: (id: string | null) => query.data?.some(({ blocked_id }) => blocked_id === id) ?? false,
    change,
  };
}
