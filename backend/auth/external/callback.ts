import type { Context } from 'hono';
import * as oidc from 'openid-client';
import { cutText } from '../../../texts/cut-text.ts';
import type { Env } from '../../context.ts';
import { isUuid } from '../../uuid.ts';
import type { AuthContext, AuthHandler } from '../context.ts';
import { AuthError, OAuthError } from '../errors.ts';
import { requireSecondStep } from '../sessions/aal.ts';
import { issueAuthCode } from '../sessions/flow-states.ts';
import { sessionOf } from '../sessions/require-session.ts';
import { redirectWithError, withCode, withTokens } from '../sessions/session-redirects.ts';
import { openSession } from '../sessions/sessions.ts';
import { lockUser, refuseBanned } from '../users.ts';
import { linkIdentity, notifyIdentityLinked, signInWithIdentity } from './accounts.ts';
import { nonceOf } from './authorize.ts';
import { browserOf, FLOW_LIFETIME_SECONDS, sendAgain } from './browsers.ts';
import { type ProviderProfile, readProfile } from './profile.ts';

interface Flow {
  id: string;
  provider_type: string;
  referrer: string;
  code_challenge: string | null;
  code_verifier: string;
  linking_target_id: string | null;
  /** That of the person who adds an identity. */
  session_id: string | null;
  email_optional: boolean;
  expired: boolean;
}

interface CallbackFlow {
  person: ProviderProfile;
  accessToken: string;
  refreshToken: string | undefined;
}

/** GET or POST /callback: the address to which the provider sends people back. */
export const callback: AuthHandler = async (context, auth) => {
  await auth.rateLimits.verification(context);
  const answer = await callbackParameters(context);
  const again = sendAgain(context, auth, answer);
  if (again) return again;
  let flow: Flow;
  try {
    flow = await claimFlowState(auth, answer.get('state'), browserOf(context, auth));
  } catch (error) {
    return redirectWithError(context, auth.config.auth.site_url, error, false);
  }
  try {
    if (flow.expired) throw new AuthError('bad_oauth_state', 'OAuth state has expired');
    const refusal = answer.get('error');
    if (refusal)
      throw new OAuthError(cutText(refusal, 100), cutText(answer.get('error_description') ?? refusal, 500));
    if (!answer.get('code'))
      throw new AuthError('bad_oauth_callback', 'OAuth callback with missing authorization code missing');
    const arrival = await exchangeCodeWithProvider(auth, flow, answer);
    return context.redirect(await completeSignIn(context, auth, flow, arrival), 302);
  } catch (error) {
    return redirectWithError(context, flow.referrer, error, true);
  }
};

/**
 * The parameters come by form when the provider answers so (`response_mode=form_post`), else in the address.
 */
async function callbackParameters(context: Context<Env>): Promise<URLSearchParams> {
  if (context.req.method !== 'POST') return new URL(context.req.url).searchParams;
  return new URLSearchParams(await context.req.text());
}

/** Takes the flow that `state` names. It can be taken once, by one request of the browser that began it. */
async function claimFlowState(auth: AuthContext, state: string | null, browser: string): Promise<Flow> {
  if (!state) throw new AuthError('bad_oauth_callback', 'OAuth state parameter missing');
  if (!isUuid(state)) throw new AuthError('bad_oauth_state', 'OAuth state parameter is invalid');
  const { rows } = await auth.authDatabase.query<Flow>(
    `with claimed as (
       delete from auth.oauth_client_states s using auth.flow_state f
       where f.id = $1 and s.id = f.oauth_client_state_id and s.browser = $3 returning s.id, s.code_verifier, s.session_id
     )
     select f.id, f.provider_type, f.referrer, f.code_challenge, c.code_verifier, f.linking_target_id, c.session_id, f.email_optional,
       f.created_at + make_interval(secs => $2) < now() as expired
     from claimed c join auth.flow_state f on f.oauth_client_state_id = c.id`,
    [state, FLOW_LIFETIME_SECONDS, browser],
  );
  const [flow] = rows;
  if (flow) return flow;
  const { rows: others } = await auth.authDatabase.query<{ open: boolean }>(
    `select exists (select from auth.oauth_client_states s where s.id = f.oauth_client_state_id) as open
     from auth.flow_state f where f.id = $1`,
    [state],
  );
  const [other] = others;
  if (!other) throw new AuthError('bad_oauth_state', 'OAuth state not found or expired');
  throw other.open
    ? new AuthError('bad_oauth_state', 'This sign-in was begun in another browser; begin again in this one')
    : new AuthError('flow_state_already_used', 'State has already been used');
}

/** Exchanges the provider's code for its claims about the person. */
async function exchangeCodeWithProvider(
  auth: AuthContext,
  flow: Flow,
  answer: URLSearchParams,
): Promise<CallbackFlow> {
  const provider = auth.providers.byName(flow.provider_type);
  if (!provider) throw new AuthError('validation_failed', 'Unsupported provider: provider is not enabled');
  const connection = await auth.providers.connect(provider);
  const address = new URL(provider.redirectUri);
  address.search = answer.toString();
  try {
    const tokens = await oidc.authorizationCodeGrant(connection, address, {
      pkceCodeVerifier: flow.code_verifier,
      expectedState: flow.id,
      idTokenExpected: true,
      ...(!provider.skipNonceCheck && { expectedNonce: nonceOf(auth, flow.id) }),
    });
    const claims = tokens.claims();
    if (!claims) throw new TypeError('the provider sent no ID token');
    // Many issuers keep the address out of the token and return it from their userinfo endpoint.
    const profile =
      claims.email || !connection.serverMetadata().userinfo_endpoint
        ? claims
        : { ...claims, ...(await oidc.fetchUserInfo(connection, tokens.access_token, claims.sub)) };
    return {
      person: readProfile(provider.name, claims.iss, profile),
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
    };
  } catch (cause) {
    throw new AuthError('unexpected_failure', 'Unable to exchange external code', { cause });
  }
}

/** Signs the person in, or links the identity, and returns the address to which the browser is redirected. */
async function completeSignIn(
  context: Context<Env>,
  auth: AuthContext,
  flow: Flow,
  arrival: CallbackFlow,
): Promise<string> {
  const { person, accessToken, refreshToken } = arrival;
  const { signedIn, home } = await auth.authDatabase.transaction(async (query) => {
    const target = flow.linking_target_id;
    const linkingTo = target ? await lockUser(query, target) : undefined;
    if (target && !linkingTo)
      throw new AuthError('user_not_found', 'Linking target user not found', { status: 422 });
    if (linkingTo) {
      refuseBanned(linkingTo);
      // It may have ended while the provider was waited for.
      const session = await sessionOf(query, linkingTo, flow.session_id);
      await requireSecondStep(query, session, 'required to link an identity');
    }
    const signedIn = linkingTo
      ? await linkIdentity(query, auth, context, linkingTo, person)
      : await signInWithIdentity(query, auth, context, person, flow.email_optional);
    const { user } = signedIn;
    if (flow.code_challenge) {
      const code = await issueAuthCode(query, user.id, flow.id, { accessToken, refreshToken });
      return { signedIn, home: withCode(flow.referrer, code) };
    }
    await query('delete from auth.flow_state where id = $1', [flow.id]);
    const session = await openSession(query, auth, context, user, 'oauth');
    const more = {
      provider_token: accessToken,
      ...(refreshToken && { provider_refresh_token: refreshToken }),
    };
    return { signedIn, home: withTokens(flow.referrer, session, more) };
  });
  await notifyIdentityLinked(auth, signedIn, person.provider);
  return home;
}
