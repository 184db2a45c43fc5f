import type { Session } from '@supabase/supabase-js';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useSyncExternalStore } from 'react';
import { dataOf, isSessionEnded } from './errors.ts';
import { useRealtime } from './realtime.ts';
import { browserClient, type ClientSource, checkSession } from './supabase.ts';
import { keepOnDevice } from './ui/states/keep-on-device.ts';

interface Member {
  id: string;
  email: string | undefined;
}

interface KnownSession {
  member: Member | null;
  /** A user who has given their password, but has not passed the second factor yet: signed in on no page. */
  halfway: Member | null;
  recovery: boolean;
  /**
   * Whether the member's session has ended under an open page: here, in another tab or on another device. The member
   * stays, and with them what they typed, until they sign in again or go on without.
   */
  ended: boolean;
}

/** Undefined while it is not known: on the server and until hydration. */
export type SessionState = KnownSession | undefined;

const listeners = new Set<() => void>();
let state: SessionState;

function updateState(now: KnownSession) {
  if (JSON.stringify(now) === JSON.stringify(state)) return;
  state = now;
  keepRecovery(now);
  if (!now.member) keepOnDevice(ACCOUNT_KEY, null);
  document.documentElement.toggleAttribute('data-member', now.member !== null);
  for (const listener of listeners) listener();
}

const NO_SESSION: KnownSession = { member: null, halfway: null, recovery: false, ended: false };

const RECOVERY_KEY = 'recovering';
const ACCOUNT_KEY = 'account';

/** A member who came by a recovery link sets a new password, also after the page was loaded again. */
function keepRecovery({ recovery, member, halfway }: KnownSession): void {
  const user = member ?? halfway;
  if (recovery && user) sessionStorage.setItem(RECOVERY_KEY, user.id);
  else if (!recovery) sessionStorage.removeItem(RECOVERY_KEY);
}

/** Whether the second step that its user has set up is still to be taken in this session. */
export const lacksSecondStep = ({ user, access_token }: Pick<Session, 'user' | 'access_token'>): boolean =>
  (user.factors?.some(({ status }) => status === 'verified') ?? false) &&
  claimsOf(access_token).aal !== 'aal2';

function sessionFrom(session: Pick<Session, 'user' | 'access_token'>, recovery: boolean): KnownSession {
  const member = { id: session.user.id, email: session.user.email };
  return lacksSecondStep(session)
    ? { member: null, halfway: member, recovery, ended: false }
    : { member, halfway: null, recovery, ended: false };
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
    !confirm(`You’re signed in as ${user.email}. This link will sign you in as ${other} instead. Continue?`)
  )
    history.replaceState(history.state, '', location.pathname + location.search);
}

/** Follows the session from now on, called once; a visitor's page does not load the client library for it. */
export function startSession(): void {
  // The session ended in another tab. The library's own message of it reaches only a tab that listens already.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key && STORAGE_KEY.test(key) && newValue === null) endSession();
  });
  const stored = storedSession();
  if (stored) askBeforeSwitching(stored);
  if (!stored && !location.hash.includes('access_token=')) {
    updateState(NO_SESSION);
    return;
  }
  if (stored) {
    const recovery =
      /[#&]type=recovery(&|$)/.test(location.hash) || sessionStorage.getItem(RECOVERY_KEY) === stored.user.id;
    updateState(sessionFrom(stored, recovery));
  }
  void followSession();
}

let following: Promise<void> | undefined;

/** Loads the client and keeps the state in step with it; needed before signing in. */
export function followSession(): Promise<void> {
  following ??= browserClient().then(({ auth }) => {
    auth.onAuthStateChange((event, session) => {
      if (!session) return endSession();
      wasConfirmed = true;
      // What was typed belongs to the member who typed it.
      if (state?.ended && state.member?.id !== session.user.id) return location.reload();
      const recovery = event === 'PASSWORD_RECOVERY' || state?.recovery === true;
      const now = sessionFrom(session, recovery);
      updateState(state?.ended && now.halfway ? { ...state, halfway: now.halfway } : now);
    });
  });
  return following;
}

/** Whether the library has said that the session is valid: the page shows a member's data from then on. */
let wasConfirmed = false;
let isLeaving = false;

