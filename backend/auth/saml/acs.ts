import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import { isUuid } from '../../uuid.ts';
import { type AuthContext, type AuthHandler, field } from '../context.ts';
import { AuthError } from '../errors.ts';
import { signInWithIdentity } from '../external/accounts.ts';
import { browserOf, FLOW_LIFETIME_SECONDS, sendAgain } from '../external/browsers.ts';
import { keptClaims, type ProviderProfile } from '../external/profile.ts';
import { isAllowed } from '../redirects.ts';
import { issueAuthCode } from '../sessions/flow-states.ts';
import { redirectWithError, withCode, withTokens } from '../sessions/session-redirects.ts';
import { openSession } from '../sessions/sessions.ts';
import { type Assertion, readAssertion, readResponse } from './assertion.ts';
import {
  identityProviderOf,
  refuseDisabled,
  type SsoProvider,
  ssoProviderByEntity,
  ssoProviderById,
} from './providers.ts';
import { requireSaml, samlFor, serviceOf } from './service.ts';
import { beginSso } from './sso.ts';

interface Relay {
  sso_provider_id: string;
  request_id: string;
  redirect_to: string;
  flow_state_id: string | null;
  expired: boolean;
}

/** POST /sso/saml/acs: the identity provider's answer, carried by the browser. */
export const samlAcs: AuthHandler = async (context, auth) => {
  requireSaml(auth.config);
  await auth.rateLimits.verification(context);
  try {
    const form = new URLSearchParams(await context.req.text());
    const [response, relayState] = [form.get('SAMLResponse') ?? '', form.get('RelayState') ?? ''];
    if (!isUuid(relayState))
      return context.redirect(await answerUnannounced(context, auth, response, relayState), 302);
    const again = await sendAgain(context, auth, form);
    return again ?? context.redirect(await acceptAssertion(context, auth, response, relayState), 302);
  } catch (error) {
    return redirectWithError(context, auth.config.auth.site_url, error, false);
  }
};

async function acceptAssertion(
  context: Context<Env>,
  auth: AuthContext,
  response: string,
  relayState: string,
): Promise<string> {
  const relay = await consumeRelayState(auth, relayState, browserOf(context, auth));
  if (!response) throw new AuthError('validation_failed', 'SAMLResponse is missing');
  const query = auth.authDatabase.query.bind(auth.authDatabase);
  const provider = known(await ssoProviderById(query, relay.sso_provider_id));
  refuseDisabled(provider);
  const idp = await identityProviderOf(auth, provider);
  const assertion = await readAssertion(await samlFor(auth.config, provider, idp), response, {
    entityId: provider.entity_id,
    acs: serviceOf(auth.config).acs,
    requestId: relay.request_id,
  });
  return completeSignIn(context, auth, provider, assertion, relay.redirect_to, relay.flow_state_id);
}

/**
 * An answer that no request of this site preceded may be of anyone, and brought by anyone's page: it signs no
 * one in. The browser is sent to its company with a request of this site, which the company answers at
 * once for whoever is signed in there.
 *
 * @param target where the company wants the sign-in to lead
 */
async function answerUnannounced(
  context: Context<Env>,
  auth: AuthContext,
  response: string,
  target: string,
): Promise<string> {
  if (target !== '' && !URL.canParse(target))
    throw new AuthError('validation_failed', 'SAML RelayState is not a valid UUID or URL');
  if (!response) throw new AuthError('validation_failed', 'SAMLResponse is missing');
  const query = auth.authDatabase.query.bind(auth.authDatabase);
  const provider = known(await ssoProviderByEntity(query, await issuerOf(response)));
  const { config } = auth;
  return beginSso(context, auth, provider, isAllowed(target, config) ? target : config.auth.site_url);
}

/** @throws AuthError saml_idp_not_found */
function known(provider: SsoProvider | undefined): SsoProvider {
  if (provider) return provider;
  throw new AuthError(
    'saml_idp_not_found',
    'A SAML connection has not been established with this Identity Provider',
  );
}

