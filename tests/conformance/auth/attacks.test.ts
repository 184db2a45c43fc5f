import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestBackend } from '../../backend.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { freshAddress, mailsTo, member, operator, PASSWORD, visitor } from './fixtures.ts';

// Still the real work, but each piece of it is counted; the modules are loaded for this file alone.
vi.doMock('@node-rs/bcrypt', { spy: true });
vi.resetModules();
const { compare, hash } = await import('@node-rs/bcrypt');
const { startTestBackend, withAuth } = await import('../../backend.ts');

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({}, (config) => ({ ...withAuth()(config), passwordCost: 10 }));
});
afterAll(async () => {
  await backend.stop();
  vi.doUnmock('@node-rs/bcrypt');
  vi.resetModules();
});

const post = (path: string, body: object) =>
  fetch(`${backend.url}/auth/v1/${path}`, { method: 'POST', body: JSON.stringify(body) });

describe('known and unknown addresses', () => {
  const knownEmails: string[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 5; i++) {
      const email = freshAddress();
      await operator(backend).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
      knownEmails.push(email);
    }
  });
  /** Slow operations, and their duration by their cost. */
  async function workOf(act: () => Promise<unknown>) {
    vi.clearAllMocks();
    await act();
    return {
      hashed: vi.mocked(hash).mock.calls.map(([, options]) => typeof options === 'object' && options?.cost),
      compared: vi.mocked(compare).mock.calls.map(([, stored]) => /^\$2.\$(\d+)\$/.exec(`${stored}`)?.[1]),
    };
  }
  /** Statuses, and bodies without ids, times and the address. */
  const answer = async (response: Response, email: string) => [
    response.status,
    (await response.text())
      .replaceAll(email, '<address>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  ];

  test.each<[string, object, object]>([
    ['signup', { password: PASSWORD }, { hashed: [10], compared: [] }],
    ['recover', {}, { hashed: [], compared: [] }],
    ['otp', {}, { hashed: [], compared: [] }],
    ['otp', { create_user: false }, { hashed: [], compared: [] }],
    ['resend', { type: 'signup' }, { hashed: [], compared: [] }],
    ['token?grant_type=password', { password: 'not this one' }, { hashed: [], compared: ['10'] }],
  ])('look alike at /%s, in words and in the work that is done (%o)', async (path, rest, work) => {
    const answers = new Set<string>();
    for (const address of knownEmails)
      for (const email of [address, freshAddress()]) {
        const attempt = async () =>
          answers.add(JSON.stringify(await answer(await post(path, { email, ...rest }), email)));
        expect(await workOf(attempt)).toEqual(work);
      }
    expect([...answers]).toHaveLength(1);
  });
});

test.each<[string, object]>([
  ['recover', {}],
  ['otp', {}],
  ['otp', { create_user: false }],
  ['magiclink', {}],
  ['resend', { type: 'signup' }],
  ['resend', { type: 'email_change' }],
])('/%s is answered before anyone looks whether there is such an account (%o)', async (path, rest) => {
  const email = freshAddress();
  await operator(backend).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
  const holder = new pg.Client({ connectionString: backend.databaseUrl });
  await holder.connect();
  try {
    // A query of the table waits, so a response in the meantime comes without one.
    await holder.query('begin; lock table auth.users in access exclusive mode');
    for (const address of [email, freshAddress()]) {
      const answered = await post(path, { email: address, ...rest });
      expect([answered.status, await answered.text()]).toEqual([200, '{}']);
    }
    await holder.query('rollback');
    expect((await mailsTo(backend, email)).length).toBe(path === 'resend' ? 0 : 1);
  } finally {
    await holder.end();
  }
});

