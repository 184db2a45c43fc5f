import { describe, expect, it } from 'vitest';
import { SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, owner, solution, upload, moveFiles, jobs } = openDatabase();

const PUBLIC = '/storage/v1/object/public/solution-media/';
const PRIVATE = '/storage/v1/object/authenticated/pending-media/';

/** Adds a picture to a solution, as if it had been submitted with it; returns its id and address. */
async function picture(id: string, position = 0, isPublic = true) {
  const file = await upload();
  const url = (address: string) => (isPublic ? address.replace(PRIVATE, PUBLIC) : address);
  const [row] = await owner<{ id: string; media_url: string }>(
    `insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type, position, description)
     values ($1, $2, $3, $4, 'image', $5::integer, 'View ' || $5::text) returning id, media_url`,
    [id, url(file.media_url), url(file.compressed_url), url(file.thumbnail_url), position],
  );
  await owner('delete from media_uploads where media_url = $1', [file.media_url]);
  if (!row) throw new Error('no picture');
  return row;
}

/** A published case with two pictures. */
async function published() {
  const id = await solution('pending');
  const pictures = [await picture(id, 0), await picture(id, 1)] as const;
  await as('moderator', "update solutions set status = 'approved' where id = $1", [id]);
  await owner('delete from media_jobs');
  return { id, pictures };
}

const edit = (
  actor: Actor,
  id: string,
  changes: Record<string, unknown> = {},
  media: { media_url: string; description?: string }[] = [],
) =>
  as<{ id: string }>(actor, "select resubmit_solution($1, $2, $3, 'patient_written', '2026-11-01') as id", [
    id,
    JSON.stringify({ ...SOLUTION, title: 'The second version of it', ...changes }),
    JSON.stringify(media),
  ]);
const revisionOf = async (id: string) =>
  (await owner<{ id: string }>('select id from solutions where revises = $1', [id]))[0]?.id ?? '';
const decide = (id: string, status = 'approved', actor: Actor = 'moderator') =>
  as(actor, 'update solutions set status = $2, rejection_reason = $3 where id = $1', [
    id,
    status,
    status === 'rejected' ? 'A label shows a name.' : null,
  ]);
/** What the first published version says of its pictures to a reader. */
const picturesOfVersion = async (id: string) =>
  (
    await as<{ media: unknown[] }>(
      'visitor',
      "select content -> 'media' as media from solution_versions where solution_id = $1 and version = 1",
      [id],
    )
  ).rows[0]?.media ?? [];
const readBy = async (actor: Actor, id: string) =>
  (await as(actor, 'select title, status, version from solutions where id = $1', [id])).rows[0];

