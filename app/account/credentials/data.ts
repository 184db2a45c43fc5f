import type { UserIdentity } from '@supabase/supabase-js';
import { queryOptions } from '@tanstack/react-query';
import { dataOf, messageOf } from '#app/errors.ts';
import type { CaptchaProof } from '#app/frame/captcha/captcha.tsx';
import { hasSecondStep } from '#app/session.ts';
import { browserConfig, type Client } from '#app/supabase.ts';
import { DECLARATION_VERSION } from './rules.ts';

const absoluteUrl = (path: string) => new URL(path, location.origin).href;

/** @returns whether the second factor is still required */
export async function signIn(
  { auth }: Client,
  email: string,
  password: string,
  proof: CaptchaProof,
): Promise<{ needsCode: boolean }> {
  const { data, error } = await auth.signInWithPassword({ email, password, options: proof });
  if (error) throw error;
  return { needsCode: hasSecondStep(data.user) };
}

/** True when the member is signed in straight away, false when they must first confirm their address. */
export async function signUp(
  db: Client,
  email: string,
  password: string,
  proof: CaptchaProof,
): Promise<boolean> {
  const { data, error } = await db.auth.signUp({
    email,
    password,
    options: {
      emailRedirectTo: absoluteUrl('/complete-profile'),
      data: { declaration_version: DECLARATION_VERSION },
      ...proof,
    },
  });
  if (error) throw error;
  return data.session !== null;
}

/** Has an email sent with a link and a code, either of which lets its reader set a new password. */
export async function requestNewPassword(db: Client, email: string, proof: CaptchaProof): Promise<void> {
  const { error } = await db.auth.resetPasswordForEmail(email, {
    redirectTo: absoluteUrl('/auth'),
    ...proof,
  });
  if (error) throw error;
}

/** @param current required unless the session began with an emailed link */
export async function setPassword(db: Client, password: string, current?: string): Promise<void> {
  const { error } = await db.auth.updateUser({
    password,
    ...(current === undefined ? {} : { current_password: current }),
  });
  if (error) throw error;
}

/** Confirms a new account by the code of its email, and signs in. */
export async function confirmEmail({ auth }: Client, email: string, token: string): Promise<void> {
  dataOf(await auth.verifyOtp({ email, token, type: 'signup' }));
}

/** Signs in by the code of the email about a forgotten password; the session is one of recovery. */
export async function confirmRecovery({ auth }: Client, email: string, token: string): Promise<void> {
  dataOf(await auth.verifyOtp({ email, token, type: 'recovery' }));
}

/** Which providers the sign-in service offers, by name. */
export const providersQuery = queryOptions({
  queryKey: ['account', 'providers'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Record<string, boolean>> => {
    const { url, anonKey } = browserConfig();
    const response = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: anonKey } });
    if (!response.ok) throw new Error(`settings of the sign-in service: ${response.status}`);
    const settings: { external?: Record<string, boolean> } = await response.json();
    return settings.external ?? {};
  },
});

/** Sends the link that confirms a new account once more. */
export async function resendConfirmation(db: Client, email: string, proof: CaptchaProof): Promise<void> {
  const { error } = await db.auth.resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: absoluteUrl('/complete-profile'), ...proof },
  });
  if (error) throw error;
}

/**
 * Set while a visitor is away at a provider, because every return from a provider arrives at the same page.
 */
export const FROM_PROVIDER_KEY = 'came-from-provider';

/** Redirects to Google, unless the server answers first that Google is not offered. */
export async function signInWithGoogle({ auth }: Client): Promise<void> {
  const { data, error } = await auth.signInWithOAuth({
    provider: 'google',
    options: { redirectTo: absoluteUrl('/complete-profile'), skipBrowserRedirect: true },
  });
  if (error) throw error;
  sessionStorage.setItem(FROM_PROVIDER_KEY, 'yes');
  await redirectToProvider(data.url);
}

/** Redirects to Google to add it to the member's sign-in methods. */
export async function linkGoogle({ auth }: Client): Promise<void> {
  const { data, error } = await auth.linkIdentity({
    provider: 'google',
    options: { redirectTo: absoluteUrl('/settings'), skipBrowserRedirect: true },
  });
  if (error) throw error;
  location.assign(data.url);
}

/** Removes a sign-in method from the account; the server refuses to remove the last one. */
export async function unlinkIdentity({ auth }: Client, identity: UserIdentity): Promise<void> {
  dataOf(await auth.unlinkIdentity(identity));
}

/** @throws with the server's message when it refuses the redirect */
async function redirectToProvider(url: string): Promise<void> {
  // The provider's own pages cannot be read from here, and need not be.
  const response = await fetch(url, { redirect: 'manual' }).catch(() => null);
  if (response && response.type !== 'opaqueredirect' && !response.ok) {
    const body: unknown = await response.json().catch(() => null);
    const apiError = body && typeof body === 'object' && 'msg' in body ? { message: body.msg } : null;
    throw new Error(messageOf(apiError, 'Sign-in with Google is not available'));
  }
  location.assign(url);
}

/** Has emails sent again to the member's address, which refused them. */
export async function sendAgain(db: Client, userId: string): Promise<void> {
  dataOf(await db.from('refused_addresses').delete().eq('user_id', userId));
}
