import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestBackend, withAuth } from '../../../backend.ts';
import { ownBackend } from '../../own-backend.ts';
import {
  browserOf,
  byPassword,
  enter,
  fragmentOf,
  freshAddress,
  mailsTo,
  member,
  openBrowser,
  operator,
  PASSWORD,
  visitor,
} from '../fixtures.ts';
import { follow, startIssuer } from './oidc-issuer.ts';

const issuer = await startIssuer();
afterAll(() => issuer.close());
const { backend, database } = await ownBackend(
  {},
  withAuth({
    additional_redirect_urls: ['https://app.example.org/**'],
    external: { keycloak: issuer.settings },
  }),
);
issuer.welcome(`${backend.url}/auth/v1/callback`);

/** A user the issuer knows. */
function person(email: string, claims: Record<string, unknown> = {}): string {
  const id = randomUUID();
  issuer.people[id] = { email, email_verified: true, name: 'Ada Limb', ...claims };
  return id;
}

const isHome = (url: URL) => url.origin !== issuer.url && !url.pathname.startsWith('/auth/v1/');

/** Leaves for the issuer by the client's redirect, and comes back. */
async function authorize(
  client: SupabaseClient,
  who: string,
  options: { redirectTo?: string; scopes?: string } = {},
): Promise<URL> {
  const { data, error } = await client.auth.signInWithOAuth({
    provider: 'keycloak',
    options: { skipBrowserRedirect: true, queryParams: { login_hint: who }, ...options },
  });
  if (error) throw error;
  return follow(data.url, isHome, browserOf(client));
}

/** Signs in by the implicit flow and keeps the session. */
async function signInWithProvider(who: string) {
  const client = visitor(backend);
  const fragment = fragmentOf(await authorize(client, who));
  const { data, error } = await enter(client, fragment);
  if (error || !data.user) throw new Error(fragment.toString(), { cause: error });
  return { client, user: data.user };
}

const refusalOf = (url: URL) =>
  Object.fromEntries([...url.searchParams].filter(([name]) => name.startsWith('error')));

