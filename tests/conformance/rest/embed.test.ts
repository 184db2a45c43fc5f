import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSampleDatabase, type SampleDatabase } from './sample-schema.ts';

let library: SampleDatabase;
beforeAll(async () => {
  library = await openSampleDatabase();
});
afterAll(() => library.stop());

/** The body of a request that must succeed. */
async function rows(path: string): Promise<unknown> {
  const response = await library.get(path);
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body;
}

it('embeds the one and the many', async () => {
  const { data, error } = await library.anon.from('books').select('id, author:authors(name)').order('id');
  expect(error).toBeNull();
  expect(data).toEqual([
    { id: 1, author: { name: 'Ada Ames' } },
    { id: 2, author: { name: 'Ben Bly' } },
    { id: 3, author: { name: 'Ben Bly' } },
    { id: 4, author: null },
  ]);
  expect(await rows('/authors?select=name,books(id)&order=id')).toEqual([
    { name: 'Ada Ames', books: [{ id: 1 }] },
    { name: 'Ben Bly', books: [{ id: 2 }, { id: 3 }] },
    { name: 'Cy Coe', books: [] },
  ]);
});

it('embeds one to one, in both directions', async () => {
  expect(await rows('/books?select=id,covers(colour)&id=in.(1,3)&order=id')).toEqual([
    { id: 1, covers: { colour: 'red' } },
    { id: 3, covers: null },
  ]);
  expect(await rows('/covers?select=colour,books(id)&book_id=eq.1')).toEqual([
    { colour: 'red', books: { id: 1 } },
  ]);
});

it('embeds through a junction table', async () => {
  expect(await rows('/books?select=id,genres(name)&order=id&genres.order=name.desc&id=lte.2')).toEqual([
    { id: 1, genres: [{ name: 'story' }, { name: 'craft' }] },
    { id: 2, genres: [{ name: 'craft' }] },
  ]);
});

it('embeds through views', async () => {
  expect(await rows('/old_books?select=id,authors(name)&order=id')).toEqual([
    { id: 1, authors: { name: 'Ada Ames' } },
    { id: 2, authors: { name: 'Ben Bly' } },
  ]);
  expect(await rows('/authors?select=id,old_books(id)&id=eq.2')).toEqual([{ id: 2, old_books: [{ id: 2 }] }]);
});

it('embeds a table in itself, up and down', async () => {
  expect(await rows('/authors?select=name,mentor:mentor_id(name)&id=eq.2')).toEqual([
    { name: 'Ben Bly', mentor: { name: 'Ada Ames' } },
  ]);
  expect(await rows('/authors?select=name,pupils:authors(name)&id=eq.1&pupils.order=name')).toEqual([
    { name: 'Ada Ames', pupils: [{ name: 'Ben Bly' }, { name: 'Cy Coe' }] },
  ]);
  expect(
    await rows(
      '/authors?select=name,pupils:authors!mentor_id(name)&id=eq.1&pupils.limit=1&pupils.order=name',
    ),
  ).toEqual([{ name: 'Ada Ames', pupils: [{ name: 'Ben Bly' }] }]);
});

it('embeds by functions of the row', async () => {
  expect(await rows('/books?select=id,same_author(id)&id=eq.2')).toEqual([
    { id: 2, same_author: [{ id: 3 }] },
  ]);
});

it('asks for a hint when there are several ways', async () => {
  const { error, status, statusText } = await library.anon.from('books').select('id, publishers(name)');
  expect([status, statusText]).toEqual([300, 'Multiple Choices']);
  expect(error).toMatchObject({
    code: 'PGRST201',
    message: "Could not embed because more than one relationship was found for 'books' and 'publishers'",
    hint: "Try changing 'publishers' to one of the following: 'publishers!books_first_publisher_id_fkey', 'publishers!books_publisher_id_fkey'. Find the desired relationship in the 'details' key.",
  });
  expect(error?.details).toContainEqual({
    cardinality: 'many-to-one',
    embedding: 'books with publishers',
    relationship: 'books_publisher_id_fkey using books(publisher_id) and publishers(id)',
  });
  const expected = [{ id: 1, now: { name: 'Faber' }, first: { name: 'Viking' } }];
  expect(
    await rows(
      '/books?select=id,now:publishers!publisher_id(name),first:publishers!books_first_publisher_id_fkey(name)&id=eq.1',
    ),
  ).toEqual(expected);
  expect(
    await rows('/books?select=id,now:publisher_id(name),first:books_first_publisher_id_fkey(name)&id=eq.1'),
  ).toEqual(expected);
});

it('says that there is no way, and which name may have been meant', async () => {
  const { error, status } = await library.anon.from('books').select('id, author(name)');
  expect(status).toBe(400);
  expect(error).toEqual({
    code: 'PGRST200',
    message: "Could not find a relationship between 'books' and 'author' in the schema cache",
    details:
      "Searched for a foreign key relationship between 'books' and 'author' in the schema 'public', but no matches were found.",
    hint: "Perhaps you meant 'authors' instead of 'author'.",
  });
});

