import { describe, expect, it } from 'vitest';
import { consentVersion } from '#app/solution/review/data.ts';
import { insertSolution, SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, owner, column, value, attach, backdate, submit, solution, upload, ...world } = openDatabase();
const { comment, like, jobs } = world;

const insert = (actor: Actor, changes: Record<string, unknown> = {}) => {
  const { text, values } = insertSolution(changes);
  return as(actor, text, values);
};
const selectSolution = (actor: Actor, id: string) =>
  as<{ status: string; rejection_reason: string | null }>(
    actor,
    'select id, status, rejection_reason from solutions where id = $1',
    [id],
  );
const decide = (actor: Actor, id: string, status: string, reason: string | null = null) =>
  as(actor, 'update solutions set status = $2, rejection_reason = $3 where id = $1', [id, status, reason]);

describe('submitting', () => {
  it.each([
    ['Title must be at least 10 characters', { title: 'Nine char' }],
    ['Title must be at least 10 characters', { title: ' '.repeat(12) }],
    ['Description must be at least 50 characters', { description: 'x'.repeat(49) }],
    [
      'Materials must be chosen from the list',
      { materials: Array.from({ length: 10_000 }, () => 'Silicone') },
    ],
    ['Tags must be at most 20, each of 1 to 40 characters', { custom_tags: ['x'.repeat(41)] }],
    ['Tags must be at most 20, each of 1 to 40 characters', { custom_tags: [' '] }],
    ['Tags must be at most 20, each of 1 to 40 characters', { custom_tags: ['bow', 'bow'] }],
  ])('is refused with "%s"', async (message, changes) => {
    expect(await insert('author', changes)).toMatchObject({
      code: '23514',
      message: expect.stringContaining(message),
    });
  });

  it.each(Object.keys(SOLUTION))('needs %s', async (name) => {
    expect((await insert('author', { [name]: null })).code).toBe('23502');
  });
});

