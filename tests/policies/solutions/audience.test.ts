import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const world = openDatabase();
const { as, ask, owner, value, insert, approve, solution, upload, comment, like } = world;

type Audience = 'public' | 'members' | 'checked';
const AUDIENCES = ['public', 'members', 'checked'] as const;

/** A published solution that only this audience may read, with words that no other has. */
async function shared(audience: Audience, author: 'author' | 'admin2' = 'author') {
  const id = await solution('pending', author);
  await owner(
    `update solutions set audience = $2, title = 'Quillwort clamp for ' || $2, materials = '{Titanium}', custom_tags = '{quillwort}' where id = $1`,
    [id, audience],
  );
  await owner('update solution_consents set audience = $2 where solution_id = $1', [id, audience]);
  const file = await upload(author);
  await world.picture(id, file);
  await owner('delete from pending_uploads');
  await owner(
    `insert into solution_outcomes (solution_id, position, measure, score_after, people) values ($1, 0, 'SCS', 8, 10)`,
    [id],
  );
  await approve(id);
  return id;
}

/** As if a moderator had found the member in a register so long ago. */
const checked = (member: 'colleague' | 'admin2', ago = '1 day') =>
  owner(
    `insert into member_registrations (user_id, register, number, state, decided_at, checklist)
     values ($1, 'HCPC', 'PO1', 'checked', now() - $2::interval, '{"name": true, "number": true, "current": true}')`,
    [people[member], ago],
  );

const count = async (actor: Actor, rows: string, values: unknown[] = []) =>
  (await as(actor, `select from ${rows}`, values)).rowCount;
const reads = async (actor: Actor, id: string) => (await count(actor, 'solutions where id = $1', [id])) === 1;
const who = async (id: string) => {
  const readers: string[] = [];
  for (const actor of ['visitor', 'colleague', 'author', 'moderator', 'admin'] as const)
    if (await reads(actor, id)) readers.push(actor);
  return readers;
};

describe('the audience of a solution', () => {
  it('is of everyone, members or checked professionals, and always of its author and moderators', async () => {
    const staff = ['author', 'moderator', 'admin'];
    expect(await who(await shared('public'))).toEqual(['visitor', 'colleague', ...staff]);
    expect(await who(await shared('members'))).toEqual(['colleague', ...staff]);
    const professionals = await shared('checked');
    expect(await who(professionals)).toEqual(staff);
    await checked('colleague');
    expect(await who(professionals)).toEqual(['colleague', ...staff]);
  });

  it('has no member who is banned, has not completed their profile or not taken their second step', async () => {
    const id = await shared('members');
    expect(await reads('colleague', id)).toBe(true);
    await owner('savepoint before');
    await world.ban('colleague');
    expect(await reads('colleague', id)).toBe(false);
    await owner('rollback to savepoint before');
    await owner('delete from member_declarations where user_id = $1', [people.colleague]);
    expect(await reads('colleague', id)).toBe(false);
    await owner('rollback to savepoint before');
    await world.verifyFactor('colleague');
    expect(await reads('colleague', id)).toBe(false);
    const second = await as('colleague', 'select from solutions where id = $1', [id], { aal: 'aal2' });
    expect(second.rowCount).toBe(1);
  });

  it('of checked professionals is left with a check that lapsed, is a year old or was not made', async () => {
    const id = await shared('checked');
    await checked('colleague');
    expect(await reads('colleague', id)).toBe(true);
    await owner("update member_registrations set decided_at = now() - interval '13 months'");
    expect(await reads('colleague', id)).toBe(false);
    await owner("update member_registrations set state = 'lapsed', checklist = null, decided_at = now()");
    expect(await reads('colleague', id)).toBe(false);
    await owner("update member_registrations set state = 'waiting'");
    expect(await reads('colleague', id)).toBe(false);
  });

  it('is the same for a download that goes on without the token of its member, which the site alone asks', async () => {
    const stillReads = async (actor: Actor, id: string) =>
      value<boolean>('select still_reads($1, 1, $2)', [id, people[actor]]);
    const [everyones, members, professionals] = [
      await shared('public'),
      await shared('members'),
      await shared('checked'),
    ];
    const isAsRead = async () => {
      for (const id of [everyones, members, professionals])
        for (const actor of ['visitor', 'colleague', 'author', 'moderator'] as const)
          expect(await stillReads(actor, id), `${actor} ${id}`).toBe(await reads(actor, id));
    };
    await isAsRead();
    await checked('colleague');
    expect(await stillReads('colleague', professionals)).toBe(true);
    await isAsRead();
    await world.ban('colleague');
    expect(await stillReads('colleague', members)).toBe(false);
    await isAsRead();
    const [media] = await owner('select id, media_url from solution_media where solution_id = $1', [
      everyones,
    ]);
    const stillOpens = (file: unknown) =>
      value<boolean>('select still_reads($1, 1, null, $2)', [everyones, file]);
    expect(await stillOpens('/storage/v1/object/public/solution-media/gone/full.webp')).toBe(false);
    expect(await stillOpens(media?.media_url)).toBe(true);
    await owner('update solution_media set hidden_at = now() where id = $1', [media?.id]);
    expect(await stillOpens(media?.media_url)).toBe(false);
    expect(await stillReads('visitor', everyones)).toBe(true);
    await owner('update solutions set version = 2 where id = $1', [everyones]);
    await owner('update solution_versions set content = null, removed_at = now() where solution_id = $1', [
      everyones,
    ]);
    expect(await stillReads('visitor', everyones)).toBe(false);
    await owner('delete from solutions where id = $1', [everyones]);
    await owner("update solutions set status = 'pending' where id = $1", [members]);
    expect(await stillReads('visitor', everyones)).toBe(false);
    expect(await stillReads('author', members)).toBe(false);
    for (const actor of ['visitor', 'colleague', 'admin'] as const)
      expect((await as(actor, 'select still_reads($1, 1)', [professionals])).message, actor).toContain(
        'permission denied',
      );
  });
});

