import { useEffect } from 'react';
import { Form, Link, NavLink, useLocation, useNavigation } from 'react-router';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { SearchInput } from '#app/ui/controls/search-input.tsx';
import { useModalPopover } from '#app/ui/states/back-closes.ts';
import { Logo } from './logo.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** The main links on small screens: a popover, which opens without JavaScript too. */
export function SideMenu({ links }: { links: readonly { to: string; label: string }[] }) {
  const menu = useModalPopover<HTMLDivElement>();
  const location = useLocation();
  const next = useNavigation().location?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes as soon as a page is on its way, whose progress it covers
  useEffect(() => {
    if (menu.ref.current?.matches(':popover-open')) menu.ref.current.hidePopover();
  }, [location.key, next]);
  return (
    <div
      {...menu}
      role="dialog"
      id="side-menu"
      popover="auto"
      data-sheet
      aria-label="Menu"
      className="fixed inset-y-0 start-0 h-dvh max-h-none w-[min(320px,100vw-56px)] flex-col overflow-y-auto bg-raised px-4 pb-6 text-ink shadow-dialog backdrop:bg-scrim open:flex open:animate-fade"
    >
      <div className="flex min-h-(--header) shrink-0 items-center justify-between">
        <Logo />
        <button
          type="button"
          popoverTarget="side-menu"
          popoverTargetAction="hide"
          className={buttonClass('quiet', 'icon', '-me-2 text-ink hover:text-accent-hover')}
        >
          <span className="icon icon-close" />
          <span className="sr-only">Close menu</span>
        </button>
      </div>
      <Form action="/browse" role="search" aria-label="Site, in the menu" className="md:hidden">
        <SearchInput
          name="q"
          aria-label="Search solutions"
          placeholder="Search solutions..."
          className="h-11 bg-bg"
        />
      </Form>
      <nav aria-label="Main" className="mt-3">
        <ul>
          {links.map(({ to, label }) => (
            <li key={to}>
              <NavLink to={to} end={to === '/'} discover="none" className="menu-link">
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="More" className="mt-2 border-t pt-2">
        <NavLink to="/evidence" discover="none" className="menu-link">
          Reported outcomes
        </NavLink>
      </nav>
      <Link
        to="/upload"
        className={buttonClass('primary', 'normal', 'with-icon icon-plus before:size-4 mt-4 visitor:hidden')}
      >
        Share Solution
      </Link>
      <div className="mt-auto pt-8">
        <p className="mb-2 text-sm text-ink-3" aria-hidden>
          Theme
        </p>
        <ThemeSwitch />
      </div>
    </div>
  );
}
