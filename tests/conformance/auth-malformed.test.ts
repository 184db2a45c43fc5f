import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../backend.ts';
import { member } from './auth-people.ts';

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
