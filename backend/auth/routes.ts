import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AfterResponse } from '../after-response.ts';
import type { Dependencies, Env } from '../context.ts';
import { createSmsSender } from '../mail/sms.ts';
import { adminDeleteFactor, adminListFactors } from './admin/factors.ts';
import { generateLink } from './admin/generate-link.ts';
import { inviteUser } from './admin/invite.ts';
import {
  adminCreateUser,
  adminDeleteUser,
  adminGetUser,
  adminListUsers,
  adminUpdateUser,
} from './admin/users.ts';
import { GUARDED, requireCaptcha } from './captcha.ts';
import type { AuthContext, AuthHandler } from './context.ts';
import { sendOneTimeCode } from './email/otp.ts';
import { reauthenticate } from './email/reauthenticate.ts';
import { recover } from './email/recover.ts';
import { resend } from './email/resend.ts';
import { signUp } from './email/signup.ts';
import { getUser, updateUser } from './email/user.ts';
import { verify, verifyLink } from './email/verify.ts';
import { createAuthEmails } from './emails.ts';
import { AuthError, renderError } from './errors.ts';
import { authorize } from './external/authorize.ts';
import { callback } from './external/callback.ts';
import { authorizeIdentity, unlinkIdentity } from './external/identities.ts';
import { createProviders } from './external/providers.ts';
import { challengeFactor } from './mfa/challenge.ts';
import { enrollFactor } from './mfa/enroll.ts';
import { verifyRecoveryCode } from './mfa/recovery-code-verify.ts';
import {
  deleteRecoveryCodes,
  generateRecoveryCodes,
  recoveryCodesStatus,
  regenerateRecoveryCodes,
} from './mfa/recovery-codes.ts';
import { unenrollFactor } from './mfa/unenroll.ts';
import { verifyFactor } from './mfa/verify.ts';
import { servePhone } from './phone/routes.ts';
import { createRateLimits } from './rate-limits.ts';
import { serveSaml } from './saml/routes.ts';
import { logOut } from './sessions/logout.ts';
import { requireServiceRole } from './sessions/require-session.ts';
import { token } from './sessions/token-grants.ts';
import { health, jwks, settings } from './settings.ts';
import { refuseUnsupported } from './unsupported.ts';
import { servePasskeys } from './webauthn/routes.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** /auth/v1: the protocol's routes, each served by a separate file. */
export function createAuth(dependencies: Dependencies, afterwards: AfterResponse): Hono<Env> {
  const { config, authDatabase, keys, mailer } = dependencies;
  const auth: AuthContext = {
    ...dependencies,
    afterResponse: afterwards,
    rateLimits: createRateLimits(config, authDatabase, keys.digest),
    emails: createAuthEmails(config, mailer, dependencies.log, {
      query: (sql, values) => dependencies.authDatabase.query(sql, values),
    }),
    sms: createSmsSender(config, dependencies.log),
    providers: createProviders(config),
  };
  const app = new Hono<Env>();
  const on = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, operation: AuthHandler) =>
    app.on(method, path, (context) => operation(context, auth));

  app.onError(renderError);
  app.use(async (context, next) => {
    context.header('cache-control', 'no-store');
    await next();
  });
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new AuthError('validation_failed', 'Request body is too large', { status: 413 });
      },
    }),
  );

  app.on('POST', GUARDED, async (context, next) => {
    await requireCaptcha(context, auth);
    await next();
  });

  servePhone(app, auth);
  on('GET', '/health', health);
  on('GET', '/settings', settings);
  on('GET', '/.well-known/jwks.json', jwks);
  on('POST', '/signup', signUp);
  on('POST', '/token', token);
  on('POST', '/otp', sendOneTimeCode);
  on('POST', '/magiclink', sendOneTimeCode);
  on('POST', '/recover', recover);
  on('POST', '/resend', resend);
  on('GET', '/verify', verifyLink);
  on('POST', '/verify', verify);
  on('GET', '/user', getUser);
  on('PUT', '/user', updateUser);
  on('GET', '/reauthenticate', reauthenticate);
  on('POST', '/logout', logOut);
  on('GET', '/authorize', authorize);
  on('GET', '/callback', callback);
  on('POST', '/callback', callback);
  on('GET', '/user/identities/authorize', authorizeIdentity);
  on('DELETE', '/user/identities/:id', unlinkIdentity);

  on('GET', '/factors/recovery-codes', recoveryCodesStatus);
  on('POST', '/factors/recovery-codes', generateRecoveryCodes);
  on('DELETE', '/factors/recovery-codes', deleteRecoveryCodes);
  on('POST', '/factors/recovery-codes/verify', verifyRecoveryCode);
  on('POST', '/factors/recovery-codes/regenerate', regenerateRecoveryCodes);
  on('POST', '/factors', enrollFactor);
  on('POST', '/factors/:id/challenge', challengeFactor);
  on('POST', '/factors/:id/verify', verifyFactor);
  on('DELETE', '/factors/:id', unenrollFactor);

  app.use('/admin/*', async (context, next) => {
    await requireServiceRole(context, auth);
    await next();
  });
  on('GET', '/admin/users', adminListUsers);
  on('POST', '/admin/users', adminCreateUser);
  on('GET', '/admin/users/:id', adminGetUser);
  on('PUT', '/admin/users/:id', adminUpdateUser);
  on('DELETE', '/admin/users/:id', adminDeleteUser);
  on('GET', '/admin/users/:id/factors', adminListFactors);
  on('DELETE', '/admin/users/:id/factors/:factor', adminDeleteFactor);
  on('POST', '/admin/generate_link', generateLink);
  on('POST', '/invite', inviteUser);
  serveSaml(on);
  servePasskeys(on);

  refuseUnsupported(app);
  return app;
}