describe('what hangs on a solution for members', () => {
  const doors = {
    media: 'solution_media where solution_id = $1',
    'build files': 'solution_files where solution_id = $1',
    outcomes: 'solution_outcomes where solution_id = $1',
    versions: 'solution_versions where solution_id = $1',
    comments: 'comments where solution_id = $1',
    likes: 'likes where solution_id = $1',
    'safety notices': 'safety_notices where solution_id = $1',
    'what is based on it': 'solution_sources where source_id = $1',
  };

  it.each(Object.entries(doors))('%s: members see them and visitors none', async (_, door) => {
    const id = await shared('members');
    const adaptation = await shared('public');
    await comment(id);
    await like(id);
    await insert('author', 'safety_notices', {
      solution_id: id,
      kind: 'caution',
      content: 'Check the clamp.',
    });
    await owner('insert into solution_sources (solution_id, source_id) values ($1, $2)', [adaptation, id]);
    await owner(
      `insert into solution_files (solution_id, position, file_url, file_name, file_type, byte_size, facts, previews, page_texts)
       values ($1, 0, 'a', 'b.pdf', 'pdf', 1, '{}', '{}', '{}')`,
      [id],
    );
    expect(await count('visitor', door, [id])).toBe(0);
    expect(await count('colleague', door, [id])).toBe(1);
  });

  it('comments, likes, follows and saved solutions are refused to who cannot read it', async () => {
    const members = await shared('members');
    const professionals = await shared('checked');
    const write = async (id: string) => {
      const collection_id = crypto.randomUUID();
      await insert('colleague', 'collections', {
        id: collection_id,
        user_id: people.colleague,
        title: 'Hands',
      });
      const codes: (string | undefined)[] = [];
      for (const [table, row] of Object.entries({
        comments: { content: 'Which clamp?' },
        likes: {},
        follows: {},
        collection_items: { collection_id },
      }))
        codes.push((await insert('colleague', table, { solution_id: id, ...row })).code);
      return codes;
    };
    expect(await write(members)).toEqual([undefined, undefined, undefined, undefined]);
    expect(await write(professionals)).toEqual(['42501', '42501', '42501', '42501']);
  });

  it('a member cannot base theirs on what they cannot read', async () => {
    const id = await shared('checked');
    const own = await solution('pending', 'colleague');
    const base = () => insert('colleague', 'solution_sources', { solution_id: own, source_id: id });
    expect((await base()).message).toBe('A solution can be based on published solutions only');
    await checked('colleague');
    expect(await base()).toMatchObject({ rowCount: 1 });
  });

  it('an earlier version stays with the audience that it had', async () => {
    const id = await shared('members');
    await world.resubmit(id, { audience: 'public' });
    await approve(id);
    const versions = async (actor: Actor) =>
      (
        await as<{ version: number }>(
          actor,
          'select version from solution_versions where solution_id = $1 order by version',
          [id],
        )
      ).rows.map(({ version }) => version);
    expect(await versions('visitor')).toEqual([2]);
    expect(await versions('colleague')).toEqual([1, 2]);
  });
});