describe('a new version', () => {
  it('waits beside the published one, which readers keep until the new one is approved', async () => {
    const { id } = await published();
    expect((await edit('author', id)).rows).toEqual([{ id }]);
    const first = { title: 'Printed socket for a violin bow', status: 'approved', version: 1 };
    expect(await readBy('visitor', id)).toMatchObject({ status: 'approved', version: 1 });
    expect((await readBy('visitor', id))?.title).not.toBe('The second version of it');
    const revision = await revisionOf(id);
    expect((await decide(revision)).rowCount).toBe(1);
    expect(await readBy('visitor', id)).toEqual({ ...first, title: 'The second version of it', version: 2 });
    expect(await owner('select id from solutions')).toEqual([{ id }]);
  });

  it('is seen by its author and the moderators alone, and counted, listed and found nowhere', async () => {
    const { id } = await published();
    await edit('author', id, { title: 'Quokka clamp for a violin bow' });
    const revision = await revisionOf(id);
    for (const actor of ['author', 'moderator', 'admin'] as const)
      expect(await readBy(actor, revision), actor).toMatchObject({ status: 'pending' });
    for (const actor of ['visitor', 'colleague'] as const)
      expect(await readBy(actor, revision), actor).toBeUndefined();
    const browse = async (search: string) =>
      (await owner<{ page: { total: number } }>('select browse_solutions($1) as page', [search]))[0]?.page
        .total;
    expect([await browse(''), await browse('quokka')]).toEqual([1, 0]);
    expect(await owner("select sitemap_page('solutions', 1) -> 0 ->> 0 as path")).toEqual([
      { path: `/solutions/${id}` },
    ]);
    expect((await as('colleague', 'insert into likes (solution_id) values ($1)', [revision])).code).toBe(
      '42501',
    );
    await decide(revision);
    expect([await browse(''), await browse('quokka')]).toEqual([1, 1]);
    expect(await owner('select * from private.facet_counts where solutions < 0 or solutions > 1')).toEqual(
      [],
    );
  });

  it('is one at a time: another edit changes it, and after a rejection it can be sent again', async () => {
    const { id } = await published();
    await edit('author', id);
    const revision = await revisionOf(id);
    await edit('author', id, { title: 'The third wording of it' });
    expect(await owner('select id, title from solutions where revises is not null')).toEqual([
      { id: revision, title: 'The third wording of it' },
    ]);
    await decide(revision, 'rejected');
    expect(await readBy('visitor', id)).toMatchObject({ status: 'approved', version: 1 });
    expect((await edit('author', id)).rows).toEqual([{ id }]);
    expect(await readBy('author', revision)).toMatchObject({ status: 'pending' });
    expect(
      (await owner('select decision from solution_reviews where solution_id = $1 order by id', [id])).map(
        ({ decision }) => decision,
      ),
    ).toEqual(['submitted', 'approved', 'resubmitted', 'rejected', 'resubmitted']);
  });

  it('is made by the author alone, who can neither approve it nor make one in any other way', async () => {
    const { id } = await published();
    expect((await edit('colleague', id)).code).toBe('PT404');
    expect((await edit('moderator', id)).code).toBe('PT404');
    expect((await edit('visitor', id)).code).toBe('42501');
    expect(await revisionOf(id)).toBe('');
    await edit('author', id);
    const revision = await revisionOf(id);
    expect((await decide(revision, 'approved', 'author')).code).toBe('42501');
    for (const change of ['revises = null', `revises = '${id}'`, 'version = 9'])
      expect((await as('author', `update solutions set ${change} where id = $1`, [revision])).code).toBe(
        '42501',
      );
    expect(
      (
        await as(
          'author',
          `insert into solutions (title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range, revises)
           select title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range, id from solutions where id = $1`,
          [id],
        )
      ).code,
    ).toBe('42501');
    expect(
      (await as('author', 'update solution_media set copy_of = null where solution_id = $1', [revision]))
        .code,
    ).toBe('42501');
  });

  it('is not made by members who may not take part', async () => {
    const { id } = await published();
    await owner(
      "insert into sanctions (user_id, kind, reason, created_by) values ($1, 'ban', 'Advertising', $2)",
      [people.author, people.admin],
    );
    expect((await edit('author', id)).code).toBeDefined();
    expect(await revisionOf(id)).toBe('');
  });

  it('earns no points again, keeps likes and comments, and tells its author by its own words', async () => {
    const { id } = await published();
    await owner('insert into likes (solution_id, user_id) values ($1, $2)', [id, people.colleague]);
    await edit('author', id);
    await decide(await revisionOf(id));
    expect(await owner("select points from point_events where cause = 'solution'")).toEqual([{ points: 50 }]);
    expect(await owner('select likes_count from solutions')).toEqual([{ likes_count: 1 }]);
    expect(
      await owner(
        "select type, solution_id from notifications where user_id = $1 and type like '%approved' order by type",
        [people.author],
      ),
    ).toEqual([
      { type: 'solution_approved', solution_id: id },
      { type: 'version_approved', solution_id: id },
    ]);
    expect(
      await owner("select action, target_id from audit_events where action = 'solution_approved'"),
    ).toEqual([
      { action: 'solution_approved', target_id: id },
      { action: 'solution_approved', target_id: id },
    ]);
  });

  it('sends the reason of a rejection to its author, about the published case', async () => {
    const { id } = await published();
    await edit('author', id);
    await decide(await revisionOf(id), 'rejected');
    expect(await owner('select solution_id, content from messages')).toEqual([
      { solution_id: id, content: 'A label shows a name.' },
    ]);
  });

  it('is discarded by its author, and leaves the published one and its files', async () => {
    const { id, pictures } = await published();
    await edit('author', id, {}, [{ media_url: pictures[0].media_url }]);
    const revision = await revisionOf(id);
    expect((await as('colleague', 'delete from solutions where id = $1', [revision])).rowCount).toBe(0);
    expect((await as('author', 'delete from solutions where id = $1', [revision])).rowCount).toBe(1);
    expect(await owner('select * from media_jobs')).toEqual([]);
    expect(await owner('select id from solution_media')).toHaveLength(2);
    expect(await owner('select action from audit_events')).toEqual([{ action: 'solution_approved' }]);
  });

  it('leaves no trace when it is discarded before any decision, however often, and one afterwards', async () => {
    const { id } = await published();
    const history = async () =>
      (await owner('select decision from solution_reviews where solution_id = $1 order by id', [id])).map(
        ({ decision }) => decision,
      );
    const discard = async (actor: Actor = 'author') =>
      as(actor, 'delete from solutions where id = $1', [await revisionOf(id)]);
    const before = await history();
    for (let round = 0; round < 3; round++) {
      await edit('author', id);
      expect((await discard()).rowCount).toBe(1);
    }
    expect(await history()).toEqual(before);

    await edit('author', id);
    await decide(await revisionOf(id), 'rejected');
    await edit('author', id);
    await discard();
    const decided = [...before, 'resubmitted', 'rejected', 'resubmitted', 'discarded'];
    expect(await history()).toEqual(decided);
    await edit('author', id);
    await discard();
    expect(await history()).toEqual(decided);
    await edit('author', id);
    await discard('moderator');
    expect(await history()).toEqual([...decided, 'resubmitted', 'discarded']);
  });

  it('needs its own consent statement, which replaces the earlier one with the approval alone', async () => {
    const { id } = await published();
    await edit('author', id);
    const revision = await revisionOf(id);
    await as(
      'author',
      "update solution_consents set basis = 'no_identifiable_person' where solution_id = $1",
      [revision],
    );
    const basis = async () =>
      (await owner('select basis from solution_consents where solution_id = $1', [id]))[0]?.basis;
    expect(await basis()).toBe('patient_written');
    await decide(revision);
    expect(await basis()).toBe('no_identifiable_person');
    expect((await as('service', "update solution_consents set basis = 'patient_written'")).message).toContain(
      'cannot be changed',
    );
  });
});

