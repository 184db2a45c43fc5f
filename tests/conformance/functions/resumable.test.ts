import { randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { DetailedError, Upload } from 'tus-js-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectNoMetadata } from '../../media/expect-no-metadata.ts';
import { phoneFilm, phonePicture } from '../../media/files.ts';
import { person as newPerson, operator, type Person, visitor } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';
import { openFiles } from './open-files.ts';

// Clips that arrive piece by piece, by begin-media-upload and process-media-upload; ST11 of the threat table.
const INCOMING = 'incoming-media';

const { backend, database } = await ownBackend();
const service = operator(backend);
let film: Buffer;
let ada: Person;
let ben: Person;

interface Begun {
  bucket: string;
  path: string;
  token: string;
}

beforeAll(async () => {
  film = await phoneFilm();
  [ada, ben] = [await person(), await person()];
});

const person = () => newPerson(backend, database);

async function call(by: SupabaseClient, name: string, body: unknown = {}) {
  const { data, error } = await by.functions.invoke(name, { body: JSON.stringify(body), headers: JSON_BODY });
  if (!error) return { status: 200, ...data };
  return { status: error.context.status, ...(await error.context.json()) };
}
const JSON_BODY = { 'content-type': 'application/json' };

const beginUpload = (by: Person): Promise<Begun & { status: number }> =>
  call(by.client, 'begin-media-upload');
const process = (by: Person, path: string, name = 'Gait.mp4') =>
  call(by.client, 'process-media-upload', { path, name });

/** Uploads as the site does; resolves with the status of a refusal, or undefined. */
function upload(
  { bucket, path, token }: Begun,
  content: Buffer,
  contentType = 'video/mp4',
  chunkSize = 1000,
) {
  return new Promise<number | undefined>((resolve, reject) => {
    new Upload(content, {
      endpoint: `${backend.url}/storage/v1/upload/resumable/sign`,
      headers: { 'x-signature': token },
      metadata: { bucketName: bucket, objectName: path, contentType },
      chunkSize,
      retryDelays: [],
      onSuccess: () => resolve(undefined),
      onError: (error) =>
        error instanceof DetailedError ? resolve(error.originalResponse?.getStatus()) : reject(error),
    }).start();
  });
}

/** Begins an upload, and sends nothing of it. */
const create = ({ bucket, path, token }: Begun, length: number) =>
  fetch(`${backend.url}/storage/v1/upload/resumable/sign`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'x-signature': token,
      'upload-length': String(length),
      'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(path)},contentType ${btoa('video/mp4')}`,
    },
  });

/** Sends the film whole; resolves with the refusal, or null. */
const putSigned = async ({ bucket, path, token }: Begun) =>
  (
    await visitor(backend)
      .storage.from(bucket)
      .uploadToSignedUrl(path, token, film, { contentType: 'video/mp4' })
  ).error;

const objects = async (like = '%') =>
  (
    await database.query('select name from storage.objects where bucket_id = $1 and name like $2', [
      INCOMING,
      like,
    ])
  ).rows.map(({ name }) => name);
const rows = async (by: Person) =>
  (await database.query('select name from public.incoming_uploads where user_id = $1', [by.id])).rowCount;
const uploadCount = async (by: Person) =>
  (await database.query('select id from public.pending_uploads where user_id = $1', [by.id])).rowCount;
const swept = async () => {
  await service.rpc('expire_incoming_uploads').throwOnError();
  expect((await service.functions.invoke('process-media-jobs', { method: 'POST' })).error).toBeNull();
};

