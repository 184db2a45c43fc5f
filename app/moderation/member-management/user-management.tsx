import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { UserSearch } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useRealtime } from '#app/realtime.ts';
import { browserClient } from '#app/supabase.ts';
import { SearchInput } from '#app/ui/controls/search-input.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { membersQuery, PAGE_SIZE } from './data.ts';
import { MemberRoles } from './member-roles.tsx';

/** All members with their roles, for admins; follows changes of roles by others. */
export function UserManagement() {
  const cache = useQueryClient();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const members = useInfiniteQuery({
    ...membersQuery(browserClient, search),
    placeholderData: keepPreviousData,
  });
  const refresh = () => void cache.invalidateQueries({ queryKey: ['moderation', 'members'] });
  useRealtime('moderation:roles', [{ table: 'user_roles' }], refresh);

  const rows = members.data?.pages.flat();
  const more = members.data?.pages.at(-1)?.length === PAGE_SIZE ? '+' : '';
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-6 gap-y-3">
        <SearchInput
          aria-label="Search by name or username"
          placeholder="Search by name or username"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="min-h-11 w-full bg-surface md:w-96"
        />
        <p className="text-ink-2" role="status">
          {rows &&
            `${rows.length.toLocaleString('en-GB')}${more} ${rows.length === 1 ? 'member' : 'members'}`}
        </p>
      </div>
      {!rows ? (
        <NotLoaded loading="Loading users" failed="Failed to load users" query={members} />
      ) : rows.length === 0 ? (
        <EmptyState icon={UserSearch}>
          No member has “<bdi>{search}</bdi>” in their name or username
        </EmptyState>
      ) : (
        <ul
          aria-label="Members"
          className={`divide-y overflow-clip rounded-md border bg-surface transition-opacity ${members.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          {rows.map((member) => (
            <MemberRoles key={member.id} member={member} />
          ))}
        </ul>
      )}
      <MoreButton query={members} className="mt-6">
        Load more
      </MoreButton>
    </>
  );
}
