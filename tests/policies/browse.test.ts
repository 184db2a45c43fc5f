import { describe, expect, it } from 'vitest';
import { openWorld } from './world.ts';

const { as, owner, solution, comment } = openWorld();

interface Page {
  total: number;
  facets: Record<string, Record<string, number>>;
  items: { id: string; title: string; author: { username: string } | null; badges: { name: string }[] }[];
  next_cursor: string | null;
}

async function browse(options: Record<string, unknown> = {}): Promise<Page> {
  const names = Object.keys(options);
  const call = `select browse_solutions(${names.map((name, index) => `${name} => $${index + 1}`).join(', ')}) as page`;
  const { rows, message } = await as<{ page: Page }>('visitor', call, Object.values(options));
  if (!rows[0]) throw new Error(message);
  return rows[0].page;
}

async function shelf() {
  const ids = {
    bow: await solution(),
    blade: await solution(),
    knee: await solution(),
  };
  await owner(`update solutions set created_at = '2026-01-01' where id = $1`, [ids.bow]);
  await owner(
    `update solutions set title = 'Running blade, 100 % carbon', description = 'A long-distance blade with a laminated heel for uneven ground.', occupation = 'Running', amputation_level = 'Transtibial (Below Knee)', prosthesis_type = 'Passive', materials = '{"Carbon Fiber"}', custom_tags = '{sprint}', created_at = '2026-02-01', likes_count = 9 where id = $1`,
    [ids.blade],
  );
  await owner(
    `update solutions set title = 'Prothèse de genou', description = 'A microprocessor knee set up for stairs and for a heavy schoolbag.', occupation = 'Walking', amputation_level = 'Transfemoral (Above Knee)', prosthesis_type = 'Hybrid', materials = '{"Carbon Fiber",Titanium}', age_group = 'Children, Adults', created_at = '2026-03-01', likes_count = 4 where id = $1`,
    [ids.knee],
  );
  return ids;
}

describe('browse_solutions', () => {
  it('answers approved solutions only, with card, author and badges', async () => {
    const id = await solution('approved');
    await solution('pending');
    await solution('rejected');
    await comment(id);
    const page = await browse();
    expect(page).toMatchObject({ total: 1, next_cursor: null });
    expect(page.items).toMatchObject([
      {
        id,
        comments_count: 1,
        author: { username: 'author.one', profession: 'Prosthetist' },
        badges: [{ name: 'First Solution' }],
        video_seconds: null,
      },
    ]);
  });

  it('sorts newest, oldest and popular', async () => {
    const { bow, blade, knee } = await shelf();
    expect((await browse()).items.map((item) => item.id)).toEqual([knee, blade, bow]);
    expect((await browse({ sort: 'oldest' })).items.map((item) => item.id)).toEqual([bow, blade, knee]);
    expect((await browse({ sort: 'popular' })).items.map((item) => item.id)).toEqual([blade, knee, bow]);
    await expect(browse({ sort: 'worst' })).rejects.toThrow('sort newest, oldest or popular');
  });

  it.each(['newest', 'oldest', 'popular'])('pages through everything once, %s first', async (sort) => {
    const made = new Set<string>();
    for (let n = 0; n < 7; n++) made.add(await solution());
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await browse({ sort, cursor, page_size: 3 });
      expect(page.total).toBe(7);
      seen.push(...page.items.map((item) => item.id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(made);
  });

  it('searches title, description, occupation, materials and tags, ignoring case and accents', async () => {
    const { bow, blade, knee } = await shelf();
    const find = async (search: string) => (await browse({ search })).items.map((item) => item.id);
    expect(await find('RUNNING blade')).toEqual([blade]);
    expect(await find('balance point bow')).toEqual([bow]);
    expect(await find('prothese')).toEqual([knee]);
    expect(await find('titanium')).toEqual([knee]);
    expect(await find('sprint')).toEqual([blade]);
    expect(await find('walking')).toEqual([knee]);
    expect(await find('100 %')).toEqual([blade]);
    expect(await find('_')).toEqual([]);
    expect(await find("' or true --")).toEqual([]);
    expect(await find('   ')).toHaveLength(3);
  });

  it('asks for every chosen value and counts what each further value would leave', async () => {
    const { knee } = await shelf();
    const page = await browse({ filters: ['Carbon Fiber', 'Adults', 'Children'] });
    expect(page.items.map((item) => item.id)).toEqual([knee]);
    expect(page.facets.materials).toMatchObject({ 'Carbon Fiber': 1, Titanium: 1, Silicone: 0 });
    const carbon = await browse({ filters: ['Carbon Fiber'] });
    expect(carbon.total).toBe(2);
    expect(carbon.facets.amputation_level).toEqual({
      'Transradial (Below Elbow)': 0,
      'Transtibial (Below Knee)': 1,
      'Transfemoral (Above Knee)': 1,
      'Transhumeral (Above Elbow)': 0,
      'Partial Foot': 0,
      'Full Limb': 0,
    });
    expect(carbon.facets.age_group).toEqual({ Children: 1, Adults: 2 });
  });

  it('offers one value of each group with match any, and counts what each would add up to', async () => {
    const { blade, knee } = await shelf();
    const page = await browse({
      filters: ['Transtibial (Below Knee)', 'Transfemoral (Above Knee)', 'Carbon Fiber'],
      match: 'any',
    });
    expect(page.items.map((item) => item.id)).toEqual([knee, blade]);
    expect(page.facets.amputation_level).toMatchObject({
      'Transtibial (Below Knee)': 2,
      'Transradial (Below Elbow)': 2,
    });
    expect(page.facets.materials).toMatchObject({ 'Carbon Fiber': 2, Titanium: 2 });
    expect((await browse({ filters: ['Nonsense'], match: 'any' })).total).toBe(0);
    expect((await browse({ filters: ['Nonsense'] })).total).toBe(0);
  });

  it('refuses a damaged cursor and takes no size beyond 100', async () => {
    await shelf();
    await expect(browse({ cursor: 'x~y' })).rejects.toThrow('invalid input syntax');
    expect((await browse({ page_size: 100_000 })).items).toHaveLength(3);
  });
});
