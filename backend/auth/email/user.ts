import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { hashPassword, passwordMatches, requireStrongPassword } from '../passwords.ts';
import {
  beginPhoneChange,
  notifyPhoneChanged,
  requestedPhone,
  requireSmsFor,
} from '../phone/phone-change.ts';
import { sendSms } from '../phone/phones.ts';
import { redirectTarget } from '../redirects.ts';
import { requireSecondStep } from '../sessions/aal.ts';
import { beginFlow, checkChallenge } from '../sessions/flow-states.ts';
import { consumeCode } from '../sessions/one-time-tokens.ts';
import { requireSession } from '../sessions/require-session.ts';
import { endSessions, type SessionRow } from '../sessions/sessions.ts';
import { userJson } from '../user-json.ts';
import { lockUser, mergeMetadata, type UserRow, userById } from '../users.ts';
import { requestEmailChange, sendEmailChange } from './email-change.ts';

const body = z.object({
  email: field.email,
  phone: field.text,
  channel: field.text,
  password: field.text,
  current_password: field.text,
  nonce: field.text,
  data: field.metadata,
  app_metadata: z.unknown().optional(),
  code_challenge: field.text,
  code_challenge_method: field.challengeMethod,
});

/** GET /user */
export const getUser: AuthHandler = async (context, auth) => {
  const user = await auth.authDatabase.transaction(async (query) => {
    const { user, session } = await requireSession(context, auth, query);
    return userJson(query, user, session.aal);
  });
  return context.json(user);
};

/** PUT /user */
export const updateUser: AuthHandler = async (context, auth) => {
  const { email, phone, channel, password, current_password, nonce, data, app_metadata, ...challenge } =
    await readBody(context, body);
  if (app_metadata !== undefined)
    throw new AuthError('not_admin', 'Updating app_metadata requires admin privileges');
  const { user, session } = await auth.authDatabase.transaction((query) =>
    requireSession(context, auth, query),
  );
  checkChallenge(challenge);
  if (user.is_sso_user && (email || phone || password))
    throw new AuthError(
      'user_sso_managed',
      'Updating email, phone, password of a SSO account only possible via SSO',
    );
  const newEmail = email && email !== user.email ? email : undefined;
  const newPhone = requestedPhone(auth, user, phone, channel);
  const requireRight = async (query: Query, session: SessionRow) => {
    if (password || newEmail || newPhone || data)
      await requireSecondStep(
        query,
        session,
        'session is required to update email, password or data when MFA is enabled.',
        401,
      );
  };
  await requireRight(auth.authDatabase.query.bind(auth.authDatabase), session);
  const encrypted =
    password && (await newPassword(context, auth, user, session, { password, current_password, nonce }));
  if (newEmail) {
    await auth.rateLimits.mail(context, 'email_change', newEmail);
    auth.emails.requireMailServer('email change');
  }
  if (newPhone) await requireSmsFor(context, auth, newPhone);
  const redirectTo = redirectTarget(context, auth.config);

  const { message, updated } = await auth.authDatabase.transaction(async (query) => {
    // In the meantime the session may have ended, or the second step been set up.
    const present = await requireSession(context, auth, query, lockUser);
    await requireRight(query, present.session);
    // First, since it ends the changes that were begun before.
    if (encrypted) await changePassword(query, auth, context, user, session, encrypted);
    if (data) {
      const merged = mergeMetadata(present.user.raw_user_meta_data, data);
      if (JSON.stringify(merged).length > 8192)
        throw new AuthError('validation_failed', 'data: must not be larger than 8192 characters in all');
      await query('update auth.users set raw_user_meta_data = $2, updated_at = now() where id = $1', [
        user.id,
        merged,
      ]);
    }
    if (newEmail) await requestEmailChange(query, user, newEmail);
    const text = newPhone && (await beginPhoneChange(query, auth, user, newPhone));
    await recordAuditEvent(query, auth, context, 'user_modified', user);
    return {
      message: text,
      updated: await userJson(query, (await userById(query, user.id)) ?? user, session.aal),
    };
  });
  if (newEmail)
    // The response does not depend on whether the address belongs to another account.
    auth.afterResponse.run(context, async () => {
      const messages = await auth.authDatabase.transaction(async (query) => {
        // A later request may have replaced this one.
        const present = await lockUser(query, user.id);
        if (present?.email_change !== newEmail) return [];
        const pkce = await beginFlow(query, challenge, user.id, 'email_change');
        return sendEmailChange(query, auth, present, newEmail, redirectTo, pkce);
      });
      for (const message of messages) await auth.emails.send('email_change', message);
    });
  if (message) await sendSms(auth, message);
  else if (newPhone) await notifyPhoneChanged(auth, user, newPhone);
  if (encrypted) await auth.emails.notify('password_changed', user, {});
  return context.json(updated);
};

const DAY = 24 * 3600 * 1000;
const EMAIL_METHODS = ['otp', 'magiclink', 'recovery', 'invite', 'email/signup', 'email_change'];

/**
 * Whether a session alone may change the password: its owner has just proved access to the account's mail.
 */
function isProvedByEmail(session: SessionRow, methods: string[]): boolean {
  return (
    session.created_at.getTime() > Date.now() - DAY &&
    methods.some((method) => EMAIL_METHODS.includes(method))
  );
}

/**
 * Checks a new password and the session that sets it. A session that was opened with a password may be a
 * stolen one, so it must provide the current password or a mailed nonce as well.
 *
 * @returns its hash
 * @throws AuthError weak_password, same_password, reauthentication_needed, reauthentication_not_valid or
 * invalid_credentials
 */
async function newPassword(
  context: Context<Env>,
  auth: AuthContext,
  user: UserRow,
  session: SessionRow,
  given: { password: string; current_password: string | undefined; nonce: string | undefined },
): Promise<string> {
  const { password, current_password: current, nonce } = given;
  requireStrongPassword(password, auth.config.auth);
  if (auth.config.auth.email.secure_password_change && user.encrypted_password) {
    await auth.rateLimits.signIn(context);
    if (current) {
      await auth.rateLimits.passwordGuess(context, user.id, false);
      if (!(await passwordMatches(current, user.encrypted_password)))
        throw new AuthError('invalid_credentials', 'Invalid login credentials');
      await auth.rateLimits.passwordRight(context, user.id, false);
    } else if (nonce) {
      const reachedAt = user.email || user.phone || '';
      const fits =
        (await auth.rateLimits.codeGuess(reachedAt)) &&
        (await auth.authDatabase.transaction((query) =>
          consumeCode(query, auth, reachedAt, nonce, ['reauthentication_token']),
        ));
      if (!fits || fits.user_id !== user.id)
        throw new AuthError('reauthentication_not_valid', 'Nonce has expired or is invalid');
    } else {
      const { rows } = await auth.authDatabase.query<{ method: string }>(
        'select authentication_method as method from auth.mfa_amr_claims where session_id = $1',
        [session.id],
      );
      if (
        !isProvedByEmail(
          session,
          rows.map((row) => row.method),
        )
      ) {
        throw new AuthError('reauthentication_needed', 'Password update requires reauthentication');
      }
    }
  }
  if (await passwordMatches(password, user.encrypted_password)) {
    throw new AuthError('same_password', 'New password should be different from the old password.');
  }
  return hashPassword(password, auth.config.passwordCost);
}

async function changePassword(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  user: UserRow,
  session: SessionRow,
  encrypted: string,
) {
  await query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
    user.id,
    encrypted,
  ]);
  await endSessions(query, user.id, session.id);
  await recordAuditEvent(query, auth, context, 'user_updated_password', user);
}
