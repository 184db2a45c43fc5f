import { describe, expect, it } from 'vitest';
import { bySection } from '#app/solution/solutions/value-lists.ts';
import { translatableTexts } from '#app/solution/translations/texts.ts';
import type { Content } from '#app/solution/versions/content-schema.ts';
import { SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, insert, owner, column, value, published, resubmit, approve, noticesOf, upload, repeat } =
  openDatabase();

const TEXTS = {
  title: 'Casquillo impreso para el arco',
  description: 'Un casquillo de dos piezas que sujeta el arco y deja mover la muñeca.',
};
const OPEN = { licence: 'CC BY 4.0' };

const translate = (
  of: string,
  actor: Actor = 'colleague',
  {
    texts = TEXTS,
    language = 'es',
    version = 1,
  }: { texts?: unknown; language?: string; version?: number } = {},
) =>
  as<{ id: string }>(actor, 'select submit_translation($1, $2, $3, $4) as id', [
    of,
    version,
    language,
    JSON.stringify(texts),
  ]);
const decide = (id: string, change = "status = 'approved'", actor: Actor = 'moderator') =>
  as(actor, `update solution_translations set ${change} where id = $1`, [id]);

/** A translation that waits. */
async function waiting(
  of: string,
  ...sending: Parameters<typeof translate> extends [string, ...infer Rest] ? Rest : never
) {
  const { rows, message } = await translate(of, ...sending);
  if (!rows[0]) throw new Error(message);
  return rows[0].id;
}
/** One that readers see. */
async function shown(
  of: string,
  ...sending: Parameters<typeof waiting> extends [string, ...infer Rest] ? Rest : never
) {
  const id = await waiting(of, ...sending);
  await decide(id);
  return id;
}
const readBy = async (actor: Actor) =>
  (
    await as<{ language: string; texts: Record<string, string> }>(
      actor,
      'select language, texts from solution_translations order by language',
    )
  ).rows;
/** The ids of the solutions that a search finds by the words as they are. */
const foundBy = async (actor: Actor, search: string) =>
  (await ask<{ items: { id: string }[] }>(actor, 'browse_solutions', { search })).items.map(({ id }) => id);
const noticeOn = async (of: string, content = 'Do not use above 60 kg.') => {
  await as('author', "insert into safety_notices (solution_id, kind, content) values ($1, 'caution', $2)", [
    of,
    content,
  ]);
  return value('select id from safety_notices where solution_id = $1 and ended_at is null', [of]);
};

