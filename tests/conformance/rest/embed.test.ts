import { afterAll, expect, it } from 'vitest';
import { openSampleDatabase } from './sample-schema.ts';

const library = await openSampleDatabase();
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

it('filters embeds by trees', async () => {
  expect(
    await rows('/authors?select=id,books(id)&books.or=(id.eq.2,pages.gt.200)&id=eq.2&books.order=id'),
  ).toEqual([{ id: 2, books: [{ id: 2 }, { id: 3 }] }]);
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
