import { queryOptions } from '@tanstack/react-query';
import { confirmByKey, confirmCode } from '#app/account/credentials/second-step-data.ts';
import { dataOf, functionMessage, messageOf, unwrap } from '#app/errors.ts';
import type { CaptchaProof } from '#app/frame/captcha/captcha.tsx';
import { browserClient, type Client, type ClientSource, oneOffClient } from '#app/supabase.ts';

export interface Preferences {
  allow_messages: boolean;
  allow_notifications: boolean;
  email_notifications: boolean;
  weekly_digest: boolean;
  asks_still_in_use: boolean;
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
          .select('allow_messages,allow_notifications,email_notifications,weekly_digest,asks_still_in_use')
          .eq('id', userId)
          .single(),
      );
    },
  });

/** Changes some of a member's settings. */
export async function savePreferences(
  db: Client,
  userId: string,
  changed: Partial<Preferences>,
): Promise<void> {
  dataOf(await db.from('profiles').update(changed).eq('id', userId));
}

/** The address that an account is to have once it has been confirmed; null when no change is waiting. */
export const pendingEmailQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'pending-email', userId],
    queryFn: async () => {
      const { auth } = await client();
      const data = dataOf(await auth.getUser());
      const { session } = (await auth.getSession()).data;
      // It was changed on another device: this one would call the member by the old address until its token ends.
      if (session && session.user.email !== data.user.email) unwrap(await auth.refreshSession());
      return data.user.new_email || null;
    },
    // The links may be opened in another tab.
    refetchOnWindowFocus: 'always',
  });

/**
 * What a toast adds where a change of address that was waiting has been cancelled: anyone with a session of the account could
 * have asked for it.
 */
export const cancelledText = (pendingEmail: string | null | undefined): string | undefined =>
  pendingEmail
    ? `The change of your email to ${pendingEmail} was cancelled. You can ask for it again.`
    : undefined;

/** Sends the emails about a change of address once more. */
export async function resendEmailChange({ auth }: Client, email: string): Promise<void> {
  dataOf(
    await auth.resend({
      type: 'email_change',
      email,
      options: { emailRedirectTo: new URL('/settings', location.origin).href },
    }),
  );
}

/** Gives up a change of address that is not confirmed yet; the links and codes sent for it no longer work. */
export async function cancelEmailChange(db: Client): Promise<void> {
  dataOf(await db.rpc('cancel_email_change'));
}

/**
 * Confirms a change of address by a code, which one of the two addresses got.
 *
 * @returns whether the address is changed now; otherwise the other address has to confirm it too
 */
export async function confirmEmailChange(
  { auth }: Client,
  addresses: string[],
  token: string,
): Promise<boolean> {
  let refused: unknown = new Error('There is no address to confirm');
  for (const email of addresses) {
    const { data, error } = await auth.verifyOtp({ email, token, type: 'email_change' });
    if (!error) return data.session !== null;
    refused = error;
  }
  throw refused;
}

/** Requests a change of address; both addresses have to confirm it before it takes effect. */
export async function changeEmail({ auth }: Client, email: string): Promise<void> {
  dataOf(await auth.updateUser({ email }, { emailRedirectTo: new URL('/settings', location.origin).href }));
}

/** The member's sessions, this browser first. */
export const sessionsQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'sessions', userId],
    queryFn: async () => unwrap(await (await client()).rpc('own_sessions')),
  });

/** Ends all sessions of the member except that of this browser. */
export async function signOutOthers({ auth }: Client): Promise<void> {
  const { error } = await auth.signOut({ scope: 'others' });
  if (error) throw error;
}

/** The ORCID iD that the member shows; null while it shows none. */
export const shownOrcidQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'orcid', userId],
    queryFn: async () => {
      const db = await client();
      return unwrap(await db.from('profiles').select('orcid').eq('id', userId).single()).orcid;
    },
  });

/** Shows the iD of the ORCID account by which the member signs in, or hides it. */
export async function showOrcid(db: Client, shown: boolean): Promise<void> {
  dataOf(await db.rpc('show_orcid', { shown }));
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
  if (error || !data) throw new Error(await functionMessage(error, 'Your data couldn’t be collected'));
  return data;
}

/** Emails a code with which a member without a password confirms that they delete their account. */
export async function sendCode({ auth }: Client, email: string, person: CaptchaProof): Promise<void> {
  dataOf(await auth.signInWithOtp({ email, options: { shouldCreateUser: false, ...person } }));
}

/** What the deletion of an account needs to know of it. */
export interface AccountProps {
  userId: string;
  email: string;
  /**
   * By what its owner proves who they are: those whose account no email reaches here, as an organisation's, by signing in
   * again shortly before.
   */
  provenBy: 'password' | 'email' | 'session';
}

/** A refusal that concerns the code of the authenticator app. */
export class AppCodeRefused extends Error {}

/**
 * Deletes the account. The server requires a proof of identity that is not older than ten minutes, which a
 * separate session gives.
 *
 * @param proof the password, or the emailed code of a member without one; the present session, if undefined
 * @param secondStep a code of the authenticator app, or "key" for a passkey or security key, where there is one
 */
export async function deleteAccount(
  email: string,
  proof: { password: string } | { mailed: string } | undefined,
  secondStep: { code: string } | 'key' | null,
  shared: 'keep' | 'remove',
  person: CaptchaProof,
): Promise<void> {
  const once = proof ? await oneOffClient() : await browserClient();
  if (proof) {
    dataOf(
      'password' in proof
        ? await once.auth.signInWithPassword({ email, password: proof.password, options: person })
        : await once.auth.verifyOtp({ email, token: proof.mailed.trim(), type: 'email' }),
    );
  }
  if (secondStep === 'key') await confirmByKey(once);
  else if (secondStep) {
    await confirmCode(once, secondStep.code).catch((refusal: unknown) => {
      throw new AppCodeRefused(messageOf(refusal, 'The code couldn’t be checked'), { cause: refusal });
    });
  }
  dataOf(await once.rpc('delete_account', { shared }));
}