describe('a sign-up', () => {
  const signUp = (email: string, data: object = {}) => post('signup', { email, password: PASSWORD, data });
  const confirmed = async () => {
    const email = freshAddress();
    await operator(backend).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    return email;
  };

  test('takes the same statements for someone new and for someone who is known', async () => {
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    /** The statements of the transaction that the response waits for. */
    const statements = async (email: string) => {
      spy.mockClear();
      await (await signUp(email)).json();
      const all = spy.mock.calls.map(([sent], place) => ({
        text: typeof sent === 'string' ? sent : Reflect.get(Object(sent), 'text'),
        client: spy.mock.contexts[place],
      }));
      const client = all.find(({ text }) => text === 'savepoint newcomer')?.client;
      const own = all.filter((one) => one.client === client).map(({ text }) => String(text));
      const from = own.lastIndexOf('begin', own.indexOf('savepoint newcomer'));
      return own
        .slice(from, own.indexOf('commit', from) + 1)
        .map((text) => text.replace(/^(release|rollback to) /, 'end of '));
    };
    try {
      const newcomer = await statements(freshAddress());
      expect(newcomer.length).toBeGreaterThan(8);
      expect(await statements(await confirmed())).toEqual(newcomer);
    } finally {
      spy.mockRestore();
    }
  });

  test('that comes twice tells by no id or time whether the address is known', async () => {
    for (const email of [freshAddress(), await confirmed()]) {
      const first = await (await signUp(email)).json();
      const second = await (await signUp(email)).json();
      expect(second.id).not.toBe(first.id);
      expect(Date.parse(second.created_at)).toBeGreaterThan(Date.parse(first.created_at));
      expect(second.identities[0].identity_id).not.toBe(first.identities[0].identity_id);
    }
  });

  test('of someone known leaves no one behind, and their account as it was', async () => {
    const email = await confirmed();
    const { admin } = operator(backend).auth;
    const before = (await admin.listUsers({ perPage: 1000 })).data.users;
    await signUp(email, { full_name: 'Somebody Else' });
    await mailsTo(backend, email);
    expect((await admin.listUsers({ perPage: 1000 })).data.users).toEqual(before);
    // Its owner alone learns of it.
    await expect
      .poll(async () => (await mailsTo(backend, email)).map(({ subject }) => subject))
      .toEqual(['You already have an account']);
    const [mail] = await mailsTo(backend, email);
    for (const page of ['/auth?reset', '/auth']) expect(mail?.html).toContain(`href="${backend.url}${page}"`);
  });
});

