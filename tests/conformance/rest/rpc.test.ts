import { afterAll, describe, expect, it } from 'vitest';
import { startTestBackend, withAuth } from '../../backend.ts';
import { openSampleDatabase } from './sample-schema.ts';

const ADA = '11111111-1111-4111-8111-111111111111';

const library = await openSampleDatabase(
  `create function public.claims() returns json language sql stable return current_setting('request.jwt.claims')::json`,
);
afterAll(() => library.stop());

describe('functions', () => {
  it('calls with arguments and defaults', async () => {
    expect((await library.anon.rpc('add', { a: 1, b: 2 })).data).toBe(3);
    expect((await library.anon.rpc('add', { a: 1 })).data).toBe(11);
    expect((await library.anon.rpc('add', { a: 1 }, { get: true })).data).toBe(11);
  });

  it('gives scalars, sets, objects, tables and nothing', async () => {
    expect((await library.anon.rpc('titles')).data).toHaveLength(4);
    expect((await library.anon.rpc('one_book', { wanted: 2 })).data).toMatchObject({
      id: 2,
      title: 'Grip and release',
    });
    expect((await library.anon.rpc('statistics')).data).toEqual([{ books: 4, authors: 3 }]);
    const nothing = await library.anon.rpc('forget', { wanted: 99 });
    expect([nothing.data, nothing.error, nothing.status]).toEqual([null, null, 204]);
  });

  it('filters, orders, shapes and counts what a function gives', async () => {
    const { data, count, error } = await library.anon
      .rpc('books_of', { writer: 2 }, { count: 'exact' })
      .select('title, loud_title, authors(name)')
      .gt('pages', 100)
      .order('id')
      .limit(5);
    expect(error).toBeNull();
    expect([data, count]).toEqual([
      [{ title: 'A socket, "well" made', loud_title: 'A SOCKET, "WELL" MADE', authors: { name: 'Ben Bly' } }],
      1,
    ]);
    const head = await library.anon.rpc('books_of', { writer: 2 }, { head: true, count: 'exact' });
    expect([head.count, head.data]).toEqual([2, null]);
    const got = await library.get('/rpc/books_of?writer=2&pages=lt.100&select=id');
    expect(await got.json()).toEqual([{ id: 2 }]);
    expect(
      (await library.anon.rpc('books_of', { writer: 2 }).select('id').eq('id', 2).single()).data,
    ).toEqual({ id: 2 });
    expect(
      (await library.anon.rpc('books_of', { writer: 2 }).select('same_author(id)').eq('id', 2)).data,
    ).toEqual([{ same_author: [{ id: 3 }] }]);
  });

  it('hands over a whole body, and lists', async () => {
    expect((await library.anon.rpc('echo', { any: ['thing', { at: 1 }] })).data).toEqual({
      any: ['thing', { at: 1 }],
    });
    const list = await fetch(`${library.backend.url}/rest/v1/rpc/echo`, {
      method: 'POST',
      headers: { apikey: library.backend.anonKey, 'content-type': 'application/json' },
      body: '[1, 2]',
    });
    expect(await list.json()).toEqual([1, 2]);
    expect((await library.anon.rpc('total', { numbers: [1, 2, 3] })).data).toBe(6);
    expect(await (await library.get('/rpc/total?numbers=1&numbers=5')).json()).toBe(6);
    expect(await (await library.get('/rpc/total?numbers={2,2}')).json()).toBe(4);
  });

  it('undoes a call whose result is refused', async () => {
    const { error } = await library.anon.rpc('bump').single();
    expect(error?.code).toBe('PGRST116');
    const limited = await library.anon.rpc('bump').setHeader('prefer', 'handling=strict, max-affected=1');
    expect(limited.error?.code).toBe('PGRST124');
    const { data } = await library.anon.from('settings').select('value').like('value', '*!');
    expect(data).toEqual([]);
    const scalar = await library.anon
      .rpc('add', { a: 1 })
      .setHeader('prefer', 'handling=strict, max-affected=1');
    expect(scalar.error?.code).toBe('PGRST128');
  });

  it('lets the database choose status, headers and error', async () => {
    const response = await library.get('/rpc/teapot');
    expect([
      response.status,
      response.headers.get('x-brewed'),
      response.headers.get('cache-control'),
    ]).toEqual([418, 'tea', 'max-age=60']);
    expect(await response.json()).toBe('short and stout');
    const refused = await library.anon.rpc('refuse');
    expect([refused.status, refused.error]).toEqual([
      402,
      { code: 'LC1', message: 'Not today', details: 'closed', hint: 'tomorrow' },
    ]);
  });

  it('tells the function who calls', async () => {
    const { data } = await (await library.as(ADA)).rpc('whoami');
    expect(data).toMatchObject({ role: 'authenticated', sub: ADA, method: 'POST', path: '/rpc/whoami' });
    expect(data.client).toMatch(/^supabase-js/);
  });

  it('does not offer trigger functions or those of other schemas', async () => {
    await library.sql.query(
      `create function public.fire() returns trigger language plpgsql as 'begin return new; end'; notify pgrst, 'reload schema'`,
    );
    await library.sql.query(
      `create function public.marker() returns int language sql return 1; notify pgrst, 'reload schema'`,
    );
    await expect.poll(async () => (await library.anon.rpc('marker')).data).toBe(1);
    expect((await library.anon.rpc('fire')).status).toBe(404);
    expect((await library.anon.rpc('uid')).status).toBe(404);
  });
});

