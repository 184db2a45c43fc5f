import type { Session, User } from '@supabase/supabase-js';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useReducer, useSyncExternalStore } from 'react';
import { useRealtime } from './realtime.ts';
import { browserClient, type ClientSource } from './supabase.ts';

interface Member {
  id: string;
  email: string | undefined;
}

interface KnownSession {
  member: Member | null;
  /** A user who has given their password, but has not passed the second factor yet: signed in on no page. */
  halfway: Member | null;
  recovery: boolean;
}

/** Undefined while it is not known: on the server and until hydration. */
export type SessionState = KnownSession | undefined;

const listeners = new Set<() => void>();
let state: SessionState;

function updateState(now: KnownSession) {
  if (JSON.stringify(now) === JSON.stringify(state)) return;
  state = now;
  document.documentElement.toggleAttribute('data-member', now.member !== null);
  for (const listener of listeners) listener();
}

const NO_SESSION: KnownSession = { member: null, halfway: null, recovery: false };

/** Whether this user has to confirm more than a password. */
export const hasSecondStep = ({ factors }: User): boolean =>
  factors?.some(({ status }) => status === 'verified') ?? false;

function sessionFrom(session: Pick<Session, 'user' | 'access_token'>, recovery: boolean): KnownSession {
  const member = { id: session.user.id, email: session.user.email };
  return hasSecondStep(session.user) && claimsOf(session.access_token).aal !== 'aal2'
    ? { member: null, halfway: member, recovery }
    : { member, halfway: null, recovery };
}

/** The claims of a token, unverified; the server decides which are valid. */
function claimsOf(token: string): { aal?: unknown; sub?: unknown; email?: unknown } {
  try {
    return JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return {};
  }
}

const STORAGE_KEY = /^sb-.+-auth-token$/;

/**
 * The session as the library keeps it in local storage; read here only to decide at once whether the library
 * is worth loading. Storage can be forbidden or damaged, and then there is no session.
 */
function storedSession(): Session | null {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!STORAGE_KEY.test(key)) continue;
      const stored: Session = JSON.parse(localStorage.getItem(key) ?? '{}');
      if (stored.user?.id && stored.access_token) return stored;
    }
  } catch (error) {
    console.warn('session:', error);
  }
  return null;
}

/**
 * An address that brings tokens of another account: a signed-in member is not switched to another account
 * silently.
 */
function askBeforeSwitching({ user }: Session): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('access_token');
  if (!token) return;
  const { sub, email } = claimsOf(token);
  if (sub === user.id) return;
  const other = typeof email === 'string' && email ? email : 'another account';
  if (
    !confirm(
      `You are signed in as ${user.email}. This link signs you in as ${other} instead. Do you want that?`,
    )
  )
    history.replaceState(history.state, '', location.pathname + location.search);
}

/** Follows the session from now on, called once; a visitor's page does not load the client library for it. */
export function startSession(): void {
  // The session ended in another tab. The library's own message of it reaches only a tab that listens already.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key && STORAGE_KEY.test(key) && newValue === null) updateState(NO_SESSION);
  });
  const stored = storedSession();
  if (stored) askBeforeSwitching(stored);
  const callback = /[#&](access_token|error_code)=/.test(location.hash);
  if (!stored && !callback) {
    updateState(NO_SESSION);
    return;
  }
  if (stored) updateState(sessionFrom(stored, /[#&]type=recovery(&|$)/.test(location.hash)));
  void followSession();
}

let following: Promise<void> | undefined;

/** Loads the client and keeps the state in step with it; needed before signing in. */
export function followSession(): Promise<void> {
  following ??= browserClient().then(({ auth }) => {
    auth.onAuthStateChange((event, session) => {
      const recovery = event === 'PASSWORD_RECOVERY' || (state?.recovery === true && event !== 'SIGNED_OUT');
      updateState(session ? sessionFrom(session, recovery) : { ...NO_SESSION, recovery });
    });
  });
  return following;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const readSession = () => state;
const readMember = () => state?.member ?? undefined;

/** A part of the session; undefined on the server and until hydration. */
function useStored<Value>(read: () => Value): Value | undefined {
  const value = useSyncExternalStore(subscribe, read, () => undefined);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  // A press that hydrates a part of the page is handled by its new rendering, which must not be the
  // visitor's.
  useLayoutEffect(() => {
    if (value !== read()) redraw();
  }, [value, read]);
  return value;
}

export const useSession = (): SessionState => useStored(readSession);

/**
 * The signed-in member; undefined for a visitor, and until that is known. A visitor's page is drawn with it once, where
 * the session would draw it again at once, and hydrate all of it in one long task for that.
 */
export const useMember = (): Member | undefined => useStored(readMember);

/** Ends the session here even when the server cannot be reached. */
export async function signOut(): Promise<void> {
  const { auth } = await browserClient();
  const { error } = await auth.signOut();
  if (error) await auth.signOut({ scope: 'local' });
  updateState(NO_SESSION);
}

/** The signed-in member's own profile, roles and unread counts, for the header and guarded pages. */
const viewerQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['viewer', userId],
    queryFn: async () => {
      const db = await client();
      // One request, since every page of a member and every change of theirs needs it.
      const { data: profile, error } = await db
        .from('profiles')
        .select(
          'id,username,full_name,profession,avatar_url,roles:user_roles(role),notifications!notifications_user_id_fkey(count),messages!messages_recipient_id_fkey(count)',
        )
        .eq('id', userId)
        .eq('notifications.is_read', false)
        .eq('messages.read', false)
        .maybeSingle();
      if (error) throw error;
      const roles = profile?.roles.map(({ role }) => role) ?? [];
      return {
        profile,
        isAdmin: roles.includes('admin'),
        isModerator: roles.includes('moderator') || roles.includes('admin'),
        unreadNotifications: profile?.notifications[0]?.count ?? 0,
        unreadMessages: profile?.messages[0]?.count ?? 0,
      };
    },
    refetchOnWindowFocus: true,
  });

/** The viewer once known; `undefined` for visitors and while loading. */
export function useViewer() {
  const member = useMember();
  const viewer = useQuery({ ...viewerQuery(browserClient, member?.id ?? ''), enabled: member != null });
  return member ? viewer.data : undefined;
}

/**
 * Keeps the viewer in step with the database, and forgets it on sign-out; once in a page. While changes are
 * not received, it is requested every minute.
 */
export function useLiveViewer(): void {
  const cache = useQueryClient();
  const id = useMember()?.id;
  const read = () => void cache.invalidateQueries({ queryKey: ['viewer', id] });
  const live = useRealtime(
    id && `viewer:${id}`,
    [
      { table: 'user_roles', filter: `user_id=eq.${id}` },
      { table: 'notifications', filter: `user_id=eq.${id}` },
      { table: 'messages', filter: `recipient_id=eq.${id}` },
      // A deletion event carries only the row's id, which no filter can match.
      { table: 'notifications', event: 'DELETE' },
      { table: 'messages', event: 'DELETE' },
    ],
    read,
  );
  useEffect(() => {
    if (!id || live) return;
    // A hidden tab is read anew when it becomes visible, and does not keep its session alive until then.
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void cache.invalidateQueries({ queryKey: ['viewer', id] });
    }, 60_000);
    return () => clearInterval(timer);
  }, [cache, id, live]);
  useEffect(() => {
    if (id) return () => cache.removeQueries({ queryKey: ['viewer', id] });
  }, [cache, id]);
}