describe('a translation', () => {
  it('waits for review, is then read by everyone, and found by its language', async () => {
    const of = await published(OPEN);
    const id = await waiting(of);
    const changed = () => value('select updated_at::text from solutions where id = $1', [of]);
    const before = await changed();
    expect(await foundBy('visitor', 'muneca')).toEqual([]);
    expect(await readBy('visitor')).toEqual([]);
    expect(await readBy('author')).toEqual([]);
    expect(await readBy('colleague')).toHaveLength(1);
    expect((await as('moderator', 'select kind, title, due_at from review_queue')).rows).toEqual([
      { kind: 'translation', title: TEXTS.title, due_at: null },
    ]);
    await ask('moderator', 'claim_review', ['translation', id]);
    expect((await decide(id, `status = 'approved', checklist = '{"identifiers": true}'`)).rowCount).toBe(1);
    expect(await column('select kind from review_claims')).toEqual([]);
    expect(await readBy('visitor')).toEqual([{ language: 'es', texts: TEXTS }]);
    expect(await foundBy('visitor', 'muneca')).toEqual([of]);
    expect(await changed()).toBe(before);
    expect(await value('select extra_facets from solutions where id = $1', [of])).toContain('language:es');
    expect((await noticesOf('colleague')).filter((type) => type.includes('transl'))).toEqual([
      'translation_approved',
    ]);
    expect(await noticesOf('author')).toContain('solution_translated');
    expect(
      await value("select after -> 'checklist' from audit_events where action = 'translation_approved'"),
    ).toEqual({
      identifiers: true,
    });
  });

  it('is in the site’s map once everyone reads it', async () => {
    const mapped = async () =>
      (await ask<[string, string][]>('visitor', 'sitemap_page', ['solutions', 1])).map(([path]) => path);
    const of = await published(OPEN);
    const id = await waiting(of);
    expect(await mapped()).toEqual([`/solutions/${of}`]);
    await decide(id);
    expect(await mapped()).toEqual([`/solutions/${of}`, `/solutions/${of}/translations/es`]);
    await owner("update solutions set audience = 'members' where id = $1", [of]);
    expect(await mapped()).toEqual([]);
  });

  it('is by others only where the licence lets them, and by the author always', async () => {
    const of = await published({ licence: 'All rights reserved' });
    expect((await translate(of)).message).toContain('does not let others translate them');
    expect((await translate(of, 'author')).rows).toHaveLength(1);
    // The text of a version has the licence that was chosen with it.
    const opened = await published({ licence: 'All rights reserved' });
    await resubmit(opened, OPEN);
    await approve(opened);
    expect((await translate(opened)).message).toContain('does not let others translate them');
    expect((await translate(opened, 'colleague', { version: 2 })).rows).toHaveLength(1);
    const before = await published({ licence: null });
    expect((await translate(before)).message).toContain('does not let others translate them');
  });

  it('has every text of its version, the safety notice first, and nothing else', async () => {
    const of = await published({ ...OPEN, patient_outcomes: 'Plays for an hour.' });
    expect((await translate(of)).message).toBe('Please translate every text');
    const all = { ...TEXTS, patient_outcomes: ' Toca una hora.\n' };
    expect((await translate(of, 'colleague', { texts: { ...all, title: 'x'.repeat(151) } })).message).toBe(
      'Title must be at most 150 characters',
    );
    expect(
      (await translate(of, 'colleague', { texts: { ...all, description: 'x'.repeat(10_001) } })).message,
    ).toBe('Each text must be at most 10000 characters');
    for (const texts of [null, [], 'title', { ...all, title: 7 }])
      expect((await translate(of, 'colleague', { texts })).message).toBe('Please translate every text');
    const notice = await noticeOn(of);
    expect((await translate(of, 'colleague', { texts: all })).message).toBe(
      'Please translate the safety notice first',
    );
    const id = await waiting(of, 'colleague', {
      texts: {
        ...all,
        [`notice/${notice}`]: 'No usar por encima de 60 kg.',
        'step/9': 'Added',
        user_id: people.author,
      },
    });
    expect(await value('select texts from solution_translations where id = $1', [id])).toEqual({
      ...all,
      patient_outcomes: 'Toca una hora.',
      [`notice/${notice}`]: 'No usar por encima de 60 kg.',
    });
    // Before what has no day by which it is due.
    expect((await as('moderator', 'select due_at is not null as due from review_queue')).rows).toEqual([
      { due: true },
    ]);
  });

  it('is refused into its own language, one that does not exist, and of what is not there or not read', async () => {
    const of = await published(OPEN);
    expect((await translate(of, 'colleague', { language: 'en' })).message).toBe(
      'The solution is in this language already',
    );
    expect((await translate(of, 'colleague', { language: 'xx-Fake' })).message).toContain(
      'Please choose a language from the list',
    );
    expect((await translate(of, 'colleague', { version: 2 })).message).toBe('Solution not found');
    await owner("update solutions set audience = 'checked' where id = $1", [of]);
    await owner("update solution_versions set audience = 'checked' where solution_id = $1", [of]);
    expect((await translate(of)).message).toBe('Solution not found');
    expect((await translate(crypto.randomUUID())).message).toBe('Solution not found');
    expect((await translate(of, 'visitor')).message).toMatch(/permission denied/);
    expect(await column('select id from solution_translations')).toEqual([]);
  });

  it('is hidden with the audience of its version', async () => {
    const of = await published(OPEN);
    await shown(of);
    await owner("update solutions set audience = 'checked' where id = $1", [of]);
    expect(await readBy('visitor')).toEqual([]);
    expect(await readBy('author')).toHaveLength(1);
  });
});

