import { queryOptions } from '@tanstack/react-query';
import { confirmCode } from '#app/account/second-step-data.ts';
import type { CaptchaProof } from '#app/captcha/captcha.tsx';
import { functionMessage, unwrap } from '#app/errors.ts';
import { type Client, type ClientSource, oneOffClient } from '#app/supabase.ts';

export interface Preferences {
  allow_messages: boolean;
  allow_notifications: boolean;
  email_notifications: boolean;
}

/** A member's settings. */
export const preferencesQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'preferences', userId],
    queryFn: async (): Promise<Preferences> => {
      const db = await client();
      return unwrap(
        await db
          .from('profiles')
          .select('allow_messages,allow_notifications,email_notifications')
          .eq('id', userId)
          .single(),
      );
    },
  });

export async function savePreferences(db: Client, userId: string, chosen: Preferences): Promise<void> {
  const { error } = await db.from('profiles').update(chosen).eq('id', userId);
  if (error) throw error;
}

/** Requests a change of address; both addresses have to confirm it before it takes effect. */
export async function changeEmail({ auth }: Client, email: string): Promise<void> {
  const { error } = await auth.updateUser(
    { email },
    { emailRedirectTo: new URL('/settings', location.origin).href },
  );
  if (error) throw error;
}

/** The member's sessions, this browser first. */
export const sessionsQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'sessions', userId],
    queryFn: async () => unwrap(await (await client()).rpc('own_sessions')),
  });

export async function signOutOthers({ auth }: Client): Promise<void> {
  const { error } = await auth.signOut({ scope: 'others' });
  if (error) throw error;
}

/** The member's sign-in methods. */
export const identitiesQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'identities', userId],
    queryFn: async () => unwrap(await (await client()).auth.getUserIdentities()).identities,
  });

/** All data the site holds of the member, as one file. */
export async function downloadData(db: Client): Promise<Blob> {
  const { data, error } = await db.functions.invoke<Blob>('export-data', { method: 'POST' });
  if (error || !data) throw new Error(await functionMessage(error, 'Your data could not be collected'));
  return data;
}

export async function sendCode({ auth }: Client, email: string, person: CaptchaProof): Promise<void> {
  const { error } = await auth.signInWithOtp({ email, options: { shouldCreateUser: false, ...person } });
  if (error) throw error;
}

/**
 * Deletes the account. The server requires a proof of identity that is not older than ten minutes, which a
 * separate session gives.
 *
 * @param proof the password, or the emailed code of a member without one; and a code of the authenticator app
 * where there is one
 */
export async function deleteAccount(
  email: string,
  proof: { password: string } | { mailed: string },
  appCode: string | null,
  shared: 'keep' | 'remove',
  person: CaptchaProof,
): Promise<void> {
  const once = await oneOffClient();
  const { error } =
    'password' in proof
      ? await once.auth.signInWithPassword({ email, password: proof.password, options: person })
      : await once.auth.verifyOtp({ email, token: proof.mailed.trim(), type: 'email' });
  if (error) throw error;
  if (appCode !== null) await confirmCode(once, appCode);
  const deleted = await once.rpc('delete_account', { shared });
  if (deleted.error) throw deleted.error;
}
