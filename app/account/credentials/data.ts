import { dataOf } from '#app/errors.ts';
import type { CaptchaProof } from '#app/frame/captcha/captcha.tsx';
import { lacksSecondStep } from '#app/session.ts';
import type { Client } from '#app/supabase.ts';
import { DECLARATION_VERSION } from './rules.ts';

const absoluteUrl = (path: string) => new URL(path, location.origin).href;

/** @returns whether the second factor is still required */
export async function signIn(
  { auth }: Client,
  email: string,
  password: string,
  proof: CaptchaProof,
): Promise<{ needsCode: boolean }> {
  const data = dataOf(await auth.signInWithPassword({ email, password, options: proof }));
  return { needsCode: lacksSecondStep(data.session) };
}

/** True when the member is signed in straight away, false when they must first confirm their address. */
export async function signUp(
  db: Client,
  email: string,
  password: string,
  proof: CaptchaProof,
): Promise<boolean> {
  const data = dataOf(
    await db.auth.signUp({
      email,
      password,
      options: {
        emailRedirectTo: absoluteUrl('/complete-profile'),
        data: { declaration_version: DECLARATION_VERSION },
        ...proof,
      },
    }),
  );
  return data.session !== null;
}

/** Has an email sent with a link and a code, either of which lets its reader set a new password. */
export async function requestNewPassword(db: Client, email: string, proof: CaptchaProof): Promise<void> {
  dataOf(
    await db.auth.resetPasswordForEmail(email, {
      redirectTo: absoluteUrl('/auth'),
      ...proof,
    }),
  );
}

/** @param current required unless the session began with an emailed link */
export async function setPassword(db: Client, password: string, current?: string): Promise<void> {
  dataOf(
    await db.auth.updateUser({
      password,
      ...(current === undefined ? {} : { current_password: current }),
    }),
  );
}

/** Confirms a new account by the code of its email, and signs in. */
export async function confirmEmail({ auth }: Client, email: string, token: string): Promise<void> {
  dataOf(await auth.verifyOtp({ email, token, type: 'signup' }));
}

/** Signs in by the code of the email about a forgotten password; the session is one of recovery. */
export async function confirmRecovery({ auth }: Client, email: string, token: string): Promise<void> {
  dataOf(await auth.verifyOtp({ email, token, type: 'recovery' }));
}

/** Sends the link that confirms a new account once more. */
export async function resendConfirmation(db: Client, email: string, proof: CaptchaProof): Promise<void> {
  dataOf(
    await db.auth.resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: absoluteUrl('/complete-profile'), ...proof },
    }),
  );
}

/** Has emails sent again to the member's address, which refused them. */
export async function sendAgain(db: Client, userId: string): Promise<void> {
  dataOf(await db.from('refused_addresses').delete().eq('user_id', userId));
}