it('shows the outcomes of a new version, and finds it by them, from its approval on', async () => {
  const { id } = await published();
  const found = async () =>
    (
      await owner<{ page: { total: number } }>("select browse_solutions('', array['Has outcomes']) as page")
    )[0]?.page.total;
  const scores = async () =>
    (
      await as(
        'visitor',
        'select measure, score_after::float8 as after from solution_outcomes where solution_id = $1',
        [id],
      )
    ).rows;
  const tug = { measure: 'TUG', score_before: 18.2, score_after: 12.4, people: 1 };
  await edit('author', id, { outcomes: [tug] });
  expect([await found(), await scores()]).toEqual([0, []]);
  await decide(await revisionOf(id));
  expect([await found(), await scores()]).toEqual([1, [{ measure: 'TUG', after: 12.4 }]]);
  await edit('author', id, { outcomes: [{ ...tug, score_after: 11 }] });
  expect(await scores()).toEqual([{ measure: 'TUG', after: 12.4 }]);
  await decide(await revisionOf(id));
  expect([await found(), await scores()]).toEqual([1, [{ measure: 'TUG', after: 11 }]]);
  expect(
    await owner(
      "select content -> 'outcomes' -> 0 ->> 'measure' as measure from solution_versions order by version",
    ),
  ).toEqual([{ measure: null }, { measure: 'TUG' }, { measure: 'TUG' }]);
});

