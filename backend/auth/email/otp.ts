import { z } from 'zod';
import { type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { redirectTarget } from '../redirects.ts';
import { beginFlow, checkChallenge } from '../sessions/flow-states.ts';
import { createUser, forgetUnproved, userByEmail } from '../users.ts';
import { sendMagicLink } from './recover.ts';
import { signUpRefusal } from './sign-up-hook.ts';
import { findUserByEmail, sendConfirmation } from './signup.ts';

const body = z.object({
  email: field.email,
  data: field.metadata,
  create_user: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  code_challenge: field.text,
  code_challenge_method: field.challengeMethod,
});

/**
 * POST /otp and its older name /magiclink: signs in, or up, by a mailed link or code. Answered before the
 * account is looked up, so that the response does not depend on whether there is one.
 */
export const sendOneTimeCode: AuthHandler = async (context, auth) => {
  const { email, data, create_user: mayCreate, ...challenge } = await readBody(context, body);
  if (!email) throw new AuthError('validation_failed', 'One of email or phone must be set');
  checkChallenge(challenge);
  await auth.rateLimits.mail(context, 'recovery', email);
  auth.emails.requireMailServer('magic link');
  const redirectTo = redirectTarget(context, auth.config);
  const { email: settings } = auth.config.auth;
  const adds = mayCreate && settings.enabled && !(await signUpRefusal(auth, { email }));
  // Where sign-ups confirm their address, the response does not reveal whether one is known; elsewhere
  // sign-up reveals it anyway.
  if (!adds && !settings.enable_confirmations) {
    const existing = await auth.authDatabase.transaction((query) => userByEmail(query, email));
    if (!existing) throw new AuthError('otp_disabled', 'Signups not allowed for otp');
  }

  auth.afterResponse.run(context, async () => {
    const message = await auth.authDatabase.transaction(async (query) => {
      const existing = await findUserByEmail(query, email);
      if (existing?.email_confirmed_at) {
        return {
          kind: 'magic_link',
          ...(await sendMagicLink(query, auth, context, existing, 'magiclink', redirectTo, challenge)),
        } as const;
      }
      if (!existing && !adds) return undefined;
      const user = existing
        ? await forgetUnproved(query, existing)
        : await createUser(query, {
            email,
            encryptedPassword: null,
            userMetadata: data ?? {},
            identityData: data ?? {},
          });
      const pkce = await beginFlow(query, challenge, user.id, 'magiclink');
      return {
        kind: 'confirmation',
        ...(await sendConfirmation(query, auth, context, user, redirectTo, pkce)),
      } as const;
    });
    if (message) await auth.emails.send(message.kind, message);
  });
  return context.json({});
};
