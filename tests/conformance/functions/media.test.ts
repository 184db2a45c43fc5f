import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { MAX_REFUSED } from '../../../media/workers.ts';
import { storeAll } from '../../../supabase/functions/member-upload.ts';
import { expectNoMetadata } from '../../media/expect-no-metadata.ts';
import { phoneFilm, phonePicture } from '../../media/files.ts';
import { binaryCube } from '../../media/models.ts';
import { SOLUTION } from '../../solution.ts';
import { listening, person as newPerson, operator, type Person, visitor } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';
import { openFiles } from './open-files.ts';

const { backend, database } = await ownBackend();

const person = (role?: string) => newPerson(backend, database, role);

async function send(
  by: Person,
  content: Buffer,
  name: string,
  type: string,
  userId = by.id,
  to = 'process-media-upload',
) {
  const body = new FormData();
  body.set('file', new File([new Uint8Array(content)], name, { type }));
  body.set('userId', userId);
  const { data, error } = await by.client.functions.invoke(to, { body });
  if (!error) return { status: 200, ...data };
  return { status: error.context.status, ...(await error.context.json()) };
}

const bytesAt = async (path: string) => {
  const response = await fetch(backend.url + path);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};

/** Through a signed URL, as the site shows unpublished files. */
async function pending(by: Person, url: string) {
  const name = url.replace('/storage/v1/object/authenticated/pending-media/', '');
  const { data, error } = await by.client.storage.from('pending-media').download(name);
  return error ? undefined : Buffer.from(await data.arrayBuffer());
}

const files = async () =>
  Number((await database.query('select count(*) from storage.objects')).rows[0].count);

