import { z } from 'zod';
import { recordAuditEvent } from '../audit.ts';
import { type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { passwordMatches, weaknessOf } from '../passwords.ts';
import { phoneDigits, requirePhoneSignIn, userByPhone } from '../phone/phones.ts';
import { openSession, userHasAal } from '../sessions.ts';
import { refuseBanned, userByEmail } from '../users.ts';

const body = z.object({ email: field.email, phone: field.text, password: field.text });

/** POST /token?grant_type=password */
export const signInWithPassword: AuthHandler = async (context, auth) => {
  await auth.limits.signIn(context);
  const { email, phone, password } = await readBody(context, body);
  if (email && phone)
    throw new AuthError(
      'validation_failed',
      'Only an email address or phone number should be provided on login.',
    );
  if (phone) requirePhoneSignIn(auth, 'Phone logins are disabled');
  const name = phone ? phoneDigits(phone) : email;
  if (!name) throw new AuthError('validation_failed', 'missing email or phone');

  const query = auth.authDatabase.query.bind(auth.authDatabase);
  const user = await (phone ? userByPhone(query, name) : userByEmail(query, name));
  const isOwners = await userHasAal(query, auth, context, user?.id);
  await auth.limits.passwordGuess(context, name, isOwners);
  // Compared for unknown names too, so that they take as long.
  const matches = await passwordMatches(password ?? '', user?.encrypted_password);
  if (!user || !matches || !password) throw new AuthError('invalid_credentials', 'Invalid login credentials');
  refuseBanned(user);
  if (phone && !user.phone_confirmed_at) throw new AuthError('phone_not_confirmed', 'Phone not confirmed');
  if (email && !user.email_confirmed_at) throw new AuthError('email_not_confirmed', 'Email not confirmed');
  await auth.limits.passwordRight(context, name, isOwners);

  const session = await auth.authDatabase.transaction(async (query) => {
    await recordAuditEvent(query, auth, context, 'login', user);
    return openSession(query, auth, context, user, 'password');
  });
  const weakness = weaknessOf(password, auth.config.auth.minimum_password_length);
  return context.json({ ...session, ...(weakness && { weak_password: weakness }) });
};