describe('signing up with a provider', () => {
  test('implicit: the session is in the fragment, with the provider’s token', async () => {
    const email = freshAddress();
    const who = person(email, { picture: 'https://pictures.example.org/ada.png' });
    const home = await authorize(visitor(backend), who);
    expect(home.origin).toBe(backend.url);
    expect(home.search).toBe('');
    const fragment = fragmentOf(home);
    expect(Object.fromEntries(fragment)).toEqual({
      access_token: expect.any(String),
      expires_at: expect.stringMatching(/^\d+$/),
      expires_in: '3600',
      provider_token: expect.any(String),
      refresh_token: expect.any(String),
      sb: '',
      token_type: 'bearer',
    });
    const client = visitor(backend);
    const { data } = await enter(client, fragment);
    const claims = {
      iss: issuer.url,
      sub: who,
      provider_id: who,
      name: 'Ada Limb',
      full_name: 'Ada Limb',
      picture: 'https://pictures.example.org/ada.png',
      avatar_url: 'https://pictures.example.org/ada.png',
      email,
      email_verified: true,
      phone_verified: false,
    };
    expect(data.user).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      last_sign_in_at: expect.any(String),
      app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
      user_metadata: claims,
      identities: [{ id: who, provider: 'keycloak', identity_data: claims, email }],
    });
    const { data: token } = await client.auth.getClaims();
    expect(token?.claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'oauth' }], email });
    const { rows } = await database.query('select id from public.profiles where id = $1', [data.user?.id]);
    expect(rows).toHaveLength(1);
  });

  test('PKCE: a code comes back that only this client can exchange, once', async () => {
    const client = visitor(backend, { flowType: 'pkce' });
    const home = await authorize(client, person(freshAddress()));
    expect(home.hash).toBe('');
    const code = home.searchParams.get('code') ?? '';
    const stranger = visitor(backend, { flowType: 'pkce' });
    await authorize(stranger, person(freshAddress()));
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ provider_token: expect.any(String) });
    const again = await fetch(`${backend.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      body: JSON.stringify({ auth_code: code, code_verifier: 'a'.repeat(43) }),
    });
    expect((await again.json()).error_code).toBe('flow_state_not_found');

    const second = (await authorize(client, person(freshAddress()))).searchParams.get('code') ?? '';
    const stolen = await stranger.auth.exchangeCodeForSession(second);
    expect(stolen.error?.code).toBe('bad_code_verifier');
  });

  test('comes back to the same account, with what the provider says now', async () => {
    const email = freshAddress();
    const who = person(email);
    const first = await signInWithProvider(who);
    issuer.people[who] = { email, email_verified: true, name: 'Ada Byron' };
    const second = await signInWithProvider(who);
    expect(second.user.id).toBe(first.user.id);
    expect(second.user.user_metadata).toMatchObject({ name: 'Ada Byron' });
    expect(second.user.identities?.[0]?.identity_data).toMatchObject({ name: 'Ada Byron' });
    expect(Date.parse(second.user.last_sign_in_at ?? '')).toBeGreaterThan(
      Date.parse(first.user.last_sign_in_at ?? ''),
    );
  });

  test('two at once make one account', async () => {
    const who = person(freshAddress());
    const homes = await Promise.all([1, 2, 3].map(() => signInWithProvider(who)));
    expect(new Set(homes.map(({ user }) => user.id)).size).toBe(1);
  });

  test('is refused where sign-ups are closed; members still come in', async () => {
    const who = person(freshAddress());
    const closed = await startTestBackend(
      {},
      withAuth({ enable_signup: false, external: { keycloak: issuer.settings } }),
    );
    try {
      issuer.welcome(`${closed.url}/auth/v1/callback`);
      const home = await authorize(visitor(closed), who);
      expect(refusalOf(home)).toEqual({
        error: 'access_denied',
        error_code: 'signup_disabled',
        error_description: 'Signups not allowed for this instance',
      });
      expect(fragmentOf(home).get('error_code')).toBe('signup_disabled');
      await operator(closed).auth.admin.createUser({
        email: String(issuer.people[who]?.email),
        email_confirm: true,
      });
      expect(fragmentOf(await authorize(visitor(closed), who)).get('access_token')).toBeTruthy();
    } finally {
      issuer.welcome(`${backend.url}/auth/v1/callback`);
      await closed.stop();
    }
  });
});

describe('one address, two ways in', () => {
  test('a verified address joins the confirmed account', async () => {
    const { email, id } = await member(backend);
    const { user } = await signInWithProvider(person(email.toUpperCase()));
    expect(user.id).toBe(id);
    expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email', 'keycloak'] });
    expect(user.identities?.map(({ provider }) => provider)).toEqual(['email', 'keycloak']);
    const { error } = await byPassword(backend, { email });
    expect(error).toBeNull();
    expect((await mailsTo(backend, email))[0]?.subject).toBe('A new way to sign in was added');
  });

  test('an account with a second step gets no other way in without it', async () => {
    const { email, client } = await member(backend);
    const factor = (await client.auth.mfa.enroll({ factorType: 'totp' })).data;
    const app = new TOTP({ secret: Secret.fromBase32(factor?.totp.secret ?? '') });
    const verified = await client.auth.mfa.challengeAndVerify({
      factorId: factor?.id ?? '',
      code: app.generate(),
    });
    expect(verified.error).toBeNull();
    const home = await authorize(visitor(backend), person(email));
    expect(refusalOf(home)).toMatchObject({ error_code: 'insufficient_aal' });
    const { data } = await client.auth.getUserIdentities();
    expect(data?.identities.map(({ provider }) => provider)).toEqual(['email']);
  });

  test.each([false, undefined, 'false'])(
    'an address the provider has not verified (%s) does not',
    async (verified) => {
      const { email, id } = await member(backend);
      const home = await authorize(visitor(backend), person(email, { email_verified: verified }));
      expect(refusalOf(home)).toMatchObject({
        error: 'access_denied',
        error_code: 'provider_email_needs_verification',
      });
      const unknown = await authorize(visitor(backend), person(freshAddress(), { email_verified: verified }));
      expect(refusalOf(unknown)).toEqual(refusalOf(home));
      const { rows } = await database.query('select provider from auth.identities where user_id = $1', [id]);
      expect(rows).toEqual([{ provider: 'email' }]);
    },
  );

  test('whoever registered an address before its owner came has no way in left', async () => {
    const email = freshAddress();
    const squatter = visitor(backend, { flowType: 'pkce' });
    await squatter.auth.signUp({ email, password: PASSWORD, options: { data: { full_name: 'Mallory' } } });
    const { user } = await signInWithProvider(person(email));
    expect(user.email_confirmed_at).toBeTruthy();
    expect(user.identities?.map(({ provider }) => provider)).toEqual(['keycloak']);
    expect(user.app_metadata).toEqual({ provider: 'keycloak', providers: ['keycloak'] });
    expect(user.user_metadata.full_name).toBe('Ada Limb');
    const { error } = await byPassword(backend, { email });
    expect(error?.code).toBe('invalid_credentials');
    for (const table of ['one_time_tokens', 'flow_state']) {
      const { rowCount } = await database.query(`select from auth.${table} where user_id = $1`, [user.id]);
      expect(rowCount, table).toBe(0);
    }
  });

  test('a banned member stays out', async () => {
    const who = person(freshAddress());
    const { user } = await signInWithProvider(who);
    await operator(backend).auth.admin.updateUserById(user.id, { ban_duration: '1h' });
    expect(refusalOf(await authorize(visitor(backend), who))).toEqual({
      error: 'access_denied',
      error_code: 'user_banned',
      error_description: 'User is banned',
    });
    const { email, id } = await member(backend);
    await operator(backend).auth.admin.updateUserById(id, { ban_duration: '1h' });
    expect(refusalOf(await authorize(visitor(backend), person(email))).error_code).toBe('user_banned');
  });

  test('an address is needed', async () => {
    const home = await authorize(visitor(backend), person('', { email: undefined }));
    expect(refusalOf(home).error_code).toBe('provider_email_needs_verification');
  });
});

describe('where people are sent', () => {
  test.each([
    ['https://app.example.org/welcome?x=1', 'https://app.example.org'],
    ['https://evil.example.com/', undefined],
    ['//evil.example.com', undefined],
    ['https://app.example.org.evil.example.com/', undefined],
    ['javascript:alert(1)', undefined],
  ])('%s', async (redirectTo, origin) => {
    const home = await authorize(visitor(backend), person(freshAddress()), { redirectTo });
    expect(home.origin).toBe(origin ?? backend.url);
    expect(fragmentOf(home).get('access_token')).toBeTruthy();
    if (origin) expect(home.searchParams.get('x')).toBe('1');
  });

  test('to the provider with our own parameters, whatever else is asked', async () => {
    const authorizeUrl = new URL(`${backend.url}/auth/v1/authorize`);
    authorizeUrl.search = new URLSearchParams({
      provider: 'keycloak',
      scopes: 'phone,address',
      prompt: 'login',
      redirect_uri: 'https://evil.example.com',
      Client_ID: 'evil',
      state: 'evil',
      nonce: 'evil',
    }).toString();
    const response = await fetch(authorizeUrl, { redirect: 'manual' });
    expect(response.status).toBe(302);
    const url = new URL(response.headers.get('location') ?? '');
    expect(url.origin).toBe(issuer.url);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: issuer.clientId,
      response_type: 'code',
      redirect_uri: `${backend.url}/auth/v1/callback`,
      scope: 'openid email profile phone address',
      prompt: 'login',
      state: expect.stringMatching(/^[0-9a-f-]{36}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{56}$/),
      code_challenge: expect.any(String),
      code_challenge_method: 'S256',
    });
  });

  test('back with the provider’s refusal', async () => {
    const home = await authorize(visitor(backend), 'nobody', { redirectTo: 'https://app.example.org/in' });
    expect(`${home.origin}${home.pathname}`).toBe('https://app.example.org/in');
    const providerError = { error: 'access_denied', error_description: 'They would rather not' };
    expect(refusalOf(home)).toEqual(providerError);
    expect(Object.fromEntries(fragmentOf(home))).toEqual({ ...providerError, sb: '' });
  });
});

test.each([
  ['provider=google', 'Unsupported provider: provider is not enabled'],
  ['provider=no-such', 'Unsupported provider: provider is not enabled'],
  ['provider=constructor', 'Unsupported provider: provider is not enabled'],
  ['', 'Unsupported provider: missing provider'],
  ['provider=keycloak&code_challenge=abc', 'PKCE flow requires code_challenge_method and code_challenge'],
  [
    'provider=keycloak&code_challenge=abc&code_challenge_method=md5',
    'code_challenge_method: must be s256 or plain',
  ],
])('/authorize?%s is refused', async (query, msg) => {
  const response = await fetch(`${backend.url}/auth/v1/authorize?${query}`, { redirect: 'manual' });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ code: 400, error_code: 'validation_failed', msg });
});

describe('the state', () => {
  const callback = async (query: string) => {
    const response = await fetch(`${backend.url}/auth/v1/callback?${query}`, { redirect: 'manual' });
    expect(response.status).toBe(303);
    const home = new URL(response.headers.get('location') ?? '');
    expect(home.origin).toBe(backend.url);
    return refusalOf(home);
  };

  test.each([
    ['code=x', 'bad_oauth_callback', 'OAuth state parameter missing'],
    ['code=x&state=forged', 'bad_oauth_state', 'OAuth state parameter is invalid'],
    [`code=x&state=${randomUUID()}`, 'bad_oauth_state', 'OAuth state not found or expired'],
    ['code=%00&state=%00', 'bad_oauth_state', 'OAuth state parameter is invalid'],
  ])('%s', async (query, error_code, error_description) => {
    expect(await callback(query)).toEqual({ error: 'invalid_request', error_code, error_description });
  });

  /** The address that the issuer sends a browser to, without going there. */
  const stopBefore = async (client: SupabaseClient) => {
    const { data } = await client.auth.signInWithOAuth({
      provider: 'keycloak',
      options: { skipBrowserRedirect: true, queryParams: { login_hint: person(freshAddress()) } },
    });
    return follow(data.url ?? '', (url) => url.pathname === '/auth/v1/callback', browserOf(client));
  };

  test('is good once', async () => {
    const browser = visitor(backend);
    const here = await stopBefore(browser);
    const home = await follow(here.href, isHome, browserOf(browser));
    expect(fragmentOf(home).get('access_token')).toBeTruthy();
    expect(await callback(here.search.slice(1))).toMatchObject({ error_code: 'bad_oauth_state' });
    const client = visitor(backend, { flowType: 'pkce' });
    const there = await stopBefore(client);
    expect((await follow(there.href, isHome, browserOf(client))).searchParams.get('code')).toBeTruthy();
    expect(await callback(there.search.slice(1))).toMatchObject({ error_code: 'flow_state_already_used' });
  });

  test('is good for ten minutes', async () => {
    const client = visitor(backend);
    const here = await stopBefore(client);
    await database.query(
      `update auth.flow_state set created_at = created_at - interval '11 minutes' where id = $1`,
      [here.searchParams.get('state')],
    );
    const home = await follow(here.href, isHome, browserOf(client));
    expect(refusalOf(home)).toMatchObject({ error_code: 'bad_oauth_state' });
  });

  test('is good in the browser that began it, where several may be under way', async () => {
    const client = visitor(backend);
    const [first, second] = [await stopBefore(client), await stopBefore(client)];
    // What an attacker has begun, and someone else opens.
    for (const stranger of [openBrowser(), browserOf(visitor(backend))]) {
      await stranger(`${backend.url}/auth/v1/authorize?provider=keycloak`);
      const home = await follow(first.href, isHome, stranger);
      expect(refusalOf(home)).toMatchObject({
        error_code: 'bad_oauth_state',
        error_description: 'This sign-in was begun in another browser; begin again in this one',
      });
      expect(fragmentOf(home).get('access_token')).toBeNull();
    }
    for (const own of [second, first])
      expect(fragmentOf(await follow(own.href, isHome, browserOf(client))).get('access_token')).toBeTruthy();
    const begun = await fetch(`${backend.url}/auth/v1/authorize?provider=keycloak`, { redirect: 'manual' });
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sign-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('goes with its own code only', async () => {
    const client = visitor(backend);
    const [mine, theirs] = [await stopBefore(client), await stopBefore(client)];
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    const home = await follow(mine.href, isHome, browserOf(client));
    expect(refusalOf(home)).toMatchObject({ error: 'server_error', error_code: 'unexpected_failure' });
    expect(fragmentOf(home).get('access_token')).toBeNull();
    expect(fragmentOf(await follow(theirs.href, isHome, browserOf(client))).get('access_token')).toBeTruthy();
  });

  test('may come by form, which this site sends again with the cookie that browsers keep from other sites', async () => {
    const client = visitor(backend);
    const here = await stopBefore(client);
    const page = await fetch(`${backend.url}/auth/v1/callback`, {
      method: 'POST',
      headers: { origin: issuer.url },
      body: here.searchParams,
      redirect: 'manual',
    });
    expect(page.headers.get('content-security-policy')).toContain("script-src 'sha256-");
    const form = await page.text();
    const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, ...field]) => field);
    const response = await browserOf(client)(`${backend.url}/auth/v1/callback?again`, {
      method: 'POST',
      headers: { origin: backend.url },
      body: new URLSearchParams(fields),
    });
    expect(fragmentOf(new URL(response.headers.get('location') ?? '')).get('access_token')).toBeTruthy();
  });
});

test('settings tell which providers there are', async () => {
  const response = await fetch(`${backend.url}/auth/v1/settings`);
  const { external } = await response.json();
  expect(external).toMatchObject({ keycloak: true, google: false });
});
