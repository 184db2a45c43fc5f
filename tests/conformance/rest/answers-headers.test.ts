import { afterAll, describe, expect, it } from 'vitest';
import { type Answer, compareAnswers, gives, refusal, refuses, send } from './answers.ts';
import { openSampleDatabase, type SampleDatabase } from './sample-schema.ts';

const SCHEMA = `
create view public.titles_only as select distinct title from public.books;
create view public.plain_books as select id, title from public.books;
create view public.keyless as select title from public.books;
create function public.limit_of_time() returns text language sql stable return current_setting('statement_timeout');
create function public.check_request() returns void language plpgsql as $$
  begin
    perform set_config('response.headers', '[{"x-checked": "' || current_role || '"}]', true);
    if current_setting('request.headers')::json ->> 'x-banned' is not null then
      raise sqlstate 'PT403' using message = 'Not you';
    end if;
  end $$;
create table public.stamps (id int primary key, code text not null unique deferrable initially deferred);
`;

const library = await openSampleDatabase(SCHEMA);
afterAll(() => library.stop());

/** Changes a role's setting in this database alone, since other tests use the same roles; an empty text resets it. */
async function configure(
  { sql }: SampleDatabase,
  role: string,
  setting: string,
  value: string,
): Promise<void> {
  const { rows } = await sql.query<{ name: string }>('select current_database() as name');
  const change = value === '' ? `reset ${setting}` : `set ${setting} = '${value}'`;
  await sql.query(`alter role ${role} in database ${rows[0]?.name} ${change}; notify pgrst, 'reload config'`);
}

const JSON_TYPE = 'application/json; charset=utf-8';

const reads: Answer[] = [
  gives(
    'the address in its one spelling, its parameters in order',
    '/genres?select=id&order=id&id=gt.0&id=lt.3&name=like.c*',
    [{ id: 1 }],
    {
      answerHeaders: {
        'content-location': '/genres?id=gt.0,lt.3&name=like.c%2A&order=id&select=id',
        'content-range': '0-0/*',
        'content-type': JSON_TYPE,
      },
    },
  ),
  {
    name: 'without parameters the name alone',
    request: '/genres',
    status: 200,
    answerHeaders: { 'content-location': '/genres' },
  },
  {
    name: 'a page after the end names the total',
    request: '/genres?offset=100',
    headers: { prefer: 'count=exact' },
    status: 416,
    answerHeaders: {
      'content-range': '*/2',
      'content-type': JSON_TYPE,
      'proxy-status': 'PostgREST; error=PGRST103',
    },
    answer: refusal(
      'PGRST103',
      'Requested range not satisfiable',
      'An offset of 100 was requested, but there are only 2 rows.',
    ),
  },
  {
    name: 'also of a function',
    request: '/rpc/titles?offset=100',
    headers: { prefer: 'count=exact' },
    status: 416,
    answerHeaders: { 'content-range': '*/4' },
  },
  refuses(
    'a range whose end is before its start',
    { request: '/genres', headers: { range: '1-0' } },
    416,
    'PGRST103',
    'Requested range not satisfiable',
    'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
  ),
  refuses(
    'a negative limit',
    '/genres?limit=-1',
    416,
    'PGRST103',
    'Requested range not satisfiable',
    'Limit should be greater than or equal to zero.',
  ),
  gives('a negative offset is none', '/genres?select=id&offset=-4&order=id', [{ id: 1 }, { id: 2 }], {
    answerHeaders: { 'content-range': '0-1/*' },
  }),
  gives('no rows at all', '/genres?limit=0', [], { answerHeaders: { 'content-range': '*/*' } }),
  gives('no rows, counted', '/genres?id=eq.0', [], {
    headers: { prefer: 'count=exact' },
    answerHeaders: { 'content-range': '*/0', 'preference-applied': 'count=exact' },
  }),
];

