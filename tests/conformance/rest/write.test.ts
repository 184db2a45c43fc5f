import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSampleDatabase } from './sample-schema.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';

const library = await openSampleDatabase();
afterAll(() => library.stop());
afterEach(async () => {
  await library.sql.query(`delete from public.loans; delete from public.books where id > 4; delete from public.settings where area <> 'site';
    update public.settings set value = 'Library' where key = 'name'; delete from public.private_notes where id > 1`);
});

async function send(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${library.backend.url}/rest/v1${path}`, {
    method,
    headers: { apikey: library.backend.anonKey, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('insert', () => {
  it('writes one row and says nothing more', async () => {
    const { data, error, status, statusText, count } = await library.anon
      .from('books')
      .insert({ title: 'New' });
    expect([data, error, status, statusText, count]).toEqual([null, null, 201, 'Created', null]);
  });

  it('gives back what was written, with embeds', async () => {
    const { data, error } = await library.anon
      .from('books')
      .insert({
        title: 'New',
        author_id: 2,
        tags: ['a', 'b,"c'],
        price: 12345678.25,
        details: { deep: [1, null] },
      })
      .select('title, price, tags, details, loud_title, author:authors(name)')
      .single();
    expect(error).toBeNull();
    expect(data).toMatchObject({
      title: 'New',
      tags: ['a', 'b,"c'],
      price: 12345678.25,
      details: { deep: [1, null] },
      loud_title: 'NEW',
      author: { name: 'Ben Bly' },
    });
    const big = await send(
      'POST',
      '/books?select=details',
      '{"title":"Big","details":{"n":123456789012345678901234567890}}',
      {
        prefer: 'return=representation',
      },
    );
    expect(await big.text()).toContain('123456789012345678901234567890');
  });

  it('writes several rows, whose missing keys are null or the default', async () => {
    const first = await library.anon
      .from('books')
      .insert([
        { title: 'One', pages: 5 },
        { title: 'Two', tags: ['x'] },
      ])
      .select('title,pages,tags');
    expect(first.error?.code).toBe('23502');
    const { data, error } = await library.anon
      .from('books')
      .insert(
        [
          { title: 'One', status: 'read' },
          { title: 'Two', tags: ['x'] },
        ],
        { defaultToNull: false },
      )
      .select('title,status,tags');
    expect(error).toBeNull();
    expect(data).toEqual([
      { title: 'One', status: 'read', tags: [] },
      { title: 'Two', status: 'new', tags: ['x'] },
    ]);
  });

  it('writes defaults only, and nothing for an empty list', async () => {
    const person = await library.as(ADA);
    const { data } = await person.from('loans').insert({ book_id: 1 }).select('reader, note').single();
    expect(data).toEqual({ reader: ADA, note: null });
    const visits = await library.anon.from('visits').insert([{}, {}]).select('kind');
    expect([visits.status, visits.data]).toEqual([201, [{ kind: 'walk' }, { kind: 'walk' }]]);
    const none = await library.anon.from('books').insert([]).select('id');
    expect([none.status, none.data]).toEqual([201, []]);
  });

  it('reads CSV and forms', async () => {
    const csv = await send(
      'POST',
      '/books?select=title,pages',
      'title,pages\n"Comma, one",7\n"Quote ""two""",NULL\n',
      {
        'content-type': 'text/csv',
        prefer: 'return=representation',
      },
    );
    expect(await csv.json()).toEqual([
      { title: 'Comma, one', pages: 7 },
      { title: 'Quote "two"', pages: null },
    ]);
    const form = await send('POST', '/books?select=title', 'title=From+a+form', {
      'content-type': 'application/x-www-form-urlencoded',
      prefer: 'return=representation',
    });
    expect(await form.json()).toEqual([{ title: 'From a form' }]);
    const ragged = await send('POST', '/books', 'title,pages\nOne\n', { 'content-type': 'text/csv' });
    expect([ragged.status, (await ragged.json()).code]).toEqual([400, 'PGRST102']);
  });

  it.each([
    ['a missing parent', { title: 'Orphan', author_id: 999 }, '/books', 409, '23503'],
    ['a failed check', { title: 'x' }, '/books', 400, '23514'],
    ['a wrong value', { title: 'Wrong', pages: 'many' }, '/books', 400, '22P02'],
    ['an unknown column', { title: 'Wrong', writer: 1 }, '/books', 400, 'PGRST204'],
    [
      'JSON nested beyond reason',
      `{"details":${'['.repeat(9000)}${']'.repeat(9000)}}`,
      '/books',
      400,
      'PGRST102',
    ],
    ['an unknown table', { a: 1 }, '/bookz', 404, 'PGRST205'],
    ['too many rows', Array.from({ length: 101 }, () => ({ title: 'Many' })), '/books', 413, 'PGRST102'],
    ['too much', { title: 'x'.repeat(1_100_000) }, '/books', 413, 'PGRST102'],
  ])('refuses %s', async (_name, body, path, status, code) => {
    const response = await send('POST', path, body);
    expect([response.status, (await response.json()).code]).toEqual([status, code]);
  });

  it.each([
    ['rows as CSV', 'text/csv', `title\n${'a\n'.repeat(100_000)}`],
    ['empty lines as CSV', 'text/csv', '\n'.repeat(1_000_000)],
    ['columns as CSV', 'text/csv', ','.repeat(1_000_000)],
    ['fields of a form', 'application/x-www-form-urlencoded', 'a=1&'.repeat(225_000)],
    ['objects', 'application/json', `[${'{},'.repeat(300_000)}{}]`],
    ['objects, whatever follows', 'application/json', `[${'{},'.repeat(100)}{ no JSON any more`],
    [
      'fields of a row, whatever follows',
      'application/json',
      `[{${Array.from({ length: 1_700 }, (_, at) => `"${at}":1`)}, no JSON any more`,
    ],
    [
      'fields of an object',
      'application/json',
      `{${'"a":1,'.repeat(5)}${Array.from({ length: 50_000 }, (_, at) => `"${at}":1`)}}`,
    ],
  ])('stops reading %s at the first too many', async (_what, type, body) => {
    const { url, anonKey } = library.backend;
    const response = await fetch(`${url}/rest/v1/books`, {
      method: 'POST',
      headers: { apikey: anonKey, 'content-type': type },
      body,
    });
    const { code, message } = await response.json();
    expect([response.status, code]).toEqual([413, 'PGRST102']);
    expect(message).toMatch(/^At most (?:100 rows|1600 fields) can be/);
  });

  it('needs no right to read what it writes', async () => {
    const { error, status } = await library.anon.from('private_notes').insert({ id: 2, shown: 'mine' });
    expect([error, status]).toEqual([null, 201]);
    const inserted = await library.anon
      .from('private_notes')
      .insert({ id: 3, shown: 'mine' })
      .select('shown')
      .single();
    expect(inserted.data).toEqual({ shown: 'mine' });
    const hidden = await library.anon.from('private_notes').insert({ id: 4, shown: 'x' }).select();
    expect([hidden.status, hidden.error?.code]).toEqual([401, '42501']);
    const { rows } = await library.sql.query('select id from public.private_notes order by id');
    expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });
});

describe('update and delete', () => {
  it('changes the rows the filters choose', async () => {
    const { data, error } = await library.anon
      .from('settings')
      .update({ value: 'Hall' })
      .eq('key', 'name')
      .select('key,value');
    expect([error, data]).toEqual([null, [{ key: 'name', value: 'Hall' }]]);
    const quiet = await library.anon
      .from('settings')
      .update({ value: 'Library' }, { count: 'exact' })
      .eq('key', 'name');
    expect([quiet.status, quiet.count]).toEqual([204, 1]);
    const none = await library.anon.from('settings').update({ value: 'x' }).eq('key', 'nothing').select();
    expect([none.status, none.data]).toEqual([200, []]);
    const nothing = await library.anon.from('settings').update({}).eq('key', 'name').select('key');
    expect([nothing.status, nothing.data]).toEqual([200, []]);
  });

  it('removes the rows the filters choose, and can show them', async () => {
    await library.anon.from('books').insert([
      { title: 'Gone one', author_id: 1 },
      { title: 'Gone two', author_id: null },
    ]);
    const { data } = await library.anon
      .from('books')
      .delete()
      .like('title', 'Gone*')
      .select('title, authors(name)')
      .order('title', { ascending: false });
    expect(data).toEqual([
      { title: 'Gone two', authors: null },
      { title: 'Gone one', authors: { name: 'Ada Ames' } },
    ]);
    const again = await library.anon.from('books').delete({ count: 'exact' }).like('title', 'Gone*');
    expect([again.status, again.count]).toEqual([204, 0]);
  });

  it('refuses to touch every row', async () => {
    const response = await send('DELETE', '/settings', '');
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: '21000', details: null, hint: null, message: 'DELETE requires a WHERE clause' },
    ]);
    expect((await send('PATCH', '/settings', { value: 'x' })).status).toBe(400);
  });

  it('refuses a row that an upsert names twice, and writes neither', async () => {
    const twice = ['one', 'two'].map((value) => ({ area: 'twice', key: 'k', value }));
    const { status, error } = await library.anon.from('settings').upsert(twice);
    expect([status, error?.code]).toEqual([400, '21000']);
    expect((await library.anon.from('settings').select().eq('area', 'twice')).data).toEqual([]);
  });

  it('undoes what affects more rows than wanted', async () => {
    const { error, status } = await library.anon
      .from('settings')
      .update({ value: 'all' })
      .eq('area', 'site')
      .setHeader('prefer', 'handling=strict, max-affected=1');
    expect([status, error]).toEqual([
      400,
      {
        code: 'PGRST124',
        details: 'The query affects 2 rows',
        hint: null,
        message: 'Query result exceeds max-affected preference constraint',
      },
    ]);
    const single = await library.anon
      .from('settings')
      .update({ value: 'all' })
      .eq('area', 'site')
      .select()
      .single();
    expect(single.error?.code).toBe('PGRST116');
    const { data } = await library.anon.from('settings').select('value').eq('value', 'all');
    expect(data).toEqual([]);
  });
});

describe('row-level security', () => {
  it('acts as the caller and as no one else', async () => {
    const [ada, ben] = await Promise.all([library.as(ADA), library.as(BEN)]);
    expect((await ada.from('loans').insert({ book_id: 1 })).error).toBeNull();
    const forged = await ben.from('loans').insert({ book_id: 2, reader: ADA });
    expect([forged.status, forged.error]).toMatchObject([
      403,
      { code: '42501', message: 'new row violates row-level security policy for table "loans"' },
    ]);
    expect((await ben.from('loans').select()).data).toEqual([]);
    expect((await ben.from('loans').update({ note: 'hi' }).eq('reader', ADA).select()).data).toEqual([]);
    expect((await ben.from('loans').delete().gt('id', 0).select()).data).toEqual([]);
    expect((await library.anon.from('loans').select()).data).toEqual([]);
    expect((await library.anon.from('loans').insert({ book_id: 1 })).status).toBe(401);
    expect((await library.service.from('loans').select('reader')).data).toEqual([{ reader: ADA }]);
    const { count } = await ben.from('loans').select('*', { count: 'exact', head: true });
    expect(count).toBe(0);
  });

  it('refuses columns that were not granted', async () => {
    const { error, status } = await library.anon.from('private_notes').select('*');
    expect([status, error?.code, error?.message]).toEqual([
      401,
      '42501',
      'permission denied for table private_notes',
    ]);
    expect((await library.anon.from('private_notes').select('id, shown')).data).toEqual([
      { id: 1, shown: 'yes' },
    ]);
    const other = await library.anon.from('private_notes').select('id').eq('hidden', 'no');
    expect(other.error?.code).toBe('42501');
  });
});