describe('a translation after another', () => {
  it('waits beside the one that readers see, whose text goes and whose writer stays named', async () => {
    const of = await published(OPEN);
    await shown(of);
    const better = { ...TEXTS, title: 'Casquillo impreso para arco de violín' };
    const id = await waiting(of, 'author', { texts: better });
    expect((await readBy('visitor')).map(({ texts }) => texts)).toEqual([TEXTS]);
    await decide(id);
    expect(await foundBy('visitor', 'violín')).toEqual([of]);
    expect(
      (
        await owner('select user_id, status, texts from solution_translations order by approved_at, status')
      ).map(({ status, texts }) => [status, texts]),
    ).toEqual(
      expect.arrayContaining([
        ['approved', better],
        ['replaced', {}],
      ]),
    );
    expect(await value("select user_id from solution_translations where status = 'replaced'")).toBe(
      people.colleague,
    );
  });

  it('takes the place of the same member’s that waits or was sent back, and nothing when it is sent twice', async () => {
    const of = await published(OPEN);
    const id = await waiting(of);
    expect(await waiting(of, 'colleague', { texts: { ...TEXTS, title: 'Otro título mejor' } })).toBe(id);
    expect((await decide(id, "status = 'rejected'")).message).toContain('A rejection needs a reason');
    await decide(id, "status = 'rejected', rejection_reason = 'A name is in it'");
    expect(await noticesOf('colleague')).toContain('translation_rejected');
    expect(await waiting(of)).toBe(id);
    expect(await value('select rejection_reason from solution_translations where id = $1', [id])).toBeNull();
    await decide(id);
    expect(await waiting(of)).toBe(id);
    expect(await column('select status from solution_translations')).toEqual(['approved']);
  });

  it('is not the one that readers see, word for word', async () => {
    const of = await published(OPEN);
    await shown(of);
    expect((await translate(of, 'author')).message).toContain('This is the translation that readers see');
  });

  it('never takes the place of one of a later version', async () => {
    const of = await published(OPEN);
    const old = await waiting(of, 'author');
    await resubmit(of, { ...OPEN, title: 'Printed socket for a cello bow' });
    await approve(of);
    await shown(of, 'colleague', { version: 2 });
    expect((await decide(old)).message).toContain('Readers see a translation of a later version');
    expect(await readBy('visitor')).toHaveLength(1);
  });

  it('is not approved while the safety notice that came since is not translated', async () => {
    const of = await published(OPEN);
    const id = await waiting(of);
    const notice = await noticeOn(of);
    expect((await decide(id)).message).toContain('The safety notice is not translated');
    await waiting(of, 'colleague', { texts: { ...TEXTS, [`notice/${notice}`]: 'No usar.' } });
    expect((await decide(id)).rowCount).toBe(1);
  });

  it('is found by its language and its words by those alone who read its version', async () => {
    const of = await published({ ...OPEN, audience: 'members' });
    await shown(of);
    const facets = () => value('select extra_facets from solutions where id = $1', [of]);
    const found = () => foundBy('moderator', 'casquillo');
    expect(await facets()).toContain('language:es');
    expect(await found()).toEqual([of]);
    expect(await foundBy('visitor', 'casquillo')).toEqual([]);
    await owner("update solutions set audience = 'public' where id = $1", [of]);
    expect(await facets()).not.toContain('language:es');
    expect(await found()).toEqual([]);
    await owner("update solutions set audience = 'checked' where id = $1", [of]);
    expect(await facets()).toContain('language:es');
    expect(await found()).toEqual([of]);
    expect(await foundBy('colleague', 'casquillo')).toEqual([]);
  });

  it('is decided on by a moderator who did not write it, once', async () => {
    const of = await published(OPEN);
    const id = await waiting(of, 'moderator');
    expect((await decide(id)).message).toContain('but not on their own');
    expect((await decide(id, "status = 'approved'", 'author')).rowCount).toBe(0);
    expect((await decide(id, "status = 'approved'", 'moderator2')).rowCount).toBe(1);
    expect((await decide(id, "status = 'rejected', rejection_reason = 'No'", 'moderator2')).message).toBe(
      'Only a pending translation can be approved or rejected',
    );
    const change = as('moderator2', "update solution_translations set texts = '{}' where id = $1", [id]);
    expect((await change).message).toBe('Only the member who wrote a translation can change it');
    const own = as('moderator', "update solution_translations set texts = '{}' where id = $1", [id]);
    expect((await own).message).toBe('A public translation is changed by sending a new one');
  });
});

