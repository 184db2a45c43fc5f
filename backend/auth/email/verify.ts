import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { redirectTarget } from '../redirects.ts';
import { issueAuthCode } from '../sessions/flow-states.ts';
import { type ConsumedToken, consumeCode, consumeToken, isPkceToken } from '../sessions/one-time-tokens.ts';
import { withCode, withMessage, withTokens } from '../sessions/session-redirects.ts';
import { openSession } from '../sessions/sessions.ts';
import { confirmPage } from './confirm-page.ts';
import {
  FIRST_OF_TWO_CONFIRMED,
  INVALID_LINK,
  methodOf,
  type RedeemedToken,
  redeemToken,
  tokenTypesOf,
} from './redeem-token.ts';

const body = z.object({
  type: field.text,
  token: field.text,
  token_hash: field.text,
  email: field.email,
  redirect_to: field.text,
});

/** POST /verify: sent by the client library and by the button of the confirm page. */
export const verify: AuthHandler = async (context, auth) => {
  if (context.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) {
    const form = await context.req.parseBody();
    const value = (name: string) => (typeof form[name] === 'string' ? form[name] : '');
    await auth.rateLimits.verification(context);
    return redeemLink(
      context,
      auth,
      value('token'),
      value('type'),
      redirectTarget(context, auth.config, value('redirect_to')),
    );
  }
  await auth.rateLimits.verification(context);
  const { type, token, token_hash: hash, email } = await readBody(context, body);
  const types = tokenTypesOf(type);
  if (!token && !hash) throw new AuthError('validation_failed', 'Verify requires a token or a token hash');
  if (hash && (token || email))
    throw new AuthError('validation_failed', 'Only the token_hash and type should be provided');
  if (token && !email)
    throw new AuthError(
      'validation_failed',
      'Only an email address or phone number should be provided on verify',
    );

  if (email && !(await auth.rateLimits.codeGuess(email))) throw expired();
  const done = await auth.authDatabase.transaction(async (query) => {
    const consumed = hash
      ? await consumeToken(query, hash, types)
      : await consumeCode(query, auth, email ?? '', token ?? '', types);
    if (!consumed) return undefined;
    const redeemed = await redeemToken(query, auth, context, consumed);
    if (!redeemed) return 'first half';
    await recordAuditEvent(query, auth, context, 'login', redeemed.user);
    const method = type === 'email' || !hash ? 'otp' : methodOf(type);
    return { redeemed, session: await openSession(query, auth, context, redeemed.user, method) };
  });
  if (!done) throw expired();
  if (done === 'first half') return context.json({ msg: FIRST_OF_TWO_CONFIRMED, code: '200' });
  await notifyEmailChanged(auth, done.redeemed);
  return context.json(done.session);
};

/** The previous address of the account is notified: its owner may not have requested the change. */
async function notifyEmailChanged(auth: AuthContext, { user, formerEmail }: RedeemedToken): Promise<void> {
  if (formerEmail)
    await auth.emails.notify(
      'email_changed',
      { email: formerEmail },
      { OldEmail: formerEmail, Email: user.email ?? '' },
    );
}

const expired = () => new AuthError('otp_expired', 'Token has expired or is invalid');

/**
 * GET /verify: the link of an email. Mail scanners open links before people do, some of them in a real
 * browser, and must not spend them. So whoever opens it gets a page with one button that sends the same token by POST; only
 * a program's `fetch`, which says so in the request's fetch metadata, is answered without it.
 */
export const verifyLink: AuthHandler = async (context, auth) => {
  await auth.rateLimits.verification(context);
  const { token = '', type = '' } = context.req.query();
  const redirectTo = redirectTarget(context, auth.config);
  tokenTypesOf(type);
  if (!token) throw new AuthError('validation_failed', 'Verify requires a token or a token hash');
  const mode = context.req.header('sec-fetch-mode');
  return mode === 'cors' && context.req.method === 'GET'
    ? redeemLink(context, auth, token, type, redirectTo)
    : confirmPage(context, { token, type, redirectTo });
};

async function redeemLink(
  context: Context<Env>,
  auth: AuthContext,
  token: string,
  type: string,
  redirectTo: string,
): Promise<Response> {
  const isPkce = isPkceToken(token);
  const urlPart = isPkce ? 'both' : 'fragment';
  try {
    let redeemed: RedeemedToken | undefined;
    const target = await auth.authDatabase.transaction(async (query) => {
      const consumed: ConsumedToken | undefined = await consumeToken(query, token, tokenTypesOf(type));
      if (!consumed) throw new AuthError('otp_expired', INVALID_LINK);
      redeemed = await redeemToken(query, auth, context, consumed);
      if (!redeemed) return withMessage(redirectTo, { message: FIRST_OF_TWO_CONFIRMED }, urlPart);
      if (isPkce) return withCode(redirectTo, await issueAuthCode(query, redeemed.user.id));
      await recordAuditEvent(query, auth, context, 'login', redeemed.user);
      const session = await openSession(query, auth, context, redeemed.user, methodOf(type));
      return withTokens(redirectTo, session, { type });
    });
    if (redeemed) await notifyEmailChanged(auth, redeemed);
    return context.redirect(target, 303);
  } catch (error) {
    if (!(error instanceof AuthError) || error.status >= 500) throw error;
    const kind = error.status === 401 || error.status === 403 ? 'access_denied' : 'invalid_request';
    const problem = { error: kind, error_code: error.code, error_description: error.message };
    return context.redirect(withMessage(redirectTo, problem, urlPart), 303);
  }
}
