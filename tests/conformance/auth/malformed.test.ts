import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend, withAuth } from '../../backend.ts';
import { type Issuer, startIssuer } from './external/oidc-issuer.ts';
import { member } from './fixtures.ts';

let backend: TestBackend;
let token: string;
beforeAll(async () => {
  backend = await startTestBackend();
  const { client } = await member(backend);
  token = (await client.auth.getSession()).data.session?.access_token ?? '';
});
afterAll(() => backend.stop());

const BODIES = [
  '',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{',
  '{"email":',
  '\u0000',
  '{"email":{}}',
  '{"email":["a@example.org"],"password":["x"]}',
  '{"email":"a@example.org","password":1}',
  '{"email":"a\\u0000@example.org","password":"longer than six"}',
  '{"email":"a@example.org","password":"\\ud800xxxxxx","data":{"\\udc00":1}}',
  '{"email":"a@example.org","type":"\'; drop table users; --","token":"\' or 1=1","token_hash":"%00"}',
  '{"refresh_token":{"a":1},"auth_code":[],"code_verifier":null}',
  '{"refresh_token":"\' or true --","auth_code":"x","code_verifier":"y"}',
  '{"__proto__":{"email":"a@example.org"},"constructor":1}',
  `{"data":${'['.repeat(2000)}${']'.repeat(2000)},"email":"a@example.org","password":"longer than six"}`,
  `{"email":"${'a'.repeat(5000)}@example.org"}`,
  '{"code_challenge":"short","code_challenge_method":"S256","email":"a@example.org","password":"longer than six"}',
];

test.each([
  ['POST', 'signup'],
  ['POST', 'token?grant_type=password'],
  ['POST', 'token?grant_type=refresh_token'],
  ['POST', 'token?grant_type=pkce'],
  ['POST', 'token?grant_type=id_token'],
  ['POST', 'token?grant_type=web3'],
  ['POST', 'token'],
  ['POST', 'otp'],
  ['POST', 'recover'],
  ['POST', 'resend'],
  ['POST', 'verify'],
  ['PUT', 'user'],
  ['POST', 'factors'],
  ['POST', 'factors/x/verify'],
  ['POST', 'factors/00000000-0000-4000-8000-000000000000/challenge'],
  ['POST', 'factors/00000000-0000-4000-8000-000000000000/verify'],
  ['DELETE', 'factors/x'],
  ['POST', 'factors/recovery-codes'],
  ['POST', 'factors/recovery-codes/verify'],
  ['POST', 'factors/recovery-codes/regenerate'],
  ['DELETE', 'factors/recovery-codes'],
  ['DELETE', 'admin/users/x/factors/y'],
  ['POST', 'sso'],
  ['POST', 'invite'],
  ['POST', 'admin/users'],
  ['PUT', 'admin/users/not-a-uuid'],
  ['POST', 'admin/generate_link'],
])('%s /%s answers nonsense with JSON and never with a fault', async (method, path) => {
  for (const key of [undefined, token, backend.serviceRoleKey]) {
    for (const body of BODIES) {
      const response = await fetch(`${backend.url}/auth/v1/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body,
      });
      expect(response.status, `${body.slice(0, 80)} answered ${response.status}`).toBeLessThan(500);
      expect(response.headers.get('content-type')).toContain('application/json');
      await response.json();
    }
  }
});

test.each([
  'verify?token=%00&type=signup',
  "verify?token=' or 1=1&type=recovery",
  'verify?token=a&type=constructor',
  'verify?token=a&type=signup&redirect_to=%00',
  'verify?token=a&type=signup&redirect_to=https://%zz',
  'verify?token[]=a&type[]=b',
  'verify',
  'authorize?provider=%00',
  'admin/users?page=-1',
  'admin/users?page=1e9&per_page=abc',
  'admin/users?page=999999999&per_page=999999999',
  'user?%ff=%fe',
])('GET /%s', async (path) => {
  const response = await fetch(`${backend.url}/auth/v1/${path}`, {
    headers: { authorization: `Bearer ${backend.serviceRoleKey}` },
    redirect: 'manual',
  });
  expect(response.status).toBeLessThan(500);
});

describe('where every door is open', () => {
  let issuer: Issuer;
  let open: TestBackend;
  beforeAll(async () => {
    issuer = await startIssuer();
    open = await startTestBackend(
      {},
      withAuth({
        external: { keycloak: issuer.settings },
        web3: { ethereum: { enabled: true }, solana: { enabled: true } },
        saml: { enabled: true, private_key: '', certificate: '' },
      }),
    );
    issuer.welcome(`${open.url}/auth/v1/callback`);
  });
  afterAll(async () => {
    await open.stop();
    await issuer.close();
  });

  const HOSTILE = [
    ...BODIES,
    '{"provider":"keycloak","id_token":"\\u0000","nonce":{}}',
    `{"provider":"keycloak","id_token":"${'a'.repeat(40_000)}"}`,
    '{"provider":"__proto__","id_token":"a.b.c","access_token":[]}',
    '{"provider":"keycloak","id_token":"eyJhbGciOiJub25lIn0.e30.","link_identity":"yes"}',
    `{"chain":"ethereum","message":"${'x'.repeat(70)}","signature":"0x${'f'.repeat(130)}"}`,
    `{"chain":"solana","message":"${'\\n'.repeat(5000)}","signature":"${'A'.repeat(86)}"}`,
    '{"domain":"%\' or true --","redirect_to":"javascript:1"}',
    `{"provider_id":"${randomUUID()}","skip_http_redirect":1}`,
    '{"type":"saml","metadata_xml":"<a><b></a>","domains":[1],"attribute_mapping":{"keys":[]}}',
    '{"type":"saml","metadata_url":"file:///etc/passwd"}',
  ];

  test.each([
    ['POST', 'token?grant_type=id_token'],
    ['POST', 'token?grant_type=web3'],
    ['POST', 'sso'],
    ['POST', 'admin/sso/providers'],
    ['PUT', `admin/sso/providers/${randomUUID()}`],
    ['DELETE', 'user/identities/%00'],
  ])('%s /%s answers nonsense with JSON and never with a fault', async (method, path) => {
    for (const body of HOSTILE) {
      const response = await fetch(`${open.url}/auth/v1/${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${open.serviceRoleKey}`,
        },
        body,
      });
      expect(response.status, `${body.slice(0, 80)} answered ${response.status}`).toBeGreaterThanOrEqual(400);
      expect(response.status, `${body.slice(0, 80)} answered ${response.status}`).toBeLessThan(500);
      expect(response.headers.get('content-type')).toContain('application/json');
    }
  });

  test.each(['callback', 'sso/saml/acs'])('POST /%s sends back to the site, saying why', async (path) => {
    const forms = [
      ...HOSTILE,
      'SAMLResponse=%00&RelayState=%00',
      'state=%ff&code=%fe',
      'RelayState=x&SAMLResponse=PGEvPg==',
    ];
    for (const body of forms) {
      const response = await fetch(`${open.url}/auth/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
        redirect: 'manual',
      });
      expect(response.status).toBe(303);
      const home = new URL(response.headers.get('location') ?? '');
      expect(home.origin).toBe(open.url);
      expect(home.searchParams.get('error'), body.slice(0, 80)).toMatch(/^(?:invalid_request|server_error)$/);
      expect(home.searchParams.get('error_code')).not.toBe('unexpected_failure');
    }
  });

  test.each([
    'authorize?provider=keycloak&redirect_to=%00&scopes=%00',
    'authorize?provider=keycloak&code_challenge=%00&code_challenge_method=s256',
    'authorize?provider=keycloak&provider=google&login_hint=%ff',
    'user/identities/authorize?provider=keycloak',
    'admin/sso/providers/%00',
  ])('GET /%s', async (path) => {
    const response = await fetch(`${open.url}/auth/v1/${path}`, {
      headers: { authorization: `Bearer ${open.serviceRoleKey}` },
      redirect: 'manual',
    });
    expect(response.status).toBeLessThan(500);
  });
});