describe('what is removed from a solution', () => {
  it('goes from its translations: the text of a version, also from one that waits', async () => {
    const of = await published(OPEN);
    await shown(of);
    await waiting(of, 'colleague', { language: 'fr' });
    await resubmit(of, { ...OPEN, description: `${SOLUTION.description} It is lighter now than it was.` });
    await approve(of);
    expect(await readBy('visitor')).toHaveLength(1);
    await as('author', 'update solution_versions set content = null where solution_id = $1 and version = 1', [
      of,
    ]);
    expect(await column('select id from solution_translations')).toEqual([]);
    expect(await foundBy('visitor', 'casquillo')).toEqual([]);
    expect(await value('select extra_facets from solutions where id = $1', [of])).not.toContain(
      'language:es',
    );
    expect((await translate(of)).message).toBe('Solution not found');
    expect((await translate(of, 'colleague', { version: 2 })).rows).toHaveLength(1);
  });

  it('goes from its translations: the description of an image that is hidden, and a notice that was withdrawn', async () => {
    const of = await published(OPEN);
    const file = await upload();
    await owner(
      "insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type, description) values ($1, $2, $3, $4, 'image', 'The wrist')",
      [of, file.media_url, file.compressed_url, file.thumbnail_url],
    );
    const image = await value('select id from solution_media where solution_id = $1', [of]);
    await owner(
      `update solution_versions set content = jsonb_set(content, '{media}', jsonb_build_array(jsonb_build_object('id', $2::text, 'description', 'The wrist'))) where solution_id = $1`,
      [of, image],
    );
    const notice = await noticeOn(of);
    const texts = { ...TEXTS, [`media/${image}`]: 'La muñeca', [`notice/${notice}`]: 'No usar.' };
    await shown(of, 'colleague', { texts });
    expect(await readBy('visitor')).toEqual([{ language: 'es', texts }]);
    await owner('update solution_media set hidden_at = now() where id = $1', [image]);
    await as('author', 'update safety_notices set ended_at = now() where id = $1', [notice]);
    expect(await readBy('visitor')).toEqual([{ language: 'es', texts: TEXTS }]);
  });

  it('keeps no mark of direction and nothing invisible in its title', async () => {
    const of = await published(OPEN);
    const id = await waiting(of, 'colleague', {
      texts: { ...TEXTS, title: '\u202ECasq\u200Buillo\u2066 impreso\uFEFF' },
    });
    expect(await value("select texts ->> 'title' from solution_translations where id = $1", [id])).toBe(
      'Casquillo impreso',
    );
  });

  it('is corrected while it waits, also by who has sent as many as are allowed in a day', async () => {
    const of = await published(OPEN);
    const id = await waiting(of);
    await owner(
      `insert into solution_translations (solution_id, version, language, user_id, texts)
       select $1, 1, unnest((private.languages())[1:20]), $2, $3 on conflict do nothing`,
      [of, people.colleague, JSON.stringify(TEXTS)],
    );
    await owner(
      'delete from solution_translations where id in (select t.id from solution_translations t where t.id <> $1 order by t.id offset 19)',
      [id],
    );
    const texts = { ...TEXTS, title: 'Casquillo impreso para el arco, corregido' };
    expect((await translate(of, 'colleague', { texts })).rows).toEqual([{ id }]);
    expect((await translate(await published(OPEN), 'colleague')).message).toContain(
      '20 translations within a day',
    );
  });

  it('is deleted by its writer or a moderator, who leaves it in the log', async () => {
    const of = await published(OPEN);
    const id = await shown(of);
    expect((await as('author', 'delete from solution_translations where id = $1', [id])).rowCount).toBe(0);
    expect((await as('moderator', 'delete from solution_translations where id = $1', [id])).rowCount).toBe(1);
    // A backup from before is restored without it.
    const deleted = "select kind, id from private.deletions_since(now() - interval '1 hour') where id = $1";
    expect(await owner(deleted, [id])).toEqual([{ kind: 'translation', id }]);
    const again = await shown(of);
    expect(await repeat([{ at: new Date().toISOString(), kind: 'translation', id: again }])).toBe(1);
    expect(await noticesOf('author')).not.toContain('solution_translated');
  });

  it('is reported by who reads it, and called by its title', async () => {
    const on = await published(OPEN);
    const read = await shown(on);
    const held = await waiting(on, 'colleague', { language: 'fr' });
    const report = (actor: Actor, content_id: string) =>
      insert(actor, 'content_reports', {
        content_type: 'translation',
        content_id,
        reason: 'It says 80 Nm for 8 Nm.',
      });
    expect((await report('author', held)).code).toBe('42501');
    expect((await report('moderator2', read)).rowCount).toBe(1);
    await owner("update solutions set audience = 'checked' where id = $1", [on]);
    expect((await report('author', read)).rowCount).toBe(1);
    expect((await as('moderator', 'select reported_title(r) as title from content_reports r')).rows).toEqual([
      { title: TEXTS.title },
      { title: TEXTS.title },
    ]);
  });

  it('that is deleted leaves the news of another by the same member', async () => {
    const of = await published(OPEN);
    const id = await shown(of);
    await shown(of, 'colleague', { language: 'fr' });
    await as('colleague', 'delete from solution_translations where id = $1', [id]);
    expect(await noticesOf('author')).toContain('solution_translated');
  });

  it('is taken along by its writer, and erased with them if they wish', async () => {
    const of = await published(OPEN);
    await shown(of);
    await waiting(of, 'colleague', { language: 'fr' });
    const data = (await ask<{ solution_translations: unknown[] }>('colleague', 'export_account')) as {
      solution_translations: unknown[];
    };
    expect(data.solution_translations).toHaveLength(2);
    await owner("select private.erase_account($1, 'keep')", [people.colleague]);
    expect(await owner('select user_id, status from solution_translations')).toEqual([
      { user_id: null, status: 'approved' },
    ]);
  });

  it('is erased with its writer who removes what they shared', async () => {
    const of = await published(OPEN);
    await shown(of);
    await owner("select private.erase_account($1, 'remove')", [people.colleague]);
    expect(await column('select id from solution_translations')).toEqual([]);
  });
});