describe('the pictures of a new version', () => {
  it('are those that it keeps, drops and adds: rows and files follow at the approval alone', async () => {
    const { id, pictures } = await published();
    const added = await upload();
    await edit('author', id, {}, [
      { media_url: added.media_url },
      { media_url: pictures[1].media_url, description: 'Seen from above' },
    ]);
    expect(await owner('select * from media_jobs')).toEqual([]);
    expect((await as('visitor', 'select id from solution_media')).rowCount).toBe(2);
    await decide(await revisionOf(id));
    const rows = await owner(
      'select id, solution_id, media_url, description, copy_of from solution_media order by position',
    );
    expect(rows).toMatchObject([
      { solution_id: id, media_url: added.media_url, copy_of: null },
      { id: pictures[1].id, media_url: pictures[1].media_url, description: 'Seen from above' },
    ]);
    const left = await owner<{ object_names: string[] }>('select object_names from media_jobs order by id');
    expect(await jobs()).toEqual(['remove', 'move']);
    expect(left[0]?.object_names).toContain(pictures[0].media_url.replace('/storage/v1/object/public/', ''));
  });

  it('leave both versions when one is removed from the published one, and the file goes then', async () => {
    const { id, pictures } = await published();
    await edit(
      'author',
      id,
      {},
      pictures.map(({ media_url }) => ({ media_url })),
    );
    expect((await as('author', 'delete from solution_media where id = $1', [pictures[0].id])).rowCount).toBe(
      1,
    );
    expect(await owner('select solution_id from solution_media')).toHaveLength(2);
    expect(await jobs()).toContain('remove');
    expect(await picturesOfVersion(id)).toEqual([
      { id: pictures[0].id, removed: true },
      { id: pictures[1].id, description: 'View 1' },
    ]);
  });

  it('are hidden in both at the request of a person shown, and stay hidden through an approval', async () => {
    const { id, pictures } = await published();
    await edit(
      'author',
      id,
      {},
      pictures.map(({ media_url }) => ({ media_url })),
    );
    await as('visitor', "select request_takedown(gen_random_uuid(), $1, 'patient', array[$2]::uuid[])", [
      id,
      pictures[0].id,
    ]);
    await as('moderator', "update takedown_requests set status = 'hidden'");
    const revision = await revisionOf(id);
    expect(
      (await as('author', 'select id from solution_media where solution_id = $1', [revision])).rowCount,
    ).toBe(1);
    expect((await picturesOfVersion(id))[0]).toEqual({ id: pictures[0].id, removed: true });
    // A later edit neither shows nor removes what the author cannot see.
    await edit('author', id, {}, [{ media_url: pictures[1].media_url }]);
    await decide(revision);
    expect(
      await owner('select hidden_at is not null as hidden from solution_media where id = $1', [
        pictures[0].id,
      ]),
    ).toEqual([{ hidden: true }]);
    expect((await as('visitor', 'select id from solution_media')).rows).toEqual([{ id: pictures[1].id }]);
    await as('moderator', "update takedown_requests set status = 'kept', answer = 'A drawing.'");
    expect((await as('visitor', 'select id from solution_media')).rowCount).toBe(2);
    // With the description that it has by now.
    expect((await picturesOfVersion(id))[0]).toEqual({ id: pictures[0].id, description: null });
  });

  it('are gone from a waiting version once their removal was granted', async () => {
    const { id, pictures } = await published();
    await edit(
      'author',
      id,
      {},
      pictures.map(({ media_url }) => ({ media_url })),
    );
    await as('visitor', "select request_takedown(gen_random_uuid(), $1, 'patient', array[$2]::uuid[])", [
      id,
      pictures[0].id,
    ]);
    await as('moderator', "update takedown_requests set status = 'removed'");
    expect(await owner('select solution_id from solution_media')).toHaveLength(2);
    expect(
      await owner("select content -> 'media' -> 0 as entry from solution_versions where solution_id = $1", [
        id,
      ]),
    ).toEqual([{ entry: { id: pictures[0].id, removed: true } }]);
  });

  it('move with the published ones while it waits', async () => {
    const id = await solution('pending');
    const file = await picture(id, 0, false);
    await decide(id);
    await edit('author', id, {}, [{ media_url: file.media_url }]);
    await moveFiles(id);
    const urls = await owner<{ media_url: string }>('select media_url from solution_media');
    expect(urls.map(({ media_url }) => media_url.startsWith(PUBLIC))).toEqual([true, true]);
    // The form that was opened before knows the file by its earlier address.
    expect((await edit('author', id, {}, [{ media_url: file.media_url }])).code).toBeUndefined();
    expect(await owner('select id from solution_media')).toHaveLength(2);
  });
});

