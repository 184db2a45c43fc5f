import {
  Bell,
  Bookmark,
  ChartLine,
  ClipboardList,
  FilePen,
  LogOut,
  Mail,
  MonitorX,
  Plus,
  Rss,
  Settings,
  ShieldCheck,
  User,
} from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { messageOf } from '#app/errors.ts';
import type { UserMenuProps } from '#app/frame/layout/header.tsx';
import { clearReturnPath } from '#app/require-sign-in.ts';
import { signOut, useMember } from '#app/session.ts';
import { Menu, MenuItem, MenuSeparator } from '#app/ui/controls/menu.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Count } from '#app/ui/surfaces/badge.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

const loadDialog = () => import('./sign-out-dialog.tsx');
const SignOutDialog = lazyDialog(loadDialog, 'SignOutDialog');
// With the menu, so that a sign-out needs no connection. One that fails here is tried again by the press.
loadDialog().catch(() => undefined);

/** The menu behind a member’s portrait: their own pages, and the two ways to sign out. */
export function UserMenu({ viewer, onRetry, trigger }: UserMenuProps) {
  const navigate = useNavigate();
  const member = useMember();
  const email = member?.email;
  const [leaving, setLeaving] = useState<{ everywhere: boolean }>();
  const { profile, isModerator, unreadMessages, unreadNotifications } = viewer;
  const name = profile?.full_name ?? profile?.username ?? email ?? 'Member';

  const onSignOut = async (everywhere: boolean) => {
    try {
      await signOut(everywhere);
    } catch (error) {
      toast({ tone: 'error', title: 'Failed to sign out', text: messageOf(error, 'Please try again') });
      return;
    }
    toast({
      tone: 'success',
      title: 'Signed out',
      text: everywhere ? 'You have been signed out on all devices' : 'You have been signed out successfully',
    });
    await navigate('/auth');
    clearReturnPath();
  };

  const menu = (
    <Menu trigger={trigger} defaultOpen>
      <div className="px-3 py-2">
        <p className="font-bold">{name}</p>
        {email && email !== name && <p className="text-sm text-ink-3">{email}</p>}
      </div>
      {onRetry && (
        <>
          <p className="max-w-72 px-3 text-sm text-ink-2">
            Your messages and notifications couldn’t be loaded. Check your connection.
          </p>
          <MenuItem onSelect={onRetry}>
            <span className="icon icon-again" />
            Try again
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem asChild className="md:hidden">
        <Link to="/upload">
          <Plus aria-hidden />
          Share Solution
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/profile">
          <User aria-hidden />
          Profile
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/profile#drafts">
          <FilePen aria-hidden />
          Drafts
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/saved">
          <Bookmark aria-hidden />
          Saved
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/following">
          <Rss aria-hidden />
          Following
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/evidence">
          <ChartLine aria-hidden />
          Reported outcomes
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/cpd">
          <ClipboardList aria-hidden />
          CPD record
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/messages">
          <Mail aria-hidden />
          Messages
          <Count value={unreadMessages} className="ms-auto" />
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/notifications">
          <Bell aria-hidden />
          Notifications
          <Count value={unreadNotifications} className="ms-auto" />
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/settings">
          <Settings aria-hidden />
          Settings
        </Link>
      </MenuItem>
      {isModerator && (
        <MenuItem asChild>
          <Link to="/admin">
            <ShieldCheck aria-hidden />
            Admin Dashboard
          </Link>
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem onSelect={() => setLeaving({ everywhere: false })}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
      <MenuItem onSelect={() => setLeaving({ everywhere: true })}>
        <MonitorX aria-hidden />
        Sign out of all devices
      </MenuItem>
    </Menu>
  );
  return (
    <>
      {menu}
      {leaving && member && (
        <SignOutDialog
          userId={member.id}
          onSignOut={() => onSignOut(leaving.everywhere)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}
