import { z } from 'zod';
import { recordAuditEvent } from '../audit.ts';
import { type AuthHandler, field, readBody } from '../context.ts';
import { DUPLICATE_EMAIL } from '../email/redeem-token.ts';
import { findUserByEmail } from '../email/signup.ts';
import { AuthError } from '../errors.ts';
import { redirectTarget } from '../redirects.ts';
import { issueToken } from '../sessions/one-time-tokens.ts';
import { requireServiceRole } from '../sessions/require-session.ts';
import { userJson } from '../user-json.ts';
import { createUser, forgetUnproved, userById } from '../users.ts';

const body = z.object({ email: field.email, data: field.metadata });

/** POST /invite */
export const inviteUser: AuthHandler = async (context, auth) => {
  await requireServiceRole(context, auth);
  const { email, data } = await readBody(context, body);
  if (!email) throw new AuthError('validation_failed', 'Unable to validate email address: invalid format');
  auth.emails.requireMailServer('invite');
  const redirectTo = redirectTarget(context, auth.config);
  const { user, token, described } = await auth.authDatabase.transaction(async (query) => {
    const existing = await findUserByEmail(query, email);
    if (existing?.email_confirmed_at) throw new AuthError('email_exists', DUPLICATE_EMAIL);
    const invited = existing
      ? await forgetUnproved(query, existing)
      : await createUser(query, { email, encryptedPassword: null, userMetadata: data ?? {}, invited: true });
    const issued = await issueToken(query, auth, invited.id, 'confirmation_token', email);
    await query(
      'update auth.users set invited_at = now(), confirmation_sent_at = now(), updated_at = now() where id = $1',
      [invited.id],
    );
    await recordAuditEvent(query, auth, context, 'user_invited', invited);
    return {
      user: invited,
      token: issued,
      described: await userJson(query, (await userById(query, invited.id)) ?? invited),
    };
  });
  await auth.emails.send('invite', { to: email, user, token, link: { type: 'invite', redirectTo } });
  return context.json(described);
};
