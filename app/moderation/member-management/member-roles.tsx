import { EllipsisVertical, Gavel, KeyRound, NotebookPen, ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Menu, MenuItem } from '#app/ui/controls/menu.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { type MemberRow, makeModerator } from './data.ts';
import { useRoleRemoval } from './use-role-removal.ts';

const AccountDialog = lazyDialog(() => import('./account-dialog.tsx'), 'AccountDialog');
const NotesDialog = lazyDialog(() => import('#app/solution/staff-notes/notes-dialog.tsx'), 'NotesDialog');
const SanctionDialog = lazyDialog(() => import('./sanction-dialog.tsx'), 'SanctionDialog');

/** A member with their role, and a menu of what can be done about them; admins have none. */
export function MemberRoles({ member }: { member: MemberRow }) {
  const [dialog, setDialog] = useState<'sanction' | 'account' | 'notes' | null>(null);
  const close = () => setDialog(null);
  const name = authorName(member.id, member);
  const isAdmin = member.roles.includes('admin');
  const isModerator = member.roles.includes('moderator');
  const promotion = useConfirmedAction({
    title: 'Make Moderator',
    question: `${name} will be able to review solutions, suggestions and reports, and to remove what members publish.`,
    verb: 'Make Moderator',
    busy: 'Saving',
    act: async () => makeModerator(await browserClient(), member.id),
    done: 'User promoted to moderator',
    failed: 'Failed to make moderator',
    refresh: [['moderation', 'members']],
  });
  const removal = useRoleRemoval(
    member.id,
    `${name} will no longer be able to review solutions, suggestions and reports.`,
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 md:px-6">
      <MemberAvatar name={name} member={member} size={40} />
      <div className="min-w-0 flex-1 basis-32">
        <p className="font-bold wrap-anywhere">
          {member.username ? (
            <Link to={`/members/${member.username}`} className="link">
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi>{name}</bdi>
          )}
        </p>
        <p className="dotted text-sm text-ink-3 wrap-anywhere">
          <span>{member.username ? `@${member.username}` : 'Profile not completed'}</span>
          <span>joined {formatDay(member.created_at)}</span>
        </p>
      </div>
      <div className="flex gap-2 max-md:order-last max-md:-mt-2 max-md:basis-full max-md:ps-14 md:w-24">
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
      <div className="size-11">
        {!isAdmin && (
          <Menu
            trigger={
              <Button variant="quiet" size="icon">
                <EllipsisVertical className="size-5" strokeWidth={2} aria-hidden />
                <span className="sr-only">Change {name}</span>
              </Button>
            }
          >
            <MenuItem onSelect={() => setDialog('sanction')}>
              <Gavel aria-hidden />
              Sanction
            </MenuItem>
            <MenuItem onSelect={() => setDialog('account')}>
              <KeyRound aria-hidden />
              Account
            </MenuItem>
            <MenuItem onSelect={() => setDialog('notes')}>
              <NotebookPen aria-hidden />
              Notes
            </MenuItem>
            {isModerator ? (
              <MenuItem onSelect={() => removal.ask()}>
                <ShieldOff aria-hidden />
                Remove Moderator
              </MenuItem>
            ) : (
              // An account without a profile cannot take part.
              member.username &&
              member.full_name && (
                <MenuItem onSelect={() => promotion.ask()}>
                  <ShieldCheck aria-hidden />
                  Make Moderator
                </MenuItem>
              )
            )}
          </Menu>
        )}
      </div>
      {dialog === 'sanction' && <SanctionDialog memberId={member.id} name={name} onClose={close} />}
      {dialog === 'account' && <AccountDialog memberId={member.id} name={name} onClose={close} />}
      {dialog === 'notes' && <NotesDialog memberId={member.id} name={name} onClose={close} />}
      {promotion.dialog}
      {removal.dialog}
    </li>
  );
}
