import { describe, expect, test } from 'vitest';
import { ownBackend } from '../own-backend.ts';
import {
  byPassword,
  follow,
  freshAddress,
  lastMailTo,
  member,
  operator,
  overtaken,
  PASSWORD,
  visitor,
} from './fixtures.ts';

const { backend, database } = await ownBackend();

async function signIn(email: string) {
  const { data, error } = await byPassword(backend, { email });
  if (error) throw error;
  return data.session;
}

const refresh = (token: string) => visitor(backend).auth.refreshSession({ refresh_token: token });

/** As if the token had been replaced a while ago. */
const aged = (token: string, seconds: number) =>
  database.query(
    `update auth.refresh_tokens set updated_at = updated_at - make_interval(secs => $2) where token = $1`,
    [token, seconds],
  );

describe('a sign-in that is under way', () => {
  const withPassword = async (email: string) => () => byPassword(backend, { email });
  const withCode = async (email: string) => {
    await visitor(backend).auth.signInWithOtp({ email });
    const { code } = await lastMailTo(backend, email);
    return () => visitor(backend).auth.verifyOtp({ email, token: code, type: 'email' });
  };
  const withPkce = async (email: string) => {
    const tab = visitor(backend, { flowType: 'pkce' });
    await tab.auth.signInWithOtp({ email });
    const home = await follow((await lastMailTo(backend, email)).link);
    return () => tab.auth.exchangeCodeForSession(home.searchParams.get('code') ?? '');
  };

  test.each([
    { way: 'a password', begin: withPassword, event: 'a new password', code: 'invalid_credentials' },
    { way: 'a password', begin: withPassword, event: 'a ban', code: 'user_banned' },
    { way: 'a password', begin: withPassword, event: 'its disabling', code: 'user_banned' },
    { way: 'a password', begin: withPassword, event: 'nothing', code: undefined },
    { way: 'a mailed code', begin: withCode, event: 'a new password', code: 'otp_expired' },
    { way: 'a mailed code', begin: withCode, event: 'a ban', code: 'user_banned' },
    { way: 'a mailed code', begin: withCode, event: 'nothing', code: undefined },
    { way: 'a link of this browser', begin: withPkce, event: 'a new password', code: 'flow_state_not_found' },
    { way: 'a link of this browser', begin: withPkce, event: 'a ban', code: 'user_banned' },
    { way: 'a link of this browser', begin: withPkce, event: 'nothing', code: undefined },
  ] as const)('by $way, overtaken by $event', async ({ begin, event, code }) => {
    const { email, id } = await member(backend);
    const { error } = await overtaken(backend, id, event, await begin(email));
    expect(error?.code).toBe(code);
  });
});

describe('password', () => {
  test('signs in with the claims the client reads', async () => {
    const { email, id } = await member(backend);
    const tab = visitor(backend);
    const { data } = await tab.auth.signInWithPassword({
      email: ` ${email.toUpperCase()} `,
      password: PASSWORD,
    });
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { id, email } });
    expect(data.session?.expires_at).toBeGreaterThan(Date.now() / 1000 + 3500);
    const { data: verified, error } = await tab.auth.getClaims();
    expect(error).toBeNull();
    expect(verified?.header).toMatchObject({ alg: 'ES256', kid: expect.any(String) });
    expect(verified?.claims).toMatchObject({
      iss: `${backend.url}/auth/v1`,
      sub: id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      is_anonymous: false,
    });
    const { data: level } = await tab.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
  });

  test('says the same of a wrong password and of no one', async () => {
    const { email } = await member(backend);
    for (const address of [email, freshAddress()]) {
      const { error } = await byPassword(backend, { email: address }, 'not this one');
      expect(error).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      });
    }
  });

  test('a long password is not cut', async () => {
    const { email, id } = await member(backend);
    const long = 'é'.repeat(60);
    await operator(backend).auth.admin.updateUserById(id, { password: `${long}1` });
    const other = await byPassword(backend, { email }, `${long}2`);
    expect(other.error?.code).toBe('invalid_credentials');
    const right = await byPassword(backend, { email }, `${long}1`);
    expect(right.error).toBeNull();
  });
});