describe('the list of versions', () => {
  const versions = (actor: Actor, id: string) =>
    as<{ version: number; title: string; change_note: string | null }>(
      actor,
      "select version, content ->> 'title' as title, change_note from solution_versions where solution_id = $1 order by version",
      [id],
    );

  it('has a row for each approval with the author’s note, for readers of the solution', async () => {
    const { id } = await published();
    await edit('author', id, { change_note: 'A stiffer clamp.' });
    await decide(await revisionOf(id));
    expect((await versions('visitor', id)).rows).toMatchObject([
      { version: 1, change_note: null },
      { version: 2, title: 'The second version of it', change_note: 'A stiffer clamp.' },
    ]);
    await owner("update solutions set status = 'pending' where id = $1", [id]);
    expect((await versions('visitor', id)).rows).toEqual([]);
    expect((await versions('author', id)).rows).toHaveLength(2);
  });

  it('takes a note of at most 500 characters', async () => {
    const { id } = await published();
    expect((await edit('author', id, { change_note: 'x'.repeat(501) })).message).toBe(
      'What changed must be at most 500 characters',
    );
    expect((await edit('author', id, { change_note: 'x'.repeat(500) })).code).toBeUndefined();
  });

  const remove = (actor: Actor, id: string, version: number) =>
    as(actor, 'update solution_versions set content = null where solution_id = $1 and version = $2', [
      id,
      version,
    ]);

  it.each(['author', 'moderator'] as const)('loses an earlier text by the %s', async (actor) => {
    const { id } = await published();
    await edit('author', id, { change_note: 'Names are left out.' });
    await decide(await revisionOf(id));
    expect((await remove(actor, id, 2)).message).toBe('Only an earlier version can be removed');
    expect((await remove(actor, id, 1)).rowCount).toBe(1);
    expect((await versions('visitor', id)).rows).toMatchObject([
      { version: 1, title: null },
      { version: 2, title: 'The second version of it' },
    ]);
    expect(await owner("select after from audit_events where action = 'version_removed'")).toEqual(
      actor === 'author' ? [] : [{ after: { version: 1 } }],
    );
  });

  it('is changed in no other way', async () => {
    const { id } = await published();
    await edit('author', id);
    await decide(await revisionOf(id));
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect(
        (await as(actor, `update solution_versions set content = '{"title": "Forged"}'`)).code,
        actor,
      ).toMatch(/42501|23514/);
      for (const change of ["change_note = 'x'", 'published_at = now()', 'version = 7'])
        expect((await as(actor, `update solution_versions set ${change}`)).code, actor).toBe('42501');
      expect((await as(actor, 'delete from solution_versions')).code, actor).toBe('42501');
    }
    expect((await remove('colleague', id, 1)).rowCount).toBe(0);
    expect((await remove('visitor', id, 1)).code).toBe('42501');
    expect((await versions('visitor', id)).rows).toMatchObject([{ version: 1 }, { version: 2 }]);
  });

  it('goes with an account, and is part of what its author downloads', async () => {
    const { id } = await published();
    await edit('author', id);
    await decide(await revisionOf(id));
    const [row] = (
      await as<{ data: { solution_versions: unknown[] } }>('author', 'select export_account() as data')
    ).rows;
    expect(row?.data.solution_versions).toHaveLength(2);
    await edit('author', id);
    await owner("select private.erase_account($1, 'keep')", [people.author]);
    expect(await owner('select id, version from solutions')).toEqual([{ id, version: 2 }]);
  });
});