it('has the texts that the form asks for, by the same names', async () => {
  const { files, media, ...content } = {
    ...SOLUTION,
    language: 'en',
    licence: null,
    materials: [],
    custom_tags: [],
    ...bySection('column', () => null),
    durability_testing: 'A year.',
    patient_outcomes: ' ',
    outcomes: [],
    fabrication: {
      hours: 2,
      tools: ['Saw', 'File'],
      currency: null,
      parts: [{ component: 'Clamp', maker: 'O', part_number: '7', quantity: 1, cost: null, link: null }],
      steps: [
        { instruction: 'Cut it.', media_id: null },
        { instruction: 'Glue it.', media_id: null },
      ],
    },
    media: [
      { id: 'a', description: 'The wrist' },
      { id: 'b', removed: true },
      { id: 'c', description: null },
    ],
    files: [{ id: 'd', name: 'clamp.stl', licence: 'CC0 1.0', description: 'The clamp' }],
    based_on: [],
  };
  const asked = (whole: Content) =>
    translatableTexts(whole).map(({ name, original }) => `${name}: ${original}`);
  const kept = async (whole: object) =>
    column("select name || ': ' || original from private.translatable_texts($1)", [JSON.stringify(whole)]);
  const whole = { ...content, media, files };
  expect((await kept(whole)).toSorted()).toEqual(asked(whole).toSorted());
  const bare = { ...whole, fabrication: null, media: [], files: [] };
  expect((await kept(bare)).toSorted()).toEqual(asked(bare).toSorted());
  expect((await kept(content)).toSorted()).toEqual(asked({ ...content, media: [], files: [] }).toSorted());
});

it('says to moderators alone which personal details a translation seems to hold', async () => {
  const of = await published(OPEN);
  const id = await waiting(of, 'colleague', {
    texts: { ...TEXTS, description: 'Nació el 03/04/1961, NHS 943 476 5919.' },
  });
  const found = (actor: Actor) => ask<string[] | null>(actor, 'translation_identifiers_found', [id]);
  expect((await found('moderator'))?.length).toBeGreaterThan(0);
  expect(await found('colleague')).toBeNull();
});
