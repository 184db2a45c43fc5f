import { z } from 'zod';
import { type AuthHandler, field, readBody } from '../context.ts';
import { openPasswordSession } from '../email/token-password.ts';
import { AuthError } from '../errors.ts';
import { phoneDigits, requirePhoneSignIn, userByPhone } from './phones.ts';

const body = z.object({ email: field.email, phone: field.text, password: field.text });

/** POST /token?grant_type=password with a number instead of an address. */
export const signInWithPhone: AuthHandler = async (context, auth) => {
  await auth.rateLimits.signIn(context);
  const { email, phone: typed, password } = await readBody(context, body);
  if (email)
    throw new AuthError(
      'validation_failed',
      'Only an email address or phone number should be provided on login.',
    );
  requirePhoneSignIn(auth, 'Phone logins are disabled');
  const phone = phoneDigits(typed ?? '');
  const query = auth.authDatabase.query.bind(auth.authDatabase);
  return openPasswordSession(context, auth, phone, password, await userByPhone(query, phone), (user) => {
    if (!user.phone_confirmed_at) throw new AuthError('phone_not_confirmed', 'Phone not confirmed');
  });
};
