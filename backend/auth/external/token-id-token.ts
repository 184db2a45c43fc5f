import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { cutText } from '../../../texts/cut-text.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError, OAuthError } from '../errors.ts';
import { requireSecondStep } from '../sessions/aal.ts';
import { requireSession } from '../sessions/require-session.ts';
import { openSession } from '../sessions/sessions.ts';
import { lockUser, refuseBanned } from '../users.ts';
import { linkIdentity, notifyIdentityLinked, signInWithIdentity } from './accounts.ts';
import { requireManualLinking } from './identities.ts';
import { type ProviderProfile, readProfile } from './profile.ts';
import type { Provider } from './providers.ts';

const longText = z
  .string()
  .max(32_768)
  .nullish()
  .transform((value) => value || undefined);

const body = z.object({
  provider: field.text,
  issuer: field.text,
  client_id: field.text,
  id_token: longText,
  access_token: longText,
  nonce: field.text,
  link_identity: z.boolean().nullish(),
});

type Given = z.output<typeof body>;

/** Google's tokens name their issuer in two ways. */
const ALIASES: Record<string, string[]> = { 'https://accounts.google.com': ['accounts.google.com'] };
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * POST /token?grant_type=id_token: for an app that obtained an ID token itself, for example from Google's
 * button.
 */
export const signInWithIdToken: AuthHandler = async (context, auth) => {
  await auth.rateLimits.signIn(context);
  const given = await readBody(context, body);
  if (!given.id_token) throw new OAuthError('invalid request', 'id_token required');
  if (!given.provider && !(given.client_id && given.issuer))
    throw new OAuthError('invalid request', 'provider or client_id and issuer required');
  const provider = providerOf(auth, given);
  if (given.link_identity) requireManualLinking(auth);

  const person = await verified(auth, provider, given, given.id_token);
  const { linkResult, session } = await auth.authDatabase.transaction(async (query) => {
    if (!given.link_identity) {
      const signedIn = await signInWithIdentity(query, auth, context, person, provider.emailOptional);
      return {
        linkResult: signedIn,
        session: await openSession(query, auth, context, signedIn.user, 'oauth'),
      };
    }
    const { user, session } = await requireSession(context, auth, query, lockUser);
    refuseBanned(user);
    await requireSecondStep(query, session, 'required to link an identity');
    const linked = await linkIdentity(query, auth, context, user, person);
    await recordAuditEvent(query, auth, context, 'login', linked.user);
    return { linkResult: linked, session: await openSession(query, auth, context, linked.user, 'oauth') };
  });
  await notifyIdentityLinked(auth, linkResult, provider.name);
  return context.json(session);
};

/** @throws AuthError provider_disabled or validation_failed */
function providerOf(auth: AuthContext, given: Given): Provider {
  const found = given.provider
    ? auth.providers.byName(given.provider.toLowerCase())
    : auth.providers.all.find((provider) => provider.issuer === given.issuer);
  if (found) return found;
  const settings = auth.config.auth.external[given.provider ?? ''];
  if (settings || given.provider === 'google') {
    const issuer = settings?.url || 'https://accounts.google.com';
    throw new AuthError('provider_disabled', `Provider (issuer "${issuer}") is not enabled`);
  }
  throw new AuthError(
    'validation_failed',
    `Custom OIDC provider "${cutText(given.provider ?? given.issuer ?? '', 100)}" not allowed`,
  );
}

/** @throws OAuthError naming the fault of the token */
async function verified(
  auth: AuthContext,
  provider: Provider,
  given: Given,
  idToken: string,
): Promise<ProviderProfile> {
  const issuer = (await auth.providers.connect(provider)).serverMetadata().issuer;
  const claims = await checkSignature(auth, provider, [issuer, ...(ALIASES[issuer] ?? [])], idToken);
  const audiences = [claims.aud ?? []].flat();
  if (!audiences.some((audience) => provider.clientIds.includes(audience)))
    throw new OAuthError('invalid request', 'Unacceptable audience in id_token');
  if (!provider.skipNonceCheck) checkNonce(claims, given.nonce);
  if (given.access_token && typeof claims.at_hash === 'string')
    checkAccessToken(idToken, given.access_token, claims.at_hash);
  return readProfile(provider.name, issuer, claims);
}

async function checkSignature(
  auth: AuthContext,
  provider: Provider,
  issuers: string[],
  idToken: string,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(idToken, await auth.providers.keysOf(provider), {
      issuer: issuers,
      algorithms: ALGORITHMS,
      clockTolerance: 5,
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
    });
    if (!payload.sub) throw new OAuthError('invalid request', 'Missing sub claim in id_token');
    return payload;
  } catch (cause) {
    if (cause instanceof OAuthError || cause instanceof AuthError) throw cause;
    const unreachable =
      !(cause instanceof errors.JOSEError) ||
      cause instanceof errors.JWKSTimeout ||
      cause.code === 'ERR_JOSE_GENERIC';
    if (unreachable)
      throw new AuthError('unexpected_failure', `Unable to reach the provider ${provider.name}`, { cause });
    throw new OAuthError('invalid request', 'Bad ID token');
  }
}

/** The app keeps the nonce and gives the provider its hash, so that a leaked token alone is useless. */
function checkNonce(claims: JWTPayload, nonce: string | undefined): void {
  const nonceClaim = typeof claims.nonce === 'string' && claims.nonce !== '' ? claims.nonce : undefined;
  if (!nonceClaim !== !nonce) {
    throw new OAuthError(
      'invalid request',
      'Passed nonce and nonce in id_token should either both exist or not.',
    );
  }
  if (nonceClaim && nonce && !equal(createHash('sha256').update(nonce).digest('hex'), nonceClaim))
    throw new OAuthError('invalid nonce', 'Nonces mismatch');
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash that goes with the signature's algorithm. */
function checkAccessToken(idToken: string, accessToken: string, expected: string): void {
  const { alg = '' } = decodeProtectedHeader(idToken);
  const hash = alg === 'EdDSA' ? 'sha512' : `sha${alg.slice(2)}`;
  const digest = createHash(hash).update(accessToken).digest();
  if (!equal(digest.subarray(0, digest.length / 2).toString('base64url'), expected))
    throw new OAuthError('invalid request', 'Bad ID token');
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
