import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { DatabaseError, type Query } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { confirmPhone, type UserRow } from '../users.ts';
import {
  DUPLICATE_PHONE,
  findUserByPhone,
  issueSmsCode,
  phoneDigits,
  requirePhoneSignIn,
  requireSmsChannel,
  type SmsCode,
} from './phones.ts';

/**
 * The number to which a person wants to change, if it is another one.
 *
 * @throws AuthError phone_provider_disabled, validation_failed or over_sms_send_rate_limit
 */
export function requestedPhone(
  auth: AuthContext,
  user: UserRow,
  typed: string | undefined,
  channel: string | undefined,
): string | undefined {
  if (!typed) return undefined;
  requirePhoneSignIn(auth, 'Unsupported phone provider');
  requireSmsChannel(channel);
  const phone = phoneDigits(typed);
  return phone === user.phone ? undefined : phone;
}

/**
 * Begins to move an account to another number; a code sent there completes the move. Where numbers are not
 * confirmed, the account moves at once and no message is sent.
 *
 * @throws AuthError phone_exists
 */
export async function beginPhoneChange(
  query: Query,
  auth: AuthContext,
  user: UserRow,
  phone: string,
): Promise<SmsCode | undefined> {
  if (await findUserByPhone(query, phone)) throw new AuthError('phone_exists', DUPLICATE_PHONE);
  await query('update auth.users set phone_change = $2, updated_at = now() where id = $1', [user.id, phone]);
  if (auth.config.auth.sms.enable_confirmations)
    return issueSmsCode(query, auth, user, 'phone_change_token', phone);
  await completePhoneChange(query, { ...user, phone_change: phone });
  return undefined;
}

/** @throws AuthError phone_exists when another account took the number in the meantime */
export async function completePhoneChange(query: Query, user: UserRow): Promise<UserRow> {
  try {
    const { rows } = await query<UserRow>(
      `update auth.users set phone = phone_change, phone_confirmed_at = null where id = $1 returning *`,
      [user.id],
    );
    return await confirmPhone(query, rows[0] ?? user);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '23505')
      throw new AuthError('phone_exists', DUPLICATE_PHONE, { cause: error });
    throw error;
  }
}

/** Notifies the account's email address of its new number. */
export async function notifyPhoneChanged(auth: AuthContext, user: UserRow, phone: string): Promise<void> {
  await auth.emails.notify('phone_changed', user, { OldPhone: user.phone ?? '', Phone: `+${phone}` });
}

/** Counts before a code is sent to a new number. */
export async function requireSmsFor(context: Context<Env>, auth: AuthContext, phone: string): Promise<void> {
  if (auth.config.auth.sms.enable_confirmations) await auth.rateLimits.sms(context, phone);
}
