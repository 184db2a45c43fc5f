import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { hashPassword, requireStrongPassword } from '../passwords.ts';
import { openSession } from '../sessions.ts';
import { decoyUser, userJson } from '../user-json.ts';
import { confirmPhone, createUser, type NewUser, ownClaims, type UserRow } from '../users.ts';
import { findUserByPhone, issueSmsCode, phoneDigits, requirePhoneSignIn, sendSms } from './phones.ts';

/** POST /signup with a number instead of an address. */
export async function signUpByPhone(
  context: Context<Env>,
  auth: AuthContext,
  given: { phone: string; password: string | undefined; data: Record<string, unknown> | undefined },
): Promise<Response> {
  requirePhoneSignIn(auth, 'Phone signups are disabled');
  const phone = phoneDigits(given.phone);
  const { password, data } = given;
  if (!password)
    throw new AuthError('validation_failed', 'Signup requires a valid password', { status: 422 });
  requireStrongPassword(password, auth.config.auth.minimum_password_length);
  const confirms = auth.config.auth.sms.enable_confirmations;
  if (confirms) await auth.limits.sms(context, phone);
  // Hashed for known numbers too, so that they take as long.
  const person = {
    phone,
    encryptedPassword: await hashPassword(password, auth.config.passwordCost),
    userMetadata: data ?? {},
  };

  if (!confirms) {
    const session = await auth.authDatabase.transaction(async (query) => {
      const existing = await findUserByPhone(query, phone);
      if (existing?.phone_confirmed_at) throw new AuthError('user_already_exists', 'User already registered');
      const user = await confirmPhone(query, await addOrReplace(query, existing, person));
      await recordAuditEvent(query, auth, context, 'user_signedup', user);
      return openSession(query, auth, context, user, 'password');
    });
    return context.json(session);
  }

  const added = await auth.authDatabase.transaction(async (query) => {
    const existing = await findUserByPhone(query, phone);
    if (existing?.phone_confirmed_at) {
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
}

/** As with addresses: who has not proved a number does not hold it, and the newest password wins. */
async function addOrReplace(
  query: Query,
  unconfirmed: UserRow | undefined,
  person: NewUser,
): Promise<UserRow> {
  if (!unconfirmed) return createUser(query, person);
  const { rows } = await query<UserRow>(
    'update auth.users set encrypted_password = $2, raw_user_meta_data = $3, updated_at = now() where id = $1 returning *',
    [unconfirmed.id, person.encryptedPassword, { ...person.userMetadata, ...ownClaims(unconfirmed) }],
  );
  return rows[0] ?? unconfirmed;
}
