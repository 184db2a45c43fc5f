import { z } from 'zod';
import { recordAuditEvent } from '../audit.ts';
import { type AuthHandler, readBody } from '../context.ts';
import { signUpRefusal } from '../email/sign-up-hook.ts';
import { AuthError } from '../errors.ts';
import { createUser, forgetUnproved } from '../users.ts';
import {
  findUserByPhone,
  issueSmsCode,
  phoneBody,
  phoneDigits,
  requirePhoneSignIn,
  requireSmsChannel,
  sendSms,
} from './phones.ts';

const body = phoneBody.extend({
  create_user: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
});

/** POST /otp with a number: signs in, or up, by a code in a text message. */
export const sendPhoneOtp: AuthHandler = async (context, auth) => {
  const given = await readBody(context, body);
  if (given.email)
    throw new AuthError('validation_failed', 'Only an email address or phone number should be provided');
  requireSmsChannel(given.channel);
  requirePhoneSignIn(auth, 'Unsupported phone provider');
  const phone = phoneDigits(given.phone ?? '');
  await auth.rateLimits.sms(context, phone);
  const { sms } = auth.config.auth;
  const open = given.create_user && !(await signUpRefusal(auth, { phone }));
  const message = await auth.authDatabase.transaction(async (query) => {
    const existing = await findUserByPhone(query, phone);
    if (!existing && !open) {
      // As with addresses: the response does not reveal whether a number is known, unless sign-up reveals it
      // anyway.
      if (sms.enable_confirmations) return undefined;
      throw new AuthError('otp_disabled', 'Signups not allowed for otp');
    }
    const user = existing
      ? await forgetUnproved(query, existing)
      : await createUser(query, {
          phone,
          encryptedPassword: null,
          userMetadata: given.data ?? {},
          identityData: given.data ?? {},
        });
    await recordAuditEvent(query, auth, context, 'user_recovery_requested', user);
    return issueSmsCode(query, auth, user, 'confirmation_token', phone);
  });
  await sendSms(auth, message);
  return context.json({});
};
