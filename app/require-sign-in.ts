import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { useSession } from './session.ts';

const PATH_KEY = 'return-to';
const SCROLL_KEY = 'return-to-scroll';

/** The time that a page may take until it is as long as it was for who comes back to it. */
const MAX_RESTORE_MS = 3_000;

/** The page the visitor wanted when they were sent to sign in: a path of this site. */
function returnPath(): string {
  const path = sessionStorage.getItem(PATH_KEY) ?? '/';
  // Other scripts may have written there, so only a path that no browser takes for another host is accepted.
  return /^\/(?![/\\])/.test(path) ? path : '/';
}

/** Forgets the place that was kept, so that the next person who signs in here is not led to it. */
export function clearReturnPath(): void {
  sessionStorage.removeItem(PATH_KEY);
  sessionStorage.removeItem(SCROLL_KEY);
}

/** Keeps the present place, for the way back from signing in or completing a profile. */
export function keepReturnPath(): void {
  if (location.pathname === '/auth' || location.pathname === '/complete-profile') return;
  sessionStorage.setItem(PATH_KEY, location.pathname + location.search);
  sessionStorage.setItem(SCROLL_KEY, String(Math.round(window.scrollY)));
}

/** Leads back to the place that was kept, and to where it was scrolled to, as soon as the page is that long. */
export function useReturn(): () => void {
  const navigate = useNavigate();
  return () => {
    const top = Number(sessionStorage.getItem(SCROLL_KEY));
    const path = returnPath();
    clearReturnPath();
    void navigate(path, { replace: true });
    if (!(top > 0)) return;
    const stop = new AbortController();
    const { signal } = stop;
    const restore = () => {
      if (location.pathname + location.search !== path) return;
      if (Math.abs(window.scrollY - top) > 1) window.scrollTo(0, top);
    };
    const grown = new ResizeObserver(restore);
    grown.observe(document.body);
    // The router scrolls a new page to its beginning, and so does the focus on its title.
    addEventListener('scroll', restore, { signal, passive: true });
    // A person who scrolls or presses has arrived.
    for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
      addEventListener(type, () => stop.abort(), { signal, passive: true });
    const timer = setTimeout(() => stop.abort(), MAX_RESTORE_MS);
    signal.addEventListener('abort', () => {
      grown.disconnect();
      clearTimeout(timer);
    });
  };
}

/** Sends a visitor to sign in and, after that, back to the present page; `text` says what for. */
export function useRequireSignIn(): (text?: string, title?: string) => void {
  const navigate = useNavigate();
  return (text, title = 'Sign in required') => {
    if (text) toast({ tone: 'error', leads: true, title, text });
    keepReturnPath();
    void navigate('/auth');
  };
}

/** The entry of the history at which a member was last on a private page. The page begins again as they sign out, and knows no more. */
let memberAt: string | undefined;

/**
 * The member of a private page; visitors are sent to sign in first.
 *
 * @param text says to a visitor what for, as they leave
 * @returns undefined until the session is known, and for visitors
 */
export function useRequiredMember(text?: string): { id: string; email: string | undefined } | undefined {
  const navigate = useNavigate();
  const session = useSession();
  const refused = session !== undefined && !session.member;
  const { key } = useLocation();
  // Who signs out here knows why the page is left.
  const refuse = useEffectEvent(() => {
    if (text && memberAt !== key)
      toast({ tone: 'error', leads: true, title: 'Authentication Required', text });
  });
  useEffect(() => {
    if (session?.member) memberAt = key;
  }, [session, key]);
  useEffect(() => {
    if (!refused) return;
    refuse();
    keepReturnPath();
    void navigate('/auth', { replace: true });
  }, [refused, navigate]);
  return session?.member ?? undefined;
}