/** The request with which this browser was sent to the provider. It can be taken once. */
async function consumeRelayState(auth: AuthContext, id: string, browser: string): Promise<Relay> {
  const { rows } = await auth.authDatabase.query<Relay>(
    `delete from auth.saml_relay_states where id = $1 and browser = $3
     returning sso_provider_id, request_id, redirect_to, flow_state_id,
       created_at + make_interval(secs => $2) < now() as expired`,
    [id, FLOW_LIFETIME_SECONDS, browser],
  );
  const [relay] = rows;
  if (!relay) {
    throw new AuthError(
      'saml_relay_state_not_found',
      'SAML RelayState does not exist, try logging in again?',
    );
  }
  if (relay.expired)
    throw new AuthError('saml_relay_state_expired', 'SAML RelayState has expired. Try logging in again?');
  return relay;
}

const peek = z.object({
  Response: z.object({
    $: z.object({ InResponseTo: z.string().optional() }),
    Issuer: z.tuple([z.object({ _: z.string().max(1024) })]),
  }),
});

/**
 * The company that an unannounced answer names.
 *
 * @throws AuthError validation_failed, also when it answers a request, with which it has lost its RelayState
 */
async function issuerOf(response: string): Promise<string> {
  const parsed = peek.safeParse(await readResponse(response));
  if (!parsed.success)
    throw new AuthError('validation_failed', 'SAMLResponse is not a valid XML SAML assertion');
  const { $, Issuer } = parsed.data.Response;
  if ($.InResponseTo !== undefined)
    throw new AuthError('validation_failed', 'SAML Assertion is not valid: it was not made for this sign-in');
  return Issuer[0]._;
}

async function completeSignIn(
  context: Context<Env>,
  auth: AuthContext,
  provider: SsoProvider,
  assertion: Assertion,
  target: string,
  flowId: string | null,
): Promise<string> {
  const person = profileOf(provider, assertion);
  return auth.authDatabase.transaction(async (query) => {
    const { user } = await signInWithIdentity(query, auth, context, person, false);
    if (flowId) {
      return withCode(target, await issueAuthCode(query, user.id, flowId));
    }
    const session = await openSession(query, auth, context, user, 'sso/saml');
    if (assertion.sessionEnds) {
      await query(
        `update auth.sessions set not_after = $2
         where id = (select session_id from auth.refresh_tokens where token = $1)`,
        [session.refresh_token, assertion.sessionEnds],
      );
    }
    return withTokens(target, session);
  });
}

const PROFILE = [
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'full_name',
  'picture',
  'avatar_url',
];

/** The person by the operator's mapping of attributes; unusual claims are kept with the custom ones. */
function profileOf(provider: SsoProvider, assertion: Assertion): ProviderProfile {
  const mapped = Object.entries(provider.attribute_mapping?.keys ?? {}).flatMap(([key, rule]) => {
    const found = [rule.name, ...(rule.names ?? [])]
      .flatMap((name) => assertion.attributes.get(name ?? '') ?? [])
      .flatMap((value) => keptClaims(value, 1024) ?? [])
      .slice(0, 50);
    const value = rule.array && found.length > 0 ? found : (found[0] ?? rule.default);
    return value === undefined ? [] : [[key, value] as const];
  });
  const email = field.email.safeParse(mapped.find(([key]) => key === 'email')?.[1] ?? assertion.email).data;
  if (!email)
    throw new AuthError('saml_assertion_no_email', 'SAML Assertion does not contain an email address');
  // A company vouches for those of its own domains; else it could give itself the address of anyone.
  const domains = provider.domains.map(({ domain }) => domain.toLowerCase());
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1))) {
    throw new AuthError(
      'email_address_not_authorized',
      `This organisation signs in people with an address at ${domains.join(' or ') || 'its own domains, of which there are none'}`,
    );
  }
  const subject = keptClaims(assertion.userId, 1024) ?? '';
  const custom = mapped.filter(([key]) => key !== 'email' && !PROFILE.includes(key));
  return {
    provider: `sso:${provider.id}`,
    subject,
    email,
    emailVerified: true,
    claims: {
      iss: provider.entity_id,
      sub: subject,
      ...Object.fromEntries(mapped.filter(([key]) => PROFILE.includes(key))),
      ...(custom.length > 0 && { custom_claims: Object.fromEntries(custom) }),
      email,
      email_verified: true,
      phone_verified: false,
    },
  };
}
