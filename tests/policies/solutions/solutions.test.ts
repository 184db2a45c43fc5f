import { describe, expect, it } from 'vitest';
import { consentVersion } from '#app/solution/review/data.ts';
import { insertSolution, SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, owner, solution, upload, comment, like, jobs } = openDatabase();

const valid = { ...SOLUTION, materials: ['Silicone'], custom_tags: ['violin'] };
const insert = (actor: Actor, changes: Record<string, unknown> = {}) => {
  const { text, values } = insertSolution({ ...valid, ...changes });
  return as<{ id: string; user_id: string; status: string; likes_count: number }>(actor, text, values);
};
const selectSolution = (actor: Actor, id: string) =>
  as<{ status: string; rejection_reason: string | null }>(
    actor,
    'select id, status, rejection_reason from solutions where id = $1',
    [id],
  );
const decide = (actor: Actor, id: string, status: string, reason: string | null = null) =>
  as(actor, 'update solutions set status = $2, rejection_reason = $3 where id = $1', [id, status, reason]);

describe('reading solutions', () => {
  it.each(['pending', 'rejected'] as const)(
    'hides a %s one from everyone but its author and moderators',
    async (status) => {
      const id = await solution(status);
      for (const actor of ['author', 'moderator', 'admin'] as const)
        expect((await selectSolution(actor, id)).rows, actor).toHaveLength(1);
      for (const actor of ['visitor', 'colleague'] as const) {
        expect((await selectSolution(actor, id)).rows, actor).toEqual([]);
        expect(
          (await as(actor, "select count(*)::int as n from solutions where status <> 'approved'")).rows,
          actor,
        ).toEqual([{ n: 0 }]);
      }
    },
  );

  it('shows an approved one to everyone', async () => {
    const id = await solution('approved');
    for (const actor of ['visitor', 'colleague', 'author', 'moderator'] as const)
      expect((await selectSolution(actor, id)).rows, actor).toHaveLength(1);
  });
});

