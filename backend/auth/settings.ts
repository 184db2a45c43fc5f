import { SUPABASE_PROVIDERS } from '../config-auth.ts';
import type { AuthHandler } from './context.ts';
import { signUpRefusal } from './email/sign-up-hook.ts';
import { servesPasskeys } from './webauthn/relying-party.ts';

/** GET /settings: the sign-in methods that are open. */
export const settings: AuthHandler = async (context, auth) => {
  const { config, providers, authDatabase } = auth;
  const { saml } = config.auth;
  const organisations =
    saml.enabled &&
    (await authDatabase.query('select from auth.sso_providers where disabled is not true limit 1'));
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
    saml_enabled: saml.enabled,
    // Not Supabase's: pages offer it only where an organisation can sign in.
    ...(organisations && { sso_providers: organisations.rowCount > 0 }),
    passkeys_enabled: servesPasskeys(config),
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
