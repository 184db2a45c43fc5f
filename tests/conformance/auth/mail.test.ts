import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { startTestBackend, withAuth } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import {
  byPassword,
  enter,
  follow,
  fragmentOf,
  freshAddress,
  held,
  lastMailTo,
  mailsTo,
  member,
  operator,
  PASSWORD,
  visitor,
} from './fixtures.ts';

const { backend, database } = await ownBackend(
  {},
  withAuth({ additional_redirect_urls: ['https://*.example.com/welcome', 'app://open/**'] }),
);

async function post(path: string, body: unknown): Promise<[number, { error_code?: string }]> {
  const response = await fetch(`${backend.url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { apikey: backend.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json()];
}

test('whoever signs up last with an unconfirmed address holds its password', async () => {
  const email = freshAddress();
  await visitor(backend).auth.signUp({ email, password: 'the first comer' });
  const first = await lastMailTo(backend, email);
  await visitor(backend).auth.signUp({ email, password: 'the owner of the mail' });
  expect(fragmentOf(await follow(first.link)).get('error_code')).toBe('otp_expired');
  await follow((await lastMailTo(backend, email)).link);
  const hijacked = await byPassword(backend, { email }, 'the first comer');
  expect(hijacked.error?.code).toBe('invalid_credentials');
  const owner = await byPassword(backend, { email }, 'the owner of the mail');
  expect(owner.error).toBeNull();
});

describe('a stranger who signed up with an address before', () => {
  const { admin } = operator(backend).auth;
  const mailed = async (email: string) => (await lastMailTo(backend, email)).link;
  const generated = async (type: 'invite' | 'magiclink' | 'recovery', email: string) =>
    (await admin.generateLink({ type, email })).data.properties?.action_link ?? '';

  test.each<[string, (email: string) => Promise<unknown>]>([
    ['a mailed code', (email) => visitor(backend).auth.signInWithOtp({ email })],
    ['a link for a forgotten password', (email) => visitor(backend).auth.resetPasswordForEmail(email)],
    ['an invitation', (email) => admin.inviteUserByEmail(email)],
    ['a generated invitation', (email) => generated('invite', email)],
    ['a generated link', (email) => generated('magiclink', email)],
    ['a generated link for a forgotten password', (email) => generated('recovery', email)],
  ])('leaves neither password nor name to its owner who comes by %s', async (_way, ask) => {
    const email = freshAddress();
    const options = { data: { full_name: 'Mallory' } };
    await visitor(backend).auth.signUp({ email, password: 'the first comer', options });
    const first = await mailed(email);
    const asked = await ask(email);
    const fragment = fragmentOf(await follow(typeof asked === 'string' ? asked : await mailed(email)));
    const owner = visitor(backend);
    const { data } = await enter(owner, fragment);
    expect(data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) });
    expect(data.user?.user_metadata).toEqual({ email_verified: true });
    expect(data.user?.identities?.[0]?.identity_data).not.toHaveProperty('full_name');
    expect((await byPassword(backend, { email }, 'the first comer')).error?.code).toBe('invalid_credentials');
    expect(fragmentOf(await follow(first)).get('error_code')).toBe('otp_expired');
    expect((await owner.auth.updateUser({ password: 'the owner of the mail' })).error).toBeNull();
    expect((await byPassword(backend, { email }, 'the owner of the mail')).error).toBeNull();
  });

  test('gives no password to an account whose owner confirms it at that moment', async () => {
    const email = freshAddress();
    await visitor(backend).auth.signUp({ email, password: PASSWORD });
    const { rows } = await database.query('select id from auth.users where email = $1', [email]);
    const [another] = await held(backend, rows[0].id, async (owner, waiting) => {
      const another = visitor(backend).auth.signUp({ email, password: 'a stranger’s walk' });
      await waiting(1);
      await owner.query('update auth.users set email_confirmed_at = now() where email = $1', [email]);
      return [another];
    });
    expect((await another)?.error).toBeNull();
    expect((await byPassword(backend, { email }, 'a stranger’s walk')).error?.code).toBe(
      'invalid_credentials',
    );
    expect((await byPassword(backend, { email })).error).toBeNull();
  });

  test('takes no password from an account that has proved a number instead', async () => {
    const email = freshAddress();
    const person = { email, phone: '447700900123', password: PASSWORD, phone_confirm: true };
    const { data } = await admin.createUser(person);
    await visitor(backend).auth.signUp({ email, password: 'the first comer' });
    await admin.updateUserById(data.user?.id ?? '', { email_confirm: true });
    expect((await byPassword(backend, { email }, 'the first comer')).error?.code).toBe('invalid_credentials');
    expect((await byPassword(backend, { email })).error).toBeNull();
  });
});

describe('a link', () => {
  async function link(): Promise<{ email: string; link: string }> {
    const email = freshAddress();
    await visitor(backend).auth.signUp({ email, password: PASSWORD });
    return { email, link: (await lastMailTo(backend, email)).link };
  }

  /** A request without the fetch metadata that browsers and fetch() add, as a mail scanner sends it. */
  async function raw(
    method: string,
    address: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: string }> {
    const { request } = await import('node:http');
    return new Promise((resolve, reject) => {
      const sent = request(address, { method, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part) => {
          body += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.on('error', reject).end();
    });
  }

  test.each([
    ['a scanner', 'GET', {}],
    ['a scanner that looks like a browser', 'GET', { 'user-agent': 'Mozilla/5.0', accept: 'text/html' }],
    ['a scanner in a real browser', 'GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    ['a prefetch', 'GET', { 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' }],
    ['HEAD', 'HEAD', { 'sec-fetch-mode': 'navigate' }],
  ])('is not spent by %s', async (_who, method, headers) => {
    const { link: address } = await link();
    const seen = await raw(method, address, headers);
    expect(seen.status).toBe(200);
    if (method === 'GET') expect(seen.body).toContain('<button type="submit">Confirm email</button>');
    expect(fragmentOf(await follow(address)).get('type')).toBe('signup');
  });

  test('is followed by the button of the page', async () => {
    const { link: address } = await link();
    const page = await raw('GET', address);
    const fields = [...page.body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    );
    const answer = await fetch(new URL('verify', address), {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain('access_token=');
  });

  test.each([
    ['https://evil.example', false],
    ['//evil.example', false],
    ['/\\evil.example', false],
    ['https:evil.example', false],
    ['javascript:alert(1)', false],
    ['https://a.b.example.com/welcome', false],
    ['https://user@a.example.com/welcome', false],
    ['https://a.example.com.evil.org/welcome', false],
    ['https://a.example.com/welcome', true],
    ['app://open/some/page', true],
  ])('leads to %s: %s', async (target, allowed) => {
    const email = freshAddress();
    await visitor(backend).auth.signUp({ email, password: PASSWORD, options: { emailRedirectTo: target } });
    const { link: address } = await lastMailTo(backend, email);
    expect(new URL(address).searchParams.get('redirect_to')).toBe(allowed ? target : backend.url);
    const tampered = new URL(address);
    tampered.searchParams.set('redirect_to', target);
    const landed = await follow(tampered.href);
    expect(landed.href.startsWith(allowed ? target : `${backend.url}/`)).toBe(true);
  });

  test.each(['//evil.example', '/\\evil.example', '/x//evil.example'])(
    'leads to %s of the site itself where that is no other site for a script that reads the path',
    async (path) => {
      const email = freshAddress();
      const emailRedirectTo = backend.url + path;
      await visitor(backend).auth.signUp({ email, password: PASSWORD, options: { emailRedirectTo } });
      const { link: address } = await lastMailTo(backend, email);
      expect(new URL(address).searchParams.get('redirect_to')).toBe(
        path.startsWith('/x') ? emailRedirectTo : backend.url,
      );
    },
  );

  test('keeps the page of the site that asked for it', async () => {
    const email = freshAddress();
    await visitor(backend).auth.signUp({
      email,
      password: PASSWORD,
      options: { emailRedirectTo: `${backend.url}/complete-profile?a=b` },
    });
    const landed = await follow((await lastMailTo(backend, email)).link);
    expect(landed.pathname + landed.search).toBe('/complete-profile?a=b');
  });
});

describe('a code', () => {
  test('dies after five wrong tries, also when they come at once', async () => {
    const { email } = await member(backend);
    await visitor(backend).auth.signInWithOtp({ email });
    const { code } = await lastMailTo(backend, email);
    const wrong = code === '000000' ? '111111' : '000000';
    const verify = (token: string) => visitor(backend).auth.verifyOtp({ email, token, type: 'email' });
    const tries = await Promise.all(Array.from({ length: 20 }, () => verify(wrong)));
    for (const { error } of tries)
      expect(error).toMatchObject({
        status: 403,
        code: 'otp_expired',
        message: 'Token has expired or is invalid',
      });
    expect((await verify(code)).error?.code).toBe('otp_expired');

    await visitor(backend).auth.signInWithOtp({ email });
    const renewed = await verify((await lastMailTo(backend, email)).code);
    expect(renewed.data.session?.user.email).toBe(email);
  });

  test('cannot be turned into a link by whoever guesses it', async () => {
    const { email } = await member(backend);
    await visitor(backend).auth.signInWithOtp({ email });
    const mail = await lastMailTo(backend, email);
    const { createHash } = await import('node:crypto');
    const guessed = createHash('sha224')
      .update(email + mail.code)
      .digest('hex');
    expect(new URL(mail.link).searchParams.get('token')).not.toBe(guessed);
    expect(
      (await visitor(backend).auth.verifyOtp({ token_hash: guessed, type: 'magiclink' })).error?.code,
    ).toBe('otp_expired');
  });

  test('signs a newcomer up and in', async () => {
    const email = freshAddress();
    const tab = visitor(backend);
    await tab.auth.signInWithOtp({ email, options: { data: { full_name: 'New' } } });
    const mail = await lastMailTo(backend, email);
    const { data } = await tab.auth.verifyOtp({ email, token: mail.code, type: 'email' });
    expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'New' } });
    expect((await tab.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'otp' }]);
  });
});

describe('PKCE', () => {
  test('a link gives a code that only this browser can exchange, once', async () => {
    const { email } = await member(backend);
    const tab = visitor(backend, { flowType: 'pkce' });
    await tab.auth.signInWithOtp({ email });
    const landed = await follow((await lastMailTo(backend, email)).link);
    const code = landed.searchParams.get('code') ?? '';
    expect(landed.hash).toBe('');

    const exchange = (verifier: string) =>
      post('token?grant_type=pkce', { auth_code: code, code_verifier: verifier }).then(([status, body]) => [
        status,
        body.error_code,
      ]);
    const { data, error } = await tab.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.session?.user.email).toBe(email);
    expect(await exchange('x'.repeat(56))).toEqual([404, 'flow_state_not_found']);
  });

  test.each<[string, (id: string) => Promise<{ error: unknown }>]>([
    ['was removed', (id) => operator(backend).auth.admin.deleteUser(id, true)],
    [
      'has another address',
      (id) => operator(backend).auth.admin.updateUserById(id, { email: freshAddress() }),
    ],
    [
      'has another password',
      (id) => operator(backend).auth.admin.updateUserById(id, { password: 'by the sea again' }),
    ],
  ])('a code is not exchanged once its account %s', async (_how, change) => {
    const { email, id } = await member(backend);
    const tab = visitor(backend, { flowType: 'pkce' });
    await tab.auth.signInWithOtp({ email });
    const landed = await follow((await lastMailTo(backend, email)).link);
    expect((await change(id)).error).toBeNull();
    const { error } = await tab.auth.exchangeCodeForSession(landed.searchParams.get('code') ?? '');
    expect(error).toMatchObject({ status: 404, code: 'flow_state_not_found' });
  });

  test('a wrong verifier is refused', async () => {
    const { email } = await member(backend);
    await visitor(backend, { flowType: 'pkce' }).auth.resetPasswordForEmail(email);
    const landed = await follow((await lastMailTo(backend, email)).link);
    const [status, body] = await post('token?grant_type=pkce', {
      auth_code: landed.searchParams.get('code'),
      code_verifier: 'x'.repeat(56),
    });
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        error_code: 'bad_code_verifier',
        msg: 'code challenge does not match previously saved code verifier',
      },
    ]);
  });

  test('a dead link says so in the query too', async () => {
    const landed = await follow(
      `${backend.url}/auth/v1/verify?token=pkce_abc&type=recovery&redirect_to=${backend.url}/auth`,
    );
    expect(landed.searchParams.get('error_code')).toBe('otp_expired');
    expect(landed.hash).toContain('error_code=otp_expired');
  });
});

describe('the operator', () => {
  test('invites', async () => {
    const email = freshAddress();
    const { data, error } = await operator(backend).auth.admin.inviteUserByEmail(email, {
      data: { full_name: 'Guest' },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, invited_at: expect.any(String) });
    const landed = await follow((await lastMailTo(backend, email)).link);
    expect(fragmentOf(landed).get('type')).toBe('invite');
  });

  test.each(['signup', 'magiclink', 'recovery', 'invite'] as const)(
    'generates a %s link without sending it',
    async (type) => {
      const email =
        type === 'recovery' || type === 'magiclink' ? (await member(backend)).email : freshAddress();
      const before = (await mailsTo(backend, email)).length;
      const { data, error } = await operator(backend).auth.admin.generateLink(
        type === 'signup' ? { type, email, password: PASSWORD } : { type, email },
      );
      expect(error).toBeNull();
      expect(data.user?.email).toBe(email);
      expect(data.properties).toMatchObject({
        verification_type: type,
        email_otp: expect.stringMatching(/^\d{6}$/),
      });
      expect(await mailsTo(backend, email)).toHaveLength(before);
      expect(fragmentOf(await follow(data.properties?.action_link ?? '')).get('type')).toBe(type);
    },
  );

  test('moves an account by the links to both addresses, in either order', async () => {
    const { admin } = operator(backend).auth;
    for (const order of [
      ['email_change_current', 'email_change_new'],
      ['email_change_new', 'email_change_current'],
    ] as const) {
      const { email, client } = await member(backend);
      const newEmail = freshAddress();
      const links = [];
      for (const type of order) {
        const { data, error } = await admin.generateLink({ type, email, newEmail });
        expect(error).toBeNull();
        expect(data.user).toMatchObject({ email, new_email: newEmail });
        expect(data.properties).toMatchObject({
          verification_type: type,
          email_otp: expect.stringMatching(/^\d{6}$/),
          hashed_token: expect.any(String),
        });
        links.push(data.properties?.action_link ?? '');
      }
      expect(fragmentOf(await follow(links[0] ?? '')).get('message')).toMatch(/^Confirmation link accepted/);
      expect((await client.auth.getUser()).data.user?.email).toBe(email);
      expect(fragmentOf(await follow(links[1] ?? '')).get('type')).toBe('email_change');
      expect((await client.auth.getUser()).data.user?.email).toBe(newEmail);
      expect(await mailsTo(backend, newEmail)).toHaveLength(0);
    }
  });

  test('moves no account to an address that is in use, or without a new one', async () => {
    const { admin } = operator(backend).auth;
    const [{ email }, { email: newEmail }] = [await member(backend), await member(backend)];
    const taken = await admin.generateLink({ type: 'email_change_new', email, newEmail });
    expect(taken.error).toMatchObject({ status: 422, code: 'email_exists' });
    const unknown = await admin.generateLink({ type: 'email_change_new', email: freshAddress(), newEmail });
    expect(unknown.error).toMatchObject({ status: 404, code: 'user_not_found' });
    const nowhere = await admin.generateLink({ type: 'email_change_current', email, newEmail: '' });
    expect(nowhere.error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('a magic link for no one is a sign-up', async () => {
    const { data } = await operator(backend).auth.admin.generateLink({
      type: 'magiclink',
      email: freshAddress(),
    });
    expect(data.properties?.verification_type).toBe('signup');
  });
});

test('a project without texts of its own has plain ones, which work', async () => {
  const bare = await startTestBackend(
    {},
    withAuth(({ email }) => ({
      email: {
        ...email,
        max_frequency: 0,
        template: { recovery: { subject: 'Here for {{ .Email }}' } },
        notification: { password_changed: { enabled: true } },
      },
    })),
  );
  try {
    const { email, client } = await member(bare);
    expect(await lastMailTo(bare, email)).toMatchObject({ subject: 'Confirm your email' });
    await visitor(bare).auth.signInWithOtp({ email });
    const { code, subject, link } = await lastMailTo(bare, email);
    expect([subject, new URL(link).searchParams.get('type')]).toEqual(['Your sign-in link', 'magiclink']);
    expect((await visitor(bare).auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
    await visitor(bare).auth.resetPasswordForEmail(email);
    expect((await lastMailTo(bare, email)).subject).toBe(`Here for ${email}`);
    await client.auth.updateUser({ password: 'another long walk', current_password: PASSWORD });
    const notice = await lastMailTo(bare, email);
    expect(notice.subject).toBe('Your password was changed');
    expect(notice.text).toContain(email);
  } finally {
    await bare.stop();
  }
});

test('links lead to the site that the settings name, when it is not where the services are', async () => {
  const site = 'https://app.example.org';
  const services = await startTestBackend({}, withAuth({ site_url: site }));
  try {
    const { email } = await member(services);
    const { admin } = operator(services).auth;
    const leadsTo = async (redirectTo?: string) =>
      (await admin.generateLink({ type: 'recovery', email, options: redirectTo ? { redirectTo } : {} })).data
        .properties;
    expect((await leadsTo())?.redirect_to).toBe(site);
    expect((await leadsTo(`${site}/welcome?a=1`))?.redirect_to).toBe(`${site}/welcome?a=1`);
    expect((await leadsTo('https://app.example.org.evil.example/'))?.redirect_to).toBe(site);
    expect((await leadsTo('http://app.example.org/'))?.redirect_to).toBe(site);
    // The link itself is the service's.
    const link = (await leadsTo())?.action_link ?? '';
    expect(new URL(link).origin).toBe(services.url);
    const landed = await follow(link);
    expect([landed.origin, fragmentOf(landed).get('type')]).toEqual([site, 'recovery']);
  } finally {
    await services.stop();
  }
});

describe('the mailbox', () => {
  test('lists messages and shows one, without letting it run scripts', async () => {
    const email = freshAddress();
    await visitor(backend).auth.signUp({ email, password: PASSWORD });
    const list = await fetch(`${backend.url}/mail`);
    expect(list.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await list.text();
    expect(page).toContain(email);
    const path = /href="(\/mail\/[^"]+)"/.exec(page)?.[1];
    const message = await (await fetch(backend.url + path)).text();
    expect(message).toContain('sandbox="allow-top-navigation-by-user-activation allow-popups"');
    expect(message).toContain('As plain text');
  });

  /** Response to a request with headers that `fetch` would not send. */
  const answerTo = async (headers: Record<string, string>, path = '/mail/messages.json', method = 'GET') =>
    new Promise<IncomingMessage>((resolve) =>
      request(`${backend.url}${path}`, { headers, method }, (answer) => resolve(answer.resume())).end(),
    );

  test('is only for this machine', async () => {
    const status = async (headers: Record<string, string>) => (await answerTo(headers)).statusCode;
    expect(await status({})).toBe(200);
    expect(await status({ host: 'rebound.example' })).toBe(404);
    expect(await status({ 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  });

  const sent = (site: string, mode: string, dest: string) => ({
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
  });
  test.each([
    ['a script of another site', { origin: 'https://evil.example', ...sent('cross-site', 'cors', 'empty') }],
    ['a script of a page without an origin', { origin: 'null' }],
    [
      'a script at another port of this machine',
      { origin: 'http://localhost:1', ...sent('same-site', 'cors', 'empty') },
    ],
    ['another site’s picture', sent('cross-site', 'no-cors', 'image')],
    ['another site’s script element', sent('cross-site', 'no-cors', 'script')],
    ['another site’s frame', sent('cross-site', 'navigate', 'iframe')],
  ])('says nothing to %s', async (_who, headers) => {
    for (const path of ['/mail', '/mail/', '/mail/messages.json', '/mail/any'])
      expect((await answerTo(headers, path)).statusCode).toBe(404);
  });

  test.each([
    ['a reader who types its address', sent('none', 'navigate', 'document')],
    ['a link of another site', sent('cross-site', 'navigate', 'document')],
    ['its own pages', sent('same-origin', 'navigate', 'document')],
    ['a program on this machine', {}],
  ])('opens to %s, and gives no page leave to read or frame it', async (_who, headers) => {
    for (const path of ['/mail', '/mail/messages.json']) {
      const { statusCode, headers: responseHeaders } = await answerTo(headers, path);
      expect(statusCode).toBe(200);
      expect(responseHeaders['access-control-allow-origin']).toBeUndefined();
      expect(responseHeaders['cross-origin-resource-policy']).toBe('same-origin');
      expect(responseHeaders['x-frame-options']).toBeDefined();
      expect(responseHeaders['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });

  test('gives no leave beforehand, as the services do', async () => {
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'GET' };
    const allowedOrigin = async (path: string) =>
      (await answerTo(preflight, path, 'OPTIONS')).headers['access-control-allow-origin'];
    expect(await allowedOrigin('/mail/messages.json')).toBeUndefined();
    expect(await allowedOrigin('/rest/v1/profiles')).toBe('*');
  });
});

/**
 * A mail server that accepts everything.
 *
 * @param ready of each connection; the server is silent until it resolves
 */
async function mailServer(
  ready: () => Promise<void> = async () => undefined,
): Promise<{ url: string; received: string[]; close(): Promise<void> }> {
  const received: string[] = [];
  const server = createServer((socket) => {
    let letter: string[] | undefined;
    socket.setEncoding('utf8').on('error', () => socket.destroy());
    ready().then(() => socket.write('220 ready\r\n'));
    const lines = createInterface(socket).on('error', () => undefined);
    lines.on('line', (line) => {
      if (letter) {
        if (line === '.') {
          received.push(letter.join('\n'));
          letter = undefined;
          socket.write('250 taken\r\n');
        } else letter.push(line);
      } else if (line === 'DATA') {
        letter = [];
        socket.write('354 go on\r\n');
      } else if (line === 'QUIT') socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    received,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

test('a mail server gets the message as HTML and as text', async () => {
  const server = await mailServer();
  const online = await startTestBackend({
    SMTP_URL: server.url,
    MAIL_FROM: 'Limb Commons <hello@example.org>',
  });
  const email = freshAddress();
  try {
    const { error } = await visitor(online).auth.signUp({ email, password: PASSWORD });
    expect(error).toBeNull();
    expect((await fetch(`${online.url}/mail/messages.json`)).status).toBe(404);
  } finally {
    // Stopping waits for messages on their way.
    await online.stop();
    await server.close();
  }
  expect(server.received).toHaveLength(1);
  expect(server.received[0]).toContain(`To: ${email}`);
  expect(server.received[0]).toContain('From: Limb Commons <hello@example.org>');
  expect(server.received[0]).toContain('Content-Type: text/plain');
  expect(server.received[0]).toContain('Content-Type: text/html');
});

test('a mail server that says nothing delays no answer, and gets the messages when it speaks', async () => {
  const speaks = Promise.withResolvers<void>();
  let connections = 0;
  // The site's own request is answered.
  const server = await mailServer(async () => (connections++ === 0 ? undefined : speaks.promise));
  const online = await startTestBackend({ SMTP_URL: server.url });
  try {
    await expect.poll(() => connections).toBe(1);
    const [registered, other] = [freshAddress(), freshAddress()];
    for (const email of [registered, other])
      await operator(online).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const { auth } = visitor(online);
    const newcomer = freshAddress();
    // Each is answered while no message can be sent.
    for (const request of [
      () => auth.resetPasswordForEmail(registered),
      () => auth.resetPasswordForEmail(freshAddress()),
      () => auth.signInWithOtp({ email: other }),
      () => auth.signInWithOtp({ email: freshAddress() }),
      () => auth.signUp({ email: newcomer, password: PASSWORD }),
      () => auth.signUp({ email: registered, password: PASSWORD }),
      () => auth.resend({ type: 'signup', email: newcomer }),
    ])
      expect((await request()).error).toBeNull();
    expect(server.received).toEqual([]);
    speaks.resolve();
    const to = (email: string) => server.received.filter((mail) => mail.includes(`To: ${email}`)).length;
    await expect.poll(() => [to(registered), to(other), to(newcomer)]).toEqual([2, 1, 2]);
  } finally {
    await online.stop();
    await server.close();
  }
});

test('without its mail server nothing happens, and the answer says why', async () => {
  // A port on which no server listens.
  const placeholder = createServer();
  await new Promise<void>((listening) => placeholder.listen(0, '127.0.0.1', listening));
  const address = placeholder.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await new Promise((closed) => placeholder.close(closed));
  const offline = await startTestBackend({ SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'error' });
  try {
    const { auth } = visitor(offline);
    // The site has noticed the failure.
    await expect
      .poll(async () => (await auth.resetPasswordForEmail(freshAddress())).error?.message)
      .toBe('Error sending recovery email');
    const email = freshAddress();
    const { error } = await auth.signUp({ email, password: PASSWORD });
    expect(error).toMatchObject({ status: 500, message: 'Error sending confirmation email' });
    const { data } = await operator(offline).auth.admin.listUsers();
    expect(data.users).toEqual([]);
    expect((await fetch(`${offline.url}/mail`)).status).toBe(404);
  } finally {
    await offline.stop();
  }
});
