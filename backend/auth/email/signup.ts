import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import type { AuthEmail } from '../emails.ts';
import { AuthError } from '../errors.ts';
import { hashPassword, requireStrongPassword } from '../passwords.ts';
import { redirectTarget } from '../redirects.ts';
import { beginFlow, checkChallenge } from '../sessions/flow-states.ts';
import { issueToken } from '../sessions/one-time-tokens.ts';
import { openSession } from '../sessions/sessions.ts';
import { decoyUser, userJson } from '../user-json.ts';
import { addOrReplace, LOCKED, type NewUser, type UserRow, userByEmail } from '../users.ts';
import { requireOpenSignups } from './sign-up-hook.ts';

const body = z.object({
  email: field.email,
  password: field.text,
  data: field.metadata,
  code_challenge: field.text,
  code_challenge_method: field.challengeMethod,
});

/** POST /signup */
export const signUp: AuthHandler = async (context, auth) => {
  await auth.rateLimits.signIn(context);
  const { email, password, data, ...challenge } = await readBody(context, body);
  await requireOpenSignups(auth, email ? { email } : {});
  if (!auth.config.auth.email.enabled)
    throw new AuthError('email_provider_disabled', 'Email signups are disabled');
  if (!email) {
    if (password) throw new AuthError('validation_failed', 'To signup, please provide your email');
    throw new AuthError('anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  }
  if (!password)
    throw new AuthError('validation_failed', 'Signup requires a valid password', { status: 422 });
  requireStrongPassword(password, auth.config.auth);
  checkChallenge(challenge);

  const confirms = auth.config.auth.email.enable_confirmations;
  if (confirms) {
    await auth.rateLimits.mail(context, 'confirmation', email);
    auth.emails.requireMailServer('confirmation');
  }
  const redirectTo = redirectTarget(context, auth.config);
  // Hashed for known addresses too, so that the response takes as long.
  const person = {
    email,
    encryptedPassword: await hashPassword(password, auth.config.passwordCost),
    userMetadata: data ?? {},
    identityData: data ?? {},
  };

  if (!confirms) {
    const session = await auth.authDatabase.transaction(async (query) => {
      const existing = await findUserByEmail(query, email);
      if (existing?.confirmed_at) throw new AuthError('user_already_exists', 'User already registered');
      const user = await addOrReplace(query, existing, { ...person, confirmed: true });
      await recordAuditEvent(query, auth, context, 'user_signedup', user);
      return openSession(query, auth, context, user, 'password');
    });
    return context.json(session);
  }

  const { added, existing } = await auth.authDatabase.transaction(async (query) => {
    const existing = await findUserByEmail(query, email);
    const add = async (present: UserRow | undefined, newcomer: NewUser) => {
      const user = await addOrReplace(query, present, newcomer);
      const pkce = await beginFlow(query, challenge, user.id, 'email/signup');
      const message = await sendConfirmation(query, auth, context, user, redirectTo, pkce);
      return { message: message, user: await userJson(query, { ...user, confirmation_sent_at: new Date() }) };
    };
    await query('savepoint newcomer');
    if (existing?.confirmed_at) {
      // An unknown address takes the same steps, so that the response takes as long and is refused for the
      // same reasons; as an invited one, for the address is not the one that was asked about.
      await add(undefined, { ...person, email: `${randomUUID()}@signup.invalid`, invited: true });
      await query('rollback to savepoint newcomer');
      return { existing };
    }
    const added = await add(existing, person);
    await query('release savepoint newcomer');
    return { existing, added };
  });
  auth.afterResponse.run(context, async () => {
    if (added) await auth.emails.send('confirmation', added.message);
    else if (existing) {
      await auth.authDatabase.transaction((query) =>
        recordAuditEvent(query, auth, context, 'user_repeated_signup', existing),
      );
      // The response reveals nothing, so the owner of the address learns it by email.
      await auth.emails.notify('account_exists', existing, {});
    }
  });
  // A second sign-up never has the ids and times of the first; equal ones would reveal that the first was
  // never confirmed.
  return context.json(added && !existing ? added.user : decoyUser({ email }, data));
};

/**
 * The account with an address. Until the transaction ends, no other request can sign up with the address, or confirm or change the
 * account.
 */
export async function findUserByEmail(query: Query, email: string): Promise<UserRow | undefined> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [email]);
  return userByEmail(query, email, LOCKED);
}

/** The email that proves an address. It is sent once the transaction has been committed. */
export async function sendConfirmation(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  user: UserRow,
  redirectTo: string,
  pkce: boolean,
): Promise<AuthEmail> {
  const to = user.email ?? '';
  const token = await issueToken(query, auth, user.id, 'confirmation_token', to, pkce);
  await query('update auth.users set confirmation_sent_at = now() where id = $1', [user.id]);
  await recordAuditEvent(query, auth, context, 'user_confirmation_requested', user);
  return { to, user, token, link: { type: 'signup', redirectTo } };
}
