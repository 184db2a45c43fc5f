import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, owner, column, value, attach, approve, solution, upload, buildFile, moveFiles, ...world } =
  openDatabase();
const PUBLISHED = 'This solution is published. Submit your changes as a new version.';
describe('media of a solution', () => {
  it('give the card its picture until the author chooses one', async () => {
    const id = await solution('pending');
    const [clip, photo] = [await upload(), await upload()];
    await owner(`update pending_uploads set made = made || '{"media_type": "video"}' where url = $1`, [
      clip.media_url,
    ]);
    const card = () => value('select thumbnail_url from solutions');
    expect((await attach('author', id, clip, null, 'video')).rowCount).toBe(1);
    // The poster of a video; a later file changes nothing.
    expect(await card()).toBe(clip.thumbnail_url);
    await attach('author', id, photo);
    expect(await card()).toBe(clip.thumbnail_url);
    await as('author', 'update solutions set thumbnail_url = $1', [photo.compressed_url]);
    expect(await card()).toBe(photo.compressed_url);
    await as('author', 'delete from solution_media where media_url = $1', [photo.media_url]);
    expect(await card()).toBe(clip.thumbnail_url);
  });

  it('are files our processing made for this member, each used once', async () => {
    const id = await solution('pending');
    const mine = await upload();
    const foreign = 'https://evil.example/a.jpg';
    for (const file of [
      { media_url: foreign },
      await upload('colleague'),
      { ...mine, thumbnail_url: foreign },
      { ...mine, media_url: await buildFile() },
    ])
      expect((await attach('author', id, file)).code).toBe('23514');
    for (const type of ['text/html', 'video'])
      expect((await attach('author', id, mine, null, type)).code).toBe('23514');
    expect((await attach('author', id, mine)).rowCount).toBe(1);
    expect((await attach('author', id, mine)).code).toBe('23514');
  });

  it('are not added after approval but with a new version', async () => {
    const id = await solution('approved');
    expect(await attach('author', id, await upload())).toMatchObject({ code: '23514', message: PUBLISHED });
    expect(await owner('select * from solution_media')).toEqual([]);
    expect(await owner('select * from pending_uploads')).toHaveLength(1);
  });

  it.each([
    ['described', "description = 'Patient’s name on the label'"],
    ['ordered', 'position = 1'],
  ])('are not %s otherwise after approval but with a new version', async (_how, change) => {
    const id = await solution('pending');
    await attach('author', id, await upload());
    await attach('author', id, await upload());
    await approve(id);
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
    await approve(id);
    expect((await as('author', 'delete from solution_media')).rowCount).toBe(1);
    expect(
      (await as('visitor', 'select id, status, rejection_reason from solutions where id = $1', [id]))
        .rowCount,
    ).toBe(1);
  });

  it('leave no file behind when they are removed', async () => {
    const id = await solution('pending');
    const file = await upload();
    await attach('author', id, file);
    await as('author', 'update solutions set thumbnail_url = $2 where id = $1', [id, file.compressed_url]);
    expect((await as('author', 'delete from solution_media')).rowCount).toBe(1);
    const names = await value<string[]>("select object_names from media_jobs where object_names <> '{}'");
    expect(names).toHaveLength(3);
    expect(names.every((name) => name.startsWith('pending-media/'))).toBe(true);
    expect(await value('select thumbnail_url from solutions')).toBeNull();
  });

  it('are at most 20', async () => {
    const id = await solution('pending');
    for (let count = 0; count < 20; count++)
      expect((await attach('author', id, await upload())).rowCount).toBe(1);
    expect((await attach('author', id, await upload())).code).toBe('23514');
  });
});

describe('uploads and file jobs', () => {
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
    await owner("update pending_uploads set created_at = now() - interval '25 hours'");
    await upload();
    await owner('select expire_uploads()');
    expect(await owner('select * from pending_uploads')).toHaveLength(1);
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
    expect(await value('select media_url from solution_media')).toBe(file.media_url);
    await approve(id);
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
    const claimed = () => column('select attempts from claim_media_job()');
    expect(await claimed()).toEqual([1]);
    expect(await claimed()).toEqual([]);
    await owner("update media_jobs set claimed_at = now() - interval '3 minutes'");
    expect(await claimed()).toEqual([2]);
    // The first one wakes up, and changes nothing.
    const job = await value('select id from media_jobs');
    const asFirst = (call: string) => as('service', call, [job]);
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
    const givenUp = (actor: Actor) => ask(actor, 'media_jobs_given_up');
    for (let attempt = 1; attempt <= 12; attempt++) {
      expect(await givenUp('moderator')).toBe(0);
      await owner('update media_jobs set due_at = now()');
      const job = await value('select id from claim_media_job()');
      expect(await value('select media_job_failed($1, $2, $3)', [job, attempt, 'No space'])).toBe(
        attempt === 12,
      );
      expect(await owner('select * from claim_media_job()')).toEqual([]);
    }
    expect(
      await owner("select last_error, due_at - now() = interval '6 hours' as rested from media_jobs"),
    ).toEqual([{ last_error: 'No space', rested: true }]);
    await owner('update media_jobs set due_at = now()');
    expect(await owner('select * from claim_media_job()')).toEqual([]);
    expect([await givenUp('moderator'), await givenUp('author')]).toEqual([1, null]);
    expect((await as('author', 'select retry_media_jobs()')).code).toBe('42501');
    expect((await as('moderator', 'select retry_media_jobs()')).code).toBeUndefined();
    expect(await givenUp('moderator')).toBe(0);
    expect(await value('select attempts from claim_media_job()')).toBe(1);
  });

  it('leave a row that came or was approved while the copies were made, and its only file', async () => {
    const id = await solution('pending');
    const [copied, late] = [await upload(), await upload()];
    await attach('author', id, copied);
    await approve(id);
    const job = await value('select id from claim_media_job()');
    const placed = (url: string) => url.replace('/authenticated/pending-media/', '/public/solution-media/');
    const objects = (...urls: string[]) => urls.map((url) => url.replace(/^.*\/object\/\w+\//, ''));
    await owner('update media_jobs set object_names = $1 where id = $2', [
      objects(...Object.values(copied), ...Object.values(copied).map(placed), ...Object.values(late)),
      job,
    ]);
    // An image that a moderator gives back, for example.
    await world.picture(id, late);
    await owner('select move_files($1, 1, $2, $3)', [
      job,
      id,
      Object.fromEntries(Object.values(copied).map((url) => [url, placed(url)])),
    ]);
    expect(await column('select media_url from solution_media order by position, media_url desc')).toEqual([
      placed(copied.media_url),
      late.media_url,
    ]);
    expect((await column<string>('select unnamed_files($1, 1)', [job])).toSorted()).toEqual(
      objects(...Object.values(copied)).toSorted(),
    );
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
    const unnamed = await column<string>('select unnamed_files(id, 1) from media_jobs');
    expect(unnamed.toSorted()).toEqual([...gone, 'incoming-media/a/other.mp4'].toSorted());
  });
});
