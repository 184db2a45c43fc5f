import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import { isUuid } from '../../uuid.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { markBrowser } from '../external/browsers.ts';
import { redirectTarget } from '../redirects.ts';
import { type Challenge, checkChallenge } from '../sessions/flow-states.ts';
import {
  identityProviderOf,
  refuseDisabled,
  type SsoProvider,
  ssoProviderByDomain,
  ssoProviderById,
} from './providers.ts';
import { requireSaml, samlFor } from './service.ts';

const body = z.object({
  provider_id: field.text,
  domain: field.text,
  redirect_to: field.text,
  skip_http_redirect: z.boolean().nullish(),
  code_challenge: field.text,
  code_challenge_method: field.challengeMethod,
});

/** POST /sso: the address at which a member of a company signs in. */
export const signInWithSso: AuthHandler = async (context, auth) => {
  requireSaml(auth.config);
  await auth.rateLimits.signIn(context);
  const { provider_id: id, domain, ...given } = await readBody(context, body);
  if (id && domain) throw new AuthError('validation_failed', 'Only one of provider_id or domain supported');
  if (!id && !domain)
    throw new AuthError('validation_failed', 'A provider_id or domain needs to be provided');
  if (id && !isUuid(id)) throw new AuthError('validation_failed', 'provider_id must be an UUID');
  checkChallenge(given);
  const query = auth.authDatabase.query.bind(auth.authDatabase);
  const provider = id ? await ssoProviderById(query, id) : await ssoProviderByDomain(query, domain ?? '');
  if (!provider) {
    throw new AuthError(
      'sso_provider_not_found',
      id ? 'No such SSO provider' : 'No SSO provider assigned for this domain',
    );
  }
  const target = redirectTarget(context, auth.config, given.redirect_to);
  const url = await beginSso(context, auth, provider, target, given);
  return given.skip_http_redirect ? context.json({ url }) : context.redirect(url, 303);
};

/**
 * The company's address with a request of this site, whose answer counts in this browser alone.
 *
 * @param target the allowed address to which the sign-in leads
 * @throws AuthError sso_provider_disabled
 */
export async function beginSso(
  context: Context<Env>,
  auth: AuthContext,
  provider: SsoProvider,
  target: string,
  challenge: Challenge = {},
): Promise<string> {
  refuseDisabled(provider);
  const idp = await identityProviderOf(auth, provider);
  const [requestId, relayState, flowId] = [`_${randomUUID()}`, randomUUID(), randomUUID()];
  await auth.authDatabase.query(
    `with flow as (
       insert into auth.flow_state (id, auth_code, code_challenge_method, code_challenge, provider_type,
         authentication_method, created_at, updated_at)
       select $4, gen_random_uuid(), $5, $6, 'sso/saml', 'sso/saml', now(), now() where $6::text is not null
       returning id
     )
     insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id, browser, created_at, updated_at)
     values ($1, $2, $3, $7, (select id from flow), $8, now(), now())`,
    [
      relayState,
      provider.id,
      requestId,
      flowId,
      challenge.code_challenge_method ?? null,
      challenge.code_challenge ?? null,
      new URL(target).href,
      markBrowser(context, auth),
    ],
  );
  return (await samlFor(auth.config, provider, idp, requestId)).getAuthorizeUrlAsync(
    relayState,
    undefined,
    {},
  );
}
