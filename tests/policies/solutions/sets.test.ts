import { describe, expect, it } from 'vitest';
import { openDatabase } from '../fixtures.ts';
import { openShelf } from './shelf.ts';

const database = openDatabase();
const { owner } = database;
const { browse, shelf } = openShelf(database);

describe('the sets that browse counts and searches with', () => {
  it('has a number for each solution, by which the sets know it', async () => {
    await shelf();
    const columns =
      'user_id, title, description, occupation, amputation_level, prosthesis_type, cost_range, age_group, materials, number';
    const twice = `insert into solutions (${columns}) overriding system value select ${columns} from solutions limit 1`;
    expect(await owner(twice).catch((error) => error)).toMatchObject({ code: '23505' });
  });

  it('counts the same when everything is indexed again', async () => {
    const { bow } = await shelf();
    const asked = [
      {},
      { search: 'a', filters: ['Carbon Fiber'] },
      { search: 'ade' },
      { search: 'carbon', filters: ['Carbon Fiber'], match: 'any' },
      { filters: ['Carbon Fiber'] },
    ];
    const answers = async () => {
      const pages = [];
      for (const options of asked) pages.push(await browse(options));
      return pages;
    };
    const before = await answers();
    expect(before.map(({ total }) => total)).toEqual([3, 2, 1, 2, 2]);
    await owner('select private.reindex_solutions(0)');
    expect(await answers()).toEqual(before);

    await owner('set local session_replication_role = replica');
    await owner("update solutions set title = 'A quill held by a magnet' where id = $1", [bow]);
    await owner('set local session_replication_role = default');
    expect(await browse({ search: 'quill' })).toMatchObject({ total: 0 });
    await owner('select private.reindex_solutions(0)');
    expect(await browse({ search: 'quill' })).toMatchObject({ total: 1 });
    const words = await owner(
      'select word from private.search_words w where solutions <> (select sum(size) from private.word_sets s where s.key = w.word)',
    );
    expect(words).toEqual([]);
  });

  it('finds solutions whose numbers are far apart', async () => {
    const { blade } = await shelf();
    const columns =
      'user_id, title, description, status, occupation, amputation_level, prosthesis_type, cost_range, age_group, materials, custom_tags';
    await owner('set local session_replication_role = replica');
    for (const apart of [20_000, 70_000])
      await owner(
        `insert into solutions (${columns}, number, created_at) overriding system value
         select ${columns}, number + ${apart}, created_at - interval '1 day' from solutions where id = $1`,
        [blade],
      );
    await owner('set local session_replication_role = default');
    for (const chunk of [0, 1, 2]) await owner('select private.reindex_solutions($1)', [chunk]);
    const found = async (options: Record<string, unknown>) => {
      const page = await browse(options);
      return [page.total, page.items.length, page.facets.occupation?.Running];
    };
    for (const options of [
      { search: 'running bl' },
      { search: 'ade', sort: 'popular' },
      { filters: ['Running'] },
      { filters: ['Carbon Fiber', 'Running'], sort: 'oldest' },
      { filters: ['Running', 'Carbon Fiber'], match: 'any' },
    ])
      expect(await found(options)).toEqual([3, 3, 3]);

    await owner("update solutions set custom_tags = '{zither}', occupation = 'Typing' where number > 60000");
    expect(await found({ search: 'zither' })).toEqual([1, 1, 0]);
    expect(await found({ search: 'sprint' })).toEqual([2, 2, 2]);
    await owner('delete from solutions where number between 20000 and 60000');
    expect(await found({ search: 'sprint' })).toEqual([1, 1, 1]);
  });

  it('keeps counts for each single value equal to what is counted', async () => {
    const { blade, knee } = await shelf();
    await owner("update solutions set materials = '{Silicone}', age_group = 'Children' where id = $1", [
      blade,
    ]);
    await owner("update solutions set status = 'pending' where id = $1", [knee]);
    const wrong = await owner(
      `select c.value, c.other from private.facet_counts c
       where c.solutions <> (
         select count(*) from solutions s
         where s.status = 'approved' and s.facets || ''::text @> array[c.value, c.other])`,
    );
    expect(wrong).toEqual([]);
    expect((await browse({ filters: ['Silicone'] })).total).toBe(2);
    expect((await browse({ filters: ['Titanium'] })).total).toBe(0);
  });
});