/** The session is over. A page that is open keeps what its member typed, unless they left it themselves. */
function endSession(): void {
  updateState(
    state?.member && wasConfirmed && !isLeaving ? { ...state, halfway: null, ended: true } : NO_SESSION,
  );
}

/** Goes on as a visitor after the session has ended. */
export function acceptEndedSession(): void {
  wasConfirmed = false;
  updateState(NO_SESSION);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const readSession = () => state;
const readMember = () => state?.member ?? undefined;
const readReaderId = () => state?.member?.id;

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

/** The session as this tab knows it; undefined on the server and until hydration. */
export const useSession = (): SessionState => useStored(readSession);

/**
 * The signed-in member; undefined for a visitor, and until that is known. A visitor's page is drawn with it once, where
 * the session would draw it again at once, and hydrate all of it in one long task for that.
 */
export const useMember = (): Member | undefined => useStored(readMember);

/**
 * The id of the member for whom data is asked; undefined for a visitor. It is known before hydration, and so decides on
 * what is asked, and never on what is drawn.
 */
export const useReaderId = (): string | undefined =>
  useSyncExternalStore(subscribe, readReaderId, readReaderId);

/**
 * Does what a member asked for, and does it again if the session had ended, as soon as they have signed in again over the page.
 *
 * @throws what it failed with, also once they go on without signing in
 */
export async function asMember<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    // The refusal can come before it is known here that the session is over.
    if (isSessionEnded(error)) await checkSession();
    if (!state?.ended) throw error;
    await new Promise<void>((resolve) => {
      const stop = subscribe(() => {
        if (state?.ended) return;
        stop();
        resolve();
      });
    });
    if (!state.member) throw error;
    return act();
  }
}

/**
 * Ends the session of this device even when the server cannot be reached.
 *
 * @param everywhere ends those of all other devices too; throws when the server cannot be reached, and ends none then
 */
export async function signOut(everywhere = false): Promise<void> {
  const { auth } = await browserClient();
  isLeaving = true;
  try {
    const { error } = await auth.signOut({ scope: everywhere ? 'global' : 'local' });
    if (error && everywhere) throw error;
    if (error) await auth.signOut({ scope: 'local' });
    acceptEndedSession();
  } finally {
    isLeaving = false;
  }
}

/** Whether a profile has what the database asks for before its member takes part: names and the declaration. */
export const isProfileComplete = (
  profile: { username: string | null; full_name: string | null; declarations: unknown[] } | null | undefined,
): boolean => profile?.username != null && profile.full_name != null && profile.declarations.length > 0;

const HOUR_MS = 3_600_000;
/** So many are counted and no more, since each page of a member asks. Of notifications, ten show as many as all. */
const MAX_UNREAD_NOTIFICATIONS = 100;
export const MAX_UNREAD_MESSAGES = 1_000;