describe('refresh', () => {
  test('gives a new token each time', async () => {
    const { email } = await member(backend);
    const first = await signIn(email);
    const second = await refresh(first.refresh_token);
    expect(second.error).toBeNull();
    expect(second.data.session?.refresh_token).not.toBe(first.refresh_token);
    const third = await refresh(second.data.session?.refresh_token ?? '');
    expect(third.error).toBeNull();
  });

  test('two tabs that refresh at once both stay signed in', async () => {
    const { email } = await member(backend);
    const { refresh_token: token } = await signIn(email);
    const tabs = await Promise.all(Array.from({ length: 8 }, () => refresh(token)));
    const tokens = new Set(tabs.map((tab) => tab.data.session?.refresh_token));
    expect(tabs.map((tab) => tab.error)).toEqual(Array(8).fill(null));
    // One token was issued, and all requests returned it.
    expect(tokens.size).toBe(1);
    for (const next of tokens) expect((await refresh(next ?? '')).error).toBeNull();
  });

  test('a token used before its successor is forgiven within ten seconds, and ends the session later', async () => {
    const { email } = await member(backend);
    const { refresh_token: first } = await signIn(email);
    const second = (await refresh(first)).data.session?.refresh_token ?? '';
    const third = (await refresh(second)).data.session?.refresh_token ?? '';
    const late = await refresh(first);
    expect(late.error).toBeNull();

    await aged(first, 11);
    const stolen = await refresh(first);
    expect(stolen.error).toMatchObject({ status: 400, code: 'refresh_token_already_used' });
    for (const token of [second, third, late.data.session?.refresh_token ?? '']) {
      expect((await refresh(token)).error).toMatchObject({ status: 400, code: 'refresh_token_already_used' });
    }
  });

  test('an answer that never arrived can be fetched again, however late', async () => {
    const { email } = await member(backend);
    const { refresh_token: first } = await signIn(email);
    const second = (await refresh(first)).data.session?.refresh_token;
    await aged(first, 3600);
    expect((await refresh(first)).data.session?.refresh_token).toBe(second);
  });

  test.each([['nobody-s-token'], [`x'; drop table users`]])('an unknown token: %s', async (token) => {
    expect((await refresh(token)).error).toMatchObject({
      status: 400,
      code: 'refresh_token_not_found',
      message: 'Invalid Refresh Token: Refresh Token Not Found',
    });
  });

  test('no token at all is an OAuth error', async () => {
    const response = await fetch(`${backend.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: 'refresh_token required',
    });
  });
});

describe('sign-out', () => {
  test.each([
    ['local', ['session_not_found', null]],
    ['others', [null, 'session_not_found']],
    ['global', ['session_not_found', 'session_not_found']],
  ] as const)('%s', async (scope, expected) => {
    const { email, client } = await member(backend);
    const other = await signIn(email);
    const here = (await client.auth.getSession()).data.session?.access_token ?? '';
    await client.auth.signOut({ scope });
    const codes = [];
    for (const token of [here, other.access_token]) {
      const response = await fetch(`${backend.url}/auth/v1/user`, {
        headers: { authorization: `Bearer ${token}`, 'x-supabase-api-version': '2024-01-01' },
      });
      const body = await response.json();
      if (body.code) expect(response.status).toBe(403);
      codes.push(body.code ?? null);
    }
    expect(codes).toEqual(expected);
    const refreshed = await refresh(other.refresh_token);
    expect(refreshed.error?.code ?? null).toBe(scope === 'local' ? null : 'refresh_token_not_found');
  });
});

describe('GET /user', () => {
  const get = async (authorization?: string) => {
    const response = await fetch(`${backend.url}/auth/v1/user`, {
      headers: authorization ? { authorization } : {},
    });
    return [response.status, await response.json()];
  };

  test('wants a signed-in person', async () => {
    expect(await get()).toEqual([
      401,
      { code: 401, error_code: 'no_authorization', msg: 'This endpoint requires a valid Bearer token' },
    ]);
    expect(await get('Bearer nonsense')).toEqual([403, expect.objectContaining({ error_code: 'bad_jwt' })]);
    expect(await get(`Bearer ${backend.anonKey}`)).toEqual([
      403,
      expect.objectContaining({ error_code: 'bad_jwt' }),
    ]);
  });

  test('forgets a deleted person at once', async () => {
    const { client, id } = await member(backend);
    expect((await operator(backend).auth.admin.deleteUser(id)).error).toBeNull();
    const { error } = await client.auth.getUser();
    expect(error).toMatchObject({ status: 403, code: 'user_not_found' });
  });
});

test('keys are open, and none of them signs', async () => {
  const { keys } = await (await fetch(`${backend.url}/auth/v1/.well-known/jwks.json`)).json();
  expect(keys).toEqual([
    expect.objectContaining({
      alg: 'ES256',
      kid: expect.any(String),
      key_ops: ['verify'],
      x: expect.any(String),
    }),
  ]);
  expect(keys[0].d).toBeUndefined();
});

test.each([
  ['GET', 'authorize?provider=google', 400, 'validation_failed'],
  ['POST', 'token?grant_type=id_token', 400, undefined],
  ['POST', 'token?grant_type=web3', 422, 'web3_provider_disabled'],
  ['POST', 'token?grant_type=nonsense', 400, 'invalid_credentials'],
  ['POST', 'sso', 404, 'saml_provider_disabled'],
  ['POST', 'factors', 401, 'no_authorization'],
  ['GET', 'user/identities/authorize?provider=google', 401, 'no_authorization'],
  ['GET', 'passkeys', 401, 'no_authorization'],
  ['POST', 'oauth/token', 404, 'feature_disabled'],
  ['GET', 'nothing-here', 404, 'not_found'],
])('%s /%s is refused cleanly', async (method, path, status, code) => {
  const response = await fetch(`${backend.url}/auth/v1/${path}`, {
    method,
    ...(method === 'POST' && { body: '{"a":1}' }),
  });
  expect(response.status).toBe(status);
  expect((await response.json()).error_code).toBe(code);
});
