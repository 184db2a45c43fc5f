import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { recordAuditEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { createUser } from '../users.ts';
import { findUserByPhone, issueSmsCode, phoneDigits, requirePhoneSignIn, sendSms } from './phones.ts';

/** POST /otp with a number: signs in, or up, by a code in a text message. */
export async function sendPhoneOtp(
  context: Context<Env>,
  auth: AuthContext,
  given: { phone: string; data: Record<string, unknown> | undefined; mayCreate: boolean },
): Promise<Response> {
  requirePhoneSignIn(auth, 'Unsupported phone provider');
  const phone = phoneDigits(given.phone);
  await auth.limits.sms(context, phone);
  const { enable_signup: open, sms } = auth.config.auth;
  const message = await auth.authDatabase.transaction(async (query) => {
    const existing = await findUserByPhone(query, phone);
    if (!existing && !(given.mayCreate && open)) {
      // As with addresses: nothing tells whether a number is known, unless sign-up tells anyway.
      if (sms.enable_confirmations) return undefined;
      throw new AuthError('otp_disabled', 'Signups not allowed for otp');
    }
    const user =
      existing ??
      (await createUser(query, { phone, encryptedPassword: null, userMetadata: given.data ?? {} }));
    await recordAuditEvent(query, auth, context, 'user_recovery_requested', user);
    return issueSmsCode(query, auth, user, 'confirmation_token', phone);
  });
  await sendSms(auth, message);
  return context.json({});
}