describe('a session that has ended', () => {
  const people = async () => {
    const person = await member(backend);
    const session = (await person.client.auth.getSession()).data.session;
    // Holds the access token alone, as a thief would.
    const holder = createClient(backend.url, backend.anonKey, {
      accessToken: async () => session?.access_token ?? '',
    });
    return {
      ...person,
      holder,
      refreshToken: session?.refresh_token ?? '',
      token: session?.access_token ?? '',
    };
  };
  /** Responses of tables, files, functions and accounts. */
  async function statuses(holder: SupabaseClient, token: string, id: string) {
    const table = await holder.from('notifications').select('id').limit(1);
    const file = await holder.storage
      .from('avatars')
      .upload(`${id}/x.png`, new Blob(['x'], { type: 'image/png' }));
    const invoked = await holder.functions.invoke('process-avatar-upload', { method: 'GET' });
    const account = await fetch(`${backend.url}/auth/v1/user`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return {
      table: table.status,
      file: file.error?.message ?? 'stored',
      invoked: invoked.error?.context.status,
      account: account.status,
    };
  }

  test.each<[string, (person: Awaited<ReturnType<typeof people>>) => Promise<unknown>]>([
    ['by signing out', ({ client }) => client.auth.signOut()],
    ['with a ban', ({ id }) => operator(backend).auth.admin.updateUserById(id, { ban_duration: '24h' })],
    ['with the account', ({ id }) => operator(backend).auth.admin.deleteUser(id)],
    ['with an account that is kept', ({ id }) => operator(backend).auth.admin.deleteUser(id, true)],
    [
      'by a new password',
      ({ id }) => operator(backend).auth.admin.updateUserById(id, { password: 'by the sea again' }),
    ],
  ])('%s opens nothing a moment later', async (_how, end) => {
    const person = await people();
    const before = await statuses(person.holder, person.token, person.id);
    expect(before).toMatchObject({ table: 200, account: 200, invoked: 405 });
    await end(person);
    await vi.waitFor(async () => {
      const after = await statuses(person.holder, person.token, person.id);
      expect(after).toMatchObject({ table: 401, account: 403, invoked: 401 });
      expect(after.file).not.toBe('stored');
      expect(after.file).not.toBe(before.file);
    }, TIMEOUT_MS);
    const refreshed = await visitor(backend).auth.refreshSession({ refresh_token: person.refreshToken });
    expect(refreshed.error?.status).toBe(400);
  });

  test('leaves the person’s other sessions and everyone else’s alone', async () => {
    const person = await people();
    const other = await people();
    const second = visitor(backend);
    await second.auth.signInWithPassword({ email: person.email, password: PASSWORD });
    await person.client.auth.signOut({ scope: 'local' });
    await expect.poll(async () => (await person.holder.from('notifications').select('id')).status).toBe(401);
    expect((await second.from('notifications').select('id')).status).toBe(200);
    expect((await other.holder.from('notifications').select('id')).status).toBe(200);
  });
});

test('doors for operators are closed to members and admins of the site', async () => {
  const { client, id } = await member(backend);
  await operator(backend).from('user_roles').insert({ user_id: id, role: 'admin' });
  const token = (await client.auth.getSession()).data.session?.access_token ?? '';
  const doors: [string, string][] = [
    ['GET', 'admin/users'],
    ['POST', 'admin/users'],
    ['GET', `admin/users/${id}`],
    ['PUT', `admin/users/${id}`],
    ['DELETE', `admin/users/${id}`],
    ['GET', `admin/users/${id}/factors`],
    ['DELETE', `admin/users/${id}/factors/${id}`],
    ['POST', 'admin/generate_link'],
    ['POST', 'invite'],
  ];
  for (const [method, path] of doors) {
    const attempt = async (bearer?: string) => {
      const response = await fetch(`${backend.url}/auth/v1/${path}`, {
        method,
        headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
        ...(method !== 'GET' && { body: '{}' }),
      });
      return [response.status, (await response.json()).error_code];
    };
    expect(await attempt(token), path).toEqual([403, 'not_admin']);
    expect(await attempt(backend.anonKey), path).toEqual([403, 'not_admin']);
    expect(await attempt(), path).toEqual([401, 'no_authorization']);
  }
  expect((await operator(backend).auth.admin.getUserById(id)).error).toBeNull();
});

describe('metadata', () => {
  test('is text wherever it is shown', async () => {
    const email = freshAddress();
    const name = '<img src=x onerror=alert(1)>';
    await visitor(backend).auth.signUp({ email, password: PASSWORD, options: { data: { full_name: name } } });
    const [mail] = await mailsTo(backend, email);
    expect(mail?.html).not.toMatch(/<img|\{\{/);
    expect(mail?.html).toContain(email);
    expect(mail?.text).toContain(mail?.code);
    expect(mail?.text).not.toMatch(/[<>]|&amp;/);
    const page = await fetch(`${backend.url}/mail`);
    expect(await page.text()).not.toContain('<img src=x');
    const { data } = await operator(backend).from('profiles').select('full_name').eq('full_name', name);
    for (const row of data ?? []) expect(row.full_name).toBe(name);
  });

  test('that is too large is refused, at once and bit by bit', async () => {
    const { client } = await member(backend);
    const update = async (key: string, size: number) =>
      (await client.auth.updateUser({ data: { [key]: 'x'.repeat(size) } })).error?.status ?? 200;
    expect(await update('a', 5000)).toBe(400);
    expect([await update('b', 3000), await update('c', 3000), await update('d', 3000)]).toEqual([
      200, 200, 400,
    ]);

    const email = freshAddress();
    // Last in this file: its requests end with a closed connection, which the next one would meet.
    const signUp = (size: number) =>
      post('signup', { email, password: PASSWORD, data: { a: 'x'.repeat(size) } }).then(
        ({ status }) => status,
        // The server may close the connection of a client that keeps sending after the response.
        () => 413,
      );
    expect(await signUp(5000)).toBe(400);
    expect(await mailsTo(backend, email)).toEqual([]);
    expect(await signUp(1_000_000)).toBe(413);
  });
});