/** The signed-in member's own profile, roles, unread counts and sanction, for the header, guarded pages and forms. */
export const viewerQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['viewer', userId],
    queryFn: async () => {
      const db = await client();
      // One request, since every page of a member and every change of theirs needs it.
      const profile = dataOf(
        await db
          .from('profiles')
          .select(
            'id,username,full_name,profession,avatar_url,registration_level,registration_register,registration_checked_on,roles:user_roles(role),declarations:member_declarations(text_version),refused:refused_addresses(address),notifications!notifications_user_id_fkey(is_read),messages!messages_recipient_id_fkey(read),sanctions!sanctions_user_id_fkey(until,reason,created_by)',
          )
          .eq('id', userId)
          .eq('notifications.is_read', false)
          // Those of a message are counted with the messages: one event, one number.
          .is('notifications.message_id', null)
          .limit(MAX_UNREAD_NOTIFICATIONS, { referencedTable: 'notifications' })
          .eq('messages.read', false)
          .limit(MAX_UNREAD_MESSAGES, { referencedTable: 'messages' })
          .is('sanctions.lifted_at', null)
          .or(`kind.eq.ban,until.gt.${new Date().toISOString()}`, { referencedTable: 'sanctions' })
          .order('until', { referencedTable: 'sanctions', ascending: false, nullsFirst: true })
          .limit(1, { referencedTable: 'sanctions' })
          .maybeSingle(),
      );
      const roles = profile?.roles.map(({ role }) => role) ?? [];
      const isModerator = roles.includes('moderator') || roles.includes('admin');
      // An answer that comes after they signed out leaves nothing of theirs on the device.
      if (profile && state?.member?.id === userId)
        keepOnDevice(ACCOUNT_KEY, JSON.stringify(accountOf({ profile, isModerator })));
      return {
        profile,
        /** Whether they have given what the database asks for before they take part. */
        isComplete: isProfileComplete(profile),
        /** The address to which no mail is sent, as a server has refused it; it may have been changed since. */
        refusedAddress: profile?.refused?.address ?? null,
        isAdmin: roles.includes('admin'),
        isModerator,
        unreadNotifications: profile?.notifications.length ?? 0,
        unreadMessages: profile?.messages.length ?? 0,
        /** What keeps them from taking part at present. */
        sanction: profile?.sanctions[0] ?? null,
      };
    },
    // A suspension ends by itself, and its notice with it.
    refetchInterval: ({ state }) => {
      const until = state.data?.sanction?.until;
      return until ? Math.min(Math.max(Date.parse(until) - Date.now(), 1_000), HOUR_MS) : false;
    },
    refetchOnWindowFocus: true,
  });

/** What the header shows of a member. */
interface Account {
  profile: {
    id: string;
    username: string | null;
    full_name: string | null;
    avatar_url: string | null;
  } | null;
  isModerator: boolean;
}

const accountOf = ({ profile, isModerator }: Account): Account => ({
  profile: profile && {
    id: profile.id,
    username: profile.username,
    full_name: profile.full_name,
    avatar_url: profile.avatar_url,
  },
  isModerator,
});

/** What this device last knew of a member, for when the site cannot be reached. */
export function lastKnownAccount(memberId: string): Account {
  try {
    const account: Account | null = JSON.parse(localStorage.getItem(ACCOUNT_KEY) ?? 'null');
    if (account?.profile?.id === memberId) return account;
  } catch (error) {
    console.warn('account:', error);
  }
  return { profile: null, isModerator: false };
}

/** The viewer once known; `undefined` for visitors and while loading. */
export function useViewer() {
  const member = useMember();
  const viewer = useQuery({ ...viewerQuery(browserClient, member?.id ?? ''), enabled: member != null });
  return member ? viewer.data : undefined;
}

/** Requests the viewer again; undefined unless they could not be loaded, also while another try is on its way. */
export function useViewerRetry(): (() => void) | undefined {
  const member = useMember();
  const viewer = useQuery({ ...viewerQuery(browserClient, member?.id ?? ''), enabled: member != null });
  return member && viewer.errorUpdateCount > 0 && !viewer.data ? () => void viewer.refetch() : undefined;
}

/**
 * Keeps the viewer in step with the database; once in a page. While changes are not received, it is requested every
 * minute.
 */
export function useLiveViewer(): void {
  const cache = useQueryClient();
  const id = useMember()?.id;
  // The followed topics have keys that begin like this.
  const read = () => void cache.invalidateQueries({ queryKey: ['viewer', id] });
  const live = useRealtime(
    id && `viewer:${id}`,
    [
      { table: 'user_roles', filter: `user_id=eq.${id}` },
      { table: 'notifications', filter: `user_id=eq.${id}` },
      { table: 'messages', filter: `recipient_id=eq.${id}` },
      { table: 'message_deletions', event: 'INSERT', filter: `user_id=eq.${id}` },
      { table: 'sanctions', filter: `user_id=eq.${id}` },
      // A deletion event carries only the row's id, which no filter can match.
      { table: 'notifications', event: 'DELETE' },
      { table: 'messages', event: 'DELETE' },
    ],
    read,
  );
  const readAgain = useEffectEvent(read);
  useEffect(() => {
    if (!id || live) return;
    // A hidden tab is read again when it becomes visible, and does not keep its session alive until then.
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') readAgain();
    }, 60_000);
    return () => clearInterval(timer);
  }, [id, live]);
}
