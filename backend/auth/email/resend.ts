import { z } from 'zod';
import { type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { redirectTarget } from '../redirects.ts';
import { beginFlow, checkChallenge } from '../sessions/flow-states.ts';
import { sendEmailChange } from './email-change.ts';
import { findUserByEmail, sendConfirmation } from './signup.ts';

const body = z.object({
  type: field.text,
  email: field.email,
  code_challenge: field.text,
  code_challenge_method: field.challengeMethod,
});

/**
 * POST /resend: answered before the account is looked up, so that the response does not depend on whether a
 * confirmation is pending.
 */
export const resend: AuthHandler = async (context, auth) => {
  const { type, email, ...challenge } = await readBody(context, body);
  if (type !== 'signup' && type !== 'email_change')
    throw new AuthError(
      'validation_failed',
      'Missing one of these types: signup, email_change, sms, phone_change',
    );
  if (!email) throw new AuthError('validation_failed', 'Type provided requires an email address');
  checkChallenge(challenge);
  await auth.rateLimits.mail(context, type === 'signup' ? 'confirmation' : 'email_change', email);
  auth.emails.requireMailServer('confirmation');
  const redirectTo = redirectTarget(context, auth.config);

  auth.afterResponse.run(context, async () => {
    const messages = await auth.authDatabase.transaction(async (query) => {
      const user = await findUserByEmail(query, email);
      if (!user) return [];
      if (type === 'email_change') {
        if (!user.email_change) return [];
        const pkce = await beginFlow(query, challenge, user.id, 'email_change');
        return sendEmailChange(query, auth, user, user.email_change, redirectTo, pkce);
      }
      if (user.email_confirmed_at) return [];
      const pkce = await beginFlow(query, challenge, user.id, 'email/signup');
      return [await sendConfirmation(query, auth, context, user, redirectTo, pkce)];
    });
    for (const message of messages)
      await auth.emails.send(type === 'signup' ? 'confirmation' : 'email_change', message);
  });
  return context.json({});
};