describe('a clip in pieces', () => {
  test('is processed like one that came whole, and stays nowhere as it was sent', async () => {
    const session = await beginUpload(ada);
    expect(session).toEqual({
      status: 200,
      bucket: INCOMING,
      path: expect.stringMatching(`^${ada.id}/[0-9a-f-]{36}$`),
      token: expect.any(String),
    });
    expect(await upload(session, film)).toBeUndefined();
    expect(await objects()).toEqual([session.path]);
    // Not even its sender can read the unprocessed file.
    expect((await ada.client.storage.from(INCOMING).download(session.path)).error).not.toBeNull();
    const answer = await process(ada, session.path);
    expect(answer).toMatchObject({ status: 200, mediaType: 'video', width: 320, height: 180 });
    const folder = `/storage/v1/object/authenticated/pending-media/${ada.id}/`;
    for (const url of [answer.originalUrl, answer.thumbnailUrl]) {
      expect(url.startsWith(folder)).toBe(true);
      const { data } = await ada.client.storage
        .from('pending-media')
        .download(url.replace('/storage/v1/object/authenticated/pending-media/', ''));
      await expectNoMetadata(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)));
    }
    expect(answer.compressedUrl).toBe(answer.originalUrl);
    expect([await objects(), await rows(ada)]).toEqual([[], 0]);
    expect(await readdir(join(backend.dataDir, 'incoming'))).toEqual([]);
  });

  test('is processed once: its address and its name are good for nothing afterwards (ST11)', async () => {
    const session = await beginUpload(ada);
    await upload(session, film);
    expect((await process(ada, session.path)).status).toBe(200);
    const before = await uploadCount(ada);
    expect(await process(ada, session.path)).toEqual({
      status: 404,
      error: 'Upload Not Found',
      message: 'Gait.mp4: The upload has expired. Please try again.',
    });
    // The signature lasts for two hours.
    expect(await upload(session, film)).toBe(403);
    expect(await putSigned(session)).toMatchObject({ statusCode: '403' });
    await service.storage.from('avatars').upload(session.path, film, { contentType: 'image/webp' });
    expect(
      (
        await service.storage
          .from('avatars')
          .move(session.path, session.path, { destinationBucket: INCOMING })
      ).error,
    ).not.toBeNull();
    await service.storage.from('avatars').remove([session.path]);
    expect([await objects(), await uploadCount(ada)]).toEqual([[], before]);
  });

  test('of an account that is disabled goes no further, nor do the addresses that were signed for it', async () => {
    const cleo = await person();
    const first = await beginUpload(cleo);
    await upload(first, film);
    const { originalUrl } = await process(cleo, first.path);
    const name = originalUrl.replace('/storage/v1/object/authenticated/pending-media/', '');
    const signed = await cleo.client.storage.from('pending-media').createSignedUrl(name, 600);
    const read = async () => (await fetch(signed.data?.signedUrl ?? '')).status;
    expect(await read()).toBe(200);
    const waiting = await beginUpload(cleo);
    const begun = await create(waiting, film.length);
    expect(begun.status).toBe(201);
    await database.query('select private.disable_account($1, true)', [cleo.id]);
    await expect.poll(read).toBe(400);
    const sent = await fetch(begun.headers.get('location') ?? '', {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'x-signature': waiting.token,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(film),
    });
    expect(sent.status).toBe(403);
    expect(await upload(waiting, film)).toBe(403);
    expect(await putSigned(waiting)).toMatchObject({ statusCode: '403' });
    expect(await objects()).toEqual([]);
  });

  test('takes a whole file by its signed address as well, once (ST11)', async () => {
    const session = await beginUpload(ada);
    expect(await putSigned(session)).toBeNull();
    expect(await putSigned(session)).toMatchObject({ statusCode: '409' });
    expect(await upload(session, film)).toBe(409);
    expect((await process(ada, session.path)).status).toBe(200);
  });

  test('leaves nothing of other uploads to its address that had begun (ST11)', async () => {
    const session = await beginUpload(ada);
    const second = await create(session, film.length);
    const third = await create(session, film.length);
    expect(second.status).toBe(201);
    const piece = (of: Response, from: number, to: number) =>
      fetch(of.headers.get('location') ?? '', {
        method: 'PATCH',
        headers: {
          'tus-resumable': '1.0.0',
          'x-signature': session.token,
          'upload-offset': String(from),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(film.subarray(from, to)),
      });
    expect((await piece(second, 0, 1000)).status).toBe(204);
    expect((await piece(third, 0, 1000)).status).toBe(204);
    expect(await upload(session, film)).toBeUndefined();
    expect((await piece(second, 1000, 2000)).status).toBe(409);
    expect((await process(ada, session.path)).status).toBe(200);
    expect((await piece(third, 1000, 2000)).status).toBe(403);
    for (const gone of [second, third]) expect((await piece(gone, 1000, 2000)).status).toBe(404);
    const { rows: parts } = await database.query(
      'select id from storage.resumable_uploads where name = $1 and not done',
      [session.path],
    );
    expect(parts).toEqual([]);
  });

  test('is no one else’s (ST11)', async () => {
    const session = await beginUpload(ada);
    const others = await beginUpload(ben);
    await upload(session, film);
    for (const path of [
      session.path,
      `${ada.id}/${randomUUID()}`,
      `../${session.path}`,
      `${ben.id}/../${session.path}`,
    ])
      expect((await process(ben, path)).status).toBe(404);
    // Another member's name, another bucket and another of the member's own names need separate signatures.
    for (const target of [
      { bucket: INCOMING, path: session.path },
      { bucket: INCOMING, path: `${ben.id}/${randomUUID()}` },
      { bucket: 'pending-media', path: others.path },
      { bucket: 'solution-media', path: others.path },
    ])
      expect(await upload({ ...others, ...target }, film)).toBe(400);
    expect(await upload({ ...others, token: `${others.token}x` }, film)).toBe(400);
    const files = (await database.query('select count(*)::int from storage.objects')).rows;
    const storedPath = `${ben.id}/${randomUUID()}`;
    await service.storage.from('pending-media').upload(storedPath, film, { contentType: 'video/mp4' });
    expect((await process(ben, storedPath)).status).toBe(404);
    await service.storage.from('pending-media').remove([storedPath]);
    expect((await database.query('select count(*)::int from storage.objects')).rows).toEqual(files);
    expect((await process(ada, session.path)).status).toBe(200);
    expect(await upload(others, film)).toBeUndefined();
    expect((await process(ben, others.path)).status).toBe(200);
  });

  test('is refused in the words of one that came whole, and then gone', async () => {
    const cases: [Buffer, string, string, number, string, string][] = [
      [
        await phonePicture('jpeg', 60, 40),
        'video/mp4',
        'x.mp4',
        415,
        'Invalid Video Format',
        'Only MP4 and WebM videos are accepted.',
      ],
      [
        Buffer.from('<!doctype html><script>'),
        'video/mp4',
        'a/../x.mp4',
        415,
        'Invalid Video Format',
        'Only MP4 and WebM videos are accepted.',
      ],
      [
        film.subarray(0, film.length / 2),
        'video/mp4',
        'x.mp4',
        422,
        'Processing Failed',
        'This video is cut off or damaged. Copy it from the camera again.',
      ],
    ];
    for (const [content, type, name, status, error, sentence] of cases) {
      const session = await beginUpload(ada);
      expect(await upload(session, content, type)).toBeUndefined();
      expect(await process(ada, session.path, name)).toEqual({
        status,
        error,
        message: `x.mp4: ${sentence}`,
      });
      expect([await objects(), await rows(ada)]).toEqual([[], 0]);
    }
  });

  test('is of a type and a size that the bucket takes', async () => {
    const session = await beginUpload(ben);
    expect(await upload(session, film, 'text/html')).toBe(415);
    expect(await upload(session, film, 'image/webp')).toBe(415);
    expect((await create(session, 50 * 1024 * 1024 + 1)).status).toBe(413);
    expect(await upload(session, film)).toBeUndefined();
    expect((await process(ben, session.path)).status).toBe(200);
  });

  test('stays while nothing but a fault is in its way', async () => {
    const session = await beginUpload(ada);
    await upload(session, film);
    await database.query(
      "alter table public.pending_uploads add constraint never check (made ->> 'media_type' <> 'video') not valid",
    );
    try {
      expect((await process(ada, session.path)).status).toBe(500);
    } finally {
      await database.query('alter table public.pending_uploads drop constraint never');
    }
    await swept();
    expect(await objects()).toEqual([session.path]);
    expect((await process(ada, session.path)).status).toBe(200);
  });

  test('is not opened where nothing can be received, and stays until it can', async () => {
    const session = await beginUpload(ada);
    // Longer than what is read of a file before anyone asks for its bytes.
    const filling = Buffer.concat([
      Buffer.from([0, 0x20, 0, 0]),
      Buffer.from('free'),
      Buffer.alloc(0x200000 - 8),
    ]);
    await upload(session, Buffer.concat([film, filling]), 'video/mp4', 1_000_000);
    const incoming = join(backend.dataDir, 'incoming');
    await rm(incoming, { recursive: true, force: true });
    await writeFile(incoming, '');
    expect((await process(ada, session.path)).status).toBe(500);
    await rm(incoming);
    await expect
      .poll(() => [
        openFiles(join(backend.dataDir, 'files')),
        Object.entries(backend.held.counts()).filter(([, count]) => count > 0),
      ])
      .toEqual([[], []]);
    expect((await process(ada, session.path)).status).toBe(200);
  });

  test('is swept when no one had it processed', async () => {
    const [abandoned, fresh] = [await beginUpload(ada), await beginUpload(ada)];
    await upload(abandoned, film);
    await upload(fresh, film);
    await database.query(
      "update public.incoming_uploads set created_at = now() - interval '181 minutes' where name = $1",
      [abandoned.path],
    );
    await swept();
    expect(await objects()).toEqual([fresh.path]);
    expect((await process(ada, abandoned.path)).status).toBe(404);
    expect((await process(ada, fresh.path)).status).toBe(200);
  });
});

