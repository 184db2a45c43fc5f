import { z } from 'zod';
import { type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import type { UserRow } from '../users.ts';
import { issueSmsCode, phoneDigits, requirePhoneSignIn, sendSms, userByPhone } from './phones.ts';

const body = z.object({ type: z.enum(['sms', 'phone_change']), phone: field.text });

/** POST /resend with type sms or phone_change. */
export const resendSms: AuthHandler = async (context, auth) => {
  const { type, phone: typed } = await readBody(context, body);
  requirePhoneSignIn(auth, 'Unsupported phone provider');
  if (!typed) throw new AuthError('validation_failed', 'Type provided requires a phone number');
  const phone = phoneDigits(typed);
  await auth.rateLimits.sms(context, phone);
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
};
