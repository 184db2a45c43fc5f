import { describe, expect, it } from 'vitest';
import { openDatabase, people } from '../fixtures.ts';
import { openShelf, type Page } from './shelf.ts';

const database = openDatabase();
const { as, ask, owner, value, solution, comment } = database;

const { browse, shelf } = openShelf(database);
const idsOf = ({ items }: Page) => items.map(({ id }) => id);
/** All that is found, piece by piece. */
async function everyPiece(options: Record<string, unknown>, total: number) {
  const seen: Page['items'] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await browse({ ...options, cursor, page_size: 3 });
    expect(page.total).toBe(total);
    seen.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor);
  return seen;
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

  it('shows of the three badges earned last the two of the highest tier', async () => {
    const id = await solution('approved');
    await owner(
      `insert into user_badges (user_id, badge_id, earned_at)
       select s.user_id, b.id, now() + e.after from solutions s,
         (values ('Master Prosthetist', interval '-1 year'), ('Good Colleague', interval '1 hour'),
           ('Widely Appreciated', interval '2 hours'), ('Conversation Starter', interval '3 hours')) e (name, after)
         join badges b using (name) where s.id = $1`,
      [id],
    );
    const page = await browse();
    expect(page.items[0]?.badges.map(({ name }) => name)).toEqual([
      'Widely Appreciated',
      'Conversation Starter',
    ]);
  });

  it('sorts newest, oldest and popular', async () => {
    const { bow, blade, knee } = await shelf();
    expect(idsOf(await browse())).toEqual([knee, blade, bow]);
    expect(idsOf(await browse({ sort: 'oldest' }))).toEqual([bow, blade, knee]);
    expect(idsOf(await browse({ sort: 'popular' }))).toEqual([blade, knee, bow]);
    await expect(browse({ sort: 'worst' })).rejects.toThrow('sort newest, oldest, popular or tried');
  });

  it.each(['newest', 'oldest', 'popular', 'tried'])(
    'pages through everything once, %s first',
    async (sort) => {
      const created = new Set<string>();
      for (let n = 0; n < 7; n++) created.add(await solution());
      const seen = (await everyPiece({ sort }, 7)).map(({ id }) => id);
      expect(seen).toHaveLength(7);
      expect(new Set(seen)).toEqual(created);
    },
  );

  it('searches title, description, occupation, materials and tags, ignoring case and accents', async () => {
    const { bow, blade, knee } = await shelf();
    const found = {
      [bow]: ['balance point bow'],
      [blade]: ['RUNNING blade', 'sprint', '100 %'],
      [knee]: ['prothese', 'titanium', 'walking'],
    };
    for (const [id, searches] of Object.entries(found))
      for (const search of searches) expect(idsOf(await browse({ search })), search).toEqual([id]);
    for (const search of ['_', "' or true --"]) expect(idsOf(await browse({ search }))).toEqual([]);
    expect(idsOf(await browse({ search: '   ' }))).toHaveLength(3);
  });

  it('asks for every chosen value and counts what each further value would leave', async () => {
    const { knee } = await shelf();
    const page = await browse({ filters: ['Carbon Fiber', 'Adults', 'Children'] });
    expect(idsOf(page)).toEqual([knee]);
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
    expect(idsOf(page)).toEqual([knee, blade]);
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

describe('forgiving search', () => {
  const titles = async (search: string, options: Record<string, unknown> = {}) =>
    (await browse({ search, ...options })).items.map((item) => item.title);
  async function named(title: string, createdAt = '2026-04-01') {
    const id = await solution();
    await owner('update solutions set title = $2, created_at = $3 where id = $1', [id, title, createdAt]);
    return id;
  }

  it.each([
    ['BK', 'Transtibial socket with a pin'],
    ['below knee', 'Transtibial socket with a pin'],
    ['tt socket', 'Transtibial socket with a pin'],
    ['myo', 'An EMG hand for the kitchen'],
    ['fibre', 'Carbon fiber blade cover'],
    ['aluminium', 'Aluminum pylon adapter'],
    ['OI', 'Osseointegration abutment check'],
  ])('takes %s for what the profession means by it', async (search, title) => {
    await named(title);
    await named('A fitting with nothing to do with it');
    expect(await titles(search)).toEqual([title]);
  });

  it('shows exact matches first and then what synonyms find, over pages', async () => {
    for (let n = 1; n <= 4; n++) {
      await named(`BK stump sock no. ${n}`, `2026-01-0${n}`);
      await named(`Transtibial sock no. ${n}`, `2026-03-0${n}`);
    }
    expect((await everyPiece({ search: 'bk' }, 8)).map(({ title }) => title)).toEqual([
      ...[4, 3, 2, 1].map((n) => `BK stump sock no. ${n}`),
      ...[4, 3, 2, 1].map((n) => `Transtibial sock no. ${n}`),
    ]);
  });

  it('looks for the commonest words alone where parts stand for very many, and says so', async () => {
    const parts = ['abab', 'cdcd', 'efef', 'ghgh', 'ijij', 'klkl', 'mnmn', 'opop'];
    const words = (part: string) =>
      Array.from({ length: 200 }, (_, n) => `${part}${(n + 1000).toString(36)}`);
    const described = async (text: string) => {
      const id = await solution();
      await owner('update solutions set description = $2 where id = $1', [id, text]);
      return id;
    };
    for (const half of [parts.slice(0, 4), parts.slice(4)]) await described(half.flatMap(words).join(' '));
    const wanted = await described(
      `${parts.map((part) => words(part)[99]).join(' ')} and enough besides to be a text.`,
    );
    const read = async () =>
      Number(
        await value(
          "select idx_tup_fetch from pg_stat_xact_user_tables where relid = 'private.word_sets'::regclass",
        ),
      );

    const before = await read();
    const page = await browse({ search: parts.join(' ') });
    expect(page).toMatchObject({ total: 1, partial: true, items: [{ id: wanted }] });
    // The words of all parts together, not 200 words for each part.
    expect((await read()) - before).toBeLessThanOrEqual(800);
    // As much as fits is looked for exactly.
    expect(await browse({ search: 'abab cdcd efef ghgh' })).toMatchObject({ total: 2, partial: false });
    expect(await browse({ search: parts[0] })).toMatchObject({ total: 2, partial: false });
    expect(await browse({ search: `${parts.join(' ')} ignored` })).toMatchObject({ total: 1, partial: true });
    expect(await browse()).toMatchObject({ total: 3, partial: false });
  });

  it('finds by one or two letters what begins with them, and by three what contains them', async () => {
    await named('Zebra grip for the oboe');
    expect(await titles('z')).toHaveLength(1);
    expect(await titles('ze ob')).toHaveLength(1);
    expect(await titles('eb')).toEqual([]);
    expect(await titles('ebr')).toHaveLength(1);
    expect(await titles('boe')).toHaveLength(1);
    expect(await titles('ezb')).toEqual([]);
    // As many as a reader can ask for, and each of them exactly.
    expect(await browse({ search: 'z ze zeb ebr bra gri rip obo' })).toMatchObject({
      total: 1,
      partial: false,
    });
  });

  it('forgives a small typo and says for what it took it', async () => {
    await named('Transtibial socket with a pin');
    const page = await browse({ search: 'transtibal socket' });
    expect(page).toMatchObject({ total: 1, corrected: 'transtibial socket', suggested: null });
    expect(page.marks).toContain('transtibial');
    // A word that is found as typed is not corrected.
    expect(await browse({ search: 'transtib' })).toMatchObject({ total: 1, corrected: null });
  });

  it.each([
    ['hnad', 'hand'],
    ['sokcet', 'socket'],
    ['knne', 'knee'],
    ['sokcets', 'socket'],
  ])('takes %s, one slip away, for %s', async (search, corrected) => {
    await named('A hand, a socket and a knee');
    expect(await browse({ search })).toMatchObject({ total: 1, corrected, marks: [search, corrected] });
  });

  it.each(['brackets', 'feet', 'kids', 'batteries', 'knives', 'brackets with feet'])(
    'finds by the plural %s what is written in the singular',
    async (search) => {
      const id = await named('Bracket with a battery, a knife and a foot');
      await owner("update solutions set age_group = 'Children' where id = $1", [id]);
      await owner("update solutions set age_group = 'Adults' where id = $1", [
        await named('A fitting of a hand'),
      ]);
      expect(await browse({ search })).toMatchObject({ total: 1, corrected: null });
    },
  );

  it.each(['above knee', 'AK', 'transfemoral', 'hybrid', 'child', 'Prothese child AK', 'trans femoral kids'])(
    'finds by %s the solutions that the filters know by it',
    async (search) => {
      const { knee } = await shelf();
      expect(idsOf(await browse({ search }))).toEqual([knee]);
    },
  );

  it('does not take the level below the knee for a knee', async () => {
    const { knee } = await shelf();
    await owner("update solutions set title = 'A knee for a cellist' where id = $1", [knee]);
    expect(idsOf(await browse({ search: 'knee' }))).toEqual([knee]);
  });

  it('finds by the author’s present name, and by none once they have left', async () => {
    await shelf();
    const rename = (name: string) =>
      owner("update profiles set full_name = $1 where username = 'author.one'", [name]);
    await rename('Ada Okonkwo-Lindqvist');
    expect((await browse({ search: 'okonkwo ada' })).total).toBe(3);
    await rename('Ada Berg');
    expect((await browse({ search: 'okonkwo' })).total).toBe(0);
    expect((await browse({ search: 'ada berg blade' })).total).toBe(1);
    await owner('update solutions set user_id = null');
    expect((await browse({ search: 'berg' })).total).toBe(0);
  });

  it('suggests a search only where it finds something with the chosen filters', async () => {
    await named('Transtibial socket with a pin');
    const nothing = { total: 0, corrected: null, suggested: null };
    expect(await browse({ search: 'sockadle' })).toMatchObject({ ...nothing, suggested: 'socket' });
    expect(await browse({ search: 'zzzzqqq' })).toMatchObject(nothing);
    expect(await browse({ search: 'sockadle', filters: ['Titanium'] })).toMatchObject(nothing);
    expect(await browse({ search: 'sockadle bagpipes' })).toMatchObject(nothing);
    const either = { filters: ['Titanium', 'Silicone'], match: 'any' };
    expect(await browse({ search: 'sockadle', ...either })).toMatchObject({ suggested: 'socket' });
  });

  it('follows what is approved, edited, sent back and deleted', async () => {
    const id = await named('Gyroscopic wrist for a potter');
    expect(await titles('gyroscopic')).toHaveLength(1);
    await owner(`update solutions set title = 'Magnetic wrist for a potter' where id = $1`, [id]);
    expect(await titles('gyroscopic')).toEqual([]);
    expect(await titles('magnetic', { filters: ['Silicone'] })).toHaveLength(1);
    await owner(`update solutions set status = 'pending' where id = $1`, [id]);
    expect((await browse({ search: 'magnetic' })).total).toBe(0);
    expect((await browse()).facets.materials).toMatchObject({ Silicone: 0 });
    await owner(`update solutions set status = 'approved' where id = $1`, [id]);
    expect((await browse({ search: 'magnetic' })).total).toBe(1);
    await owner('delete from solutions where id = $1', [id]);
    expect((await browse({ search: 'magnetic' })).total).toBe(0);
  });

  it('finds by letters of other scripts and survives signs, quotes and length', async () => {
    await named('Κνημιαία πρόθεση με liner');
    expect(await titles('πρόθεση')).toHaveLength(1);
    for (const search of ["'; drop table x; --", '%', '\\', '((((', 'x'.repeat(5000), '\u{1F9BF}'])
      expect((await browse({ search })).total).toBeTypeOf('number');
  });
});

describe('suggest_searches', () => {
  const suggest = (search: string) => ask<{ text: string }[]>('visitor', 'suggest_searches', [search]);

  it('completes the last word from approved solutions, the most frequent first', async () => {
    await shelf();
    expect(await suggest('carbon bl')).toEqual([{ text: 'carbon blade', solutions: 1 }]);
    expect(await suggest('')).toEqual([]);
    expect(await suggest('%_')).toEqual([]);
  });

  it('offers what an abbreviation stands for, and the nearest words for a typo', async () => {
    await shelf();
    expect((await suggest('bk')).map(({ text }) => text)).toContain('below knee');
    expect(await suggest('hnee')).toEqual([{ text: 'knee', solutions: 1 }]);
    expect(await suggest('titanum')).toEqual([{ text: 'titanium', solutions: 1 }]);
  });

  it('offers nothing that finds nothing', async () => {
    await shelf();
    expect(await suggest('blade tita')).toEqual([]);
    expect(await suggest('genou tita')).toEqual([{ text: 'genou titanium', solutions: 1 }]);
    // Synonyms of which no solution has one.
    expect(await suggest('tpu')).toEqual([]);
    expect(await suggest('blade bk')).toContainEqual({ text: 'blade below knee', solutions: null });
    expect(await suggest('genou bk')).toEqual([]);
  });

  it('says nothing of solutions that are not approved', async () => {
    const id = await solution('pending');
    await owner(`update solutions set title = 'Confidential prototype' where id = $1`, [id]);
    expect(await suggest('confid')).toEqual([]);
    await owner(`update solutions set status = 'approved' where id = $1`, [id]);
    expect(await suggest('confid')).toHaveLength(1);
    await owner('delete from solutions where id = $1', [id]);
    expect(await suggest('confid')).toEqual([]);
  });
});

describe('featured_solutions', () => {
  it('leaves out what must not be used, however much it is liked, and counts it', async () => {
    const [liked, other] = [await solution(), await solution()];
    await owner('update solutions set likes_count = 3 where id = $1', [liked]);
    const featured = async () => {
      const { items, facets } = await database.ask<{ items: { id: string }[]; facets: unknown }>(
        'visitor',
        'featured_solutions',
        [],
      );
      return { ids: items.map(({ id }: { id: string }) => id), facets };
    };
    const { ids, facets } = await featured();
    expect(ids).toEqual([liked, other]);
    const notice = (kind: string) =>
      database.insert('author', 'safety_notices', {
        solution_id: liked,
        user_id: people.author,
        kind,
        content: 'It shears.',
      });
    await notice('caution');
    expect((await featured()).ids).toEqual([liked, other]);
    await notice('recall');
    expect(await featured()).toEqual({ ids: [other], facets });
    await owner("update solutions set safety_kind = 'part_recall' where id = $1", [liked]);
    expect(await featured()).toEqual({ ids: [other], facets });
  });
});

describe('search_synonyms', () => {
  const add = (terms: string) =>
    as('moderator', 'insert into search_synonyms (terms, created_by) values ($1, auth.uid())', [terms]);

  it('acts on the next search', async () => {
    await shelf();
    expect((await browse({ search: 'fiddlestick' })).total).toBe(0);
    await add('{fiddlestick,wrist}');
    expect((await browse({ search: 'fiddlestick' })).total).toBe(1);
  });

  it.each(['{one}', '{UPPER,lower}', '{twice,twice}', '{" a",b}', '{"","x"}', '{a b c d e,x}'])(
    'refuses %s',
    async (terms) => {
      expect((await add(terms)).message).toContain('Terms must be 2 to 12');
    },
  );
});
