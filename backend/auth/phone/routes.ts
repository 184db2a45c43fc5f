import type { Context, Hono } from 'hono';
import type { Env } from '../../context.ts';
import { parseJson } from '../../http/json.ts';
import type { AuthContext, AuthHandler } from '../context.ts';
import { sendPhoneOtp } from './otp.ts';
import { resendSms } from './resend.ts';
import { signUpByPhone } from './signup.ts';
import { signInWithPhone } from './token-password.ts';
import { verifyPhone } from './verify.ts';

/** The body fields that show that a request is about a phone number. */
interface Named {
  type?: unknown;
  phone?: unknown;
}

/**
 * Serves the requests that name a phone number. They have the same addresses as those that name an email
 * address, so each request reaches this router first, and one that names no number passes to the next.
 */
export function servePhone(app: Hono<Env>, auth: AuthContext): void {
  const serve = (path: string, isAboutPhone: (named: Named) => boolean, handler: AuthHandler) =>
    app.post(path, async (context, next) =>
      isAboutPhone(await namedIn(context)) ? handler(context, auth) : next(),
    );
  const hasPhone = ({ phone }: Named) => phone !== undefined && phone !== null && phone !== '';
  const hasPhoneType = ({ type }: Named) => type === 'sms' || type === 'phone_change';
  serve('/signup', hasPhone, signUpByPhone);
  serve('/otp', hasPhone, sendPhoneOtp);
  serve('/magiclink', hasPhone, sendPhoneOtp);
  serve('/verify', (named) => hasPhoneType(named) || hasPhone(named), verifyPhone);
  serve('/resend', hasPhoneType, resendSms);
  app.post('/token', async (context, next) =>
    context.req.query('grant_type') === 'password' && hasPhone(await namedIn(context))
      ? signInWithPhone(context, auth)
      : next(),
  );
}

/** A body that cannot be read names nothing; the handler that reads it reports the fault. */
async function namedIn({ req }: Context<Env>): Promise<Named> {
  if (req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) return {};
  try {
    const body = parseJson(await req.text());
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
