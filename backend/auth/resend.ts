import { z } from 'zod';
import { writeEmailChange } from './email-change.ts';
import { AuthError } from './errors.ts';
import { beginFlow, checkChallenge } from './flow-states.ts';
import { field, type Operation, readBody } from './operation.ts';
import { redirectTarget } from './redirects.ts';
import { writeConfirmation } from './signup.ts';
import { userByEmail } from './users.ts';

const body = z.object({
  type: field.text,
  email: field.email,
  phone: field.text,
  code_challenge: field.text,
  code_challenge_method: field.challengeMethod,
});

/** POST /resend: the same answer whether or not anything waits for confirmation. */
export const resend: Operation = async (context, auth) => {
  const { type, email, phone, ...challenge } = await readBody(context, body);
  if (type === 'sms' || type === 'phone_change' || phone)
    throw new AuthError('phone_provider_disabled', 'Unsupported phone provider');
  if (type !== 'signup' && type !== 'email_change')
    throw new AuthError(
      'validation_failed',
      'Missing one of these types: signup, email_change, sms, phone_change',
    );
  if (!email) throw new AuthError('validation_failed', 'Type provided requires an email address');
  checkChallenge(challenge);
  await auth.limits.mail(context, type === 'signup' ? 'confirmation' : 'email_change', email);
  await auth.letters.ready('confirmation');
  const redirectTo = redirectTarget(context, auth.config);

  const letters = await auth.authDatabase.transaction(async (query) => {
    const user = await userByEmail(query, email);
    if (!user) return [];
    if (type === 'email_change') {
      if (!user.email_change) return [];
      const pkce = await beginFlow(query, challenge, user.id, 'email_change');
      return writeEmailChange(query, auth, user, user.email_change, redirectTo, pkce);
    }
    if (user.email_confirmed_at) return [];
    const pkce = await beginFlow(query, challenge, user.id, 'email/signup');
    return [await writeConfirmation(query, auth, context, user, redirectTo, pkce)];
  });
  for (const letter of letters)
    await auth.letters.send(type === 'signup' ? 'confirmation' : 'email_change', letter);
  return context.json({});
};
