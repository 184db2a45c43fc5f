import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import type { AuthEmail } from '../emails.ts';
import { AuthError } from '../errors.ts';
import { redirectTarget } from '../redirects.ts';
import { beginFlow, type Challenge, checkChallenge } from '../sessions/flow-states.ts';
import { issueToken } from '../sessions/one-time-tokens.ts';
import { type UserRow, userByEmail } from '../users.ts';

const body = z.object({
  email: field.email,
  code_challenge: field.text,
  code_challenge_method: field.challengeMethod,
});

/**
 * POST /recover: answered before the account is looked up, so that the response does not depend on whether
 * there is one.
 */
export const recover: AuthHandler = async (context, auth) => {
  const { email, ...challenge } = await readBody(context, body);
  if (!email) throw new AuthError('validation_failed', 'Password recovery requires an email');
  checkChallenge(challenge);
  await auth.rateLimits.mail(context, 'recovery', email);
  auth.emails.requireMailServer('recovery');
  const redirectTo = redirectTarget(context, auth.config);
  auth.afterResponse.run(context, async () => {
    const message = await auth.authDatabase.transaction(async (query) => {
      const user = await userByEmail(query, email);
      return user && sendMagicLink(query, auth, context, user, 'recovery', redirectTo, challenge);
    });
    if (message) await auth.emails.send('recovery', message);
  });
  return context.json({});
};

/** An email whose link or code signs its reader in. It is sent once the transaction has been committed. */
export async function sendMagicLink(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  user: UserRow,
  type: 'recovery' | 'magiclink',
  redirectTo: string,
  challenge: Challenge,
): Promise<AuthEmail> {
  const to = user.email ?? '';
  const pkce = await beginFlow(query, challenge, user.id, type);
  const token = await issueToken(query, auth, user.id, 'recovery_token', to, pkce);
  await query('update auth.users set recovery_sent_at = now() where id = $1', [user.id]);
  await recordAuditEvent(query, auth, context, 'user_recovery_requested', user);
  return { to, user, token, link: { type, redirectTo } };
}