describe('process-media-upload', () => {
  test('a picture', async () => {
    const author = await person();
    const answer = await send(author, await phonePicture('jpeg'), 'Socket.jpg', 'image/jpeg');
    const folder = new RegExp(`^/storage/v1/object/authenticated/pending-media/${author.id}/[0-9a-f-]{36}/`);
    expect(answer).toEqual({
      status: 200,
      originalUrl: expect.stringMatching(new RegExp(`${folder.source}full\\.webp$`)),
      compressedUrl: expect.stringMatching(new RegExp(`${folder.source}card\\.webp$`)),
      thumbnailUrl: expect.stringMatching(new RegExp(`${folder.source}thumb\\.webp$`)),
      mediaType: 'image',
      width: 800,
      height: 1200,
    });
    const { data: rows } = await author.client.from('pending_uploads').select();
    expect(rows).toEqual([
      expect.objectContaining({
        user_id: author.id,
        url: answer.originalUrl,
        made: expect.objectContaining({ media_type: 'image', width: 800 }),
      }),
    ]);
    for (const url of [answer.originalUrl, answer.compressedUrl, answer.thumbnailUrl]) {
      const rendition = await pending(author, url);
      if (!rendition) throw new Error(`${url} cannot be read by its author`);
      await expectNoMetadata(rendition);
      // No other user, signed in or not.
      expect(await pending(await person(), url)).toBeUndefined();
      expect((await bytesAt(url)).status).toBe(400);
      expect((await bytesAt(url.replace('authenticated/pending-media', 'public/pending-media'))).status).toBe(
        400,
      );
    }
    expect(await readdir(join(backend.dataDir, 'incoming'))).toEqual([]);
  });

  test('a name with a letter at its limit', async () => {
    const author = await person();
    const picture = await phonePicture('jpeg', 60, 40);
    expect(await send(author, picture, `${'x'.repeat(119)}🦿.jpg`, 'image/jpeg')).toMatchObject({
      status: 200,
    });
    expect(
      await send(
        author,
        binaryCube(),
        `${'x'.repeat(99)}👩🏽‍🦼.stl`,
        'model/stl',
        author.id,
        'process-file-upload',
      ),
    ).toMatchObject({ status: 200, file_name: `${'x'.repeat(99)}.stl` });
  });

  test('a film', async () => {
    const author = await person();
    const answer = await send(author, await phoneFilm({ rotation: 90 }), 'Gait.mp4', 'video/mp4');
    expect(answer).toMatchObject({
      status: 200,
      mediaType: 'video',
      width: 180,
      height: 320,
      duration: expect.any(Number),
    });
    expect(answer.compressedUrl).toBe(answer.originalUrl);
    expect(answer.thumbnailUrl).toMatch(/poster\.webp$/);
    for (const url of [answer.originalUrl, answer.thumbnailUrl]) {
      const rendition = await pending(author, url);
      if (!rendition) throw new Error(`${url} cannot be read by its author`);
      await expectNoMetadata(rendition);
    }
  });

  test.each([
    [
      'x.gif',
      'image/gif',
      Buffer.from('GIF89a'),
      415,
      'Invalid Image Format',
      'x.gif: Only JPEG, PNG, and WebP images are accepted.',
    ],
    [
      'x.mov',
      'video/quicktime',
      Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0'),
      415,
      'Invalid Video Format',
      'x.mov: Only MP4 and WebM videos are accepted. This is a QuickTime movie. Save it as MP4 and choose it again.',
    ],
    [
      'x.jpg',
      'image/jpeg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(11 * 1024 * 1024)]),
      413,
      'Image Too Large',
      'x.jpg: Images must be under 10MB.',
    ],
    [
      'x.png',
      'image/png',
      Buffer.from('\x89PNG\r\n\x1a\nnot really', 'latin1'),
      422,
      'Processing Failed',
      'x.png: This image cannot be read. It may be damaged: save it again.',
    ],
  ])('refuses %s (%s) and keeps nothing', async (name, type, content, status, error, message) => {
    const before = await files();
    expect(await send(await person(), content, name, type)).toEqual({ status, error, message });
    expect(await files()).toBe(before);
    expect(await readdir(join(backend.dataDir, 'incoming'))).toEqual([]);
  });

  test('refuses other people', async () => {
    const before = await files();
    const [author, other] = [await person(), await person()];
    const picture = await phonePicture('png', 60, 40);
    expect(await send(other, picture, 'x.png', 'image/png', author.id)).toMatchObject({ status: 403 });
    expect(
      await send({ id: author.id, client: visitor(backend) }, picture, 'x.png', 'image/png'),
    ).toMatchObject({ status: 401 });
    await author.client.auth.admin.signOut(
      (await author.client.auth.getSession()).data.session?.access_token ?? '',
      'global',
    );
    expect(await send(author, picture, 'x.png', 'image/png')).toMatchObject({ status: 401 });
    expect(await files()).toBe(before);
  });

  test('refuses who is suspended or banned, pictures and avatars alike, until it is lifted', async () => {
    const [member, other] = [await person(), await person()];
    const picture = await phonePicture('png', 60, 40);
    const before = await files();
    const to = (way: string, by = member) => send(by, picture, 'x.png', 'image/png', by.id, way);
    const ways = ['process-media-upload', 'process-avatar-upload'];
    await operator(backend)
      .from('sanctions')
      .insert({ user_id: member.id, kind: 'ban', reason: 'Advertising' })
      .throwOnError();
    for (const way of ways)
      expect(await to(way)).toMatchObject({ status: 403, message: 'You are banned from taking part' });
    expect(await files()).toBe(before);
    for (const way of ways) expect((await to(way, other)).status).toBe(200);
    await operator(backend)
      .from('sanctions')
      .update({ lifted_at: new Date().toISOString() })
      .eq('user_id', member.id)
      .throwOnError();
    for (const way of ways) expect((await to(way)).status).toBe(200);
  });

  test('a storm of uploads is answered, each with a file or a wait', async () => {
    const author = await person();
    const picture = await phonePicture('jpeg', 600, 400);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send(author, picture, 'x.jpg', 'image/jpeg')),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 429]).toContain(status);
    expect((await send(author, picture, 'x.jpg', 'image/jpeg')).status).toBe(200);
  });

  test('others are served before a storm of uploads has ended', async () => {
    const [authors, reader] = [await Promise.all([person(), person(), person(), person()]), await person()];
    const picture = await phonePicture('jpeg', 2000, 1500);
    let ended = 0;
    const storm = authors.flatMap((author) =>
      Array.from({ length: 3 }, async () => {
        const { status } = await send(author, picture, 'x.jpg', 'image/jpeg');
        ended += 1;
        return status;
      }),
    );
    await expect.poll(() => readdir(join(backend.dataDir, 'incoming'))).not.toEqual([]);
    for (const { error } of [
      await reader.client.from('solutions').select('id'),
      await reader.client.from('profiles').update({ bio: 'Reads meanwhile' }).eq('id', reader.id),
      await reader.client.storage.from('avatars').list(reader.id),
      await reader.client.auth.getUser(),
    ])
      expect(error).toBeNull();
    expect(ended).toBeLessThan(storm.length);
    for (const status of await Promise.all(storm)) expect([200, 429]).toContain(status);
  });

  test('a member whose files take two gigabytes sends no more, and others do', async () => {
    const [author, other] = [await person(), await person()];
    const picture = await phonePicture('png', 60, 40);
    const film = `${author.id}/${author.id}/film.mp4`;
    await database.query(
      `insert into storage.objects (bucket_id, name, metadata) values ('solution-media', $1, '{"size": 2147483648}')`,
      [film],
    );
    expect(await send(author, picture, 'x.png', 'image/png')).toMatchObject({
      status: 413,
      message: expect.stringMatching(/^Your files use all of your 2 GB/),
    });
    expect((await send(other, picture, 'x.png', 'image/png')).status).toBe(200);
    await database.query(`update storage.objects set metadata = '{"size": 2147483647}' where name = $1`, [
      film,
    ]);
    expect((await send(author, picture, 'x.png', 'image/png')).status).toBe(200);
  });

  test('a member whose files are refused again and again sends no more that day, and others do', async () => {
    const [careless, other] = [await person(), await person()];
    const picture = await phonePicture('png', 60, 40);
    for (let count = 0; count < MAX_REFUSED; count++)
      expect((await send(careless, Buffer.from('no picture'), 'x.png', 'image/png')).status).toBe(415);
    expect(await send(careless, picture, 'x.png', 'image/png')).toMatchObject({
      status: 429,
      message: 'Too many of your files couldn’t be used today. Please try again tomorrow.',
    });
    expect((await send(other, picture, 'x.png', 'image/png')).status).toBe(200);
  });

  test('nothing that is sent makes the server ask another', async () => {
    const author = await person();
    let canaryRequests = 0;
    const canary = createServer((_request, response) => {
      canaryRequests += 1;
      response.end();
    });
    const url = `http://${await listening(canary)}/x`;
    for (const [name, type, content] of [
      ['x.svg.png', 'image/png', `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/></svg>`],
      ['x.mp4', 'video/mp4', `#EXTM3U\n#EXTINF:9,\n${url}.ts\n`],
      ['y.mp4', 'video/mp4', `<?xml version="1.0"?><MPD><BaseURL>${url}</BaseURL></MPD>`],
    ] as const)
      expect((await send(author, Buffer.from(content), name, type)).status, name).toBeGreaterThanOrEqual(400);
    const body = new FormData();
    body.set('file', url);
    body.set('userId', author.id);
    const { error } = await author.client.functions.invoke('process-media-upload', { body });
    expect(error?.context.status).toBeGreaterThanOrEqual(400);
    expect(canaryRequests).toBe(0);
    // The counter does count a request.
    await fetch(url);
    expect(canaryRequests).toBe(1);
    canary.close();
  });

  test('a row that cannot be written leaves no file', async () => {
    const author = await person();
    const before = await files();
    await database.query(
      'alter table public.pending_uploads add constraint never check (byte_size < 0) not valid',
    );
    try {
      expect(await send(author, await phonePicture('png', 60, 40), 'x.png', 'image/png')).toMatchObject({
        status: 500,
      });
    } finally {
      await database.query('alter table public.pending_uploads drop constraint never');
    }
    expect(await files()).toBe(before);
  });

  test('ends with an error where a file cannot be opened that is to be stored', async () => {
    const files = [{ from: join(backend.dataDir, 'nowhere'), to: 'nowhere/full.webp' }];
    await expect(storeAll(operator(backend), 'pending-media', files)).rejects.toThrow();
  });

  test('leaves no file open that the storage refuses to take', async () => {
    const author = await person();
    const picture = await phonePicture('png', 60, 40);
    await database.query(
      "alter table storage.objects add constraint never check (bucket_id <> 'pending-media') not valid",
    );
    try {
      expect(await send(author, picture, 'x.png', 'image/png')).toMatchObject({ status: 500 });
    } finally {
      await database.query('alter table storage.objects drop constraint never');
    }
    await expect.poll(() => openFiles(join(backend.dataDir, 'incoming'))).toEqual([]);
    expect(await send(author, picture, 'x.png', 'image/png')).toMatchObject({ status: 200 });
  });
});

