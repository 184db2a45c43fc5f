import { describe, expect, it } from 'vitest';
import { SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const {
  as,
  ask,
  owner,
  column,
  value,
  insert,
  revisionOf,
  approve,
  solution,
  upload,
  moveFiles,
  jobs,
  ...world
} = openDatabase();

const NEW_TITLE = 'The second version of it';
const PUBLIC = '/storage/v1/object/public/solution-media/';
const PRIVATE = '/storage/v1/object/authenticated/pending-media/';

/** Adds a picture to a solution, as if it had been submitted with it; returns its id and address. */
async function picture(id: string, position = 0, isPublic = true) {
  const { media_url, compressed_url, thumbnail_url } = await upload();
  const url = (address: string) => (isPublic ? address.replace(PRIVATE, PUBLIC) : address);
  const file = {
    media_url: url(media_url),
    compressed_url: url(compressed_url),
    thumbnail_url: url(thumbnail_url),
  };
  const row = { id: await world.picture(id, file), media_url: file.media_url };
  await owner(
    "update solution_media set position = $2::integer, description = 'View ' || $2::text where id = $1",
    [row.id, position],
  );
  await owner('delete from pending_uploads where url = $1', [media_url]);
  return row;
}

/** A published case with two pictures. */
async function published() {
  const id = await solution('pending');
  const pictures = [await picture(id, 0), await picture(id, 1)] as const;
  await approve(id);
  await owner('delete from media_jobs');
  return { id, pictures };
}

const edit = (id: string, changes: object = {}, media: { media_url: string; description?: string }[] = []) =>
  world.resubmit(id, { title: NEW_TITLE, ...changes }, { media });
/** A new version that was approved. */
async function revise(id: string, changes: object = {}) {
  await edit(id, changes);
  await approve(id);
}
/** What the first published version says of its pictures. */
const picturesOfVersion = (id: string) =>
  value<unknown[]>(
    "select content -> 'media' from solution_versions where solution_id = $1 and version = 1",
    [id],
  );
const history = (id: string) =>
  column('select decision from solution_reviews where solution_id = $1 order by id', [id]);
const readBy = async (actor: Actor, id: string) =>
  (await as(actor, 'select title, status, version from solutions where id = $1', [id])).rows[0];

describe('a new version', () => {
  it('has its images in the order of the form, also those that join it', async () => {
    const shown = () =>
      column<string>('select media_url from solution_media where solution_id = $1 order by position', [id]);
    const added = async () => ({ media_url: (await upload()).media_url });
    const [one, two, three] = [await added(), await added(), await added()];
    const id = await world.submitted({}, { media: [one] });
    await approve(id);
    await world.resubmit(id, {}, { media: [two, one, three] });
    await approve(await revisionOf(id));
    expect(await shown()).toEqual([two, one, three].map(({ media_url }) => media_url));
    expect(
      await column('select position from solution_media where solution_id = $1 order by 1', [id]),
    ).toEqual([0, 1, 2]);
  });

  it('waits beside the published one, which readers keep until the new one is approved', async () => {
    const { id } = await published();
    expect((await edit(id)).rows).toEqual([{ id }]);
    const first = { title: SOLUTION.title, status: 'approved', version: 1 };
    expect(await readBy('visitor', id)).toEqual(first);
    const revision = await revisionOf(id);
    expect((await approve(revision)).rowCount).toBe(1);
    expect(await readBy('visitor', id)).toEqual({ ...first, title: NEW_TITLE, version: 2 });
    expect(await owner('select id from solutions')).toEqual([{ id }]);
  });

  it('is counted, listed and found nowhere', async () => {
    const { id } = await published();
    await edit(id, { title: 'Quokka clamp for a violin bow' });
    const revision = await revisionOf(id);
    const browse = (search: string) =>
      value<number>("select (browse_solutions($1) ->> 'total')::int", [search]);
    expect([await browse(''), await browse('quokka')]).toEqual([1, 0]);
    expect(await value("select sitemap_page('solutions', 1) -> 0 ->> 0")).toBe(`/solutions/${id}`);
    expect((await insert('colleague', 'likes', { solution_id: revision })).code).toBe('42501');
    await approve(revision);
    expect([await browse(''), await browse('quokka')]).toEqual([1, 1]);
    expect(await owner('select * from private.facet_counts where solutions < 0 or solutions > 1')).toEqual(
      [],
    );
  });

  it('is one at a time: another edit changes it, and after a rejection it can be sent again', async () => {
    const { id } = await published();
    await edit(id);
    const revision = await revisionOf(id);
    await edit(id, { title: 'The third wording of it' });
    expect(await owner('select id, title from solutions where revises is not null')).toEqual([
      { id: revision, title: 'The third wording of it' },
    ]);
    await world.reject(revision);
    expect(await readBy('visitor', id)).toMatchObject({ status: 'approved', version: 1 });
    expect((await edit(id)).rows).toEqual([{ id }]);
    expect(await readBy('author', revision)).toMatchObject({ status: 'pending' });
    expect(await history(id)).toEqual(['submitted', 'approved', 'resubmitted', 'rejected', 'resubmitted']);
  });

  it('is made by the author alone', async () => {
    const { id } = await published();
    for (const actor of ['colleague', 'moderator'] as const)
      expect((await world.resubmit(id, {}, { actor })).code).toBe('PT404');
    expect(await revisionOf(id)).toBeUndefined();
  });

  it('earns no points again, keeps likes and comments, and tells its author by its own words', async () => {
    const { id } = await published();
    await world.like(id);
    await revise(id);
    expect(await column("select points from point_events where cause = 'solution'")).toEqual([50]);
    expect(await column('select likes_count from solutions')).toEqual([1]);
    expect(
      await owner(
        "select type, solution_id from notifications where user_id = $1 and type like '%approved' order by type",
        [people.author],
      ),
    ).toEqual([
      { type: 'solution_approved', solution_id: id },
      { type: 'version_approved', solution_id: id },
    ]);
    expect(await column("select target_id from audit_events where action = 'solution_approved'")).toEqual([
      id,
      id,
    ]);
  });

  it('sends the reason of a rejection to its author, about the published case', async () => {
    const { id } = await published();
    await edit(id);
    await world.reject(await revisionOf(id));
    expect(await owner('select solution_id, content from messages')).toEqual([
      { solution_id: id, content: 'A label shows a name.' },
    ]);
  });

  it('is discarded by its author, and leaves the published one and its files', async () => {
    const { id, pictures } = await published();
    await edit(id, {}, [{ media_url: pictures[0].media_url }]);
    const revision = await revisionOf(id);
    expect((await as('author', 'delete from solutions where id = $1', [revision])).rowCount).toBe(1);
    expect(await owner('select * from media_jobs')).toEqual([]);
    expect(await owner('select id from solution_media')).toHaveLength(2);
    expect(await owner('select action from audit_events')).toEqual([{ action: 'solution_approved' }]);
  });

  it('leaves no trace when it is discarded before any decision, however often, and one afterwards', async () => {
    const { id } = await published();
    const discard = async (actor: Actor = 'author') =>
      as(actor, 'delete from solutions where id = $1', [await revisionOf(id)]);
    const before = await history(id);
    for (let round = 0; round < 3; round++) {
      await edit(id);
      expect((await discard()).rowCount).toBe(1);
    }
    expect(await history(id)).toEqual(before);

    await edit(id);
    await world.reject(await revisionOf(id));
    await edit(id);
    await discard();
    const decided = [...before, 'resubmitted', 'rejected', 'resubmitted', 'discarded'];
    expect(await history(id)).toEqual(decided);
    await edit(id);
    await discard();
    expect(await history(id)).toEqual(decided);
    await edit(id);
    await discard('moderator');
    expect(await history(id)).toEqual([...decided, 'resubmitted', 'discarded']);
  });

  it('needs its own consent statement, which replaces the earlier one with the approval alone', async () => {
    const { id } = await published();
    await edit(id);
    const revision = await revisionOf(id);
    await as(
      'author',
      "update solution_consents set basis = 'no_identifiable_person' where solution_id = $1",
      [revision],
    );
    const basis = () => value('select basis from solution_consents where solution_id = $1', [id]);
    expect(await basis()).toBe('patient_written');
    await approve(revision);
    expect(await basis()).toBe('no_identifiable_person');
    expect((await as('service', "update solution_consents set basis = 'patient_written'")).message).toContain(
      'cannot be changed',
    );
  });
});

it('shows the outcomes of a new version, and finds it by them, from its approval on', async () => {
  const { id } = await published();
  const found = () => value("select (browse_solutions('', array['Has outcomes']) ->> 'total')::int");
  const scores = () =>
    column('select score_after::float8 from solution_outcomes where solution_id = $1', [id]);
  const tug = { measure: 'TUG', score_before: 18.2, score_after: 12.4, people: 1 };
  await edit(id, { outcomes: [tug] });
  expect([await found(), await scores()]).toEqual([0, []]);
  await approve(id);
  expect([await found(), await scores()]).toEqual([1, [12.4]]);
  await edit(id, { outcomes: [{ ...tug, score_after: 11 }] });
  expect(await scores()).toEqual([12.4]);
  await approve(id);
  expect([await found(), await scores()]).toEqual([1, [11]]);
  expect(
    await column("select content -> 'outcomes' -> 0 ->> 'measure' from solution_versions order by version"),
  ).toEqual([null, 'TUG', 'TUG']);
});

describe('the pictures of a new version', () => {
  it('are those that it keeps, drops and adds: rows and files follow at the approval alone', async () => {
    const { id, pictures } = await published();
    const added = await upload();
    await edit(id, {}, [
      { media_url: added.media_url },
      { media_url: pictures[1].media_url, description: 'Seen from above' },
    ]);
    expect(await owner('select * from media_jobs')).toEqual([]);
    expect((await as('visitor', 'select id from solution_media')).rowCount).toBe(2);
    await approve(id);
    const rows = await owner(
      'select id, solution_id, media_url, description, copy_of from solution_media order by position',
    );
    expect(rows).toMatchObject([
      { solution_id: id, media_url: added.media_url, copy_of: null },
      { id: pictures[1].id, media_url: pictures[1].media_url, description: 'Seen from above' },
    ]);
    expect(await jobs()).toEqual(['remove', 'move']);
    expect(await value('select object_names from media_jobs order by id')).toContain(
      pictures[0].media_url.replace('/storage/v1/object/public/', ''),
    );
  });

  it('leave both versions when one is removed from the published one, and the file goes then', async () => {
    const { id, pictures } = await published();
    await edit(
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
      id,
      {},
      pictures.map(({ media_url }) => ({ media_url })),
    );
    await ask('visitor', 'request_removal', [crypto.randomUUID(), id, 'patient', [pictures[0].id]]);
    await as('moderator', "update removal_requests set status = 'hidden'");
    const revision = await revisionOf(id);
    expect(
      (await as('author', 'select id from solution_media where solution_id = $1', [revision])).rowCount,
    ).toBe(1);
    expect((await picturesOfVersion(id))[0]).toEqual({ id: pictures[0].id, removed: true });
    // A later edit neither shows nor removes what the author cannot see.
    await edit(id, {}, [{ media_url: pictures[1].media_url }]);
    await approve(revision);
    expect(
      await value('select hidden_at is not null from solution_media where id = $1', [pictures[0].id]),
    ).toBe(true);
    expect((await as('visitor', 'select id from solution_media')).rows).toEqual([{ id: pictures[1].id }]);
    await as('moderator', "update removal_requests set status = 'kept', answer = 'A drawing.'");
    expect((await as('visitor', 'select id from solution_media')).rowCount).toBe(2);
    // With the description that it has by now.
    expect((await picturesOfVersion(id))[0]).toEqual({ id: pictures[0].id, description: null });
  });

  it('are gone from a waiting version once their removal was granted', async () => {
    const { id, pictures } = await published();
    await edit(
      id,
      {},
      pictures.map(({ media_url }) => ({ media_url })),
    );
    await ask('visitor', 'request_removal', [crypto.randomUUID(), id, 'patient', [pictures[0].id]]);
    await as('moderator', "update removal_requests set status = 'removed'");
    expect(await owner('select solution_id from solution_media')).toHaveLength(2);
    expect((await picturesOfVersion(id))[0]).toEqual({ id: pictures[0].id, removed: true });
  });

  it('move with the published ones while it waits', async () => {
    const id = await solution('pending');
    const file = await picture(id, 0, false);
    await approve(id);
    await edit(id, {}, [{ media_url: file.media_url }]);
    await moveFiles(id);
    const urls = await column<string>('select media_url from solution_media');
    expect(urls.map((url) => url.startsWith(PUBLIC))).toEqual([true, true]);
    // The form that was opened before knows the file by its earlier address.
    expect((await edit(id, {}, [{ media_url: file.media_url }])).code).toBeUndefined();
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
    await revise(id, { change_note: 'A stiffer clamp.' });
    expect((await versions('visitor', id)).rows).toMatchObject([
      { version: 1, change_note: null },
      { version: 2, title: NEW_TITLE, change_note: 'A stiffer clamp.' },
    ]);
    await owner("update solutions set status = 'pending' where id = $1", [id]);
    expect((await versions('visitor', id)).rows).toEqual([]);
    expect((await versions('author', id)).rows).toHaveLength(2);
  });

  const remove = (actor: Actor, id: string, version: number) =>
    as(actor, 'update solution_versions set content = null where solution_id = $1 and version = $2', [
      id,
      version,
    ]);

  it.each(['author', 'moderator'] as const)('loses an earlier text by the %s', async (actor) => {
    const { id } = await published();
    await revise(id, { change_note: 'Names are left out.' });
    expect((await remove(actor, id, 2)).message).toBe('Only an earlier version can be removed');
    expect((await remove(actor, id, 1)).rowCount).toBe(1);
    expect((await versions('visitor', id)).rows).toMatchObject([
      { version: 1, title: null },
      { version: 2, title: NEW_TITLE },
    ]);
    expect(await owner("select after from audit_events where action = 'version_removed'")).toEqual([
      { after: { version: 1 } },
    ]);
  });

  it('is changed in no other way', async () => {
    const { id } = await published();
    await revise(id);
    for (const actor of ['author', 'moderator', 'admin'] as const)
      expect(
        (await as(actor, `update solution_versions set content = '{"title": "Forged"}'`)).code,
        actor,
      ).toMatch(/42501|23514/);
    expect((await versions('visitor', id)).rows).toMatchObject([
      { title: SOLUTION.title },
      { title: NEW_TITLE },
    ]);
  });

  it('goes with an account, and is part of what its author downloads', async () => {
    const { id } = await published();
    await revise(id);
    expect(await ask('author', 'export_account')).toMatchObject({ solution_versions: [{}, {}] });
    await edit(id);
    await owner("select private.erase_account($1, 'keep')", [people.author]);
    expect(await owner('select id, version from solutions')).toEqual([{ id, version: 2 }]);
  });
});

describe('a detail about a person that a new version removes', () => {
  const DETAILS = ', D.O.B. 12/03/1961, NHS 943 476 5919';
  const versions = (id: string) =>
    column(
      "select coalesce(content -> 'title', to_jsonb(removed_at is not null)) from solution_versions where solution_id = $1 order by version",
      [id],
    );
  /** A case of two versions: what the second changes, and what its moderator says of it. */
  async function edited(first: Record<string, unknown>, second: Record<string, unknown>, decision = {}) {
    const { id } = await published();
    await revise(id, { title: 'The first wording of it', ...first });
    await owner('delete from solution_versions where solution_id = $1 and version = 1', [id]);
    await edit(id, second);
    const columns = Object.entries({ status: 'approved', ...decision }).map(
      ([name, to]) => `${name} = '${to}'`,
    );
    await as('moderator', `update solutions set ${columns} where revises = $1`, [id]);
    expect(await revisionOf(id)).toBeUndefined();
    return id;
  }
  const description = SOLUTION.description;

  it('leaves the earlier text when the site recognises it, in whichever field, and the log says so', async () => {
    for (const first of [
      { description: description + DETAILS },
      { challenges_overcome: `Mrs Smith${DETAILS}` },
      { fabrication: { tools: [], parts: [], steps: [{ instruction: `Trim${DETAILS}` }] } },
    ]) {
      const id = await edited(first, { fabrication: null });
      expect(await versions(id), JSON.stringify(first)).toEqual([true, NEW_TITLE]);
      expect(
        JSON.stringify(
          await owner('select to_jsonb(v) from solution_versions v where solution_id = $1', [id]),
        ),
      ).not.toContain('1961');
      const logged = "select after from audit_events where action = 'version_removed' and target_id = $1";
      expect(await column(logged, [id])).toEqual([{ version: 2 }]);
    }
  });

  it('leaves it when its author or its moderator says so', async () => {
    expect(await versions(await edited({}, { removes_details: true }))).toEqual([true, NEW_TITLE]);
    expect(await versions(await edited({}, {}, { removes_details: true }))).toEqual([true, NEW_TITLE]);
  });

  it('is no other change: what stays, or has another spelling, keeps the earlier text', async () => {
    const kept = ['The first wording of it', NEW_TITLE];
    expect(await versions(await edited({}, {}))).toEqual(kept);
    const both = { description: description + DETAILS };
    expect(await versions(await edited(both, both))).toEqual(kept);
    expect(
      await versions(
        await edited(both, { description: `${description}, d.o.b. 12/03/1961, NHS 9434765919` }),
      ),
    ).toEqual(kept);
  });
});

it('every column of a solution is content, which is sent, reviewed, copied and recorded, or is named as state', async () => {
  const columns = await column<string>(
    `select a.attname from pg_attribute a
     where a.attrelid = 'solutions'::regclass and a.attnum > 0 and not a.attisdropped and a.attname <> all (private.solution_state()) order by 1`,
  );
  const values = (form: Record<string, unknown>) =>
    Object.fromEntries(columns.map((name) => [name, form[name]]));
  const CONTENT = {
    ...SOLUTION,
    language: 'ar',
    materials: ['Silicone'],
    custom_tags: ['bow'],
    durability_testing: 'A year of daily use.',
    patient_outcomes: 'Plays again.',
    challenges_overcome: 'The angle of the wrist.',
    licence: 'CC BY 4.0',
  };
  const CHANGED = {
    language: 'de',
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
    licence: 'CC0 1.0',
  };
  expect(Object.keys(CONTENT).toSorted()).toEqual(columns);
  const stored = async (id: string) =>
    values(await value<Record<string, unknown>>('select to_jsonb(s) from solutions s where id = $1', [id]));
  const id = await world.submitted(CONTENT);
  expect(await stored(id)).toEqual(CONTENT);
  await approve(id);
  for (const [name, to] of Object.entries(CHANGED)) {
    const one = { ...(await stored(id)), [name]: to };
    expect((await as('author', `update solutions set ${name} = $2 where id = $1`, [id, to])).code, name).toBe(
      '23514',
    );
    expect((await edit(id, one)).code, name).toBeUndefined();
    expect(await stored(await revisionOf(id)), name).toEqual(one);
    await approve(id);
    expect(await stored(id), name).toEqual(one);
    const recorded =
      'select content from solution_versions where solution_id = $1 order by version desc limit 1';
    expect(await value(recorded, [id]), name).toMatchObject(one);
  }
});
