import { recordAuditEvent } from '../audit.ts';
import { type AuthHandler, field, readBody } from '../context.ts';
import { requireOpenSignups } from '../email/sign-up-hook.ts';
import { AuthError } from '../errors.ts';
import { hashPassword, requireStrongPassword } from '../passwords.ts';
import { openSession } from '../sessions/sessions.ts';
import { decoyUser, userJson } from '../user-json.ts';
import { addOrReplace, confirmPhone } from '../users.ts';
import {
  findUserByPhone,
  issueSmsCode,
  phoneBody,
  phoneDigits,
  requirePhoneSignIn,
  requireSmsChannel,
  sendSms,
} from './phones.ts';

const body = phoneBody.extend({ password: field.text });

/** POST /signup with a number instead of an address. */
export const signUpByPhone: AuthHandler = async (context, auth) => {
  await auth.rateLimits.signIn(context);
  const { email, phone: typed, channel, password, data } = await readBody(context, body);
  if (email)
    throw new AuthError(
      'validation_failed',
      'Only an email address or phone number should be provided on signup.',
    );
  requireSmsChannel(channel);
  requirePhoneSignIn(auth, 'Phone signups are disabled');
  const phone = phoneDigits(typed ?? '');
  await requireOpenSignups(auth, { phone });
  if (!password)
    throw new AuthError('validation_failed', 'Signup requires a valid password', { status: 422 });
  requireStrongPassword(password, auth.config.auth);
  const confirms = auth.config.auth.sms.enable_confirmations;
  if (confirms) await auth.rateLimits.sms(context, phone);
  // Hashed for known numbers too, so that the response takes as long.
  const person = {
    phone,
    encryptedPassword: await hashPassword(password, auth.config.passwordCost),
    userMetadata: data ?? {},
    identityData: data ?? {},
  };

  if (!confirms) {
    const session = await auth.authDatabase.transaction(async (query) => {
      const existing = await findUserByPhone(query, phone);
      if (existing?.confirmed_at) throw new AuthError('user_already_exists', 'User already registered');
      const user = await confirmPhone(query, await addOrReplace(query, existing, person));
      await recordAuditEvent(query, auth, context, 'user_signedup', user);
      return openSession(query, auth, context, user, 'password');
    });
    return context.json(session);
  }

  const added = await auth.authDatabase.transaction(async (query) => {
    const existing = await findUserByPhone(query, phone);
    if (existing?.confirmed_at) {
      await recordAuditEvent(query, auth, context, 'user_repeated_signup', existing);
      return undefined;
    }
    const user = await addOrReplace(query, existing, person);
    const message = await issueSmsCode(query, auth, user, 'confirmation_token', phone);
    await recordAuditEvent(query, auth, context, 'user_confirmation_requested', user);
    return { message, user: await userJson(query, { ...user, confirmation_sent_at: new Date() }) };
  });
  await sendSms(auth, added?.message);
  return context.json(added?.user ?? decoyUser({ phone }, data));
};
