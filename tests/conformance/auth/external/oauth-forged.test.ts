import { createServer } from 'node:http';
import {
  base64url,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend, withAuth } from '../../../backend.ts';
import { fragmentOf, freshAddress, listening, openBrowser } from '../fixtures.ts';

/** An issuer whose statements the test decides. */
let issuer: string;
let answer: Record<string, unknown> = {};
/** The blanks behind its answers. */
let trailing = 0;
let keys: { keys: JWK[] };
let signingKey: CryptoKey;
let strangersKey: CryptoKey;
let backend: TestBackend;

const server = createServer((request, response) => {
  const pages: Record<string, unknown> = {
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'none'],
    },
    '/keys': keys,
    '/token': { access_token: 'a token', token_type: 'bearer', expires_in: 60, ...answer },
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(pages[request.url ?? ''] ?? {}) + ' '.repeat(trailing));
});

beforeAll(async () => {
  issuer = `http://${await listening(server)}`;
  const pair = await generateKeyPair('RS256');
  signingKey = pair.privateKey;
  strangersKey = (await generateKeyPair('RS256')).privateKey;
  keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] };
  backend = await startTestBackend(
    {},
    withAuth({
      external: {
        elsewhere: {
          enabled: true,
          client_id: 'the-site',
          secret: 'secret',
          url: issuer,
          redirect_uri: '',
          skip_nonce_check: false,
          email_optional: false,
        },
      },
    }),
  );
});
afterAll(async () => {
  await backend.stop();
  server.close();
});

interface Lie {
  claims?: (rightful: JWTPayload) => JWTPayload;
  key?: () => CryptoKey;
  token?: (claims: JWTPayload) => string | undefined;
}

/** Goes through a whole sign-in in which the issuer makes this false statement. */
async function signInWith({ claims, key, token }: Lie): Promise<URL> {
  const browser = openBrowser();
  const redirect = await browser(`${backend.url}/auth/v1/authorize?provider=elsewhere`);
  const authorizeParams = new URL(redirect.headers.get('location') ?? '').searchParams;
  const now = Math.floor(Date.now() / 1000);
  const rightful: JWTPayload = {
    iss: issuer,
    aud: 'the-site',
    sub: crypto.randomUUID(),
    iat: now,
    exp: now + 60,
    nonce: authorizeParams.get('nonce'),
    email: freshAddress(),
    email_verified: true,
  };
  const payload = claims?.(rightful) ?? rightful;
  answer = {
    id_token: token
      ? token(payload)
      : await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key?.() ?? signingKey),
  };
  const back = await browser(`${backend.url}/auth/v1/callback?code=x&state=${authorizeParams.get('state')}`);
  return new URL(back.headers.get('location') ?? '');
}

test('an honest issuer is believed', async () => {
  expect(fragmentOf(await signInWith({})).get('access_token')).toBeTruthy();
});

test('an issuer that says more than a megabyte is not', async () => {
  trailing = 2 * 1024 * 1024;
  const home = await signInWith({});
  trailing = 0;
  expect(home.searchParams.get('error_description')).toBe('Unable to exchange external code');
});

const withHeader = (header: Record<string, unknown>) => (claims: JWTPayload) =>
  [header, claims]
    .map((part) => base64url.encode(JSON.stringify(part)))
    .join('.')
    .concat('.AAAA');

test.each<[string, Lie]>([
  ['another nonce', { claims: (rightful) => ({ ...rightful, nonce: 'another' }) }],
  ['no nonce', { claims: ({ nonce: _, ...rest }) => rest }],
  ['another audience', { claims: (rightful) => ({ ...rightful, aud: 'another-site' }) }],
  ['another issuer', { claims: (rightful) => ({ ...rightful, iss: 'https://accounts.google.com' }) }],
  ['an expired token', { claims: (rightful) => ({ ...rightful, exp: (rightful.iat ?? 0) - 120 }) }],
  ['no expiry', { claims: ({ exp: _, ...rest }) => rest }],
  ['nobody in particular', { claims: ({ sub: _, ...rest }) => rest }],
  ['a stranger’s signature', { key: () => strangersKey }],
  ['no signature at all', { token: (claims) => new UnsecuredJWT(claims).encode() }],
  ['a secret as signature', { token: withHeader({ alg: 'HS256', kid: 'k' }) }],
  ['a signature that is none', { token: withHeader({ alg: 'RS256', kid: 'k' }) }],
  ['no ID token', { token: () => undefined }],
])('an issuer that sends %s is not', async (_lie, lie) => {
  const home = await signInWith(lie);
  expect(home.searchParams.get('error_code')).toBe('unexpected_failure');
  expect(home.searchParams.get('error_description')).toBe('Unable to exchange external code');
  expect(fragmentOf(home).get('access_token')).toBeNull();
});