describe('who may ask', () => {
  const getPublishers = (headers: Record<string, string>) =>
    fetch(`${library.backend.url}/rest/v1/publishers?select=id`, { headers });

  it('takes no one for anonymous', async () => {
    expect((await getPublishers({})).status).toBe(200);
  });

  const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
  const KEYS = 'No suitable key or wrong key type';
  it.each<[string, () => Promise<string>, string, string, string?]>([
    ['nothing', async () => '', 'PGRST301', 'Empty JWT is sent in Authorization header'],
    ['nonsense', async () => 'nonsense', 'PGRST301', 'Expected 3 parts in JWT; got 1'],
    ['half a token', async () => 'a.b', 'PGRST301', 'Expected 3 parts in JWT; got 2'],
    ['three parts of nonsense', async () => 'a.b.c', 'PGRST301', "JWT couldn't be decoded"],
    [
      'an unsigned token',
      async () => 'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.',
      'PGRST301',
      "JWT couldn't be decoded",
    ],
    [
      'a forged token',
      async () => `${(await library.token({ role: 'authenticated' })).slice(0, -3)}AAA`,
      'PGRST301',
      KEYS,
      'None of the keys was able to decode the JWT',
    ],
    ['an expired token', () => library.token({ exp: 1_700_000_000 }), 'PGRST303', 'JWT expired'],
    ['a token of tomorrow', () => library.token({ nbf: inAnHour() }), 'PGRST303', 'JWT not yet valid'],
    ['one issued later', () => library.token({ iat: inAnHour() }), 'PGRST303', 'JWT issued at future'],
    ...['exp', 'nbf', 'iat'].map((claim): [string, () => Promise<string>, string, string] => [
      `a claim ${claim} that is no number`,
      () => library.token({ [claim]: 'soon' }),
      'PGRST303',
      `The JWT '${claim}' claim must be a number`,
    ]),
    ...[7, [7], { a: 'b' }].map((aud): [string, () => Promise<string>, string, string] => [
      `an audience that is ${JSON.stringify(aud)}`,
      () => library.token({ aud: aud as unknown as string }),
      'PGRST303',
      "The JWT 'aud' claim must be a string or an array of strings",
    ]),
  ])('refuses %s', async (_name, make, code, message, details) => {
    const response = await getPublishers({ authorization: `Bearer ${await make()}` });
    expect([response.status, await response.json()]).toEqual([
      401,
      { code, message, details: details ?? null, hint: null },
    ]);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="${message}"`,
    );
  });

  it.each(['anyone', ['a', 'b'], []])('takes a token for %j', async (aud) => {
    const token = await library.token({ role: 'anon', aud });
    expect((await getPublishers({ authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('acts as a visitor for a token without a role, and says so to the database', async () => {
    const token = await library.token({ sub: ADA });
    const response = await library.get('/rpc/claims', { authorization: `Bearer ${token}` });
    expect(await response.json()).toEqual({ sub: ADA, role: 'anon' });
  });

  it('refuses roles it may not take on', async () => {
    const unknown = await getPublishers({
      authorization: `Bearer ${await library.token({ role: 'nobody' })}`,
    });
    expect([unknown.status, (await unknown.json()).message]).toEqual([401, 'role "nobody" does not exist']);
    const superuser = await getPublishers({
      authorization: `Bearer ${await library.token({ role: 'postgres' })}`,
    });
    expect(superuser.status).toBe(403);
  });

  it('shows only the exposed schemas', async () => {
    for (const schema of ['auth', 'storage', 'pg_catalog', 'private', 'extensions']) {
      const { error, status } = await library.anon.schema(schema).from('users').select();
      expect([status, error]).toEqual([
        406,
        {
          code: 'PGRST106',
          message: `Invalid schema: ${schema}`,
          hint: 'Only the following schemas are exposed: public',
          details: null,
        },
      ]);
    }
    expect((await library.get('/auth.users')).status).toBe(404);
    const path = await library.get('/a/b');
    expect([path.status, (await path.json()).code]).toEqual([404, 'PGRST125']);
  });

  it('stops what takes too long', async () => {
    const { error, status } = await library.anon.rpc('slow');
    expect([status, error?.code]).toEqual([404, 'PGRST202']);
    await library.sql.query(
      `create function public.slow() returns text language sql as $$ select pg_sleep(20)::text $$; notify pgrst, 'reload schema'`,
    );
    await expect.poll(async () => (await library.anon.rpc('slow')).error?.code).toBe('57014');
  });

  it('makes who asks for much wait, then wait elsewhere, and no one else', async () => {
    await library.sql.query(`
      set role postgres;
      create function public.waits() returns text language sql as $$ select pg_advisory_xact_lock_shared(7)::text $$;
      reset role;
      select pg_advisory_lock(7)`);
    const proxied = await startTestBackend({ TRUST_PROXY: 'true' }, withAuth(), library.backend);
    try {
      const callFrom = (name: string, address: string) =>
        fetch(`${proxied.url}/rest/v1/rpc/${name}`, {
          headers: { apikey: proxied.serviceRoleKey, 'x-forwarded-for': address },
        });
      const answers: [number, string | null][] = [];
      const flood = Array.from({ length: 210 }, async (_, index) => {
        const { status, headers } = await callFrom('waits', `2001:db8::${index}`);
        answers.push([status, headers.get('retry-after')]);
      });
      const refused = Array(6).fill([429, '1']);
      await expect.poll(() => answers).toEqual(refused);
      expect((await callFrom('whoami', '2001:db8:0:100::1')).status).toBe(200);
      await library.sql.query('select pg_advisory_unlock(7)');
      await Promise.all(flood);
      expect(answers).toEqual([...refused, ...Array(204).fill([200, null])]);
    } finally {
      await proxied.stop();
    }
  });
});
