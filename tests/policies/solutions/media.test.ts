import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, owner, solution, upload, buildFile, moveFiles } = openDatabase();
const PUBLISHED = 'This solution is published. Submit your changes as a new version.';
type File = Awaited<ReturnType<typeof upload>>;

const attach = (
  actor: Actor,
  solutionId: string,
  file: Partial<File> & { media_url: string },
  type = 'image',
) =>
  as(
    actor,
    'insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $3, $4, $5)',
    [
      solutionId,
      file.media_url,
      file.compressed_url ?? file.media_url,
      file.thumbnail_url ?? file.media_url,
      type,
    ],
  );

describe('media of a solution', () => {
  it('are seen by whoever sees the solution', async () => {
    const hidden = await solution('pending');
    await attach('author', hidden, await upload());
    const read = (actor: Actor) => as(actor, 'select * from solution_media where solution_id = $1', [hidden]);
    for (const actor of ['author', 'moderator'] as const)
      expect((await read(actor)).rows, actor).toHaveLength(1);
    for (const actor of ['visitor', 'colleague'] as const)
      expect((await read(actor)).rows, actor).toEqual([]);
    await as('moderator', "update solutions set status = 'approved' where id = $1", [hidden]);
    expect((await read('visitor')).rows).toHaveLength(1);
  });

  it('give the card its picture until the author chooses one', async () => {
    const id = await solution('pending');
    const [clip, photo] = [await upload(), await upload()];
    await owner("update media_uploads set media_type = 'video' where media_url = $1", [clip.media_url]);
    const card = async () => (await owner('select thumbnail_url from solutions'))[0]?.thumbnail_url;
    expect((await attach('author', id, clip, 'video')).rowCount).toBe(1);
    // The poster of a video; a later file changes nothing.
    expect(await card()).toBe(clip.thumbnail_url);
    await attach('author', id, photo);
    expect(await card()).toBe(clip.thumbnail_url);
    await as('author', 'update solutions set thumbnail_url = $1', [photo.compressed_url]);
    expect(await card()).toBe(photo.compressed_url);
    await as('author', 'delete from solution_media where media_url = $1', [photo.media_url]);
    expect(await card()).toBe(clip.thumbnail_url);
  });

  it('are added by the author alone', async () => {
    const id = await solution('pending');
    expect((await attach('colleague', id, await upload('colleague'))).code).toBe('42501');
    expect((await attach('visitor', id, await upload())).code).toBe('42501');
    expect((await attach('author', id, await upload())).rowCount).toBe(1);
  });

  it('are files our processing made for this member, each used once', async () => {
    const id = await solution('pending');
    const mine = await upload();
    expect((await attach('author', id, { media_url: 'https://evil.example/a.jpg' })).code).toBe('23514');
    expect((await attach('author', id, await upload('colleague'))).code).toBe('23514');
    expect((await attach('author', id, mine, 'text/html')).code).toBe('23514');
    expect((await attach('author', id, mine, 'video')).code).toBe('23514');
    expect((await attach('author', id, { ...mine, thumbnail_url: 'https://evil.example/a.jpg' })).code).toBe(
      '23514',
    );
    expect((await attach('author', id, mine)).rowCount).toBe(1);
    expect((await attach('author', id, mine)).code).toBe('23514');
  });

  it('are not added after approval but with a new version', async () => {
    const id = await solution('approved');
    expect(await attach('author', id, await upload())).toMatchObject({ code: '23514', message: PUBLISHED });
    expect(await owner('select * from solution_media')).toEqual([]);
    expect(await owner('select * from media_uploads')).toHaveLength(1);
  });

  it.each([
    ['described', "description = 'Patient’s name on the label'"],
    ['ordered', 'position = 1'],
  ])('are not %s otherwise after approval but with a new version', async (_how, change) => {
    const id = await solution('pending');
    await attach('author', id, await upload());
    await attach('author', id, await upload());
    await as('moderator', "update solutions set status = 'approved' where id = $1", [id]);
    // An update without a change shows nothing new.
    expect(
      (await as('author', 'update solution_media set description = description, position = position'))
        .rowCount,
    ).toBe(2);
    expect(await as('author', `update solution_media set ${change}`)).toMatchObject({
      code: '23514',
      message: PUBLISHED,
    });
    expect(
      (await as('visitor', 'select description, position from solution_media order by position')).rows,
    ).toEqual([
      { description: null, position: 0 },
      { description: null, position: 0 },
    ]);
  });

  it('removed after approval leave the rest public, at once', async () => {
    const id = await solution('pending');
    await attach('author', id, await upload());
    await as('moderator', "update solutions set status = 'approved' where id = $1", [id]);
    expect((await as('author', 'delete from solution_media')).rowCount).toBe(1);
    expect(
      (await as('visitor', 'select id, status, rejection_reason from solutions where id = $1', [id]))
        .rowCount,
    ).toBe(1);
  });

  it('are described and removed by the author alone, and leave no file behind', async () => {
    const id = await solution('pending');
    const file = await upload();
    await attach('author', id, file);
    await as('author', 'update solutions set thumbnail_url = $2 where id = $1', [id, file.compressed_url]);
    expect((await as('colleague', "update solution_media set description = 'x'")).rowCount).toBe(0);
    expect((await as('author', "update solution_media set media_url = 'x'")).code).toBe('42501');
    expect((await as('author', "update solution_media set description = 'Side view'")).rowCount).toBe(1);
    expect((await as('moderator', 'delete from solution_media')).rowCount).toBe(0);
    expect((await as('author', 'delete from solution_media')).rowCount).toBe(1);
    const [job] = await owner<{ object_names: string[] }>(
      "select object_names from media_jobs where object_names <> '{}'",
    );
    expect(job?.object_names).toHaveLength(3);
    expect(job?.object_names.every((name) => name.startsWith('pending-media/'))).toBe(true);
    expect(await owner('select thumbnail_url from solutions')).toEqual([{ thumbnail_url: null }]);
  });

  it('are at most 20', async () => {
    const id = await solution('pending');
    for (let count = 0; count < 20; count++)
      expect((await attach('author', id, await upload())).rowCount).toBe(1);
    expect((await attach('author', id, await upload())).code).toBe('23514');
  });
});

