import { type ComponentType, type ReactElement, useEffect, useMemo, useState } from 'react';
import { Form, Link, NavLink, useLocation } from 'react-router';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { keepReturnPath } from '#app/require-sign-in.ts';
import { lastKnownAccount, useLiveViewer, useMember, useViewer, useViewerRetry } from '#app/session.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { SearchInput } from '#app/ui/controls/search-input.tsx';
import { readerStays } from '#app/ui/states/reader-stays.ts';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Avatar } from '#app/ui/surfaces/avatar.tsx';
import { Count } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { Logo } from './logo.tsx';
import { SideMenu } from './side-menu.tsx';

export interface UserMenuProps {
  viewer: ReturnType<typeof lastKnownAccount> & { unreadMessages: number; unreadNotifications: number };
  /** Asks for the account again, where it could not be loaded and only what this device knows of it is shown. */
  onRetry: (() => void) | undefined;
  /** The button that was pressed, and is the menu's from now on. */
  trigger: ReactElement;
}

interface HeaderProps {
  /** Loads the menu of a member, which knows more of the site than the header. */
  loadMenu: () => Promise<ComponentType<UserMenuProps>>;
}

function AccountFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Button size="icon" onClick={onRetry}>
      <span className="icon icon-again" />
      <span className="sr-only">Your account couldn’t be loaded. Try again</span>
    </Button>
  );
}

const mainLinks = [
  { to: '/', label: 'Home' },
  { to: '/browse', label: 'Browse' },
  { to: '/forum', label: 'Forum' },
  { to: '/resources', label: 'Resources' },
  { to: '/about', label: 'About' },
  { to: '/contact', label: 'Contact' },
];

/**
 * The bar at the top of every page: menu, search, and either “Sign In” or the member’s account. The server does not
 * know who is reading: both forms of the right-hand side are in the page, and the style sheet shows the one that fits,
 * which a script decides before the first paint.
 */
export function Header({ loadMenu }: HeaderProps) {
  const member = useMember();
  const known = useViewer();
  const retry = useViewerRetry();
  useLiveViewer();
  const viewer =
    known ??
    (member && retry && { ...lastKnownAccount(member.id), unreadMessages: 0, unreadNotifications: 0 });
  // These pages have a field of their own, beside which a narrow header needs no second one.
  const hasOwnSearch = ['/', '/browse'].includes(useLocation().pathname);
  return (
    <header className="sticky top-0 z-30 border-b bg-surface print:hidden">
      <div className="page @container flex min-h-(--header) items-center gap-3">
        <button
          type="button"
          popoverTarget="side-menu"
          className={buttonClass('quiet', 'icon', '-ms-3 text-ink hover:text-accent-hover nav:hidden')}
        >
          <span className="icon icon-menu" />
          <span className="sr-only">Menu</span>
        </button>
        <Logo />
        <nav aria-label="Main" className="ms-4 hidden self-stretch nav:flex">
          {mainLinks.map(({ to, label }) => (
            <NavLink key={to} to={to} end={to === '/'} discover="none" className="header-link">
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="ms-auto flex items-center gap-3">
          <Form
            action="/browse"
            role="search"
            aria-label="Site"
            className={classes('hidden', hasOwnSearch ? 'lg:block' : 'md:block')}
          >
            <SearchInput
              name="q"
              aria-label="Search solutions"
              placeholder="Search solutions..."
              className="h-11 w-[232px] bg-bg lg:h-10"
            />
          </Form>
          <Link
            to="/auth"
            onClick={keepReturnPath}
            className={buttonClass('primary', 'bar', 'member:hidden')}
          >
            Sign In
          </Link>
          <Link
            to="/upload"
            className={buttonClass(
              'primary',
              'bar',
              'with-icon icon-plus before:size-4 max-md:hidden visitor:hidden',
            )}
          >
            Share Solution
          </Link>
          <div className="flex size-[2.75rem] items-center justify-center visitor:hidden">
            {viewer ? (
              <UserButton viewer={viewer} onRetry={retry} loadMenu={loadMenu} />
            ) : (
              <span className="size-[2.5rem] rounded-full bg-chip" />
            )}
          </div>
        </div>
      </div>
      <SideMenu links={mainLinks} />
    </header>
  );
}

/**
 * The member's portrait. The menu behind it is loaded when it is about to be pressed, and anyway while the reader
 * stays, for a later time without a connection.
 */
function UserButton({ viewer, onRetry, loadMenu }: Omit<UserMenuProps, 'trigger'> & HeaderProps) {
  const fileUrl = useFileUrl();
  const email = useMember()?.email;
  const [isPressed, setIsPressed] = useState(false);
  const UserMenu = useMemo(
    () =>
      lazyPart(
        loadMenu,
        undefined,
        ({ trigger }: UserMenuProps) => trigger,
        (tryAgain) => <AccountFailed onRetry={tryAgain} />,
      ),
    [loadMenu],
  );
  const { profile, unreadMessages, unreadNotifications } = viewer;
  const name = profile?.full_name ?? profile?.username ?? email ?? 'Member';
  const unread = unreadMessages + unreadNotifications;
  // A load that fails here is tried again by the press.
  const prepare = () => void loadMenu().catch(() => undefined);
  useEffect(() => void readerStays().then(() => loadMenu().catch(() => undefined)), [loadMenu]);
  const closed = isPressed ? {} : ({ 'aria-haspopup': 'menu', 'aria-expanded': false } as const);
  const trigger = (
    <button
      type="button"
      className="reach flex rounded-full"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setIsPressed(true)}
      {...closed}
    >
      <span className="sr-only">Your account{unread > 0 && `, ${unread} unread`}</span>
      <Avatar name={name} src={profile?.avatar_url ? fileUrl(profile.avatar_url) : null} size={40} />
      <span aria-hidden>
        <Count value={unread} className="absolute -top-2 -end-2" />
      </span>
    </button>
  );
  return isPressed ? <UserMenu viewer={viewer} onRetry={onRetry} trigger={trigger} /> : trigger;
}
