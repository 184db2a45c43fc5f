import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as oidc from 'openid-client';
import type { Env } from '../../context.ts';
import { type AuthContext, type AuthHandler, field } from '../context.ts';
import { AuthError } from '../errors.ts';
import { redirectTarget } from '../redirects.ts';
import { type Challenge, checkChallenge } from '../sessions/flow-states.ts';
import type { SessionRow } from '../sessions/sessions.ts';
import { markBrowser } from './browsers.ts';

/**
 * The query parameters that this service decides; all others are for the provider (`prompt`, `login_hint`,
 * …).
 */
const RESERVED_PARAMETERS = new Set([
  'apikey',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'invite_token',
  'nonce',
  'provider',
  'redirect_to',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'scopes',
  'skip_http_redirect',
  'state',
]);

/** GET /authorize */
export const authorize: AuthHandler = async (context, auth) =>
  context.redirect((await beginProviderFlow(context, auth)).href, 302);

/** The nonce that the provider must put into the ID token of a flow, which no other party can know. */
export const nonceOf = (auth: AuthContext, flowId: string) => auth.keys.digest(`nonce ${flowId}`);

/**
 * Stores the destination of the sign-in and returns the provider's address to send the browser to. The flow's
 * id is the `state` that the provider returns.
 *
 * @param linking the session whose account gets the identity, when one is added; the flow ends with it
 * @throws AuthError validation_failed or over_request_rate_limit
 */
export async function beginProviderFlow(
  context: Context<Env>,
  auth: AuthContext,
  linking?: SessionRow,
): Promise<URL> {
  await auth.rateLimits.providerFlow(context);
  const parameters = new URL(context.req.url).searchParams;
  const name = parameters.get('provider')?.toLowerCase();
  if (!name) throw new AuthError('validation_failed', 'Unsupported provider: missing provider');
  const provider = auth.providers.byName(name);
  if (!provider) throw new AuthError('validation_failed', 'Unsupported provider: provider is not enabled');
  const method = field.challengeMethod.safeParse(parameters.get('code_challenge_method'));
  if (!method.success)
    throw new AuthError('validation_failed', 'code_challenge_method: must be s256 or plain');
  const challenge: Challenge = {
    code_challenge: parameters.get('code_challenge') || undefined,
    code_challenge_method: method.data,
  };
  checkChallenge(challenge);
  const connection = await auth.providers.connect(provider);

  const flowId = randomUUID();
  const verifier = oidc.randomPKCECodeVerifier();
  await auth.authDatabase.query(
    `with ours as (
       insert into auth.oauth_client_states (id, provider_type, code_verifier, browser, session_id, created_at)
       values (gen_random_uuid(), $2, $3, $9, $10, now()) returning id
     )
     insert into auth.flow_state (id, auth_code, code_challenge_method, code_challenge, provider_type,
       authentication_method, referrer, oauth_client_state_id, linking_target_id, email_optional, created_at, updated_at)
     select $1, gen_random_uuid(), $4, $5, $2, 'oauth', $6, id, $7, $8, now(), now() from ours`,
    [
      flowId,
      provider.name,
      verifier,
      challenge.code_challenge_method ?? null,
      challenge.code_challenge ?? null,
      new URL(redirectTarget(context, auth.config)).href,
      linking?.user_id ?? null,
      provider.emailOptional,
      markBrowser(context, auth),
      linking?.id ?? null,
    ],
  );
  const passedOn = [...parameters].filter(
    ([key, value]) => !RESERVED_PARAMETERS.has(key.toLowerCase()) && value.length <= 1024,
  );
  return oidc.buildAuthorizationUrl(connection, {
    ...Object.fromEntries(passedOn),
    redirect_uri: provider.redirectUri,
    scope: scopes(parameters.get('scopes') ?? ''),
    state: flowId,
    nonce: nonceOf(auth, flowId),
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
}

/**
 * The scopes that this service needs and those that the site requests in addition; separated by blanks or
 * commas.
 */
function scopes(requested: string): string {
  const accepted = requested
    .split(/[\s,]+/)
    .filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(scope));
  return [...new Set(['openid', 'email', 'profile', ...accepted.slice(0, 30)])].join(' ');
}
