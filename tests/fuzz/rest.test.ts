// @module-tag whole

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSampleDatabase, type SampleDatabase } from '../conformance/rest/sample-schema.ts';
import { type Case, contents, json, nasty, nothingLeaks, sendAll, spoiled } from './harness.ts';

const TABLES = [
  'publishers',
  'authors',
  'books',
  'genres',
  'book_genres',
  'covers',
  'loans',
  'private_notes',
  'settings',
  'visits',
];
const EVERYTHING = [
  ...TABLES.map((name) => `public.${name}`),
  'auth.users',
  'storage.buckets',
  'public.profiles',
];
let library: SampleDatabase;
let member: string;

beforeAll(async () => {
  library = await openSampleDatabase();
  // Requests that change rows on purpose are out of reach; the others must change nothing.
  await library.sql.query(`
    revoke insert, update, delete on all tables in schema public from anon, authenticated;
    revoke execute on function public.forget(int), public.bump() from public, anon, authenticated`);
  member = await library.token({
    sub: crypto.randomUUID(),
    role: 'authenticated',
    exp: Math.floor(Date.now() / 1000) + 7200,
  });
});
afterAll(() => library.stop());

const column = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'id',
      'title',
      'name',
      'pages',
      'price',
      'tags',
      'published_in',
      'details',
      'author_id',
      'status',
      'search',
      'value',
      'area',
      'note',
    ),
  },
  { weight: 1, arbitrary: nasty },
);
const path = fc.oneof(
  { weight: 5, arbitrary: column },
  {
    weight: 2,
    arbitrary: fc
      .tuple(column, fc.constantFrom('->', '->>'), fc.oneof(column, fc.nat(5).map(String), nasty))
      .map((parts) => parts.join('')),
  },
);
const relation = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      ...TABLES,
      'old_books',
      'loud_title',
      'same_author',
      'author_id',
      'books_author_id_fkey',
    ),
  },
  { weight: 1, arbitrary: nasty },
);
const cast = fc.constantFrom('', '', '', '::text', '::int', '::jsonb', '::nothing', '::date', '::');
const alias = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: column.map((name) => `${name}:`) },
);

const { select } = fc.letrec<{ select: string; item: string }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(alias, path, cast).map((parts) => parts.join('')),
    fc.constantFrom('*', 'count()', 'price.sum()', 'id.max()::text'),
    fc
      .tuple(
        fc.constantFrom('', '', '...'),
        alias,
        relation,
        fc.constantFrom('', '', '!inner', '!left', '!author_id', '!books_author_id_fkey', '!nothing'),
        tie('select'),
      )
      .map(([spread, name, target, hint, inner]) => `${spread}${name}${target}${hint}(${inner})`),
  ),
  select: fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join(',')),
}));

const operator = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'eq',
      'neq',
      'gt',
      'gte',
      'lt',
      'lte',
      'like',
      'ilike',
      'match',
      'imatch',
      'in',
      'is',
      'isdistinct',
      'fts',
      'plfts',
      'phfts',
      'wfts',
      'fts(english)',
      'cs',
      'cd',
      'ov',
      'sl',
      'sr',
      'nxr',
      'nxl',
      'adj',
      'eq(any)',
      'like(all)',
    ),
  },
  { weight: 1, arbitrary: nasty },
);
const value = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '-5',
    'null',
    'true',
    'knee',
    '*al*',
    '(1,2)',
    '("a","b\\"c")',
    '{knee,hand}',
    '[1990,2000)',
    '{"score":7}',
    '2026-01-01',
    '1.5',
    '(',
    '^W',
    '(a|',
    "''",
  ),
  nasty,
);
const condition = fc
  .tuple(fc.constantFrom('', '', 'not.'), operator, value)
  .map(([not, how, what]) => `${not}${how}.${what}`);
const { tree } = fc.letrec<{ tree: string; term: string }>((tie) => ({
  term: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(path, condition).map(([left, right]) => `${left}.${right}`),
    fc
      .tuple(fc.constantFrom('and', 'or', 'not.and', 'not.or'), tie('tree'))
      .map(([how, inner]) => `${how}${inner}`),
  ),
  tree: fc.array(tie('term'), { maxLength: 3 }).map((terms) => `(${terms.join(',')})`),
}));
const order = fc
  .array(fc.tuple(path, fc.constantFrom('', '.asc', '.desc', '.nullsfirst', '.desc.nullslast', '.up')), {
    maxLength: 3,
  })
  .map((terms) => terms.map((parts) => parts.join('')).join(','));
const count = fc.oneof(fc.integer({ min: -3, max: 2000 }).map(String), nasty);

/** Valid requests, so that their spoilt versions get past the parser. */
const sound = fc.constantFrom(
  'title,authors(name,books(title))',
  '*,publishers(name)',
  'id,publishers!publisher_id(*),covers(colour)',
  'name,books!inner(title,genres(name))',
  '...authors(writer:name),details->score::int',
  'mentor:mentor_id(name),pupils:authors(name)',
  'title,loud_title,same_author(title)',
  'value,area',
);

