import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { DatabaseError, type Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { hashPassword } from '../passwords.ts';
import { type ConsumedToken, deleteTokens, type TokenType } from '../sessions/one-time-tokens.ts';
import type { Method } from '../sessions/sessions.ts';
import {
  confirmEmail,
  emailClaims,
  forgetUnproved,
  refuseBanned,
  type UserRow,
  userById,
  VERIFIED,
} from '../users.ts';

export const FIRST_OF_TWO_CONFIRMED =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email';
export const INVALID_LINK = 'Email link is invalid or has expired';

const TOKENS = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
  email: ['confirmation_token', 'recovery_token'],
} satisfies Record<string, TokenType[]>;

type VerificationType = keyof typeof TOKENS;

/** @throws AuthError validation_failed */
export function tokenTypesOf(type: string | undefined): TokenType[] {
  if (!type) throw new AuthError('validation_failed', 'Verify requires a verification type');
  if (!Object.hasOwn(TOKENS, type)) {
    throw new AuthError('validation_failed', 'Invalid email verification type');
  }
  return TOKENS[type as VerificationType];
}

/** The authentication method recorded for a session that a link of this type opens. */
export function methodOf(type: string | undefined): Method {
  if (type === 'recovery' || type === 'magiclink' || type === 'invite' || type === 'email_change')
    return type;
  return type === 'signup' ? 'email/signup' : 'otp';
}

/** The user whose token was spent, and their previous address if it moved the account. */
export interface RedeemedToken {
  user: UserRow;
  formerEmail?: string | undefined;
}

/**
 * Carries out the action that a spent token authorises. Undefined when it was the first half of an email
 * change that needs both.
 *
 * @throws AuthError otp_expired, user_banned or email_exists
 */
export async function redeemToken(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  token: ConsumedToken,
): Promise<RedeemedToken | undefined> {
  const user = await userById(query, token.user_id);
  if (!user) throw new AuthError('otp_expired', INVALID_LINK);
  refuseBanned(user);
  // Another change may have been begun, or the address have been changed, while this was on its way.
  const address = token.token_type === 'email_change_token_new' ? user.email_change : user.email;
  if (token.relates_to !== address) throw new AuthError('otp_expired', INVALID_LINK);
  switch (token.token_type) {
    case 'confirmation_token':
    case 'recovery_token': {
      await deleteTokens(query, user.id, ['confirmation_token', 'recovery_token']);
      const isOfSignUp = token.token_type === 'confirmation_token';
      const owned = isOfSignUp ? user : await forgetUnproved(query, user);
      return { user: await proveEmail(query, auth, context, owned) };
    }
    case 'email_change_token_current':
    case 'email_change_token_new':
      return changeEmail(query, auth, context, user);
    case 'reauthentication_token':
    case 'phone_change_token':
      throw new AuthError('otp_expired', INVALID_LINK);
  }
}

async function proveEmail(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  user: UserRow,
): Promise<UserRow> {
  if (user.email_confirmed_at) return user;
  if (user.invited_at && !user.encrypted_password) {
    // The site presents a form to set a password; until then the account has a random one that is not kept.
    const unknown = await hashPassword(randomBytes(32).toString('base64url'), auth.config.passwordCost);
    await query('update auth.users set encrypted_password = $2 where id = $1', [user.id, unknown]);
  }
  await recordAuditEvent(query, auth, context, 'user_signedup', user);
  return confirmEmail(query, user);
}

async function changeEmail(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  user: UserRow,
): Promise<RedeemedToken | undefined> {
  // The change was taken back.
  if (!user.email_change) throw new AuthError('otp_expired', INVALID_LINK);
  if (auth.config.auth.email.double_confirm_changes && user.email && user.email_change_confirm_status === 0) {
    await query('update auth.users set email_change_confirm_status = 1, updated_at = now() where id = $1', [
      user.id,
    ]);
    return undefined;
  }
  const email = user.email_change;
  const claims = emailClaims(user.id, email, true);
  await query(
    `update auth.identities set identity_data = identity_data || $2, updated_at = now() where user_id = $1 and provider = 'email'`,
    [user.id, claims],
  );
  await recordAuditEvent(query, auth, context, 'user_modified', user);
  try {
    const { rows } = await query<UserRow>(
      `update auth.users set email = $2, email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
         raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || $3
       where id = $1 returning *`,
      [user.id, email, user.email_confirmed_at ? {} : VERIFIED],
    );
    return { user: rows[0] ?? user, formerEmail: user.email ?? undefined };
  } catch (error) {
    // Another account took the address in the meantime.
    if (error instanceof DatabaseError && error.code === '23505')
      throw new AuthError('email_exists', DUPLICATE_EMAIL, { cause: error });
    throw error;
  }
}

export const DUPLICATE_EMAIL = 'A user with this email address has already been registered';
