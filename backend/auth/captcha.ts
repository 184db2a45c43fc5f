import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../context.ts';
import { clientAddress } from '../http/client-address.ts';
import { type AuthContext, field, readBody } from './context.ts';
import { AuthError } from './errors.ts';
import { fetchOutside } from './external/outside.ts';
import { requireServiceRole } from './sessions/require-session.ts';

/** Unauthenticated endpoints; the others require a token issued by one of these. */
export const GUARDED = [
  '/signup',
  '/token',
  '/otp',
  '/magiclink',
  '/recover',
  '/resend',
  '/sso',
  '/passkeys/authentication/options',
];
const EXEMPT_GRANTS = ['pkce', 'refresh_token', 'id_token'];

const VERIFIERS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://hcaptcha.com/siteverify',
};

const body = z.object({ gotrue_meta_security: z.object({ captcha_token: field.text }).nullish() });
const verdict = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string()).nullish(),
});

/**
 * Where a captcha is configured, only requests with a solved captcha or the service key pass.
 *
 * @throws AuthError captcha_failed, or unexpected_failure when the captcha's provider does not answer
 */
export async function requireCaptcha(context: Context<Env>, auth: AuthContext): Promise<void> {
  const captcha = auth.config.auth.captcha;
  if (!captcha.enabled || EXEMPT_GRANTS.includes(context.req.query('grant_type') ?? '')) return;
  if (await isOperator(context, auth)) return;
  const { gotrue_meta_security: security } = await readBody(context, body);
  const token = security?.captcha_token?.trim();
  if (!token) throw disallowed(['no captcha_token found']);
  const answer = await requestVerdict(captcha.url ?? VERIFIERS[captcha.provider], {
    secret: captcha.secret,
    response: token,
    remoteip: clientAddress(context, auth.config.trustProxy) ?? '',
  });
  if (!answer.success) throw disallowed(answer['error-codes'] ?? []);
}

async function isOperator(context: Context<Env>, auth: AuthContext): Promise<boolean> {
  try {
    await requireServiceRole(context, auth);
    return true;
  } catch (error) {
    if (error instanceof AuthError) return false;
    throw error;
  }
}

async function requestVerdict(
  verifier: string,
  form: Record<string, string>,
): Promise<z.output<typeof verdict>> {
  try {
    const response = await fetchOutside(verifier, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'error',
    });
    return verdict.parse(await response.json());
  } catch (cause) {
    throw new AuthError('unexpected_failure', 'captcha verification process failed', { cause });
  }
}

const disallowed = (reasons: string[]) =>
  new AuthError('captcha_failed', `captcha protection: request disallowed (${reasons.join(', ')})`);