describe('functions that read for their callers', () => {
  const browse = {
    '': {},
    ', by a filter': { filters: ['Titanium'] },
    ', by one of two filters': { filters: ['Titanium', 'Silicone'], match: 'any' },
    ', by a word': { search: 'quillwort' },
    ', by a part of a word': { search: 'uillwor' },
    ', by three letters': { search: 'qui' },
    ', by two letters, the most liked': { search: 'qu', sort: 'popular' },
    ', by a slip of the hand': { search: 'quilwort' },
    ', by a word that is nearly there': { search: 'quillwortz bow' },
  };
  type Call = [string, string, unknown[] | Record<string, unknown>];
  const calls: Call[] = [
    ...Object.entries(browse).map(([by, options]): Call => [`browse${by}`, 'browse_solutions', options]),
    ['suggestions', 'suggest_searches', ['quil']],
    ['suggestions after a word', 'suggest_searches', ['balance quil']],
    ['suggestions for a slip', 'suggest_searches', ['qiullwort']],
    ['site counts', 'site_counts', []],
    ['the sitemap’s sizes', 'sitemap_sizes', []],
    ['the sitemap', 'sitemap_page', ['solutions', 1]],
    ['evidence', 'evidence', []],
    ['evidence of a measure', 'evidence', ['SCS']],
  ];

  it.each(calls)(
    '%s: a visitor is answered as if a restricted one were not there',
    async (_, call, values) => {
      const id = await shared('public');
      await owner("update solutions set title = 'A printed grip', custom_tags = '{grip}' where id = $1", [
        id,
      ]);
      const before = await ask('visitor', call, values);
      // By another author: the badges of an author count all that they have shared.
      const members = await shared('members', 'admin2');
      const professionals = await shared('checked', 'admin2');
      expect(await ask('visitor', call, values)).toEqual(before);
      // The same bytes, after their chunk was indexed again.
      await owner('select private.reindex_solutions(0)');
      expect(await ask('visitor', call, values)).toEqual(before);
      await owner("update solutions set audience = 'public' where id = any ($1)", [[members, professionals]]);
      expect(await ask('visitor', call, values)).not.toEqual(before);
    },
  );

  it('browse and suggestions find and count for each reader what they may read', async () => {
    for (const audience of AUDIENCES) await shared(audience);
    interface Found {
      total: number;
      items: unknown[];
      facets: { materials: Record<string, number> };
    }
    const found = async (actor: Actor) => {
      const counts: unknown[] = [];
      for (const options of [{ search: 'quillwort' }, {}, { filters: ['Titanium'] }]) {
        const page = await ask<Found>(actor, 'browse_solutions', options);
        counts.push(page.total, page.items.length, page.facets.materials.Titanium);
      }
      const [one] = await ask<{ solutions: number }[]>(actor, 'suggest_searches', ['quillwo']);
      return [...counts, one?.solutions];
    };
    expect(await found('visitor')).toEqual(Array(10).fill(1));
    expect(await found('colleague')).toEqual(Array(10).fill(2));
    expect(await found('moderator')).toEqual(Array(10).fill(3));
    await checked('colleague');
    expect(await found('colleague')).toEqual(Array(10).fill(3));
  });

  it('counts follow a change of the audience, and equal what is counted', async () => {
    const id = await shared('public');
    await owner("update solutions set audience = 'checked' where id = $1", [id]);
    await owner("update solutions set audience = 'members' where id = $1", [id]);
    const wrong = await owner(
      `select c.value, c.other, c.audience, c.solutions from private.facet_counts c
       where c.solutions <> (
         select count(*) from solutions s
         where s.status = 'approved' and s.audience = c.audience and s.facets || ''::text @> array[c.value, c.other])
       union all
       select w.word, null, w.audience, w.solutions from private.search_words w
       where w.solutions <> (
         select count(*) from solutions s
         where s.status = 'approved' and s.audience = w.audience and private.word_keys(s.search_text) @> array[w.word::text])`,
    );
    expect(wrong).toEqual([]);
    expect(await ask('visitor', 'suggest_searches', ['quillwo'])).toEqual([]);
    expect(await ask('colleague', 'suggest_searches', ['quillwo'])).toEqual([
      { text: 'quillwort', solutions: 1 },
    ]);
  });

  it('evidence counts for each reader the cases that they may read', async () => {
    for (const audience of AUDIENCES) await shared(audience);
    const cases = async (actor: Actor) => {
      const { counts, points } = await ask<{ counts: { cases: number }[]; points: unknown[] }>(
        actor,
        'evidence',
        ['SCS'],
      );
      return [counts[0]?.cases, points.length];
    };
    expect(await cases('visitor')).toEqual([1, 1]);
    expect(await cases('colleague')).toEqual([2, 2]);
    expect(await cases('admin')).toEqual([3, 3]);
  });

  it('related solutions are those that the reader may read, and of one that they may read', async () => {
    const everybody = await shared('public');
    const members = await shared('members');
    await shared('checked');
    const related = (actor: Actor, id: string) => count(actor, 'related_solutions($1, 12)', [id]);
    expect(await related('visitor', everybody)).toBe(0);
    expect(await related('colleague', everybody)).toBe(1);
    expect(await related('moderator', everybody)).toBe(2);
    expect(await related('visitor', members)).toBe(0);
    expect(await related('colleague', members)).toBe(1);
  });

  it('a shared collection shows each reader what they may read', async () => {
    const ids = [];
    for (const audience of AUDIENCES) ids.push(await shared(audience));
    const collection = await value(
      "insert into collections (user_id, title, is_shared) values ($1, 'Clamps', true) returning id",
      [people.moderator],
    );
    await owner(
      "insert into collection_items (collection_id, user_id, solution_id, note) select $1, $2, unnest($3::uuid[]), 'Try it'",
      [collection, people.moderator, ids],
    );
    const items = async (actor: Actor) =>
      (await ask<{ items: unknown[] }>(actor, 'collection_page', [collection])).items.length;
    expect(await items('visitor')).toBe(1);
    expect(await items('colleague')).toBe(2);
    expect(await items('author')).toBe(3);
  });

  it('the page of a restricted one says for whom it is, to those who cannot read it', async () => {
    const id = await shared('members');
    const closed = await shared('checked');
    const pending = await solution('pending');
    const required = (actor: Actor, of: string) => ask(actor, 'required_audience', [of]);
    expect(await required('visitor', id)).toBe('members');
    expect(await required('colleague', id)).toBeNull();
    expect(await required('colleague', closed)).toBe('checked');
    expect(await required('author', closed)).toBeNull();
    expect(await required('visitor', pending)).toBeNull();
  });

  it('a page that tells of a withdrawal names no solution that was restricted, and is for its readers alone', async () => {
    const told = async (actor: Actor, id: string) =>
      (await as(actor, 'select title, reason from withdrawn_solutions where id = $1', [id])).rows;
    for (const [audience, title, toVisitors] of [
      ['public', 'Quillwort clamp for public', true],
      ['members', null, false],
    ] as const) {
      const id = await shared(audience);
      await as('author', "select withdraw_solution($1, 'error')", [id]);
      expect(await told('colleague', id)).toEqual([{ title, reason: 'error' }]);
      expect(await told('visitor', id)).toHaveLength(toVisitors ? 1 : 0);
    }
  });
});
