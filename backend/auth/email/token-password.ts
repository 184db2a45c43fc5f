import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { passwordMatches, weaknessOf } from '../passwords.ts';
import { isKnownNetwork, openSession } from '../sessions/sessions.ts';
import { lockUser, refuseBanned, type UserRow, userByEmail } from '../users.ts';

const body = z.object({ email: field.email, password: field.text });

/** POST /token?grant_type=password */
export const signInWithPassword: AuthHandler = async (context, auth) => {
  await auth.rateLimits.signIn(context);
  const { email, password } = await readBody(context, body);
  if (!email) throw new AuthError('validation_failed', 'missing email or phone');
  const query = auth.authDatabase.query.bind(auth.authDatabase);
  return openPasswordSession(context, auth, email, password, await userByEmail(query, email), (user) => {
    if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed', 'Email not confirmed');
  });
};

/**
 * Answers with a session if the password is the user's.
 *
 * @param name the address or number that was typed, by which guesses are counted
 * @param requireConfirmed throws when the user has not proved that the address or number is theirs
 * @throws AuthError invalid_credentials, user_banned, or any error of `requireConfirmed`
 */
export async function openPasswordSession(
  context: Context<Env>,
  auth: AuthContext,
  name: string,
  password: string | undefined,
  user: UserRow | undefined,
  requireConfirmed: (user: UserRow) => void,
): Promise<Response> {
  const query = auth.authDatabase.query.bind(auth.authDatabase);
  const isOwners = await isKnownNetwork(query, auth, context, user?.id);
  await auth.rateLimits.passwordGuess(context, name, isOwners);
  // Compared for unknown names too, so that the response takes as long.
  const matches = await passwordMatches(password ?? '', user?.encrypted_password);
  if (!user || !matches || !password) throw invalidCredentials();
  refuseBanned(user);
  requireConfirmed(user);
  await auth.rateLimits.passwordRight(context, name, isOwners);

  const session = await auth.authDatabase.transaction(async (query) => {
    // It may have been replaced since it was compared.
    const present = await lockUser(query, user.id);
    if (present?.encrypted_password !== user.encrypted_password) throw invalidCredentials();
    const [opened] = await Promise.all([
      openSession(query, auth, context, user, 'password'),
      recordAuditEvent(query, auth, context, 'login', user),
    ]);
    return opened;
  });
  const weakness = weaknessOf(password, auth.config.auth);
  return context.json({ ...session, ...(weakness && { weak_password: weakness }) });
}

const invalidCredentials = () => new AuthError('invalid_credentials', 'Invalid login credentials');
