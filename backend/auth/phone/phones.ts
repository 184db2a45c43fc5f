import { z } from 'zod';
import type { Query } from '../../database/database.ts';
import { SmsUnavailable } from '../../mail/sms.ts';
import { type AuthContext, field } from '../context.ts';
import { AuthError } from '../errors.ts';
import { issueToken, type TokenType } from '../sessions/one-time-tokens.ts';
import { LOCKED, type UserRow } from '../users.ts';

/** The fields of a request that names a number; an address beside it is refused by its handler. */
export const phoneBody = z.object({
  email: field.email,
  phone: field.text,
  channel: field.text,
  data: field.metadata,
});

export const DUPLICATE_PHONE = 'A user with this phone number has already been registered';

/** @throws AuthError phone_provider_disabled */
export function requirePhoneSignIn(auth: AuthContext, message: string): void {
  if (!auth.config.auth.sms.enabled) throw new AuthError('phone_provider_disabled', message);
}

/**
 * The digits of an E.164 number, as Supabase keeps them.
 *
 * @throws AuthError validation_failed
 */
export function phoneDigits(typed: string): string {
  const phone = typed.replaceAll(/\s/g, '').replace(/^\+/, '');
  if (!/^[1-9]\d{5,14}$/.test(phone))
    throw new AuthError('validation_failed', 'Invalid phone number format (E.164 required)');
  return phone;
}

/** @throws AuthError validation_failed */
export function requireSmsChannel(channel: string | undefined): void {
  if (channel && channel !== 'sms')
    throw new AuthError(
      'validation_failed',
      "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
    );
}

/**
 * The account with a number, without the lock of `findUserByPhone` against sign-ups. Accounts of single sign-on are left out.
 *
 * @param lock where the account is to stay so
 */
export async function userByPhone(
  query: Query,
  phone: string,
  lock: '' | typeof LOCKED = '',
): Promise<UserRow | undefined> {
  const { rows } = await query<UserRow>(
    `select * from auth.users where phone = $1 and not is_sso_user ${lock}`,
    [phone],
  );
  return rows[0];
}

/**
 * The account with a number. Until the transaction ends, no other request can sign up with the number, or confirm or change the
 * account.
 */
export async function findUserByPhone(query: Query, phone: string): Promise<UserRow | undefined> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [phone]);
  return userByPhone(query, phone, LOCKED);
}

/** A code on its way to a number; it is sent once the transaction has been committed. */
export interface SmsCode {
  to: string;
  code: string;
}

const SENT_AT: Partial<Record<TokenType, string>> = {
  confirmation_token: 'confirmation_sent_at',
  phone_change_token: 'phone_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
};

/**
 * Makes a code for a number, in place of an earlier one of its kind. The caller hands it to `sendSms` once the
 * transaction has been committed.
 */
export async function issueSmsCode(
  query: Query,
  auth: AuthContext,
  user: UserRow,
  type: 'confirmation_token' | 'phone_change_token' | 'reauthentication_token',
  to: string,
): Promise<SmsCode> {
  const { code } = await issueToken(query, auth, user.id, type, to, false, testOtp(auth, to));
  await query(`update auth.users set ${SENT_AT[type]} = now(), updated_at = now() where id = $1`, [user.id]);
  return { to, code };
}

const testOtp = (auth: AuthContext, phone: string) => auth.config.auth.sms.test_otp?.[phone];

/**
 * Sends the code. When there is no message to send, behaves as if there had been one.
 *
 * @throws AuthError sms_send_failed
 */
export async function sendSms(auth: AuthContext, message: SmsCode | undefined): Promise<void> {
  if (message && testOtp(auth, message.to)) return;
  try {
    if (!message) return await auth.sms.pretendToSend();
    const text = auth.config.auth.sms.template.replaceAll(/\{\{-?\s*\.Code\s*-?\}\}/g, message.code);
    await auth.sms.send(message.to, text);
  } catch (error) {
    if (!(error instanceof SmsUnavailable)) throw error;
    throw new AuthError('sms_send_failed', 'Error sending sms OTP to provider', { cause: error });
  }
}
