import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { beginFlow, checkChallenge } from '../flow-states.ts';
import { issueSmsCode, phoneDigits, requirePhoneSignIn, sendSms, userByPhone } from '../phone/phones.ts';
import { redirectTarget } from '../redirects.ts';
import { type UserRow, userByEmail } from '../users.ts';
import { requestEmailChange, sendEmailChange } from './email-change.ts';
import { sendConfirmation } from './signup.ts';

const body = z.object({
  type: field.text,
  email: field.email,
  phone: field.text,
  code_challenge: field.text,
  code_challenge_method: field.challengeMethod,
});

/** POST /resend: answered before the account is looked up, so the same whether or not anything waits for confirmation. */
export const resend: AuthHandler = async (context, auth) => {
  const { type, email, phone, ...challenge } = await readBody(context, body);
  if (type === 'sms' || type === 'phone_change') return resendSms(context, auth, type, phone);
  if (type !== 'signup' && type !== 'email_change')
    throw new AuthError(
      'validation_failed',
      'Missing one of these types: signup, email_change, sms, phone_change',
    );
  if (!email) throw new AuthError('validation_failed', 'Type provided requires an email address');
  checkChallenge(challenge);
  await auth.limits.mail(context, type === 'signup' ? 'confirmation' : 'email_change', email);
  auth.letters.requireMail('confirmation');
  const redirectTo = redirectTarget(context, auth.config);

  auth.afterwards.run(context, async () => {
    const letters = await auth.authDatabase.transaction(async (query) => {
      const user = await userByEmail(query, email);
      if (!user) return [];
      if (type === 'email_change') {
        if (!user.email_change) return [];
        await requestEmailChange(query, user, user.email_change);
        const pkce = await beginFlow(query, challenge, user.id, 'email_change');
        return sendEmailChange(query, auth, user, user.email_change, redirectTo, pkce);
      }
      if (user.email_confirmed_at) return [];
      const pkce = await beginFlow(query, challenge, user.id, 'email/signup');
      return [await sendConfirmation(query, auth, context, user, redirectTo, pkce)];
    });
    for (const letter of letters)
      await auth.letters.send(type === 'signup' ? 'confirmation' : 'email_change', letter);
  });
  return context.json({});
};

async function resendSms(
  context: Context<Env>,
  auth: AuthContext,
  type: 'sms' | 'phone_change',
  typed: string | undefined,
): Promise<Response> {
  requirePhoneSignIn(auth, 'Unsupported phone provider');
  if (!typed) throw new AuthError('validation_failed', 'Type provided requires a phone number');
  const phone = phoneDigits(typed);
  await auth.limits.sms(context, phone);
  const message = await auth.authDatabase.transaction(async (query) => {
    if (type === 'sms') {
      const user = await userByPhone(query, phone);
      if (!user || user.phone_confirmed_at) return undefined;
      return issueSmsCode(query, auth, user, 'confirmation_token', phone);
    }
    const { rows } = await query<UserRow>(
      `select * from auth.users where phone_change <> '' and (phone = $1 or phone_change = $1)
       order by phone_change_sent_at desc limit 1`,
      [phone],
    );
    const [user] = rows;
    return user && issueSmsCode(query, auth, user, 'phone_change_token', user.phone_change ?? '');
  });
  await sendSms(auth, message);
  return context.json({});
}
