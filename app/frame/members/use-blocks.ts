import { useQuery } from '@tanstack/react-query';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { browserClient } from '#app/supabase.ts';
import { blockedMembersQuery, setBlocked } from './data.ts';

/** The members that the member blocks, and the change of the list, which asks before it blocks. */
export function useBlocks(memberId: string) {
  const options = blockedMembersQuery(browserClient, memberId);
  const query = useQuery(options);
  const change = useConfirmedAction({
    title: ({ name }) => `Block ${name}`,
    question:
      'They can’t message you any more, and they won’t be notified. You can unblock them here or in Settings.',
    verb: 'Block',
    busy: 'Blocking',
    act: async (what: { id: string; name: string; blocked: boolean }) =>
      setBlocked(await browserClient(), { blockerId: memberId, blockedId: what.id, blocked: what.blocked }),
    done: (_nothing, { name, blocked }) =>
      blocked
        ? { title: `${name} is blocked`, text: 'They can’t message you any more. We don’t tell them.' }
        : `${name} is no longer blocked`,
    failed: (_error, { blocked }) => `Failed to ${blocked ? 'block' : 'unblock'} the member`,
    refresh: [options.queryKey],
  });
  return {
    query,
    isBlocked: (id: string | null) => query.data?.some(({ blocked_id }) => blocked_id === id) ?? false,
    change,
  };
}
