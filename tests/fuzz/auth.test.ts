// @module-tag whole

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBackend, type TestBackend } from '../backend.ts';
import { member } from '../conformance/auth/fixtures.ts';
import { type Case, contents, json, nasty, nothingLeaks, sendAll } from './harness.ts';

let backend: TestBackend;
let database: pg.Client;
let token: string;

beforeAll(async () => {
  backend = await startTestBackend();
  database = new pg.Client({ connectionString: backend.databaseUrl });
  await database.connect();
  const { client } = await member(backend);
  token = (await client.auth.getSession()).data.session?.access_token ?? '';
});
afterAll(async () => {
  await database.end();
  await backend.stop();
});

const ID = '11111111-1111-4111-8111-111111111111';
const id = fc.oneof(
  { weight: 3, arbitrary: fc.constant(ID) },
  { weight: 1, arbitrary: nasty.map((text) => encodeURIComponent(text.toWellFormed())) },
);
const fixed = (...routes: string[]) => fc.constantFrom(...routes.map((route) => route.split(' ', 2)));
// Without the routes that would succeed: a missing part of the body tells those apart.
const route = fc.oneof(
  {
    weight: 6,
    arbitrary: fixed(
      'POST signup',
      'POST token',
      'POST otp',
      'POST magiclink',
      'POST verify',
      'GET verify',
      'POST recover',
      'POST resend',
      'GET reauthenticate',
      'GET user',
      'PUT user',
      'GET authorize',
      'GET callback',
      'POST callback',
      'POST factors',
      'POST sso',
      'GET sso/saml/metadata',
      'POST sso/saml/acs',
      'GET settings',
      'GET health',
      'GET .well-known/jwks.json',
      'GET user/identities/authorize',
      'POST passkeys/registration/options',
      'POST passkeys/registration/verify',
      'POST passkeys/authentication/options',
      'POST passkeys/authentication/verify',
      'GET passkeys',
      'POST admin/users',
      'GET admin/users',
      'POST invite',
      'POST admin/generate_link',
      'GET admin/sso/providers',
      'GET admin/audit',
      'GET factors/recovery-codes',
      'POST factors/recovery-codes/verify',
      'GET oauth/authorize',
      'DELETE user',
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('POST', 'DELETE', 'GET', 'PUT'),
        fc.constantFrom(
          'factors/ID',
          'factors/ID/challenge',
          'factors/ID/verify',
          'user/identities/ID',
          'admin/users/ID',
          'admin/users/ID/factors',
          'admin/sso/providers/ID',
        ),
        id,
      )
      .map(([method, path, one]) => [method, path.replace('ID', one)]),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
      nasty.map((text) => encodeURIComponent(text.toWellFormed())),
    ),
  },
);

// Nearly never an address with a password: comparing one takes a twentieth of a second, on purpose.
const text = fc.oneof(
  { weight: 3, arbitrary: nasty },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'signup',
      'recovery',
      'email',
      'sms',
      'totp',
      'phone',
      'google',
      'ethereum',
      's256',
      'plain',
      ID,
      'x'.repeat(43),
      '+441234567890',
    ),
  },
);
const field = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const body = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .dictionary(
        fc.constantFrom(
          'phone',
          'token',
          'token_hash',
          'type',
          'refresh_token',
          'auth_code',
          'code_verifier',
          'id_token',
          'provider',
          'nonce',
          'chain',
          'message',
          'signature',
          'data',
          'code_challenge',
          'code_challenge_method',
          'create_user',
          'channel',
          'factor_type',
          'friendly_name',
          'issuer',
          'challenge_id',
          'code',
          'current_password',
          'domain',
          'provider_id',
          'redirect_to',
          'gotrue_meta_security',
          'app_metadata',
          'role',
          'SAMLResponse',
          'RelayState',
        ),
        field,
        { maxKeys: 6 },
      )
      .map((fields) => JSON.stringify(fields)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(nasty, fc.constantFrom('email', 'new_email'))
      .map(([address, name]) => JSON.stringify({ [name]: address, password: 'a', type: 'signup' })),
  },
  { weight: 2, arbitrary: json },
);
const query = fc
  .dictionary(
    fc.constantFrom(
      'grant_type',
      'token',
      'type',
      'redirect_to',
      'provider',
      'code',
      'state',
      'error',
      'scopes',
      'code_challenge',
      'code_challenge_method',
      'page',
      'per_page',
      'skip_http_redirect',
      'download',
    ),
    fc.oneof(
      text,
      fc.constantFrom(
        'password',
        'refresh_token',
        'pkce',
        'id_token',
        'web3',
        'https://elsewhere.example',
        'javascript:alert(1)',
        '-1',
        '999999999999',
      ),
    ),
    { maxKeys: 4 },
  )
  .map((fields) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
      .join('&'),
  );

const cases = fc
  .record({
    route,
    body,
    query,
    who: fc.nat(5),
    type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', ''),
    version: fc.boolean(),
  })
  .map(
    ({ route: [method = 'GET', path], body, query, who, type, version }): Case => ({
      method,
      path: `/auth/v1/${path}?${query}`,
      headers: {
        ...(type ? { 'content-type': type } : {}),
        ...(version ? { 'x-supabase-api-version': '2024-01-01' } : {}),
        ...(who < 3 ? { authorization: `Bearer ${token}` } : {}),
        ...(who === 4 ? { authorization: `Bearer ${'a'.repeat(2000)}` } : {}),
        ...(who === 5 ? { authorization: `Bearer ${token.replace(/\.[^.]*$/, '.AAAA')}` } : {}),
      },
      body: method === 'GET' || method === 'HEAD' ? undefined : body,
    }),
  );

it('sign-in answers every request with something better than a fault, and lets no one in or out by it', async () => {
  const guarded = [
    'auth.users',
    'auth.identities',
    'auth.sessions',
    'auth.refresh_tokens',
    'public.profiles',
    'public.user_roles',
  ];
  // Requests in a user's own name are allowed: these columns record them.
  const people =
    '(select id, email, encrypted_password, phone, role, raw_app_meta_data, banned_until, deleted_at from auth.users)';
  const before = await contents(database, [people, ...guarded.slice(1)]);
  const statuses = await sendAll(backend.url, cases, 0.12);
  expect(await contents(database, [people, ...guarded.slice(1)])).toEqual(before);
  await nothingLeaks(database);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 303, 400, 401, 403, 404, 422]));
});