const types: Answer[] = [
  {
    name: 'the types are taken by weight',
    request: '/genres?select=id&order=id',
    headers: { accept: 'text/csv;q=0.5, application/json' },
    status: 200,
    answerHeaders: { 'content-type': JSON_TYPE },
  },
  {
    name: 'and the more specific first',
    request: '/genres?select=id&order=id',
    headers: { accept: '*/*, text/csv' },
    status: 200,
    answerHeaders: { 'content-type': 'text/csv; charset=utf-8' },
    text: 'id\n1\n2',
  },
  {
    name: 'a table of no rows has no names either',
    request: '/genres?id=eq.0',
    headers: { accept: 'text/csv' },
    status: 200,
    text: '\n',
  },
  {
    name: 'parameters of a type that has none are ignored',
    request: '/genres?select=id&order=id',
    headers: { accept: 'application/json; charset=utf-8; odata=verbose' },
    status: 200,
    answerHeaders: { 'content-type': JSON_TYPE },
  },
  gives(
    'one object by its short name and in any case',
    '/genres?select=id&id=eq.1',
    { id: 1 },
    {
      headers: { accept: 'Application/vnd.PgRsT.object' },
      answerHeaders: { 'content-type': 'application/vnd.pgrst.object+json; charset=utf-8' },
    },
  ),
  gives(
    'one object without nulls',
    '/books?select=id,pages&id=eq.4',
    { id: 4 },
    {
      headers: { accept: 'application/vnd.pgrst.object+json;nulls=stripped' },
      answerHeaders: { 'content-type': 'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8' },
    },
  ),
  gives('a list without nulls', '/books?select=id,pages&id=eq.4', [{ id: 4 }], {
    headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    answerHeaders: { 'content-type': 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8' },
  }),
  refuses(
    'types that are not served are named as they came',
    { request: '/genres', headers: { accept: 'unknown/unknown, application/geo+json' } },
    406,
    'PGRST107',
    'None of these media types are available: unknown/unknown, application/geo+json',
  ),
  ...[
    ['application/vnd.pgrst.plan', 'application/vnd.pgrst.plan+text; for="application/json"'],
    [
      'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|verbose;',
      'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|verbose',
    ],
  ].map(([accept = '', named]) =>
    refuses(
      `a plan: ${accept}`,
      { request: '/genres', headers: { accept } },
      406,
      'PGRST107',
      `None of these media types are available: ${named}`,
    ),
  ),
  refuses(
    'a body of another type',
    { request: 'POST /genres', headers: { 'content-type': 'text/html' }, body: '<p>' },
    400,
    'PGRST102',
    'Content-Type not acceptable: text/html',
  ),
];

const writes: Answer[] = [
  {
    name: 'a new row has a length and no type',
    request: 'POST /genres',
    body: { id: 10, name: 'verse' },
    status: 201,
    answerHeaders: { 'content-length': '0', 'content-type': null, 'content-range': '*/*', location: null },
    text: '',
  },
  {
    name: 'a changed row has neither',
    request: 'PATCH /genres?id=eq.10',
    body: { name: 'poem' },
    status: 204,
    answerHeaders: { 'content-length': null, 'content-type': null, 'content-range': '0-0/*' },
  },
  gives('what is preferred is said in one order', 'POST /genres', [{ id: 10, name: 'ode' }], {
    headers: {
      prefer:
        'timezone=Europe/London, handling=strict, count=exact, return=representation, missing=default, resolution=merge-duplicates',
    },
    body: { id: 10, name: 'ode' },
    answerHeaders: {
      'preference-applied':
        'resolution=merge-duplicates, missing=default, return=representation, count=exact, handling=strict, timezone=Europe/London',
      'content-range': '*/1',
    },
  }),
  gives('an upsert of nothing creates nothing', 'POST /genres', [], {
    headers: { prefer: 'return=representation, resolution=merge-duplicates' },
    body: [],
  }),
  {
    name: 'an insert of nothing',
    request: 'POST /genres',
    headers: { prefer: 'return=representation' },
    body: [],
    status: 201,
    answer: [],
  },
  refuses(
    'columns without a name',
    { request: 'POST /genres?columns=', body: [{ id: 11, name: 'x' }] },
    400,
    'PGRST100',
    '"failed to parse columns parameter ()" (line 1, column 1)',
    'unexpected end of input expecting field name (* or [a..z0..9_$])',
  ),
  {
    name: 'a transaction is committed whatever is preferred',
    request: 'POST /genres',
    headers: { prefer: 'tx=rollback, return=minimal' },
    body: { id: 12, name: 'kept' },
    status: 201,
    answerHeaders: { 'preference-applied': 'return=minimal' },
  },
  {
    name: 'and the row stays',
    request: 'DELETE /genres?id=in.(10,12)',
    headers: { prefer: 'count=exact' },
    status: 204,
    answerHeaders: { 'content-range': '*/2', 'preference-applied': 'count=exact' },
  },
];

const options: Answer[] = [
  ['a table', '/genres', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
  ['a view of one table', '/plain_books', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
  ['a view without a key', '/keyless', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
  ['a view that cannot be written', '/titles_only', 'OPTIONS,GET,HEAD'],
  ['a function that only reads', '/rpc/titles', 'OPTIONS,GET,HEAD,POST'],
  ['a function that writes', '/rpc/bump', 'OPTIONS,POST'],
  ['the root', '/', 'OPTIONS,GET,HEAD'],
].map(([name = '', path, allow = '']) => ({
  name,
  request: `OPTIONS ${path}`,
  status: 200,
  answerHeaders: { allow, 'access-control-allow-origin': '*' },
  text: '',
}));

describe('reading', () => compareAnswers(library, reads));
describe('media types', () => compareAnswers(library, types));
describe('writing', () => compareAnswers(library, writes));
describe('what is allowed for', () =>
  compareAnswers(library, [
    ...options,
    { name: 'nothing unknown', request: 'OPTIONS /unknown', status: 404 },
    {
      name: 'whatever media type is accepted',
      request: 'OPTIONS /genres',
      headers: { accept: 'image/png' },
      status: 200,
      text: '',
    },
    {
      name: 'a browser that asks before it sends is answered as by every service',
      request: 'OPTIONS /genres',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'PATCH' },
      status: 204,
      answerHeaders: { allow: null, 'access-control-allow-origin': '*' },
    },
  ]));

describe('a transaction', () => {
  const write = (prefer: string, body: unknown = { id: 1, code: 'a' }): Promise<Response> =>
    send(library, { name: '', request: 'POST /stamps', headers: { prefer }, body, status: 0 });
  const stamps = async () => (await library.get('/stamps?select=code&order=id')).json();
  const end = async (setting: string) => {
    await configure(library, 'authenticator', 'pgrst.db_tx_end', setting);
    // An applied preference shows that the setting has been read.
    await expect
      .poll(async () =>
        (await library.get('/stamps', { prefer: 'tx=rollback' })).headers.get('preference-applied'),
      )
      .toBe(setting === '' ? null : 'tx=rollback');
  };

  it('is undone when the client prefers it and the role that signs in allows it', async () => {
    await end('commit-allow-override');
    try {
      const undone = await write('tx=rollback, return=representation');
      expect([undone.status, undone.headers.get('preference-applied'), await undone.json()]).toEqual([
        201,
        'return=representation, tx=rollback',
        [{ id: 1, code: 'a' }],
      ]);
      expect(await stamps()).toEqual([]);
      // What a commit would find out is found out too.
      const twice = await write('tx=rollback', [
        { id: 1, code: 'a' },
        { id: 2, code: 'a' },
      ]);
      expect([twice.status, twice.headers.get('preference-applied')]).toEqual([409, null]);
      expect((await write('return=minimal')).status).toBe(201);
      expect(await stamps()).toEqual([{ code: 'a' }]);
    } finally {
      await end('');
    }
    await library.sql.query('delete from public.stamps');
  });

  it('is undone unless the client prefers otherwise, where that is the setting', async () => {
    await end('rollback-allow-override');
    try {
      expect((await write('return=minimal')).status).toBe(201);
      expect(await stamps()).toEqual([]);
      expect((await write('tx=commit')).status).toBe(201);
      expect(await stamps()).toEqual([{ code: 'a' }]);
    } finally {
      await end('');
    }
  });
});

describe('a function that is called before each request', () => {
  it('may set headers, or refuse', async () => {
    await configure(library, 'authenticator', 'pgrst.db_pre_request', 'public.check_request');
    try {
      await expect.poll(async () => (await library.get('/genres')).headers.get('x-checked')).toBe('anon');
      const refused = await library.get('/genres', { 'x-banned': 'yes' });
      expect([refused.status, await refused.json()]).toEqual([403, refusal('PT403', 'Not you')]);
      const unwritten = await send(library, {
        name: '',
        request: 'POST /genres',
        headers: { 'x-banned': 'yes' },
        body: { id: 77, name: 'x' },
        status: 0,
      });
      expect(unwritten.status).toBe(403);
      expect(await (await library.get('/genres?id=eq.77')).json()).toEqual([]);
    } finally {
      await configure(library, 'authenticator', 'pgrst.db_pre_request', '');
    }
    await expect.poll(async () => (await library.get('/genres')).headers.get('x-checked')).toBeNull();
  });
});

it('the limit of a role is the one that it has now', async () => {
  const limit = async () => (await library.get('/rpc/limit_of_time')).json();
  expect(await limit()).toBe('3s');
  await configure(library, 'anon', 'statement_timeout', '7s');
  await expect.poll(limit).toBe('7s');
  await configure(library, 'anon', 'statement_timeout', '');
  await expect.poll(limit).toBe('3s');
});
