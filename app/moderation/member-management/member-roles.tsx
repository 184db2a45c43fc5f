import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '#app/frame/context/use-action.ts';
import { MemberAvatar } from '#app/people/members/member-avatar.tsx';
import { authorName } from '#app/people/members/names.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { type MemberRow, makeModerator } from './data.ts';
import { SanctionButton } from './sanction-button.tsx';

const RemoveRoleDialog = lazyDialog(() => import('./remove-role-dialog.tsx'), 'RemoveRoleDialog');

/** A member with their role, and the buttons that change it; admins have none. */
export function MemberRoles({ member }: { member: MemberRow }) {
  const [removing, setRemoving] = useState(false);
  const promotion = useAction({
    act: async () => makeModerator(await browserClient(), member.id),
    done: 'User promoted to moderator',
    failed: 'Failed to make moderator',
    refresh: [['moderation', 'members']],
  });
  const name = authorName(member.id, member);
  const isAdmin = member.roles.includes('admin');
  const isModerator = member.roles.includes('moderator');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 md:px-6">
      <MemberAvatar name={name} member={member} size={40} />
      <div className="min-w-0 flex-1 basis-32">
        <p className="font-title wrap-anywhere">
          {member.username ? (
            <Link to={`/members/${member.username}`} className="link">
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi>{name}</bdi>
          )}
        </p>
        <p className="text-sm text-ink-3 wrap-anywhere">
          {member.username ? `@${member.username}` : 'Profile not completed'} ·{' '}
          <span className="whitespace-nowrap">joined {formatDay(member.created_at)}</span>
        </p>
      </div>
      <div className="flex gap-2 md:w-24">
        {isAdmin ? (
          <Badge tone="accent">
            <ShieldCheck aria-hidden />
            Admin
          </Badge>
        ) : isModerator ? (
          <Badge tone="accent">Moderator</Badge>
        ) : (
          <Badge>User</Badge>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-3 md:w-80">
        {!isAdmin && <SanctionButton size="small" memberId={member.id} name={name} />}
        {!isAdmin &&
          (isModerator ? (
            <Button size="small" className="text-red-ink" onClick={() => setRemoving(true)}>
              Remove Moderator<span className="sr-only">: {name}</span>
            </Button>
          ) : (
            <Button
              size="small"
              busy={promotion.isPending && 'Promoting'}
              onClick={() => promotion.isPending || promotion.mutate()}
            >
              Make Moderator<span className="sr-only">: {name}</span>
            </Button>
          ))}
      </div>
      {removing && (
        <RemoveRoleDialog
          memberId={member.id}
          question={`${name} will no longer be able to review solutions, suggestions and reports.`}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
}
