import { recordAuditEvent } from '../audit.ts';
import type { AuthHandler } from '../context.ts';
import { AuthError } from '../errors.ts';
import { issueSmsCode, requirePhoneSignIn, sendSms } from '../phone/phones.ts';
import { issueToken } from '../sessions/one-time-tokens.ts';
import { requireSession } from '../sessions/require-session.ts';

/** GET /reauthenticate: sends, by email or text message, the nonce that a change of password requires. */
export const reauthenticate: AuthHandler = async (context, auth) => {
  const { user } = await auth.authDatabase.transaction((query) => requireSession(context, auth, query));
  const to = user.email;
  if (!to && user.phone) {
    const { phone } = user;
    requirePhoneSignIn(auth, 'Unsupported phone provider');
    await auth.rateLimits.sms(context, phone);
    const message = await auth.authDatabase.transaction(async (query) => {
      await recordAuditEvent(query, auth, context, 'user_reauthenticate_requested', user);
      return issueSmsCode(query, auth, user, 'reauthentication_token', phone);
    });
    await sendSms(auth, message);
    return context.json({});
  }
  if (!to)
    throw new AuthError(
      'validation_failed',
      'Reauthentication requires the user to have an email or a phone number',
    );
  await auth.rateLimits.mail(context, 'reauthentication', to);
  auth.emails.requireMailServer('reauthentication');
  const token = await auth.authDatabase.transaction(async (query) => {
    await query('update auth.users set reauthentication_sent_at = now() where id = $1', [user.id]);
    await recordAuditEvent(query, auth, context, 'user_reauthenticate_requested', user);
    return issueToken(query, auth, user.id, 'reauthentication_token', to);
  });
  await auth.emails.send('reauthentication', { to, user, token });
  return context.json({});
};
