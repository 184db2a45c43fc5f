import { createHash, randomUUID } from 'node:crypto';
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { withAuth } from '../../../backend.ts';
import { ownBackend } from '../../own-backend.ts';
import { freshAddress, member, visitor } from '../fixtures.ts';
import { startIssuer } from './oidc-issuer.ts';

const issuer = await startIssuer();
afterAll(() => issuer.close());
const { backend } = await ownBackend(
  {},
  withAuth({
    external: {
      keycloak: issuer.settings,
      careless: { ...issuer.settings, skip_nonce_check: true, email_optional: true },
    },
  }),
);
issuer.welcome(`${backend.url}/auth/v1/callback`);

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const someone = (): JWTPayload => ({ sub: randomUUID(), email: freshAddress(), email_verified: true });
const signIn = (token: string, more: { nonce?: string; access_token?: string; provider?: string } = {}) =>
  visitor(backend).auth.signInWithIdToken({ provider: 'keycloak', token, ...more });

describe('an ID token of the issuer', () => {
  test('signs up, and in', async () => {
    const claims = someone();
    const first = await signIn(await issuer.sign(claims));
    expect(first.error).toBeNull();
    expect(first.data.user).toMatchObject({
      email: claims.email,
      app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
      identities: [{ id: claims.sub, provider: 'keycloak' }],
    });
    const second = await signIn(await issuer.sign(claims));
    expect(second.data.user?.id).toBe(first.data.user?.id);
  });

  test('for another of our apps', async () => {
    expect((await signIn(await issuer.sign({ ...someone(), aud: 'the-app' }))).error).toBeNull();
    expect((await signIn(await issuer.sign({ ...someone(), aud: ['x', 'the-app'] }))).error).toBeNull();
  });

  test('with the nonce whose hash it holds', async () => {
    const token = await issuer.sign({ ...someone(), nonce: sha256('the nonce').toString('hex') });
    expect((await signIn(token, { nonce: 'the nonce' })).error).toBeNull();
    expect((await signIn(token, { nonce: 'another' })).error).toMatchObject({
      status: 400,
      message: 'Nonces mismatch',
    });
    for (const [idToken, nonce] of [
      [token, undefined],
      [await issuer.sign(someone()), 'the nonce'],
    ] as const) {
      expect((await signIn(idToken, nonce ? { nonce } : {})).error).toMatchObject({
        status: 400,
        message: 'Passed nonce and nonce in id_token should either both exist or not.',
      });
    }
    expect((await signIn(token, { provider: 'careless' })).error).toBeNull();
  });

  test('with the access token whose hash it holds', async () => {
    const half = sha256('an access token').subarray(0, 16).toString('base64url');
    const token = await issuer.sign({ ...someone(), at_hash: half });
    expect((await signIn(token, { access_token: 'an access token' })).error).toBeNull();
    expect((await signIn(token, { access_token: 'another' })).error?.message).toBe('Bad ID token');
  });

  test('never joins an account by an address no one verified', async () => {
    const { email } = await member(backend);
    const { error } = await signIn(await issuer.sign({ sub: randomUUID(), email, email_verified: false }));
    expect(error).toMatchObject({ status: 422, code: 'provider_email_needs_verification' });
    const verified = await signIn(await issuer.sign({ sub: randomUUID(), email, email_verified: true }));
    expect(verified.data.user?.email).toBe(email);
  });

  test('may be without an address where that is allowed', async () => {
    const token = await issuer.sign({ sub: randomUUID() });
    expect((await signIn(token)).error?.code).toBe('provider_email_needs_verification');
    const { data, error } = await signIn(token, { provider: 'careless' });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: '', app_metadata: { provider: 'careless' } });
    expect(data.user?.email_confirmed_at).toBeUndefined();
  });
});

describe('refused', () => {
  test.each<[string, () => Promise<string>, string]>([
    ['another audience', () => issuer.sign({ ...someone(), aud: 'x' }), 'Unacceptable audience in id_token'],
    ['no audience', () => issuer.sign({ ...someone(), aud: undefined }), 'Bad ID token'],
    [
      'another issuer',
      () => issuer.sign({ ...someone(), iss: 'https://accounts.google.com' }),
      'Bad ID token',
    ],
    ['an expired token', () => issuer.sign(someone(), '-1m'), 'Bad ID token'],
    ['nobody', () => issuer.sign({ ...someone(), sub: undefined }), 'Bad ID token'],
    ['no signature', async () => unsigned(), 'Bad ID token'],
    ['a stranger’s signature', () => byStranger(), 'Bad ID token'],
    ['our own key for anonymous visitors', async () => backend.anonKey, 'Bad ID token'],
    ['nonsense', async () => 'a.b.c', 'Bad ID token'],
  ])('%s', async (_what, token, message) => {
    const { data, error } = await signIn(await token());
    expect(error).toMatchObject({ status: 400, message });
    expect(data.session).toBeNull();
  });

  const unsigned = () =>
    new UnsecuredJWT({ ...someone(), iss: issuer.url, aud: issuer.clientId })
      .setExpirationTime('1m')
      .encode();
  const byStranger = async () =>
    new SignJWT({ ...someone(), iss: issuer.url, aud: issuer.clientId })
      .setProtectedHeader({ alg: 'RS256', kid: 'first' })
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign((await generateKeyPair('RS256')).privateKey);

  const post = async (body: unknown) => {
    const response = await fetch(`${backend.url}/auth/v1/token?grant_type=id_token`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };

  test('a request without a token, or of no one we know', async () => {
    expect(await post({ provider: 'keycloak' })).toEqual([
      400,
      { error: 'invalid request', error_description: 'id_token required' },
    ]);
    expect(await post({ id_token: 'a.b.c' })).toEqual([
      400,
      { error: 'invalid request', error_description: 'provider or client_id and issuer required' },
    ]);
    expect(await post({ id_token: 'a.b.c', provider: 'google' })).toEqual([
      400,
      {
        code: 400,
        error_code: 'provider_disabled',
        msg: 'Provider (issuer "https://accounts.google.com") is not enabled',
      },
    ]);
    expect(await post({ id_token: 'a.b.c', provider: 'nobody' })).toEqual([
      400,
      { code: 400, error_code: 'validation_failed', msg: 'Custom OIDC provider "nobody" not allowed' },
    ]);
    const token = await issuer.sign(someone());
    const [status] = await post({ id_token: token, issuer: issuer.url, client_id: issuer.clientId });
    expect(status).toBe(200);
  });
});