describe('begin-media-upload and process-media-upload', () => {
  test('want a member who is signed in and may take part', async () => {
    const [signedOut, suspended] = [await person(), await person()];
    const session = await beginUpload(suspended);
    await upload(session, film);
    const { data } = await signedOut.client.auth.getSession();
    await service.auth.admin.signOut(data.session?.access_token ?? '');
    await database.query(
      `insert into public.sanctions (user_id, kind, reason, until) values ($1, 'suspension', 'Advertising', now() + interval '3 days')`,
      [suspended.id],
    );
    const nobody = { id: '', client: visitor(backend) };
    for (const [who, status] of [
      [nobody, 401],
      [signedOut, 401],
      [suspended, 403],
    ] as const) {
      expect((await beginUpload(who)).status).toBe(status);
      expect((await process(who, session.path)).status).toBe(status);
    }
    expect(await beginUpload(suspended)).toMatchObject({
      message: expect.stringMatching(/^You are suspended until/),
    });
    await database.query('update public.sanctions set lifted_at = now() where user_id = $1', [suspended.id]);
    expect((await process(suspended, session.path)).status).toBe(200);
  });

  test('want the second step of a member who has set one up', async () => {
    const cautious = await person();
    const session = await beginUpload(cautious);
    await upload(session, film);
    await database.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', 'x', now(), now())`,
      [cautious.id],
    );
    const refused = { status: 403, message: 'Please confirm your second step first.' };
    expect(await beginUpload(cautious)).toMatchObject(refused);
    expect(await process(cautious, session.path)).toMatchObject(refused);
    await database.query('delete from auth.mfa_factors where user_id = $1', [cautious.id]);
    expect((await process(cautious, session.path)).status).toBe(200);
  });

  test('believe no parameter that says who asks', async () => {
    const session: Begun = await call(ben.client, 'begin-media-upload', { userId: ada.id, member: ada.id });
    expect(session.path.startsWith(`${ben.id}/`)).toBe(true);
    const hers = await beginUpload(ada);
    await upload(hers, film);
    const answer = await call(ben.client, 'process-media-upload', {
      path: hers.path,
      name: 'x.mp4',
      userId: ada.id,
    });
    expect(answer.status).toBe(404);
    expect((await process(ada, hers.path)).status).toBe(200);
  });

  test.each([
    ['no words', {}],
    ['half of them', { path: 'x' }],
    ['a path that is no text', { path: ['x'], name: 'x' }],
    ['nothing', null],
    ['very many', { path: 'x'.repeat(3000), name: 'x' }],
  ])('refuse %s', async (_what, body) => {
    expect(await call(ada.client, 'process-media-upload', body)).toMatchObject({ status: 400 });
  });

  test('let no one reserve all room by many addresses, used up or not', async () => {
    const eager = await person();
    const most = 50 * 1024 * 1024;
    const refused = await beginUpload(eager);
    for (let count = 0; count < 3; count++) expect((await create(refused, most)).status).toBe(201);
    expect(await upload(refused, Buffer.from('no film'))).toBeUndefined();
    expect((await process(eager, refused.path)).status).toBe(415);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      const session = await beginUpload(eager);
      for (let again = 0; again < 4; again++) statuses.push((await create(session, most)).status);
    }
    // A gigabyte together.
    expect(statuses).toEqual([...Array(17).fill(201), ...Array(3).fill(429)]);
    expect((await create(await beginUpload(ben), most)).status).toBe(201);
    await database.query('delete from storage.resumable_uploads where not done');
    expect((await create(await beginUpload(eager), most)).status).toBe(201);
  });

  test('let no one begin without end, nor fill the disk by one address', async () => {
    const eager = await person();
    const session = await beginUpload(eager);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await create(session, 1000)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 429]);
    for (let count = 1; count < 10; count++) expect((await beginUpload(eager)).status).toBe(200);
    expect(await beginUpload(eager)).toMatchObject({ status: 429, error: 'Too Many Uploads' });
    expect((await beginUpload(ben)).status).toBe(200);
    await database.query("update public.incoming_uploads set created_at = now() - interval '181 minutes'");
    await swept();
    expect((await beginUpload(eager)).status).toBe(200);
  });
});