describe('submitting', () => {
  it('stores a member’s own solution as pending', async () => {
    const { rows } = await insert('author', { status: 'pending', user_id: people.author });
    expect(rows).toMatchObject([{ user_id: people.author, status: 'pending', likes_count: 0 }]);
  });

  it('needs a session', async () => {
    expect((await insert('visitor')).code).toBe('42501');
  });

  it.each([
    ['as someone else', { user_id: people.colleague }],
    ['as approved', { status: 'approved' }],
    ['with likes', { likes_count: 999 }],
    ['with a date', { created_at: '2099-01-01' }],
    ['with an id', { id: '00000000-0000-0000-0000-000000000001' }],
    ['with a reason', { rejection_reason: 'x' }],
  ])('is refused %s', async (_what, changes) => {
    expect((await insert('author', changes)).code).toBe('42501');
  });

  it.each([
    ['Title must be at least 10 characters', { title: 'Nine char' }],
    ['Title must be at least 10 characters', { title: ' '.repeat(12) }],
    ['Title must be at most 150 characters', { title: 'x'.repeat(151) }],
    ['Description must be at least 50 characters', { description: 'x'.repeat(49) }],
    ['Description must be at most 10000 characters', { description: 'x'.repeat(10001) }],
    ['Please select a function', { occupation: 'Flying' }],
    ['Please select amputation level', { amputation_level: 'x' }],
    ['Please select at least one age group', { age_group: '' }],
    ['Please select prosthesis type', { prosthesis_type: 'x' }],
    ['Please select cost range', { cost_range: 'x' }],
    ['Materials must be chosen from the list', { materials: ['Gold'] }],
    [
      'Materials must be chosen from the list',
      { materials: Array.from({ length: 10_000 }, () => 'Silicone') },
    ],
    ['Tags must be at most 20, each of 1 to 40 characters', { custom_tags: ['x'.repeat(41)] }],
    ['Tags must be at most 20, each of 1 to 40 characters', { custom_tags: [' '] }],
    ['Tags must be at most 20, each of 1 to 40 characters', { custom_tags: ['bow', 'bow'] }],
    ['Status must be pending, approved or rejected', { status: 'published' }],
  ])('is refused with "%s"', async (message, changes) => {
    const refused = await insert('author', changes);
    expect(
      refused.code === '23514' || (refused.code === '42501' && 'status' in changes),
      refused.message,
    ).toBe(true);
    if (!('status' in changes)) expect(refused.message).toContain(message);
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it.each([
    'occupation',
    'amputation_level',
    'age_group',
    'prosthesis_type',
    'cost_range',
    'title',
    'description',
  ])('needs %s', async (column) => {
    expect((await insert('author', { [column]: null })).code).toBe('23502');
  });
});

describe('submit_solution', () => {
  const submit = (
    actor: Actor,
    media: unknown[],
    thumbnail: string | null,
    consent = 'patient_written',
    changes = {},
  ) =>
    as<{ id: string }>(actor, "select submit_solution($1, $2, $3, '2026-11-01', $4) as id", [
      JSON.stringify({ ...valid, ...changes }),
      JSON.stringify(media),
      consent,
      thumbnail,
    ]);

  it('sent again is the same solution, and what was changed since then waits, also after a decision', async () => {
    const send = async (title: string) =>
      (
        await as<{ id: string }>(
          'author',
          "select submit_solution($1, '[]', 'no_identifiable_person', '2026-11-01', null, $2) as id",
          [JSON.stringify({ ...valid, title }), '00000000-0000-4000-8000-000000000001'],
        )
      ).rows[0]?.id;
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
    await submit(
      'author',
      [{ media_url: second.media_url, description: 'Side view' }, { media_url: first.media_url }],
      first.compressed_url,
    );
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
    expect(await owner('select * from media_uploads')).toEqual([]);
    expect(await owner('select decision from solution_reviews')).toEqual([{ decision: 'submitted' }]);
  });

  it.each([
    [
      'a file that was never uploaded',
      async () => [{ media_url: '/storage/v1/object/public/solution-media/x.webp' }],
      undefined,
    ],
    [
      "another member's upload",
      async () => [{ media_url: (await upload('colleague')).media_url }],
      undefined,
    ],
    [
      'the same upload twice',
      async () => {
        const one = await upload();
        return [one, one];
      },
      undefined,
    ],
    ['no consent', async () => [], ''],
  ])('creates nothing with %s', async (_what, media, consent) => {
    expect((await submit('author', await media(), null, consent)).code).toMatch(/^235/);
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it('creates nothing with a thumbnail that is not its own', async () => {
    const other = await upload('colleague');
    const mine = await upload();
    expect((await submit('author', [{ media_url: mine.media_url }], other.compressed_url)).code).toBe(
      '23514',
    );
    expect((await submit('author', [{ media_url: mine.media_url }], 'javascript:alert(1)')).code).toBe(
      '23514',
    );
    expect(await owner('select id from solutions')).toEqual([]);
    expect((await submit('author', [{ media_url: mine.media_url }], mine.compressed_url)).rows).toHaveLength(
      1,
    );
  });

  it('is closed to visitors', async () => {
    expect((await submit('visitor', [], null)).code).toBe('42501');
  });
});

describe('editing', () => {
  const edit = (actor: Actor, id: string) =>
    as(actor, "update solutions set description = repeat('new words ', 10) where id = $1", [id]);

  it.each(['pending', 'rejected'] as const)(
    'by the author sends a %s solution to review in the same statement',
    async (status) => {
      const id = await solution(status);
      expect((await edit('author', id)).rowCount).toBe(1);
      expect((await selectSolution('author', id)).rows).toMatchObject([
        { status: 'pending', rejection_reason: null },
      ]);
      expect((await selectSolution('visitor', id)).rows).toEqual([]);
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

  it('by anyone else changes nothing', async () => {
    const id = await solution('approved');
    expect((await edit('colleague', id)).rowCount).toBe(0);
    expect((await edit('moderator', id)).rowCount).toBe(0);
    expect((await edit('visitor', id)).code).toBe('42501');
    const pending = await solution('pending');
    expect((await edit('moderator', pending)).code).toBe('42501');
  });

  it('never reaches counters, dates or the author', async () => {
    const id = await solution('approved');
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      for (const change of [
        'likes_count = 999',
        'comments_count = 9',
        "created_at = '2000-01-01'",
        'user_id = null',
        'id = gen_random_uuid()',
      ]) {
        expect(
          (await as(actor, `update solutions set ${change} where id = $1`, [id])).code,
          `${actor} ${change}`,
        ).toBe('42501');
      }
    }
  });

  it('cannot set a thumbnail that is not the solution’s own', async () => {
    const id = await solution('pending');
    for (const url of [
      'https://evil.example/x.jpg',
      'javascript:alert(1)',
      (await upload('colleague')).media_url,
    ]) {
      expect(
        (await as('author', 'update solutions set thumbnail_url = $2 where id = $1', [id, url])).code,
        url,
      ).toBe('23514');
    }
    const own = await upload();
    await as(
      'author',
      "insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $3, $4, 'image')",
      [id, own.media_url, own.compressed_url, own.thumbnail_url],
    );
    expect(
      (await as('author', 'update solutions set thumbnail_url = $2 where id = $1', [id, own.compressed_url]))
        .rowCount,
    ).toBe(1);
  });

  it('through resubmit_solution keeps listed media, adds new and removes the rest', async () => {
    const id = await solution('rejected');
    const [retained, removed, added] = [await upload(), await upload(), await upload()];
    for (const file of [retained, removed]) {
      await as(
        'author',
        "insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $3, $4, 'image')",
        [id, file.media_url, file.compressed_url, file.thumbnail_url],
      );
    }
    const again = (actor: Actor) =>
      as<{ id: string }>(
        actor,
        "select resubmit_solution($1, $2, $3, 'no_identifiable_person', '2026-11-01', $4) as id",
        [
          id,
          JSON.stringify(valid),
          JSON.stringify([
            { media_url: added.media_url },
            { media_url: retained.media_url, description: 'Kept' },
          ]),
          retained.compressed_url,
        ],
      );
    expect((await again('colleague')).code).toBe('PT404');
    expect((await again('author')).rows).toEqual([{ id }]);
    expect(await owner('select status from solutions')).toEqual([{ status: 'pending' }]);
    const media = await owner('select media_url from solution_media where solution_id = $1', [id]);
    expect(media.map((row) => row.media_url).sort()).toEqual([added.media_url, retained.media_url].sort());
    expect(await owner("select object_names from media_jobs where object_names <> '{}'")).toHaveLength(1);
  });
});

describe('deciding', () => {
  it('is open to moderators and admins, for pending solutions of others', async () => {
    const id = await solution('pending');
    expect((await decide('colleague', id, 'approved')).rowCount).toBe(0);
    expect((await decide('moderator', id, 'approved')).rowCount).toBe(1);
    expect((await selectSolution('visitor', id)).rows).toMatchObject([{ status: 'approved' }]);
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
    expect(
      await owner("select after ->> 'own' as own from audit_events where target_id = $1", [admins]),
    ).toEqual([{ own: 'true' }]);
  });

  it('needs a reason for a rejection and knows no other outcome', async () => {
    const id = await solution('pending');
    expect((await decide('moderator', id, 'rejected', '  ')).code).toBe('23514');
    expect((await decide('moderator', id, 'rejected')).code).toBe('23514');
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
    expect(await owner('select * from user_points where user_id = $1', [people.author])).toEqual([]);
    await decide('moderator', id, 'approved');
    expect(await owner('select total_points from user_points where user_id = $1', [people.author])).toEqual([
      { total_points: 50 },
    ]);
    await as('author', 'delete from solutions where id = $1', [id]);
    expect(await owner('select total_points from user_points where user_id = $1', [people.author])).toEqual([
      { total_points: 0 },
    ]);
  });

  it('hides an old reason once the solution is approved after all', async () => {
    const id = await solution('rejected');
    await as('author', "update solutions set status = 'pending' where id = $1", [id]);
    await decide('moderator', id, 'approved');
    expect((await selectSolution('colleague', id)).rows).toMatchObject([{ rejection_reason: null }]);
    expect((await as('colleague', 'select * from solution_reviews')).rows).toEqual([]);
    expect((await as('author', 'select * from solution_reviews')).rows).toHaveLength(4);
  });

  it('acts on a moderator’s next call when the role has been taken', async () => {
    const id = await solution('pending');
    await owner('delete from user_roles where user_id = $1', [people.moderator]);
    expect((await decide('moderator', id, 'approved')).rowCount).toBe(0);
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
    await owner('alter table solutions disable trigger solutions_touch');
    await owner("update solutions set updated_at = now() - interval '1 hour'");
    await owner('alter table solutions enable trigger solutions_touch');
    await restate('author', id);
    expect(await owner('select updated_at = now() as moved from solutions')).toEqual([{ moved: true }]);
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
    await owner('alter table solutions disable trigger solutions_touch');
    await owner("update solutions set updated_at = now() - interval '1 hour'");
    await owner('alter table solutions enable trigger solutions_touch');
    await owner(insert, [id, source]);
    const moved = 'select id from solutions where updated_at = now()';
    expect(await owner(moved)).toEqual([{ id }]);
  });

  it('is of a text there is', async () => {
    const id = await without();
    const state = (version: string) =>
      as(
        'author',
        "insert into solution_consents (solution_id, basis, statement_version) values ($1, 'patient_written', $2)",
        [id, version],
      );
    for (const version of ['2099-01-01', '2026-11-1', ''])
      expect((await state(version)).message).toContain('This version of the statement is not known');
    expect((await state(consentVersion)).rowCount).toBe(1);
  });
});

describe('deleting', () => {
  const remove = (actor: Actor, id: string) => as(actor, 'delete from solutions where id = $1', [id]);

  it.each(['author', 'moderator', 'admin'] as const)(
    'is open to the %s and takes everything along',
    async (actor) => {
      const id = await solution('approved');
      await comment(id);
      await like(id);
      expect((await remove(actor, id)).rowCount).toBe(1);
      for (const table of ['solutions', 'comments', 'likes', 'solution_media', 'solution_reviews']) {
        expect(await owner(`select * from ${table}`), table).toEqual([]);
      }
      expect(await owner('select action from audit_events')).toEqual(
        actor === 'author' ? [] : [{ action: 'solution_deleted' }],
      );
    },
  );

  it.each(['colleague', 'visitor'] as const)('is closed to a %s', async (actor) => {
    const id = await solution('approved');
    const tried = await remove(actor, id);
    expect(tried.code === '42501' || tried.rowCount === 0).toBe(true);
    expect((await as('colleague', 'delete from solutions')).rowCount).toBe(0);
    expect(await owner('select id from solutions')).toHaveLength(1);
  });
});