describe('uploads and file jobs', () => {
  it('are shown to their owner and written by no one', async () => {
    await upload();
    expect((await as('author', 'select * from media_uploads')).rows).toHaveLength(1);
    expect((await as('colleague', 'select * from media_uploads')).rows).toEqual([]);
    expect((await as('author', "update media_uploads set media_url = 'x'")).code).toBe('42501');
    expect((await as('author', 'delete from media_uploads')).code).toBe('42501');
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect((await as(actor, 'select * from media_jobs')).code).toBe('42501');
      expect((await as(actor, 'select * from claim_media_job()')).code).toBe('42501');
      expect((await as(actor, "select move_files(1, 1, gen_random_uuid(), '{}')")).code).toBe('42501');
      expect((await as(actor, 'select unnamed_files(1, 1)')).code).toBe('42501');
      expect((await as(actor, 'select renew_media_job(1, 1)')).code).toBe('42501');
      expect((await as(actor, "select media_job_failed(1, 1, '')")).code).toBe('42501');
      expect((await as(actor, 'select expire_uploads()')).code).toBe('42501');
      expect((await as(actor, 'select expire_incoming_uploads()')).code).toBe('42501');
    }
  });

  it('take no clip that was not begun, nor one that moves to such a name', async () => {
    const clip = (name: string) =>
      as('service', "insert into storage.objects (bucket_id, name) values ('incoming-media', $1)", [name]);
    expect((await clip('a/b')).code).toBe('42501');
    await owner("insert into incoming_uploads (name, user_id) values ('a/b', $1)", [people.author]);
    expect((await clip('a/b')).code).toBeUndefined();
    const move = "update storage.objects set name = 'a/c' where bucket_id = 'incoming-media'";
    expect((await as('service', move)).code).toBe('42501');
  });

  it('give up files that no solution took within a day', async () => {
    await upload();
    await owner("update media_uploads set created_at = now() - interval '25 hours'");
    await upload();
    await owner('select expire_uploads()');
    expect(await owner('select * from media_uploads')).toHaveLength(1);
    expect(
      await owner("select cardinality(object_names) as files from media_jobs where object_names <> '{}'"),
    ).toEqual([{ files: 3 }]);
  });

  it('give up files that nothing names a day after an upload was cut off, but none that is on its way', async () => {
    const file = await upload();
    const folder = file.media_url.split('/').slice(-3, -1).join('/');
    const stored = (bucket: string, name: string, age: string) =>
      owner(
        `insert into storage.objects (bucket_id, name, version, metadata, created_at) values ($1, $2, gen_random_uuid()::text, '{}', now() - $3::interval)`,
        [bucket, name, age],
      );
    await stored('pending-media', `${folder}/full.webp`, '25 hours');
    // Its copy, which the row does not name yet.
    await stored('solution-media', `${folder}/full.webp`, '25 hours');
    await stored('pending-media', 'somebody/cut-off/full.webp', '25 hours');
    await stored('pending-media', 'somebody/arriving/full.webp', '1 hour');
    // One that was given up holds back what it names, and nothing else.
    await owner(
      'insert into media_jobs (solution_id, object_names, attempts) values (gen_random_uuid(), $1, 12)',
      [[`solution-media/${folder}/full.webp`]],
    );
    await owner('select expire_uploads()');
    expect(await owner('select object_names from media_jobs where attempts = 0')).toEqual([
      { object_names: ['pending-media/somebody/cut-off/full.webp'] },
    ]);
    await owner('select expire_uploads()');
    expect(await owner('select from media_jobs')).toHaveLength(2);
  });

  it('point at the public copies only while the solution is approved', async () => {
    const id = await solution('pending');
    const file = await upload();
    await attach('author', id, file);
    await as('author', 'update solutions set thumbnail_url = $2 where id = $1', [id, file.compressed_url]);
    await moveFiles(id);
    expect((await owner('select media_url from solution_media'))[0]?.media_url).toBe(file.media_url);
    await as('moderator', "update solutions set status = 'approved' where id = $1", [id]);
    for (let again = 0; again < 2; again++) {
      await moveFiles(id);
      const [row] = await owner<{ media_url: string; thumbnail_url: string }>(
        'select m.media_url, s.thumbnail_url from solution_media m join solutions s on s.id = m.solution_id',
      );
      expect(row?.media_url).toMatch(/^\/storage\/v1\/object\/public\/solution-media\/.*full\.webp$/);
      expect(row?.thumbnail_url).toMatch(/^\/storage\/v1\/object\/public\/solution-media\/.*card\.webp$/);
    }
    expect((await as('visitor', 'select status from solutions')).rows).toEqual([{ status: 'approved' }]);
  });

  it('are claimed by one worker at a time and again after a worker died', async () => {
    await owner("insert into media_jobs (object_names) values ('{a}')");
    expect(await owner('select attempts from claim_media_job()')).toEqual([{ attempts: 1 }]);
    expect(await owner('select * from claim_media_job()')).toEqual([]);
    await owner("update media_jobs set claimed_at = now() - interval '3 minutes'");
    expect(await owner('select attempts from claim_media_job()')).toEqual([{ attempts: 2 }]);
    // The first one wakes up, and changes nothing.
    const [job] = await owner<{ id: string }>('select id from media_jobs');
    const asFirst = (call: string) => as('service', call, [job?.id]);
    for (const call of [
      'select renew_media_job($1, 1)',
      'select unnamed_files($1, 1)',
      "select move_files($1, 1, gen_random_uuid(), '{}')",
    ])
      expect((await asFirst(call)).code, call).toBe('55000');
    expect((await asFirst("select media_job_failed($1, 1, 'Late')")).rows).toEqual([
      { media_job_failed: null },
    ]);
    expect((await asFirst('select renew_media_job($1, 2)')).code).toBeUndefined();
    expect((await asFirst('select unnamed_files($1, 2)')).rows).toEqual([{ unnamed_files: 'a' }]);
  });

  it('are tried twelve times, in pauses that grow, and then again when a moderator asks', async () => {
    await owner("insert into media_jobs (object_names) values ('{a}')");
    const givenUp = async (actor: Actor) =>
      (await as<{ count: number | null }>(actor, 'select media_jobs_given_up() as count')).rows[0]?.count;
    for (let attempt = 1; attempt <= 12; attempt++) {
      expect(await givenUp('moderator')).toBe(0);
      await owner('update media_jobs set due_at = now()');
      const [job] = await owner<{ id: string }>('select id from claim_media_job()');
      expect(
        await owner('select media_job_failed($1, $2, $3) as last', [job?.id, attempt, 'No space']),
      ).toEqual([{ last: attempt === 12 }]);
      expect(await owner('select * from claim_media_job()')).toEqual([]);
    }
    expect(
      await owner("select last_error, due_at - now() = interval '6 hours' as rested from media_jobs"),
    ).toEqual([{ last_error: 'No space', rested: true }]);
    await owner('update media_jobs set due_at = now()');
    expect(await owner('select * from claim_media_job()')).toEqual([]);
    expect([await givenUp('moderator'), await givenUp('author')]).toEqual([1, null]);
    for (const actor of ['visitor', 'author'] as const)
      expect((await as(actor, 'select retry_media_jobs()')).code, actor).toBe('42501');
    expect((await as('moderator', 'select retry_media_jobs()')).code).toBeUndefined();
    expect(await givenUp('moderator')).toBe(0);
    expect(await owner('select attempts from claim_media_job()')).toEqual([{ attempts: 1 }]);
  });

  it('leave a row that came or was approved while the copies were made, and its only file', async () => {
    const id = await solution('pending');
    const [copied, late] = [await upload(), await upload()];
    await attach('author', id, copied);
    await as('moderator', "update solutions set status = 'approved' where id = $1", [id]);
    const [job] = await owner<{ id: string }>('select id from claim_media_job()');
    const placed = (url: string) => url.replace('/authenticated/pending-media/', '/public/solution-media/');
    const objects = (...urls: string[]) => urls.map((url) => url.replace(/^.*\/object\/\w+\//, ''));
    await owner('update media_jobs set object_names = $1 where id = $2', [
      objects(...Object.values(copied), ...Object.values(copied).map(placed), ...Object.values(late)),
      job?.id,
    ]);
    // An image that a moderator gives back, for example.
    await owner(
      "insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $3, $4, 'image')",
      [id, late.media_url, late.compressed_url, late.thumbnail_url],
    );
    await owner('select move_files($1, 1, $2, $3)', [
      job?.id,
      id,
      Object.fromEntries(Object.values(copied).map((url) => [url, placed(url)])),
    ]);
    expect(
      (
        await owner<{ media_url: string }>(
          'select media_url from solution_media order by position, media_url desc',
        )
      ).map((row) => row.media_url),
    ).toEqual([placed(copied.media_url), late.media_url]);
    const unnamed = await owner<{ name: string }>('select unnamed_files($1, 1) as name', [job?.id]);
    expect(unnamed.map(({ name }) => name).toSorted()).toEqual(objects(...Object.values(copied)).toSorted());
  });

  it('remove no file that a row of any kind names', async () => {
    const [picture, file] = [await upload(), await buildFile()];
    const avatar = `/storage/v1/object/public/avatars/${people.author}/a.webp`;
    await owner('update profiles set avatar_url = $1 where id = $2', [avatar, people.author]);
    await owner("insert into incoming_uploads (name, user_id) values ('a/clip.mp4', $1)", [people.author]);
    const named = [
      picture.media_url,
      picture.thumbnail_url,
      file,
      file.replace('file.pdf', 'page-1.webp'),
      avatar,
    ].map((url) => url.replace(/^.*\/object\/\w+\//, ''));
    const gone = named.map((name) => name.replace(/[^/]+$/, 'other.webp'));
    await owner('delete from media_jobs');
    await owner('insert into media_jobs (object_names, attempts, claimed_at) values ($1, 1, now())', [
      [...named, 'incoming-media/a/clip.mp4', ...gone, 'incoming-media/a/other.mp4'],
    ]);
    const unnamed = await owner<{ name: string }>('select unnamed_files(id, 1) as name from media_jobs');
    expect(unnamed.map(({ name }) => name).toSorted()).toEqual(
      [...gone, 'incoming-media/a/other.mp4'].toSorted(),
    );
  });
});

describe('consent and review history', () => {
  it('are read by author and moderators, and stated by the author alone', async () => {
    const id = await solution('pending');
    await owner('delete from solution_consents');
    const state =
      "insert into solution_consents (solution_id, basis, statement_version) values ($1, 'patient_written', '2026-11-01')";
    expect((await as('colleague', state, [id])).code).toBe('42501');
    expect((await as('author', state, [id])).rowCount).toBe(1);
    for (const table of ['solution_consents', 'solution_reviews']) {
      for (const actor of ['author', 'moderator', 'admin'] as const)
        expect((await as(actor, `select * from ${table}`)).rows.length, `${actor} ${table}`).toBeGreaterThan(
          0,
        );
      expect((await as('colleague', `select * from ${table}`)).rows).toEqual([]);
      expect((await as('visitor', `select * from ${table}`)).code).toBe('42501');
    }
    expect((await as('author', 'update solution_consents set recorded_by = gen_random_uuid()')).code).toBe(
      '42501',
    );
    expect((await as('moderator', "update solution_consents set basis = 'guardian_written'")).rowCount).toBe(
      0,
    );
    expect(
      (
        await as('author', "insert into solution_reviews (solution_id, decision) values ($1, 'approved')", [
          id,
        ])
      ).code,
    ).toBe('42501');
    expect((await as('moderator', "update solution_reviews set decision = 'rejected'")).code).toBe('42501');
  });
});
