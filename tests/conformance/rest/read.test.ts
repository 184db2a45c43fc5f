import { afterAll, describe, expect, it } from 'vitest';
import { openSampleDatabase } from './sample-schema.ts';

const library = await openSampleDatabase();
afterAll(() => library.stop());

const ids = (rows: { id: number }[] | null) => rows?.map((row) => row.id);

describe('columns', () => {
  it('selects, renames, casts and reads inside JSON', async () => {
    const { data, error, status, statusText } = await library.anon
      .from('books')
      .select('id, name:title, price::text, isbn:details->>isbn, details->score, tags')
      .eq('id', 1);
    expect(error).toBeNull();
    expect(data).toEqual([
      { id: 1, name: 'Walking again', price: '9.50', isbn: '111', score: 7, tags: ['knee', 'gait'] },
    ]);
    expect([status, statusText]).toEqual([200, 'OK']);
  });

  it('reads inside arrays and deep objects', async () => {
    const { data } = await library.anon
      .from('authors')
      .select('details->home->>town, details->prizes->>1')
      .eq('id', 1);
    expect(data).toEqual([{ town: 'Leeds', prizes: 'B' }]);
  });

  it('gives everything in the order of the table', async () => {
    const response = await library.get('/publishers?order=id');
    expect(await response.text()).toBe(
      '[{"id":1,"name":"Faber","founded":"1929-01-01"}, \n {"id":2,"name":"Viking","founded":"1925-03-01"}]',
    );
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('gives requests that differ in a value alone the rows of their own value, also when a column was added', async () => {
    const idsWith = async (title: string) =>
      ids((await library.anon.from('books').select('id').eq('title', title).order('id')).data);
    const { data: books } = await library.anon.from('books').select().order('id');
    for (const { id, title } of books ?? []) expect(await idsWith(title)).toContain(id);
    expect(await idsWith('Ada & Bob = 100 % + more')).toEqual([]);
    await library.sql.query('alter table public.publishers add column town text default $$Oslo$$');
    await expect
      .poll(async () => (await library.get('/publishers?id=eq.1')).json())
      .toMatchObject([{ id: 1, town: 'Oslo' }]);
    await library.sql.query('alter table public.publishers drop column town');
    await expect
      .poll(async () => (await library.get('/publishers?id=eq.2')).text())
      .toBe('[{"id":2,"name":"Viking","founded":"1925-03-01"}]');
  });

  it('offers functions of the row as columns', async () => {
    const { data } = await library.anon.from('books').select('loud_title').eq('id', 2).single();
    expect(data).toEqual({ loud_title: 'GRIP AND RELEASE' });
  });

  it('refuses an answer of more bytes than its reader may have, before it leaves the database', async () => {
    await library.sql.query("insert into public.books (id, title) values (900, repeat('long', 250000))");
    const times = (many: number) =>
      library.anon
        .from('books')
        .select(Array.from({ length: many }, (_, index) => `t${index}:title`).join())
        .eq('id', 900);
    expect((await times(8)).status).toBe(200);
    const { status, error } = await times(9);
    expect([status, error?.code, error?.message]).toEqual([
      413,
      'PGRST102',
      'The answer is too large; ask for fewer rows or columns',
    ]);
    await library.sql.query('delete from public.books where id = 900');
  });

  it('refuses aggregates but counts embedded rows', async () => {
    const { error } = await library.anon.from('books').select('pages.sum()');
    expect(error).toMatchObject({ code: 'PGRST123', message: 'Use of aggregate functions is not allowed' });
    const { data } = await library.anon.from('authors').select('name, books(count)').order('id');
    expect(data).toEqual([
      { name: 'Ada Ames', books: [{ count: 1 }] },
      { name: 'Ben Bly', books: [{ count: 2 }] },
      { name: 'Cy Coe', books: [{ count: 0 }] },
    ]);
  });
});

describe('filters', () => {
  const cases: [string, string, number[]][] = [
    ['eq', 'id=eq.1', [1]],
    ['neq', 'id=neq.1', [2, 3, 4]],
    ['gt and lte', 'pages=gt.80&pages=lte.240', [1, 3]],
    ['gte and lt', 'pages=gte.80&pages=lt.120', [2]],
    ['like', 'title=like.*again', [1]],
    ['ilike', 'title=ilike.GRIP%25', [2]],
    ['like(any)', 'title=like(any).{Grip*,Walk*}', [1, 2]],
    ['like(all)', 'title=like(all).{*a*,*release}', [2]],
    ['eq(any)', 'id=eq(any).{1,3}', [1, 3]],
    ['match', 'title=match.^[GW]', [1, 2]],
    ['imatch', 'title=imatch.^n', [4]],
    ['in', 'id=in.(1,2)', [1, 2]],
    ['in, quoted', 'title=in.("A socket, \\"well\\" made",Other)', [3]],
    ['in, empty', 'id=in.()', []],
    ['is null', 'pages=is.null', [4]],
    ['is not_null', 'pages=is.not_null', [1, 2, 3]],
    ['not', 'pages=not.is.null&id=not.in.(1,2)', [3]],
    ['isdistinct', 'pages=isdistinct.120', [2, 3, 4]],
    ['cs', 'tags=cs.{knee}', [1, 4]],
    ['cd', 'tags=cd.{knee,gait}&tags=neq.{}', [1]],
    ['ov', 'tags=ov.{gait,hand}', [1, 2, 4]],
    ['cs on JSON', 'details=cs.{"isbn":"222"}', [2]],
    ['sl', 'published_in=sl.[1996,1999)', [1]],
    ['sr', 'published_in=sr.[1996,1999)', [2]],
    ['nxr', 'published_in=nxr.[1990,1999)', [1]],
    ['nxl', 'published_in=nxl.[2000,2001)', [2]],
    ['adj', 'published_in=adj.[1995,1996)', [1]],
    ['fts', 'search=fts.walk', [1]],
    ['fts with language', 'search=fts(english).walks', [1]],
    ['plfts on text', 'title=plfts(english).releasing grip', [2]],
    ['phfts', 'search=phfts.socket well', [3]],
    ['wfts', 'search=wfts.grip or walk', [1, 2]],
    ['inside JSON', 'details->>isbn=eq.222', [2]],
    ['inside JSON, as JSON', 'details->score=eq.7', [1]],
    ['or', 'or=(id.eq.1,title.like.Nobody*)', [1, 4]],
    ['or with and', 'or=(id.eq.3,and(pages.gt.100,pages.lt.200))', [1, 3]],
    ['not.or', 'not.or=(id.eq.1,id.eq.2)', [3, 4]],
    ['not inside or', 'or=(id.not.gt.1,not.and(id.gt.0,id.lt.4))', [1, 4]],
    [
      'or with quotes, lists and arrays',
      'or=(title.eq."A socket, \\"well\\" made",id.in.(1,2),tags.cs.{knee,hand})',
      [1, 2, 3, 4],
    ],
    ['and', 'and=(id.gt.1,id.lt.3)', [2]],
  ];
  it.each(cases)('%s', async (_name, query, expected) => {
    const response = await library.get(`/books?select=id&order=id&${query}`);
    const body = await response.json();
    expect(response.status, JSON.stringify(body)).toBe(200);
    expect(ids(body)).toEqual(expected);
  });

  it('takes values literally', async () => {
    const { data, error } = await library.anon
      .from('books')
      .select('id')
      .eq('title', `'; drop table books; --`);
    expect([data, error]).toEqual([[], null]);
  });

  it.each([
    ['id=1', 'PGRST100'],
    ['id=noop.1', 'PGRST100'],
    ['id=eq.one', '22P02'],
    ['id=is.7', 'PGRST100'],
    ['or=(id.eq.1', 'PGRST100'],
    ['or=()', 'PGRST100'],
    ['nothing=eq.1', '42703'],
    ['title=eq.%00', '22021'],
  ])('refuses %s', async (query, code) => {
    const response = await library.get(`/books?${query}`);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(Object.keys(body)).toEqual(['code', 'details', 'hint', 'message']);
    expect(body.code).toBe(code);
  });

  it('limits how much may be asked at once', async () => {
    const terms = Array.from({ length: 201 }, (_, index) => `id.eq.${index}`).join(',');
    expect((await library.get(`/books?or=(${terms})`)).status).toBe(400);
    const nested = `${'author:authors!books_author_id_fkey(books('.repeat(6)}id${'))'.repeat(6)}`;
    expect((await library.get(`/books?select=${nested}`)).status).toBe(400);
  });

  it('gives who has no account fewer relations, and no regular expression that may take for ever', async () => {
    const wide = Array.from(
      { length: 13 },
      (_, index) => `a${index}:authors!books_author_id_fkey(id)`,
    ).join();
    const deep = `${'author:authors!books_author_id_fkey(books!books_author_id_fkey('.repeat(3)}id${'))'.repeat(3)}`;
    for (const select of [wide, deep]) {
      expect((await library.get(`/books?select=${select}`)).status).toBe(400);
      expect((await library.service.from('books').select(select)).error).toBeNull();
    }
    for (const pattern of ['(a%2B)%2B\\1', 'a?'.repeat(101)]) {
      const refused = await library.get(`/books?title=match.${pattern}`);
      expect([refused.status, (await refused.json()).code]).toEqual([400, 'PGRST100']);
      expect((await library.get(`/books?or=(title.imatch.${pattern},id.eq.1)`)).status).toBe(400);
    }
    expect(await (await library.get('/books?title=match.^(G|A)&select=id&order=id')).json()).not.toEqual([]);
  });
});

describe('order and range', () => {
  it('orders by several columns and places nulls', async () => {
    const { data } = await library.anon
      .from('books')
      .select('id')
      .order('pages', { ascending: false, nullsFirst: true })
      .order('id');
    expect(ids(data)).toEqual([4, 3, 1, 2]);
    expect(
      await (await library.get('/books?select=id&order=details->>isbn.desc.nullslast,id')).json(),
    ).toEqual([2, 1, 3, 4].map((id) => ({ id })));
  });

  it('pages with limit and offset, and with the Range header', async () => {
    const { data, status } = await library.anon.from('books').select('id').order('id').range(1, 2);
    expect([ids(data), status]).toEqual([[2, 3], 200]);
    const ranged = await library.get('/books?select=id&order=id', {
      range: '0-1',
      'range-unit': 'items',
      prefer: 'count=exact',
    });
    expect([ranged.status, ranged.headers.get('content-range'), ids(await ranged.json())]).toEqual([
      206,
      '0-1/4',
      [1, 2],
    ]);
  });

  it('counts', async () => {
    const { count, data, status } = await library.anon
      .from('books')
      .select('id', { count: 'exact' })
      .limit(1);
    expect([count, data?.length, status]).toEqual([4, 1, 206]);
    const head = await library.anon.from('books').select('*', { count: 'exact', head: true }).gt('id', 2);
    expect([head.count, head.data, head.status]).toEqual([2, null, 200]);
    const none = await library.anon.from('books').select('*', { count: 'exact' }).eq('id', -1);
    expect([none.count, none.status]).toEqual([0, 200]);
    const estimated = await library.anon.from('books').select('*', { count: 'estimated' });
    expect(estimated.count).toBe(4);
    await library.sql.query('analyze public.books');
    const planned = await library.anon.from('books').select('*', { count: 'planned' }).limit(2);
    expect(planned.count).toBe(4);
  });

  it('never gives more than the configured number of rows', async () => {
    await library.sql.query(
      `insert into public.genres select n, 'g' || n from generate_series(1000, 2500) as n`,
    );
    const { data } = await library.anon.from('genres').select('id').limit(5000);
    expect(data).toHaveLength(1000);
    await library.sql.query('delete from public.genres where id >= 1000');
  });
});

describe('formats', () => {
  it('gives one object, or says how many there were', async () => {
    const { data } = await library.anon.from('books').select('id').eq('id', 1).single();
    expect(data).toEqual({ id: 1 });
    const several = await library.anon.from('books').select('id').single();
    expect([several.status, several.statusText]).toEqual([406, 'Not Acceptable']);
    expect(several.error).toEqual({
      code: 'PGRST116',
      details: 'The result contains 4 rows',
      hint: null,
      message: 'Cannot coerce the result to a single JSON object',
    });
    const none = await library.anon.from('books').select('id').eq('id', -1).maybeSingle();
    expect([none.data, none.error]).toEqual([null, null]);
  });

  it('gives CSV', async () => {
    const { data } = await library.anon.from('books').select('id,title,price,details').order('id').csv();
    expect(data).toBe(
      [
        'id,title,price,details',
        '1,"Walking again",9.50,"{""isbn"": ""111"", ""score"": 7}"',
        '2,"Grip and release",20.00,"{""isbn"": ""222"", ""score"": 10}"',
        '3,"A socket, ""well"" made",,',
        '4,"Nobody\'s book",12.25,',
      ].join('\n'),
    );
  });

  it('leaves out nulls when asked', async () => {
    const { data } = await library.anon.from('books').select('id,pages,price').eq('id', 4).stripNulls();
    expect(data).toEqual([{ id: 4, price: 12.25 }]);
  });

  it('refuses formats it does not serve', async () => {
    const response = await library.get('/books', { accept: 'application/vnd.pgrst.plan+json' });
    expect([response.status, (await response.json()).code]).toEqual([406, 'PGRST107']);
    expect((await library.get('/books', { accept: 'application/geo+json' })).status).toBe(406);
    const root = await library.get('/');
    expect([root.status, (await root.json()).code]).toEqual([404, 'PGRST126']);
  });
});

it('takes a list of 500 ids, and refuses a far longer one in words', async () => {
  const ids = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());
  const some = await library.anon
    .from('books')
    .select('id')
    .in('title', [...ids(500), 'Ferry']);
  expect([some.status, some.error]).toEqual([200, null]);
  const many = await library.anon.from('books').select('id').in('title', ids(1000));
  expect([many.status, many.error?.message]).toEqual([414, 'The URL is too long']);
  const more = await library.anon.from('books').select('id').in('title', ids(2000));
  expect([more.status, more.error?.message]).toEqual([
    431,
    'The address and headers of the request are too long',
  ]);
});