describe('submit_solution', () => {
  it('sent again is the same solution, and what was changed since then waits, also after a decision', async () => {
    const submission = '00000000-0000-4000-8000-000000000001';
    const send = (title: string) => world.submitted({ title }, { submission });
    const id = await send('The first wording of it');
    const state = () =>
      owner('select id = $1 as is_first, title, status from solutions order by created_at, version desc', [
        id,
      ]);
    const first = { is_first: true, title: 'The first wording of it', status: 'pending' };
    expect([await send('The first wording of it'), await state()]).toEqual([id, [first]]);
    expect([await send('The second wording of it'), await state()]).toEqual([
      id,
      [{ ...first, title: 'The second wording of it' }],
    ]);
    await owner("update solutions set status = 'approved'");
    const published = { is_first: true, title: 'The second wording of it', status: 'approved' };
    expect([await send('The second wording of it'), await state()]).toEqual([id, [published]]);
    expect([await send('The third wording of it'), await state()]).toEqual([
      id,
      [published, { is_first: false, title: 'The third wording of it', status: 'pending' }],
    ]);
  });

  it('creates solution, media in order, thumbnail and consent together', async () => {
    const [first, second] = [await upload(), await upload()];
    const media = [{ media_url: second.media_url, description: 'Side view' }, { media_url: first.media_url }];
    await submit({}, { media, thumbnail: first.compressed_url });
    expect(await owner('select status, thumbnail_url from solutions')).toEqual([
      { status: 'pending', thumbnail_url: first.compressed_url },
    ]);
    expect(
      await owner('select media_url, description, position, width from solution_media order by position'),
    ).toEqual([
      { media_url: second.media_url, description: 'Side view', position: 0, width: 2000 },
      { media_url: first.media_url, description: null, position: 1, width: 2000 },
    ]);
    expect(await owner('select basis, statement_version, recorded_by from solution_consents')).toEqual([
      { basis: 'patient_written', statement_version: '2026-11-01', recorded_by: people.author },
    ]);
    expect(await owner('select * from pending_uploads')).toEqual([]);
    expect(await column('select decision from solution_reviews')).toEqual(['submitted']);
  });

  it.each([
    [
      'a file that was never uploaded',
      async () => [{ media_url: '/storage/v1/object/public/solution-media/x.webp' }],
    ],
    ["another member's upload", async () => [await upload('colleague')]],
    ['the same upload twice', async () => Array(2).fill(await upload())],
  ])('creates nothing with %s', async (_what, media) => {
    expect((await submit({}, { media: await media() })).code).toMatch(/^235/);
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it('creates nothing without consent', async () => {
    expect((await submit({}, { consent: '' })).code).toMatch(/^235/);
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it('creates nothing with a thumbnail that is not its own', async () => {
    const other = await upload('colleague');
    const mine = await upload();
    const send = (thumbnail: string) => submit({}, { media: [{ media_url: mine.media_url }], thumbnail });
    for (const thumbnail of [other.compressed_url, 'javascript:alert(1)'])
      expect((await send(thumbnail)).code).toBe('23514');
    expect(await owner('select id from solutions')).toEqual([]);
    expect((await send(mine.compressed_url)).rows).toHaveLength(1);
  });
});

describe('editing', () => {
  const edit = (id: string) =>
    as('author', "update solutions set description = repeat('new words ', 10) where id = $1", [id]);

  it.each(['pending', 'rejected'] as const)(
    'by the author sends a %s solution to review in the same statement',
    async (status) => {
      const id = await solution(status);
      expect((await edit(id)).rowCount).toBe(1);
      expect((await selectSolution('author', id)).rows).toMatchObject([
        { status: 'pending', rejection_reason: null },
      ]);
    },
  );

  it.each([
    "description = repeat('new words ', 10)",
    "status = 'pending'",
    'thumbnail_url = null, title = title || title',
  ])('by the author over the table leaves a published solution as it is: %s', async (change) => {
    const id = await solution('approved');
    expect(await as('author', `update solutions set ${change} where id = $1`, [id])).toMatchObject({
      code: '23514',
      message: 'This solution is published. Submit your changes as a new version.',
    });
    expect((await selectSolution('visitor', id)).rows).toMatchObject([{ status: 'approved' }]);
  });

  it('cannot set a thumbnail that is not the solution’s own', async () => {
    const id = await solution('pending');
    const set = (url: string) =>
      as('author', 'update solutions set thumbnail_url = $2 where id = $1', [id, url]);
    for (const url of [
      'https://evil.example/x.jpg',
      'javascript:alert(1)',
      (await upload('colleague')).media_url,
    ]) {
      expect((await set(url)).code, url).toBe('23514');
    }
    const own = await upload();
    await attach('author', id, own);
    expect((await set(own.compressed_url)).rowCount).toBe(1);
  });

  it('through resubmit_solution keeps listed media, adds new and removes the rest', async () => {
    const id = await solution('rejected');
    const [retained, removed, added] = [await upload(), await upload(), await upload()];
    for (const file of [retained, removed]) await attach('author', id, file);
    const media = [{ media_url: added.media_url }, { media_url: retained.media_url, description: 'Kept' }];
    const again = (actor: Actor) =>
      world.resubmit(id, {}, { actor, media, thumbnail: retained.compressed_url });
    expect((await again('colleague')).code).toBe('PT404');
    expect((await again('author')).rows).toEqual([{ id }]);
    expect(await owner('select status from solutions')).toEqual([{ status: 'pending' }]);
    expect(await column('select media_url from solution_media order by position')).toEqual(
      media.map(({ media_url }) => media_url),
    );
    expect(await owner("select object_names from media_jobs where object_names <> '{}'")).toHaveLength(1);
  });
});

describe('deciding', () => {
  it('is made once', async () => {
    const id = await solution('pending');
    expect((await decide('moderator', id, 'approved')).rowCount).toBe(1);
    expect((await decide('moderator2', id, 'rejected', 'Too late')).rowCount).toBe(0);
  });

  it.each(['pending', 'rejected'] as const)(
    'by the author on an own %s solution is refused',
    async (status) => {
      const id = await solution(status);
      expect((await decide('author', id, 'approved')).code).toBe('42501');
      expect((await selectSolution('author', id)).rows).toMatchObject([{ status }]);
    },
  );

  it('on one’s own work is refused to moderators and allowed to admins, who are recorded', async () => {
    const own = await solution('pending', 'moderator');
    expect((await decide('moderator', own, 'approved')).code).toBe('42501');
    expect((await decide('moderator2', own, 'approved')).rowCount).toBe(1);
    const admins = await solution('pending', 'admin');
    expect((await decide('admin', admins, 'approved')).rowCount).toBe(1);
    expect(await value("select after ->> 'own' from audit_events where target_id = $1", [admins])).toBe(
      'true',
    );
  });

  it('needs a reason for a rejection and knows no other outcome', async () => {
    const id = await solution('pending');
    for (const reason of ['  ', null])
      expect((await decide('moderator', id, 'rejected', reason)).code).toBe('23514');
    expect((await decide('moderator', id, 'published')).code).toMatch(/23514|42501/);
    expect((await decide('moderator', id, 'rejected', 'A label shows a name.')).rowCount).toBe(1);
  });

  it('writes history, ledger, audit log and file job once', async () => {
    const id = await solution('pending');
    await decide('moderator', id, 'approved');
    expect(
      await owner('select decision, reviewer_id from solution_reviews where solution_id = $1 order by id', [
        id,
      ]),
    ).toEqual([
      { decision: 'submitted', reviewer_id: people.author },
      { decision: 'approved', reviewer_id: people.moderator },
    ]);
    expect(await owner('select points, cause from point_events where user_id = $1', [people.author])).toEqual(
      [{ points: 50, cause: 'solution' }],
    );
    expect(await owner('select action, actor_id from audit_events')).toEqual([
      { action: 'solution_approved', actor_id: people.moderator },
    ]);
    expect(await jobs()).toEqual(['move']);
  });

  it('takes the points back when the solution goes, and gives none before approval', async () => {
    const id = await solution('pending');
    const points = () => column('select total_points from user_points where user_id = $1', [people.author]);
    expect(await points()).toEqual([]);
    await decide('moderator', id, 'approved');
    expect(await points()).toEqual([50]);
    await as('author', 'delete from solutions where id = $1', [id]);
    expect(await points()).toEqual([0]);
  });

  it('hides an old reason once the solution is approved after all', async () => {
    const id = await solution('rejected');
    await as('author', "update solutions set status = 'pending' where id = $1", [id]);
    await decide('moderator', id, 'approved');
    expect((await selectSolution('colleague', id)).rows).toMatchObject([{ rejection_reason: null }]);
  });
});

describe('the consent statement', () => {
  const restate = (actor: Actor, id: string) =>
    as(actor, "update solution_consents set basis = 'no_identifiable_person' where solution_id = $1", [id]);
  const without = async () => {
    const id = await solution('pending');
    await owner('delete from solution_consents where solution_id = $1', [id]);
    return id;
  };

  it.each(['moderator', 'admin', 'service'] as const)(
    'is there before the %s can approve, and not needed to reject',
    async (actor) => {
      const id = await without();
      const refused = await decide(actor, id, 'approved');
      expect(refused).toMatchObject({
        code: '23514',
        message: 'A solution can be approved only with a consent statement',
      });
      expect((await decide(actor, id, 'rejected', 'Please state consent.')).rowCount).toBe(1);
      const stated = await solution('pending');
      expect((await decide(actor, stated, 'approved')).rowCount).toBe(1);
    },
  );

  it('is needed for what comes approved, and when an admin approves their own', async () => {
    expect((await insert('service', { user_id: people.author, status: 'approved' })).code).toBe('23514');
    const own = await solution('pending', 'admin');
    await owner('delete from solution_consents where solution_id = $1', [own]);
    expect((await decide('admin', own, 'approved')).code).toBe('23514');
    await as(
      'admin',
      "insert into solution_consents (solution_id, basis, statement_version) values ($1, 'patient_written', $2)",
      [own, consentVersion],
    );
    expect((await decide('admin', own, 'approved')).rowCount).toBe(1);
  });

  it.each(['approved', 'rejected'] as const)(
    'stays as it was once its solution is %s, for the author and the service key alike',
    async (status) => {
      const id = await solution(status);
      for (const actor of ['author', 'service'] as const)
        expect((await restate(actor, id)).message, actor).toBe(
          'A consent statement cannot be changed once its solution was decided on',
        );
      expect((await as('service', 'delete from solution_consents where solution_id = $1', [id])).code).toBe(
        '23514',
      );
      await owner('delete from auth.users where id = $1', [people.author]);
      expect(await owner('select * from solution_consents')).toHaveLength(1);
    },
  );

  it('is stated again for a later version, and the decision keeps the one it rests on', async () => {
    const id = await solution('pending');
    await decide('moderator', id, 'approved');
    await owner("update solutions set status = 'pending' where id = $1", [id]);
    await owner("update solution_consents set recorded_at = now() - interval '1 day'");
    expect((await restate('author', id)).rowCount).toBe(1);
    expect(await owner('select recorded_at = now() as now, basis from solution_consents')).toEqual([
      { now: true, basis: 'no_identifiable_person' },
    ]);
    await decide('moderator', id, 'approved');
    expect(
      await owner(
        "select consent ->> 'basis' as basis, consent ->> 'statement_version' as version from solution_reviews where decision = 'approved' order by id",
      ),
    ).toEqual([
      { basis: 'patient_written', version: '2026-11-01' },
      { basis: 'no_identifiable_person', version: '2026-11-01' },
    ]);
  });

  it('moves the version a moderator decides on', async () => {
    const id = await solution('pending');
    await backdate('solutions');
    await restate('author', id);
    expect(await value('select updated_at = now() from solutions')).toBe(true);
  });

  it.each([
    [
      'a picture',
      `insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type)
       select $1, url, url, url, 'image' from (values ('/storage/v1/object/authenticated/pending-media/' || $2 || '/x/original.webp')) as file (url)`,
    ],
    [
      'a build file',
      `insert into solution_files (solution_id, position, file_url, file_name, file_type, byte_size, facts, previews, page_texts)
       select $1, 0, '/storage/v1/object/authenticated/pending-media/' || $2 || '/x/file.pdf', 'plan.pdf', 'pdf', 1000, '{}', '{}', '{}'`,
    ],
    [
      'what it is based on',
      'insert into solution_sources (solution_id, source_id) values ($1::uuid, $2::uuid)',
    ],
  ])('moves with %s as well', async (_what, insert) => {
    const [source, id] = [await solution('approved', 'colleague'), await solution('pending')];
    await backdate('solutions');
    await owner(insert, [id, source]);
    expect(await column('select id from solutions where updated_at = now()')).toEqual([id]);
  });

  it('moves with a change of any text, and not with a like', async () => {
    const id = await solution('approved');
    const moved = () => value('select updated_at = now() from solutions');
    await backdate('solutions');
    await as('colleague', 'insert into likes (solution_id, user_id) values ($1, auth.uid())', [id]);
    expect(await value('select likes_count from solutions')).toBe(1);
    expect(await moved()).toBe(false);
    await owner("update solutions set title = 'A socket for summer'");
    expect(await moved()).toBe(true);
  });

  it('is of the text that the form shows', async () => {
    const id = await without();
    const state =
      "insert into solution_consents (solution_id, basis, statement_version) values ($1, 'patient_written', $2)";
    expect((await as('author', state, [id, consentVersion])).rowCount).toBe(1);
  });
});

describe('deleting', () => {
  it.each(['author', 'moderator', 'admin'] as const)('by the %s takes everything along', async (actor) => {
    const id = await solution('approved');
    await comment(id);
    await like(id);
    expect((await as(actor, 'delete from solutions where id = $1', [id])).rowCount).toBe(1);
    for (const table of ['solutions', 'comments', 'likes', 'solution_media', 'solution_reviews']) {
      expect(await owner(`select * from ${table}`), table).toEqual([]);
    }
    expect(await column('select action from audit_events')).toEqual(
      actor === 'author' ? [] : ['solution_deleted'],
    );
  });
});
