import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { usePageViews } from './page-views.ts';

/**
 * Does for a client-side navigation what a browser does for a page load: shows progress, moves the focus,
 * announces the page.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const { state } = useNavigation();
  usePageViews();
  const announcedPath = useRef(pathname);
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    if (announcedPath.current === pathname) return;
    announcedPath.current = pathname;
    const main = document.querySelector<HTMLElement>('main');
    const target = main?.querySelector('h1') ?? main;
    target?.setAttribute('tabindex', '-1');
    target?.focus({ preventScroll: true });
    setAnnounced(document.title);
  }, [pathname]);
  return (
    <>
      <p role="status" className="sr-only">
        {announced}
      </p>
      {state !== 'idle' && (
        <div
          aria-hidden
          className="fixed inset-x-0 top-0 z-50 h-[3px] animate-fade overflow-hidden [animation-delay:150ms] [animation-fill-mode:backwards]"
        >
          <div className="h-full w-1/3 animate-slide bg-accent" />
        </div>
      )}
    </>
  );
}
