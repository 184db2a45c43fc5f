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

/** What a member has chosen. */
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

/** Asks for another address; both have to confirm it before it counts. */
export async function changeEmail({ auth }: Client, email: string): Promise<void> {
  const { error } = await auth.updateUser(
    { email },
    { emailRedirectTo: new URL('/settings', location.origin).href },
  );
  if (error) throw error;
}

/** Where the member is signed in, this browser first. */
export const sessionsQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'sessions', userId],
    queryFn: async () => unwrap(await (await client()).rpc('own_sessions')),
  });

export async function signOutOthers({ auth }: Client): Promise<void> {
  const { error } = await auth.signOut({ scope: 'others' });
  if (error) throw error;
}

/** By which ways the member can sign in. */
export const identitiesQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'identities', userId],
    queryFn: async () => unwrap(await (await client()).auth.getUserIdentities()).identities,
  });

/** Everything the site has of the member, as one file. */
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
 * Deletes the account. The server wants a proof of who asks that is not older than ten minutes, which a session of
 * its own gives.
 *
 * @param proof the password, or the mailed code of whoever has none; and a code of the authenticator app where there
 *   is one
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
