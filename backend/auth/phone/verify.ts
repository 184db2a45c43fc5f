import { z } from 'zod';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { consumeCode } from '../sessions/one-time-tokens.ts';
import { openSession } from '../sessions/sessions.ts';
import { confirmPhone, refuseBanned, type UserRow, userById } from '../users.ts';
import { completePhoneChange, notifyPhoneChanged } from './phone-change.ts';
import { phoneDigits, requirePhoneSignIn } from './phones.ts';

const body = z.object({ type: field.text, phone: field.text, token: field.text });

/** POST /verify with a number and the code that was sent there. */
export const verifyPhone: AuthHandler = async (context, auth) => {
  await auth.rateLimits.verification(context);
  const { type, phone: typed, token } = await readBody(context, body);
  requirePhoneSignIn(auth, 'Phone logins are disabled');
  if (type !== 'sms' && type !== 'phone_change')
    throw new AuthError('validation_failed', 'Invalid sms verification type');
  if (!typed)
    throw new AuthError(
      'validation_failed',
      'Only an email address or phone number should be provided on verify',
    );
  if (!token) throw new AuthError('validation_failed', 'Verify requires a token or a token hash');
  const phone = phoneDigits(typed);
  const done =
    (await auth.rateLimits.codeGuess(phone)) &&
    (await auth.authDatabase.transaction(async (query) => {
      const before = await consumePhoneToken(query, auth, type, phone, token);
      if (!before) return undefined;
      refuseBanned(before);
      if (!before.phone_confirmed_at) await recordAuditEvent(query, auth, context, 'user_signedup', before);
      const user =
        type === 'sms' ? await confirmPhone(query, before) : await completePhoneChange(query, before);
      await recordAuditEvent(query, auth, context, 'login', user);
      return { before, session: await openSession(query, auth, context, user, 'otp') };
    }));
  if (!done) throw new AuthError('otp_expired', 'Token has expired or is invalid');
  if (type === 'phone_change') await notifyPhoneChanged(auth, done.before, phone);
  return context.json(done.session);
};

/**
 * The user to whom the code belongs; undefined when it is wrong, spent or too old, or was sent to a previous
 * number.
 */
async function consumePhoneToken(
  query: Query,
  auth: AuthContext,
  type: 'sms' | 'phone_change',
  phone: string,
  token: string,
): Promise<UserRow | undefined> {
  const kind = type === 'sms' ? 'confirmation_token' : 'phone_change_token';
  const consumed = await consumeCode(query, auth, phone, token, [kind]);
  const user = consumed && (await userById(query, consumed.user_id));
  return user && (type === 'sms' ? user.phone : user.phone_change) === phone ? user : undefined;
}