it('nests, filters, orders and limits embeds', async () => {
  const { data } = await library.anon
    .from('publishers')
    .select('name, books!books_publisher_id_fkey(title, author:authors(name), genres(name))')
    .order('id')
    .order('title', { referencedTable: 'books', ascending: false })
    .limit(1, { referencedTable: 'books' })
    .eq('books.genres.name', 'craft');
  expect(data).toEqual([
    {
      name: 'Faber',
      books: [{ title: 'Walking again', author: { name: 'Ada Ames' }, genres: [{ name: 'craft' }] }],
    },
    { name: 'Viking', books: [{ title: 'A socket, "well" made', author: { name: 'Ben Bly' }, genres: [] }] },
  ]);
});

it('keeps only rows that have the embed with !inner', async () => {
  const { data } = await library.anon.from('authors').select('id, books!inner(id)').gt('books.pages', 200);
  expect(data).toEqual([{ id: 2, books: [{ id: 3 }] }]);
  expect(await rows('/books?select=id,authors!inner(name)&authors.name=like.Ada*')).toEqual([
    { id: 1, authors: { name: 'Ada Ames' } },
  ]);
  expect(await rows('/books?select=id,genres!inner()&genres.name=eq.story')).toEqual([{ id: 1 }]);
});

it('filters by whether the embed is there', async () => {
  expect(await rows('/authors?select=id,books()&books=is.null')).toEqual([{ id: 3 }]);
  expect(await rows('/books?select=id,authors()&authors=not.is.null&order=id')).toEqual([
    { id: 1 },
    { id: 2 },
    { id: 3 },
  ]);
  expect(
    await rows('/books?select=id,covers(),authors()&or=(covers.not.is.null,authors.is.null)&order=id'),
  ).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }]);
  const response = await library.get('/authors?select=id,books()&books=is.null', { prefer: 'count=exact' });
  expect(response.headers.get('content-range')).toBe('0-0/1');
  const bad = await library.get('/authors?select=id,books(id)&books=eq.1');
  expect([bad.status, (await bad.json()).code]).toEqual([400, '42703']);
});

it('filters embeds by trees', async () => {
  expect(
    await rows('/authors?select=id,books(id)&books.or=(id.eq.2,pages.gt.200)&id=eq.2&books.order=id'),
  ).toEqual([{ id: 2, books: [{ id: 2 }, { id: 3 }] }]);
});

it('orders by a column of the one', async () => {
  expect(await rows('/books?select=id,authors(name)&order=authors(name).desc.nullslast,id')).toEqual([
    { id: 2, authors: { name: 'Ben Bly' } },
    { id: 3, authors: { name: 'Ben Bly' } },
    { id: 1, authors: { name: 'Ada Ames' } },
    { id: 4, authors: null },
  ]);
  const many = await library.get('/authors?select=id,books(id)&order=books(id)');
  expect([many.status, (await many.json()).code]).toEqual([400, 'PGRST118']);
});

it('spreads', async () => {
  expect(
    await rows('/books?select=id,...authors(author:name,...mentor_id(mentor:name))&order=id&id=lte.2'),
  ).toEqual([
    { id: 1, author: 'Ada Ames', mentor: null },
    { id: 2, author: 'Ben Bly', mentor: 'Ada Ames' },
  ]);
  expect(await rows('/authors?select=name,...books(titles:id,pages)&books.order=id&id=eq.2')).toEqual([
    { name: 'Ben Bly', titles: [2, 3], pages: [80, 240] },
  ]);
  expect(await rows('/books?select=id,...covers(*)&id=eq.1')).toEqual([{ id: 1, book_id: 1, colour: 'red' }]);
});

it('says when a filter is about something that is not embedded', async () => {
  const response = await library.get('/books?select=id&authors.name=eq.Ada');
  expect([response.status, await response.json()]).toEqual([
    400,
    {
      code: 'PGRST108',
      message: "'authors' is not an embedded resource in this request",
      hint: "Verify that 'authors' is included in the 'select' query parameter.",
      details: null,
    },
  ]);
});

it('knows new tables and keys without being told', async () => {
  await library.sql.query(`set role postgres; create table public.shelves (id int primary key, book_id int references public.books (id));
    reset role`);
  await expect.poll(async () => (await library.get('/shelves?select=id,books(title)')).status).toBe(200);
  await library.sql.query(`set role postgres; alter table public.shelves rename to racks; reset role`);
  await expect.poll(async () => (await library.get('/racks?select=id,books(title)')).status).toBe(200);
  await library.sql.query('drop table public.racks');
  await expect.poll(async () => (await library.get('/racks')).status).toBe(404);
});