test('process-avatar-upload keeps the new picture and the one still shown', async () => {
  const member = await person();
  const upload = async () =>
    send(member, await phonePicture('jpeg'), 'me.jpg', 'image/jpeg', member.id, 'process-avatar-upload');
  const first = await upload();
  expect(first).toEqual({
    status: 200,
    avatarUrl: expect.stringMatching(`^/storage/v1/object/public/avatars/${member.id}/\\d+\\.webp$`),
  });
  expect(
    (await member.client.from('profiles').update({ avatar_url: first.avatarUrl }).eq('id', member.id)).error,
  ).toBeNull();
  const second = await upload();
  const third = await upload();
  expect((await bytesAt(first.avatarUrl)).status).toBe(200);
  expect((await bytesAt(second.avatarUrl)).status).toBe(400);
  const { status, bytes } = await bytesAt(third.avatarUrl);
  expect(status).toBe(200);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
  await expectNoMetadata(bytes);
  expect(
    await send(member, await phoneFilm(), 'me.mp4', 'video/mp4', member.id, 'process-avatar-upload'),
  ).toMatchObject({
    status: 415,
    message: 'me.mp4: Only JPEG, PNG, and WebP images are accepted.',
  });
  // A picture that the profile no longer shows is gone for everyone.
  await member.client
    .from('profiles')
    .update({ avatar_url: third.avatarUrl })
    .eq('id', member.id)
    .throwOnError();
  await operator(backend).functions.invoke('process-media-jobs', { method: 'POST' });
  expect((await bytesAt(first.avatarUrl)).status).toBe(400);
  expect((await bytesAt(third.avatarUrl)).status).toBe(200);
});

