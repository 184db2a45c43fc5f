import { createServer } from 'node:http';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { withAuth } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import { freshAddress, listening, operator, PASSWORD } from './fixtures.ts';

/** The requests to the captcha's provider, and its response to all but the right answer. */
let verifications: Record<string, string>[] = [];
let mood: 'well' | 'ill' = 'well';
const provider = createServer(async (request, response) => {
  let sent = '';
  for await (const chunk of request) sent += chunk;
  const form = Object.fromEntries(new URLSearchParams(sent));
  verifications.push(form);
  if (mood === 'ill') {
    response.writeHead(502).end('<html>');
    return;
  }
  const success = form.response === 'solved';
  response.end(
    JSON.stringify(success ? { success } : { success, 'error-codes': ['invalid-input-response'] }),
  );
});

const host = await listening(provider);
afterAll(() => provider.close());
const { backend } = await ownBackend(
  {},
  withAuth({
    captcha: {
      enabled: true,
      provider: 'turnstile',
      secret: 'the secret',
      url: `http://${host}/siteverify`,
    },
    saml: { enabled: true, private_key: '', certificate: '' },
  }),
);
const email = freshAddress();
await operator(backend).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
beforeEach(() => {
  verifications = [];
  mood = 'well';
});

const tab = () => createClient(backend.url, backend.anonKey, { auth: { persistSession: false } }).auth;

/** Every unauthenticated endpoint, called with a captcha token. */
const DOORS: [string, (captchaToken?: string) => PromiseLike<{ error: unknown }>][] = [
  ['signUp', (t) => tab().signUp({ email: freshAddress(), password: PASSWORD, ...options(t) })],
  ['signInWithPassword', (t) => tab().signInWithPassword({ email, password: PASSWORD, ...options(t) })],
  ['signInWithOtp', (t) => tab().signInWithOtp({ email: freshAddress(), ...options(t) })],
  ['resetPasswordForEmail', (t) => tab().resetPasswordForEmail(freshAddress(), options(t).options)],
  ['resend', (t) => tab().resend({ type: 'signup', email: freshAddress(), ...options(t) })],
];
const options = (captchaToken?: string) => (captchaToken ? { options: { captchaToken } } : {});

test.each(DOORS)('%s opens to whoever solved it', async (_name, knock) => {
  expect((await knock('solved')).error).toBeNull();
  expect(verifications).toEqual([{ secret: 'the secret', response: 'solved', remoteip: '127.0.0.1' }]);
});

test.each(DOORS)('%s stays shut otherwise', async (_name, knock) => {
  expect((await knock()).error).toMatchObject({
    status: 400,
    code: 'captcha_failed',
    message: 'captcha protection: request disallowed (no captcha_token found)',
  });
  expect(verifications).toEqual([]);
  expect((await knock('guessed')).error).toMatchObject({
    status: 400,
    code: 'captcha_failed',
    message: 'captcha protection: request disallowed (invalid-input-response)',
  });
  mood = 'ill';
  expect((await knock('solved')).error).toMatchObject({
    status: 500,
    message: 'captcha verification process failed',
  });
});

test('single sign-on and wallets ask for it too', async () => {
  for (const path of ['sso', 'token?grant_type=web3', 'token?grant_type=password', 'magiclink']) {
    const response = await fetch(`${backend.url}/auth/v1/${path}`, { method: 'POST', body: '{}' });
    expect([response.status, (await response.json()).error_code], path).toEqual([400, 'captcha_failed']);
  }
});

test('who is already in, and the service key, are not asked', async () => {
  const client = tab();
  const { data } = await client.signInWithPassword({ email, password: PASSWORD, ...options('solved') });
  verifications = [];
  const refreshed = await client.refreshSession({ refresh_token: data.session?.refresh_token ?? '' });
  expect(refreshed.error).toBeNull();
  expect((await operator(backend).auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  expect(verifications).toEqual([]);
});
