import type { Session } from '@supabase/supabase-js';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { unwrap } from './errors.ts';
import { useLive } from './live.ts';
import { browserClient, type ClientSource } from './supabase.ts';

interface Member {
  id: string;
  email: string | undefined;
}

/** Undefined while it is not known: on the server and until the page has come alive. */
export type SessionState = { member: Member | null; recovery: boolean } | undefined;

const listeners = new Set<() => void>();
let state: SessionState;
let started = false;

function settle(member: Member | null, recovery: boolean) {
  if (
    state &&
    state.member?.id === member?.id &&
    state.member?.email === member?.email &&
    state.recovery === recovery
  )
    return;
  state = { member, recovery };
  document.documentElement.toggleAttribute('data-member', member !== null);
  for (const listener of listeners) listener();
}

const memberOf = (session: Session | null): Member | null =>
  session ? { id: session.user.id, email: session.user.email } : null;

/** What the library keeps in local storage; read by us only to know at once whether it is worth loading. */
function storedMember(): Member | null {
  for (const key of Object.keys(localStorage)) {
    if (!/^sb-.+-auth-token$/.test(key)) continue;
    const stored: Partial<Session> = JSON.parse(localStorage.getItem(key) ?? '{}');
    if (stored.user?.id) return { id: stored.user.id, email: stored.user.email };
  }
  return null;
}

/** Follows the session from now on; a visitor's page does not load the client library for it. */
export function startSession(): void {
  if (started) return;
  started = true;
  const callback = /[#&](access_token|error_code)=/.test(location.hash);
  const stored = storedMember();
  if (!stored && !callback) {
    settle(null, false);
    return;
  }
  if (stored) settle(stored, /[#&]type=recovery(&|$)/.test(location.hash));
  void followSession();
}

let following: Promise<void> | undefined;

/** Loads the client and keeps the state in step with it; needed before signing in. */
export function followSession(): Promise<void> {
  following ??= browserClient().then(({ auth }) => {
    auth.onAuthStateChange((event, session) => {
      const recovery = event === 'PASSWORD_RECOVERY' || (state?.recovery === true && event !== 'SIGNED_OUT');
      settle(memberOf(session), recovery);
    });
  });
  return following;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useSession(): SessionState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => undefined,
  );
}

/** Ends the session here even when the server cannot be told. */
export async function signOut(): Promise<void> {
  const { auth } = await browserClient();
  const { error } = await auth.signOut();
  if (error) await auth.signOut({ scope: 'local' });
  settle(null, false);
}

/** The signed-in member's own profile, roles and unread counts: what the header and guarded pages need. */
const viewerQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['viewer', userId],
    queryFn: async () => {
      const db = await client();
      const [profile, roles, notifications, messages] = await Promise.all([
        db
          .from('profiles')
          .select('id,username,full_name,profession,avatar_url')
          .eq('id', userId)
          .maybeSingle(),
        db.from('user_roles').select('role').eq('user_id', userId),
        db
          .from('notifications')
          .select('id', { count: 'exact', head: true })
          .eq('user_id', userId)
          .eq('is_read', false),
        db
          .from('messages')
          .select('id', { count: 'exact', head: true })
          .eq('recipient_id', userId)
          .eq('read', false),
      ]);
      if (profile.error) throw profile.error;
      const held = unwrap(roles).map(({ role }) => role);
      return {
        profile: profile.data,
        isAdmin: held.includes('admin'),
        isModerator: held.includes('moderator') || held.includes('admin'),
        unreadNotifications: notifications.count ?? 0,
        unreadMessages: messages.count ?? 0,
      };
    },
    refetchOnWindowFocus: true,
  });

/** The viewer once known; `undefined` for visitors and while loading. */
export function useViewer() {
  const member = useSession()?.member;
  const viewer = useQuery({ ...viewerQuery(browserClient, member?.id ?? ''), enabled: member != null });
  return member ? viewer.data : undefined;
}

/**
 * Keeps the viewer in step with the database, and forgets it on sign-out; once in a page. While changes are not
 * heard of, it is asked for every minute.
 */
export function useLiveViewer(): void {
  const cache = useQueryClient();
  const id = useSession()?.member?.id;
  const read = () => void cache.invalidateQueries({ queryKey: ['viewer', id] });
  const live = useLive(
    id && `viewer:${id}`,
    [
      { table: 'user_roles', filter: `user_id=eq.${id}` },
      { table: 'notifications', filter: `user_id=eq.${id}` },
      { table: 'messages', filter: `recipient_id=eq.${id}` },
      // Of a deleted row only its id is told, by which no filter can go.
      { table: 'notifications', event: 'DELETE' },
      { table: 'messages', event: 'DELETE' },
    ],
    read,
    read,
  );
  useEffect(() => {
    if (!id || live) return;
    const timer = setInterval(() => void cache.invalidateQueries({ queryKey: ['viewer', id] }), 60_000);
    return () => clearInterval(timer);
  }, [cache, id, live]);
  useEffect(() => {
    if (id) return () => cache.removeQueries({ queryKey: ['viewer', id] });
  }, [cache, id]);
}