test('process-logo-upload publishes what an admin sends and no one else, until the site shows another', async () => {
  const [admin, moderator] = [await person('admin'), await person('moderator')];
  const upload = async (by: Person) =>
    send(by, await phonePicture('png'), 'logo.png', 'image/png', by.id, 'process-logo-upload');
  const show = (by: Person, logo_url: string) =>
    by.client.from('site_settings').update({ logo_url }).eq('only_row', true).select('logo_url');
  const before = await files();
  for (const by of [moderator, await person()])
    expect(await upload(by)).toMatchObject({ status: 403, message: 'Only admins can change the logo' });
  expect(await files()).toBe(before);
  const first = await upload(admin);
  expect(first).toEqual({
    status: 200,
    logoUrl: expect.stringMatching(/^\/storage\/v1\/object\/public\/avatars\/site\/\d+\.webp$/),
  });
  expect((await show(moderator, first.logoUrl)).data).toEqual([]);
  expect((await show(admin, first.logoUrl)).data).toEqual([{ logo_url: first.logoUrl }]);
  const work = () => operator(backend).functions.invoke('process-media-jobs', { method: 'POST' });
  const second = await upload(admin);
  await work();
  expect((await bytesAt(first.logoUrl)).status).toBe(200);
  await show(admin, second.logoUrl);
  await work();
  // The site may be at its jobs by itself just then.
  await expect.poll(async () => (await bytesAt(first.logoUrl)).status).toBe(400);
  expect((await bytesAt(second.logoUrl)).status).toBe(200);
  await show(admin, '');
  await work();
  await expect.poll(async () => (await bytesAt(second.logoUrl)).status).toBe(400);
  expect(
    await send(admin, Buffer.from('<svg/>'), 'logo.svg', 'image/svg+xml', admin.id, 'process-logo-upload'),
  ).toMatchObject({ status: 415 });
});

