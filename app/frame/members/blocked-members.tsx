import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { authorName } from './names.ts';
import { useBlocks } from './use-blocks.ts';

/** The list of members whose messages a member has blocked, to unblock them. */
export function BlockedMembers({ memberId }: { memberId: string }) {
  const { query, change } = useBlocks(memberId);
  if (query.isError)
    return <LoadFailed title="Failed to load blocked members" onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-14" />;
  if (query.data.length === 0) return <p className="text-ink-2">You haven’t blocked anyone.</p>;
  return (
    <ul className="divide-y">
      {query.data.map(({ blocked_id: id, member }) => {
        const name = authorName(id, member);
        return (
          <li key={id} className="flex items-center gap-3 py-2">
            <MemberAvatar name={name} member={member} size={32} />
            <span className="min-w-0 flex-1 font-bold wrap-anywhere">{name}</span>
            <Button
              size="small"
              busy={change.isPending && change.variables.id === id && 'Unblocking'}
              onClick={() => change.mutate({ id, name, blocked: false })}
            >
              Unblock<span className="sr-only"> {name}</span>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
