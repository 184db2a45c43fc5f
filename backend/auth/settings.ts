import { SUPABASE_PROVIDERS } from '../config-auth.ts';
import type { AuthHandler } from './context.ts';
import { signUpRefusal } from './email/sign-up-hook.ts';

/** GET /settings: the sign-in methods that are open. */
export const settings: AuthHandler = async (context, auth) => {
  const { config, providers } = auth;
  const closed = (await signUpRefusal(auth, {}))?.code === 'signup_disabled';
  return context.json({
    external: {
      anonymous_users: false,
      ...Object.fromEntries(SUPABASE_PROVIDERS.map((name) => [name, false])),
      ...Object.fromEntries(providers.all.map(({ name }) => [name, true])),
      email: config.auth.email.enabled,
      phone: config.auth.sms.enabled,
    },
    disable_signup: closed,
    mailer_autoconfirm: !config.auth.email.enable_confirmations,
    phone_autoconfirm: !config.auth.sms.enable_confirmations,
    sms_provider: '',
    saml_enabled: config.auth.saml.enabled,
    passkeys_enabled: false,
  });
};

/** GET /health */
export const health: AuthHandler = async (context) =>
  context.json({
    version: 'embedded',
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  });

/** GET /.well-known/jwks.json */
export const jwks: AuthHandler = async (context, { keys }) => {
  context.header('cache-control', 'public, max-age=600');
  return context.json(keys.jwks());
};
