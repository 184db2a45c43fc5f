import { z } from 'zod';
import { recordAuditEvent } from '../audit.ts';
import { type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { redeemAuthCode } from '../sessions/flow-states.ts';
import { openSession } from '../sessions/sessions.ts';
import { userById } from '../users.ts';

const body = z.object({ auth_code: field.text, code_verifier: field.text });

/** POST /token?grant_type=pkce */
export const exchangeCode: AuthHandler = async (context, auth) => {
  await auth.rateLimits.verification(context);
  const { auth_code: code, code_verifier: verifier } = await readBody(context, body);
  if (!code || !verifier) {
    throw new AuthError(
      'validation_failed',
      'invalid request: both auth code and code verifier should be non-empty',
    );
  }
  const session = await auth.authDatabase.transaction(async (query) => {
    const { userId, method, providerToken, providerRefreshToken } = await redeemAuthCode(
      query,
      code,
      verifier,
    );
    const user = await userById(query, userId);
    if (!user) throw new AuthError('user_not_found', 'User not found', { status: 403 });
    await recordAuditEvent(query, auth, context, 'login', user);
    return {
      ...(await openSession(query, auth, context, user, method)),
      ...(providerToken && { provider_token: providerToken }),
      ...(providerRefreshToken && { provider_refresh_token: providerRefreshToken }),
    };
  });
  return context.json(session);
};