describe('process-media-jobs', () => {
  async function submitted(author: Person) {
    const media = await send(author, await phonePicture('jpeg', 600, 400), 'a.jpg', 'image/jpeg');
    const { data, error } = await author.client.rpc('submit_solution', {
      solution: {
        ...SOLUTION,
        materials: [],
        custom_tags: [],
      },
      media: [{ media_url: media.originalUrl, description: 'Socket from the side' }],
      thumbnail_url: media.compressedUrl,
      consent: 'no_identifiable_person',
      consent_version: '2026-11-01',
    });
    if (error) throw error;
    return { id: data as string, media };
  }

  const run = async (by: Person) => {
    const { data, error } = await by.client.functions.invoke('process-media-jobs', { method: 'POST' });
    return error ? error.context.status : data;
  };

  async function mediaUrls(id: string): Promise<string[]> {
    const { rows } = await database.query(
      'select s.thumbnail_url as t, m.media_url as a, m.compressed_url as b, m.thumbnail_url as c from solutions s join solution_media m on m.solution_id = s.id where s.id = $1',
      [id],
    );
    return rows.flatMap((row) => [row.t, row.a, row.b, row.c]);
  }

  const untilDone = () =>
    expect.poll(async () => (await database.query('select id from public.media_jobs')).rowCount).toBe(0);

  /** Has all jobs done that wait. */
  const worked = async (by: Person) => {
    await run(by);
    await untilDone();
  };
  const decide = async (by: Person, id: string, status = 'approved') => {
    await by.client.from('solutions').update({ status }).eq('id', id).throwOnError();
    await worked(by);
  };

  test('publishes what was approved also while a sweep fails, and says which', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id } = await submitted(author);
    await database.query('alter function public.expire_uploads() rename to expire_uploads_kept');
    const now = performance.now.bind(performance);
    let hours = 0;
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + hours * 3_600_000);
    try {
      await moderator.client.from('solutions').update({ status: 'approved' }).eq('id', id).throwOnError();
      // The site may be at its jobs by itself, and sweep in place of this call.
      await expect
        .poll(async () => {
          hours += 1;
          const { error } = await operator(backend).functions.invoke('process-media-jobs', {
            method: 'POST',
          });
          return error?.context.json();
        })
        .toMatchObject({ unswept: [expect.stringMatching(/^expire_uploads: /)] });
      await untilDone();
      for (const url of await mediaUrls(id)) expect(url).toContain('/public/solution-media/');
    } finally {
      later.mockRestore();
      await database.query('alter function public.expire_uploads_kept() rename to expire_uploads');
    }
  });

  test('publishes on approval and removes on deletion', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id, media } = await submitted(author);
    await decide(moderator, id);
    const urls = await mediaUrls(id);
    for (const url of urls) {
      expect(url).toContain('/storage/v1/object/public/solution-media/');
      const { status, bytes } = await bytesAt(url);
      expect(status).toBe(200);
      await expectNoMetadata(bytes);
    }
    expect(await pending(author, media.originalUrl)).toBeUndefined();

    expect((await author.client.from('solutions').delete().eq('id', id)).error).toBeNull();
    await worked(moderator);
    for (const url of urls) expect((await bytesAt(url)).status).toBe(400);
  });

  test('goes on where an earlier try was cut off', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id } = await submitted(author);
    await moderator.client.from('solutions').update({ status: 'approved' }).eq('id', id);
    await untilDone();
    // Once more, as if the process had ended before the job was deleted.
    await database.query(`insert into public.media_jobs (solution_id) values ($1)`, [id]);
    await worked(moderator);
    for (const url of await mediaUrls(id)) expect((await bytesAt(url)).status).toBe(200);
  });

  /** Does something in the database whenever a file arrives in the public bucket. */
  const whenPublished = (statement: string) =>
    database.query(
      `create table public.seen_claims (claimed_at timestamptz);
       create function public.on_published() returns trigger language plpgsql security definer as
         $$ begin ${statement}; return new; end $$;
       create trigger published after insert on storage.objects
         for each row when (new.bucket_id = 'solution-media') execute function public.on_published()`,
    );
  const noMore = () =>
    database.query(
      'drop trigger published on storage.objects; drop function public.on_published; drop table public.seen_claims',
    );

  test('keeps its claim on a job while it moves files, however long that takes', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id } = await submitted(author);
    await untilDone();
    await whenPublished(
      `insert into public.seen_claims select claimed_at from public.media_jobs;
       update public.media_jobs set claimed_at = now() - interval '119 seconds'`,
    );
    await decide(moderator, id);
    const { rows } = await database.query(
      "select claimed_at > now() - interval '100 seconds' as renewed from public.seen_claims",
    );
    await noMore();
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ renewed: true })));
    for (const url of await mediaUrls(id)) expect((await bytesAt(url)).status).toBe(200);
  });

  test('moves nothing more once another has claimed its job', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id, media } = await submitted(author);
    await untilDone();
    await whenPublished('update public.media_jobs set attempts = attempts + 1, claimed_at = now()');
    await moderator.client.from('solutions').update({ status: 'approved' }).eq('id', id);
    await run(moderator);
    const copies =
      "select count(*)::int from storage.objects where bucket_id = 'solution-media' and name like $1";
    const published = async () => (await database.query(copies, [`${author.id}/%`])).rows[0].count;
    await expect.poll(published).toBe(1);
    await expect
      .poll(async () => (await database.query('select attempts, last_error from public.media_jobs')).rows)
      .toEqual([{ attempts: 2, last_error: null }]);
    expect(await published()).toBe(1);
    expect(await mediaUrls(id)).toContain(media.originalUrl);
    await noMore();
    // The other one ends without having done it.
    await database.query('update public.media_jobs set claimed_at = null');
    await worked(moderator);
    for (const url of await mediaUrls(id)) expect((await bytesAt(url)).status).toBe(200);
  });

  test('takes what a person shown asks to be hidden from every public address, and gives it back or not (ST5)', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id, media } = await submitted(author);
    await decide(moderator, id);
    const urls = [...new Set(await mediaUrls(id))];
    expect(urls).toHaveLength(3);
    const addresses = urls.flatMap((url) => [
      url,
      url.replace('/object/public/', '/object/info/public/'),
      `${url.replace('/object/public/', '/render/image/public/')}?width=20`,
    ]);
    const statuses = async () => Promise.all(addresses.map(async (path) => (await bytesAt(path)).status));
    expect(new Set(await statuses())).toEqual(new Set([200]));
    // A removed picture is out of every cache within the hour.
    expect((await fetch(backend.url + urls[0])).headers.get('cache-control')).toBe('public, max-age=3600');

    const requestRemoval = async () => {
      const tracking = crypto.randomUUID();
      const { error } = await visitor(backend).rpc('request_removal', {
        tracking,
        solution: id,
        asker: 'patient',
      });
      expect(error).toBeNull();
      return tracking;
    };
    const answer = async (change: object) => {
      const { data, error } = await moderator.client
        .from('removal_requests')
        .update(change)
        .eq('solution_id', id)
        .is('resolved_at', null)
        .select('id');
      expect([error, data?.length]).toEqual([null, 1]);
      await worked(moderator);
    };
    const tracking = await requestRemoval();
    await answer({ status: 'hidden' });
    expect(new Set(await statuses())).toEqual(new Set([400]));
    expect((await visitor(backend).from('solution_media').select('id').eq('solution_id', id)).data).toEqual(
      [],
    );
    // Kept for moderators, under a name that no earlier link has.
    expect(await pending(moderator, media.originalUrl)).toBeUndefined();
    const { data: remaining } = await moderator.client
      .from('solution_media')
      .select('media_url')
      .eq('solution_id', id)
      .single();
    expect(await pending(moderator, remaining?.media_url ?? '')).toBeDefined();
    expect(await pending(await person(), remaining?.media_url ?? '')).toBeUndefined();

    await answer({ status: 'kept', answer: 'Nobody can be recognised.' });
    expect(new Set(await statuses())).toEqual(new Set([400]));
    const now = await mediaUrls(id);
    for (const url of now) expect((await bytesAt(url)).status).toBe(200);
    expect((await visitor(backend).rpc('removal_request_state', { tracking })).data).toMatchObject({
      status: 'kept',
    });

    await requestRemoval();
    await answer({ status: 'removed' });
    for (const url of now) expect((await bytesAt(url)).status).toBe(400);
    expect(await pending(moderator, remaining?.media_url ?? '')).toBeUndefined();
  });

  test('leaves the files of a solution for members in the private bucket, and moves them with its audience', async () => {
    const [author, moderator, colleague] = [await person(), await person('moderator'), await person()];
    const { id, media } = await submitted(author);
    const approve = async () => {
      await moderator.client
        .from('solutions')
        .update({ status: 'approved' })
        .or(`id.eq.${id},revises.eq.${id}`)
        .eq('status', 'pending')
        .throwOnError();
      await worked(moderator);
    };
    const atPublic = (url: string) => url.replace('authenticated/pending-media', 'public/solution-media');
    await author.client.from('solutions').update({ audience: 'members' }).eq('id', id).throwOnError();
    await approve();
    expect(await mediaUrls(id)).toContain(media.originalUrl);
    expect((await bytesAt(atPublic(media.originalUrl))).status).toBe(400);
    expect((await bytesAt(media.originalUrl)).status).toBe(400);
    expect(await pending(colleague, media.originalUrl)).toBeDefined();
    // An address that a reader was given opens nothing once they are none.
    const linkOf = async (reader: typeof colleague, url: string) =>
      (
        await reader.client.storage
          .from('pending-media')
          .createSignedUrl(url.replace('/storage/v1/object/authenticated/pending-media/', ''), 600)
      ).data?.signedUrl ?? '';
    const statuses = (links: string[]) => Promise.all(links.map(async (link) => (await fetch(link)).status));
    const links = [await linkOf(colleague, media.originalUrl), await linkOf(author, media.originalUrl)];
    expect(await statuses(links)).toEqual([200, 200]);
    await author.client.from('solutions').update({ audience: 'checked' }).eq('id', id).throwOnError();
    expect(await statuses(links)).toEqual([400, 200]);

    const edit = (audience: string) =>
      author.client
        .rpc('resubmit_solution', {
          id,
          solution: { ...SOLUTION, audience, materials: [], custom_tags: [] },
          media: [{ media_url: media.originalUrl }],
          consent: 'no_identifiable_person',
          consent_version: '2026-11-24',
        })
        .throwOnError();
    await edit('public');
    await approve();
    const shown = await mediaUrls(id);
    for (const url of shown) expect((await bytesAt(url)).status).toBe(200);
    expect(await pending(colleague, media.originalUrl)).toBeUndefined();

    await author.client.from('solutions').update({ audience: 'checked' }).eq('id', id).throwOnError();
    await worked(moderator);
    for (const url of shown) expect((await bytesAt(url)).status).toBe(400);
    const [hidden = ''] = await mediaUrls(id);
    expect(hidden).toContain('authenticated/pending-media');
    expect(await pending(author, hidden)).toBeDefined();
    expect(await pending(colleague, hidden)).toBeUndefined();
  });

  test('keeps the public files of the approved version until a new one takes its place', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id } = await submitted(author);
    await decide(moderator, id);
    const first = await mediaUrls(id);
    const edit = async (media: { media_url: string }[]) => {
      await author.client
        .rpc('resubmit_solution', {
          id,
          solution: { ...SOLUTION, title: 'Another title for it', materials: [], custom_tags: [] },
          media,
          consent: 'no_identifiable_person',
          consent_version: '2026-11-01',
        })
        .throwOnError();
      await worked(moderator);
      const { data } = await author.client
        .from('solutions')
        .select('id')
        .eq('revises', id)
        .single()
        .throwOnError();
      return data.id;
    };
    const added = await send(author, await phonePicture('jpeg', 500, 400), 'b.jpg', 'image/jpeg');
    const both = await edit([{ media_url: first[1] ?? '' }, { media_url: added.originalUrl }]);
    expect(await mediaUrls(id)).toEqual(first);
    for (const url of first) expect((await bytesAt(url)).status).toBe(200);
    expect(
      (await bytesAt(added.originalUrl.replace('authenticated/pending-media', 'public/solution-media')))
        .status,
    ).toBe(400);
    // Discarded, it takes its own file along and no other.
    await author.client.from('solutions').delete().eq('id', both).throwOnError();
    await worked(moderator);
    expect(await pending(moderator, added.originalUrl)).toBeUndefined();
    for (const url of first) expect((await bytesAt(url)).status).toBe(200);

    const other = await send(author, await phonePicture('jpeg', 400, 400), 'c.jpg', 'image/jpeg');
    await decide(moderator, await edit([{ media_url: other.originalUrl }]));
    const second = await mediaUrls(id);
    for (const url of second) expect((await bytesAt(url)).status).toBe(200);
    expect(second.filter((url) => first.includes(url))).toEqual([]);
    for (const url of first) expect((await bytesAt(url)).status).toBe(400);
  });

  test('leaves the public when it is taken back, and comes back at another address; no link of before works', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id } = await submitted(author);
    await decide(moderator, id);
    const first = await mediaUrls(id);
    const takeBack = () =>
      database.query("update public.solutions set status = 'pending' where id = $1", [id]);
    await takeBack();
    await worked(moderator);
    for (const url of first) expect((await bytesAt(url)).status).toBe(400);
    const [hidden = ''] = await mediaUrls(id);
    const prefix = '/storage/v1/object/authenticated/pending-media/';
    expect(hidden.startsWith(prefix)).toBe(true);
    const { data: link } = await author.client.storage
      .from('pending-media')
      .createSignedUrl(hidden.slice(prefix.length), 600);
    expect((await fetch(link?.signedUrl ?? '')).status).toBe(200);

    await decide(moderator, id);
    const second = await mediaUrls(id);
    for (const url of second) expect((await bytesAt(url)).status).toBe(200);
    expect(second.filter((url) => first.includes(url))).toEqual([]);
    await takeBack();
    // Cut off after the rows were pointed back: the next try knows which files are still public.
    await database.query(
      `update public.media_jobs set object_names = (
         select array_agg(replace(url, '/storage/v1/object/public/', '')) from unnest($2::text[]) url
       ) where solution_id = $1 and object_names = '{}'`,
      [id, second],
    );
    await database.query('delete from public.solution_media where solution_id = $1', [id]);
    await worked(moderator);
    for (const url of second) expect((await bytesAt(url)).status).toBe(400);
    expect((await fetch(link?.signedUrl ?? '')).status).toBe(400);
  });

  test('leaves nothing public of an approval that was cut off and is no approval any more when it is tried again', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id, media } = await submitted(author);
    const names = [media.originalUrl, media.compressedUrl, media.thumbnailUrl].map((url) =>
      url.replace('/storage/v1/object/authenticated/pending-media/', ''),
    );
    // The state that the first try had reached.
    const pendingMedia = operator(backend).storage.from('pending-media');
    for (const name of names)
      expect((await pendingMedia.copy(name, name, { destinationBucket: 'solution-media' })).error).toBeNull();
    const copies = names.map((name) => `/storage/v1/object/public/solution-media/${name}`);
    expect((await bytesAt(copies[0] ?? '')).status).toBe(200);
    // From here on the site itself may claim the job at any moment.
    await database.query('insert into public.media_jobs (solution_id, object_names) values ($1, $2)', [
      id,
      copies.map((url) => url.replace('/storage/v1/object/public/', '')),
    ]);
    await worked(moderator);
    for (const copy of copies) expect((await bytesAt(copy)).status).toBe(400);
    for (const url of [media.originalUrl, media.thumbnailUrl])
      expect(await pending(moderator, url)).toBeDefined();
  });

  test('publishes nothing that was hidden while it was at work', async () => {
    const [author, moderator] = [await person(), await person('moderator')];
    const { id, media } = await submitted(author);
    await database.query('update public.solution_media set hidden_at = now() where solution_id = $1', [id]);
    await decide(moderator, id);
    const path = media.originalUrl.replace('authenticated/pending-media', 'public/solution-media');
    expect((await bytesAt(path)).status).toBe(400);
    expect(await pending(moderator, media.originalUrl)).toBeDefined();
  });

  test('only a moderator can start it', async () => {
    expect(await run(await person())).toBe(403);
    expect(await run({ id: '', client: visitor(backend) })).toBe(403);
    const moderator = await person('moderator');
    expect(await run(moderator)).toMatchObject({ failed: 0 });
    await database.query("insert into public.sanctions (user_id, kind, reason) values ($1, 'ban', 'Rude')", [
      moderator.id,
    ]);
    expect(await run(moderator)).toBe(403);
  });

  test('gives up uploads that no one used for a day', async () => {
    const author = await person();
    const media = await send(author, await phonePicture('png', 60, 40), 'a.png', 'image/png');
    await database.query(
      `update public.pending_uploads set created_at = now() - interval '25 hours' where user_id = $1`,
      [author.id],
    );
    // The schedule calls it once a minute.
    await operator(backend).rpc('expire_uploads').throwOnError();
    const { error } = await operator(backend).functions.invoke('process-media-jobs', { method: 'POST' });
    expect(error).toBeNull();
    await untilDone();
    expect(await pending(author, media.originalUrl)).toBeUndefined();
    expect((await author.client.from('pending_uploads').select()).data).toEqual([]);
  });
});