const parameter = fc.oneof(
  { weight: 3, arbitrary: spoiled(sound).map((text) => ['select', text]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ['thing', '1'],
      ['a', '1'],
      ['wanted', '1'],
      ['writer', '1'],
      ['numbers', '1'],
    ),
  },
  { weight: 4, arbitrary: spoiled(select).map((text) => ['select', text]) },
  { weight: 6, arbitrary: fc.tuple(path, spoiled(condition)) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.tuple(relation, path).map((parts) => parts.join('.')),
      spoiled(condition),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('or', 'and', 'not.or', 'books.or', 'authors.and'), spoiled(tree)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('order', 'books.order', 'authors.order'), spoiled(order)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('limit', 'offset', 'books.limit', 'books.offset'), count),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('columns', 'on_conflict'),
      spoiled(fc.array(column, { maxLength: 4 }).map((names) => names.join(','))),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(nasty, nasty) },
);
const query = fc
  .array(parameter, { maxLength: 5 })
  .map((pairs) => pairs.map(([name = '', text = '']) => `${escaped(name)}=${escaped(text)}`).join('&'));
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

const header = fc.oneof(
  fc.tuple(
    fc.constant('prefer'),
    fc
      .array(
        fc.constantFrom(
          'return=representation',
          'return=minimal',
          'return=headers-only',
          'count=exact',
          'count=planned',
          'count=estimated',
          'resolution=merge-duplicates',
          'resolution=ignore-duplicates',
          'missing=default',
          'handling=strict',
          'max-affected=1',
          'tx=rollback',
          'timezone=UTC',
          'timezone=Mars',
          'nonsense=1',
        ),
        { maxLength: 4 },
      )
      .map((all) => all.join(',')),
  ),
  fc.tuple(
    fc.constant('accept'),
    fc.oneof(
      fc.constantFrom(
        'application/json',
        'application/vnd.pgrst.object+json',
        'application/vnd.pgrst.object+json;nulls=stripped',
        'application/vnd.pgrst.array+json;nulls=stripped',
        'text/csv',
        'application/geo+json',
        'application/vnd.pgrst.plan',
        'text/plain',
        'application/octet-stream',
        'image/png',
        '*/*',
        ';;q=,',
      ),
      nasty,
    ),
  ),
  fc.tuple(
    fc.constant('range'),
    fc.oneof(
      fc.tuple(count, count).map((ends) => ends.join('-')),
      nasty,
    ),
  ),
  fc.tuple(
    fc.constantFrom('accept-profile', 'content-profile'),
    fc.oneof(fc.constantFrom('public', 'auth', 'storage', 'pg_catalog', 'private', 'realtime'), nasty),
  ),
  fc.tuple(
    fc.constant('content-type'),
    fc.constantFrom(
      'application/json',
      'text/csv',
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/octet-stream',
      'multipart/form-data',
      'text/xml',
    ),
  ),
);
const target = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...TABLES, 'old_books', 'profiles', 'solutions') },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(
        'add',
        'books_of',
        'one_book',
        'titles',
        'statistics',
        'echo',
        'describe',
        'total',
        'whoami',
        'refuse',
        'teapot',
        'browse_solutions',
        'nothing',
      )
      .map((name) => `rpc/${name}`),
  },
  { weight: 1, arbitrary: nasty.map(escaped) },
);
const row = fc.dictionary(column, fc.oneof(fc.jsonValue({ maxDepth: 2 }), value), { maxKeys: 5 });
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.oneof(row, fc.array(row, { maxLength: 4 })).map((written) => JSON.stringify(written)),
  },
  { weight: 2, arbitrary: json },
);

const cases = fc
  .record({
    method: fc.constantFrom(
      'GET',
      'GET',
      'GET',
      'GET',
      'HEAD',
      'POST',
      'POST',
      'PATCH',
      'DELETE',
      'PUT',
      'OPTIONS',
    ),
    target,
    query,
    headers: fc.array(header, { maxLength: 3 }),
    body,
    who: fc.nat(9),
  })
  .map(({ method, target, query, headers, body, who }): Case => {
    const writes = ['POST', 'PATCH', 'PUT'].includes(method);
    return {
      method,
      path: `/rest/v1/${target}?${query}`,
      headers: {
        ...(writes ? { 'content-type': 'application/json' } : {}),
        ...Object.fromEntries(headers),
        ...(who < 4 ? { authorization: `Bearer ${member}` } : {}),
        ...(who === 9 ? { authorization: 'Bearer not.a.token' } : {}),
      },
      body: writes ? body : undefined,
    };
  });

it('the table API answers every request with something better than a fault, and nothing it refuses has an effect', async () => {
  const before = await contents(library.sql, EVERYTHING);
  const statuses = await sendAll(library.backend.url, cases, 0.7);
  expect(await contents(library.sql, EVERYTHING)).toEqual(before);
  await nothingLeaks(library.sql);
  // The grammar reaches deep enough that a good part is served, and far enough that every kind of refusal occurs.
  const served = [200, 204];
  const refused = [300, 400, 401, 403, 404, 405, 406, 416];
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([...served, ...refused]));
});