describe('a detail about a person that a new version removes', () => {
  const DETAILS = ', D.O.B. 12/03/1961, NHS 943 476 5919';
  const versions = async (actor: Actor, id: string) =>
    (
      await as<{ content: { title: string } | null; removed: boolean }>(
        actor,
        'select content, removed_at is not null as removed from solution_versions where solution_id = $1 order by version',
        [id],
      )
    ).rows.map(({ content, removed }) => content?.title ?? removed);
  /** A case of two versions: what the second changes, and what its moderator says of it. */
  async function edited(first: Record<string, unknown>, second: Record<string, unknown>, decision = {}) {
    const { id } = await published();
    await edit('author', id, { title: 'The first wording of it', ...first });
    await decide(await revisionOf(id));
    await owner('delete from solution_versions where solution_id = $1 and version = 1', [id]);
    await edit('author', id, second);
    const columns = Object.entries({ status: 'approved', ...decision }).map(
      ([column, value]) => `${column} = '${value}'`,
    );
    expect(
      (await as('moderator', `update solutions set ${columns} where id = $1`, [await revisionOf(id)]))
        .rowCount,
    ).toBe(1);
    return id;
  }
  const NOW = 'The second version of it';
  const description = SOLUTION.description;

  it('leaves the earlier text when the site recognises it, in whichever field, and the log says so', async () => {
    for (const first of [
      { description: description + DETAILS },
      { challenges_overcome: `Mrs Smith${DETAILS}` },
      {
        fabrication: {
          hours: 2,
          tools: [],
          currency: null,
          parts: [],
          steps: [{ instruction: `Trim${DETAILS}` }],
        },
      },
    ]) {
      const id = await edited(first, { fabrication: null });
      expect(await versions('visitor', id), JSON.stringify(first)).toEqual([true, NOW]);
      expect(
        JSON.stringify(
          await owner('select to_jsonb(v) from solution_versions v where solution_id = $1', [id]),
        ),
      ).not.toContain('1961');
      expect(
        await owner("select after from audit_events where action = 'version_removed' and target_id = $1", [
          id,
        ]),
      ).toEqual([{ after: { version: 2 } }]);
    }
  });

  it('leaves it when its author or its moderator says so', async () => {
    expect(await versions('visitor', await edited({}, { removes_details: true }))).toEqual([true, NOW]);
    expect(await versions('visitor', await edited({}, {}, { removes_details: true }))).toEqual([true, NOW]);
  });

  it('is no other change: what stays, or has another spelling, keeps the earlier text', async () => {
    const kept = ['The first wording of it', NOW];
    expect(await versions('visitor', await edited({}, {}))).toEqual(kept);
    const both = { description: description + DETAILS };
    expect(await versions('visitor', await edited(both, both))).toEqual(kept);
    expect(
      await versions(
        'visitor',
        await edited(both, { description: `${description}, d.o.b. 12/03/1961, NHS 9434765919` }),
      ),
    ).toEqual(kept);
  });
});

it('every column of a solution is content, which is sent, reviewed, copied and recorded, or is named as state', async () => {
  const columns = await owner<{ name: string }>(
    `select a.attname as name from pg_attribute a
     where a.attrelid = 'solutions'::regclass and a.attnum > 0 and not a.attisdropped and a.attname <> all (private.solution_state()) order by 1`,
  );
  const values = (form: Record<string, unknown>) =>
    Object.fromEntries(columns.map(({ name }) => [name, form[name]]));
  const CONTENT = {
    ...SOLUTION,
    materials: ['Silicone'],
    custom_tags: ['bow'],
    durability_testing: 'A year of daily use.',
    patient_outcomes: 'Plays again.',
    challenges_overcome: 'The angle of the wrist.',
  };
  const CHANGED = {
    title: 'Printed socket for a cello bow',
    description: 'A three-part socket that holds the bow at its balance point and lets the wrist follow.',
    occupation: 'Running',
    amputation_level: 'Transfemoral (Above Knee)',
    age_group: 'Children',
    prosthesis_type: 'Body-Powered',
    cost_range: 'Mid-range ($500-$5000)',
    materials: ['Carbon Fiber'],
    custom_tags: ['cello'],
    durability_testing: 'Two years of daily use.',
    patient_outcomes: 'Plays every day.',
    challenges_overcome: 'The weight of the bow.',
  };
  expect(Object.keys(CONTENT).toSorted()).toEqual(columns.map(({ name }) => name));
  const stored = async (id: string) =>
    values(
      (
        await owner<{ row: Record<string, unknown> }>(
          'select to_jsonb(s) as row from solutions s where id = $1',
          [id],
        )
      )[0]?.row ?? {},
    );
  const [sent] = (
    await as<{ id: string }>(
      'author',
      "select submit_solution($1, '[]', 'patient_written', '2026-11-01') as id",
      [JSON.stringify(CONTENT)],
    )
  ).rows;
  const id = sent?.id ?? '';
  expect(await stored(id)).toEqual(CONTENT);
  await decide(id);
  for (const [column, value] of Object.entries(CHANGED)) {
    const one = { ...(await stored(id)), [column]: value };
    expect(
      (await as('author', `update solutions set ${column} = $2 where id = $1`, [id, value])).code,
      column,
    ).toBe('23514');
    expect((await edit('author', id, one)).code, column).toBeUndefined();
    const revision = await revisionOf(id);
    expect(await stored(revision), column).toEqual(one);
    await decide(revision);
    expect(await stored(id), column).toEqual(one);
    expect(
      (
        await owner<{ content: object }>(
          'select content from solution_versions where solution_id = $1 order by version desc limit 1',
          [id],
        )
      )[0]?.content,
      column,
    ).toMatchObject(one);
  }
});
