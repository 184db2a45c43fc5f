import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestBackend } from '../../backend.ts';
import { startBackendProcess } from '../../backend-process.ts';
import { ADA, BEN, openStorage } from './fixtures.ts';

const MB = 1024 * 1024;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const shelf = await openStorage();
const ada = { authorization: `Bearer ${await shelf.token(ADA)}` };
const ben = { authorization: `Bearer ${await shelf.token(BEN)}` };
afterAll(() => shelf.stop());

const mine = (name: string) => `${ADA}/${name}`;
const endpoint = () => `${shelf.backend.url}/storage/v1/upload/resumable`;
const at = (bucketName: string, objectName: string, more: Record<string, string> = {}) => ({
  bucketName,
  objectName,
  contentType: 'application/x-scan',
  ...more,
});

/** Uploads with the official client, to the end. */
function send(bytes: Buffer, options: Partial<UploadOptions>): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(bytes, {
      endpoint: endpoint(),
      headers: ada,
      retryDelays: [],
      onSuccess: () => resolve(upload),
      onError: reject,
      ...options,
    });
    upload.start();
  });
}

/**
 * Uploads with the official client until this many bytes are acknowledged, then stops as a closed laptop
 * does.
 */
function sendPart(bytes: Buffer, until: number, options: Partial<UploadOptions>): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(bytes, {
      endpoint: endpoint(),
      headers: ada,
      retryDelays: [],
      chunkSize: MB,
      onChunkComplete: (_size, accepted) => {
        if (accepted >= until) upload.abort().then(() => resolve(upload.url ?? ''), reject);
      },
      onError: reject,
      ...options,
    });
    upload.start();
  });
}

const tus = (path: string, method: string, headers: Record<string, string>, body?: BodyInit) =>
  fetch(path.startsWith('http') ? path : `${endpoint()}${path}`, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(body !== undefined && { body }),
  });
const metadata = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
const createUpload = (
  values: Record<string, string>,
  length: number,
  headers: Record<string, string> = ada,
) => tus('', 'POST', { ...headers, 'upload-length': String(length), 'upload-metadata': metadata(values) });
/** Begins an upload of Ada's, and gives its address. */
const begin = async (bucket: string, name: string, length = 6) =>
  (await createUpload(at(bucket, mine(name)), length)).headers.get('location') ?? '';
const patch = (url: string, offset: number, body: BodyInit, headers: Record<string, string> = ada) =>
  tus(
    url,
    'PATCH',
    { ...headers, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body,
  );
async function stored(bucket: string, name: string): Promise<Buffer | undefined> {
  const { data } = await shelf.service.storage.from(bucket).download(name);
  return data ? Buffer.from(await data.arrayBuffer()) : undefined;
}
const unfinished = async () =>
  (await shelf.sql.query('select id from storage.resumable_uploads where not done')).rows.map(({ id }) => id);

describe('uploading with tus-js-client', () => {
  it('sends a file in pieces, with what belongs to it', async () => {
    const bytes = randomBytes(3 * MB + 17);
    const upload = await send(bytes, {
      chunkSize: MB,
      metadata: at('closed', mine('scan.bin'), { cacheControl: '60', metadata: '{"knee":"left"}' }),
    });
    expect(upload.url).toMatch(new RegExp(`^${endpoint()}/[0-9a-f-]{36}$`));
    expect(bytes.equals((await stored('closed', mine('scan.bin'))) ?? Buffer.alloc(0))).toBe(true);
    const { data } = await shelf.ada.storage.from('closed').info(mine('scan.bin'));
    expect(data).toMatchObject({
      size: bytes.length,
      contentType: 'application/x-scan',
      cacheControl: 'max-age=60',
      metadata: { knee: 'left' },
    });
    const { rows } = await shelf.sql.query('select owner_id from storage.objects where name = $1', [
      mine('scan.bin'),
    ]);
    expect(rows).toEqual([{ owner_id: ADA }]);
  });

  it('sends it with the creation, with a length that is known only at the end, and empty', async () => {
    const bytes = randomBytes(MB);
    await send(bytes, { uploadDataDuringCreation: true, metadata: at('closed', mine('one-trip.bin')) });
    expect(bytes.equals((await stored('closed', mine('one-trip.bin'))) ?? Buffer.alloc(0))).toBe(true);
    await send(bytes, {
      uploadLengthDeferred: true,
      chunkSize: 300_000,
      metadata: at('closed', mine('deferred.bin')),
    });
    expect(bytes.equals((await stored('closed', mine('deferred.bin'))) ?? Buffer.alloc(0))).toBe(true);
    await send(Buffer.alloc(0), { metadata: at('closed', mine('empty.bin')) });
    expect((await stored('closed', mine('empty.bin')))?.length).toBe(0);
    expect(await unfinished()).toEqual([]);
  });

  it('goes on where it was broken off, at another process as well', async () => {
    const bytes = randomBytes(4 * MB);
    const metadataOf = at('closed', mine('resumed.bin'));
    const other = await startTestBackend({}, undefined, shelf.backend);
    const before = await sendPart(bytes, 2 * MB, {
      endpoint: `${other.url}/storage/v1/upload/resumable`,
      metadata: metadataOf,
    });
    expect(before.startsWith(other.url)).toBe(true);
    // The process of its beginning has ended, as after a restart.
    await other.stop();
    const uploadUrl = before.replace(other.url, shelf.backend.url);
    const head = await tus(uploadUrl, 'HEAD', ada);
    expect(Number(head.headers.get('upload-offset'))).toBeGreaterThanOrEqual(2 * MB);
    expect(head.headers.get('upload-length')).toBe(String(4 * MB));
    expect(head.headers.get('upload-metadata')).toBe(metadata(metadataOf));
    let first = -1;
    await send(bytes, {
      uploadUrl,
      onProgress: (sent) => {
        if (first < 0) first = sent;
      },
    });
    expect(first).toBeGreaterThanOrEqual(2 * MB);
    expect(bytes.equals((await stored('closed', mine('resumed.bin'))) ?? Buffer.alloc(0))).toBe(true);
  });

  it('takes the token of a signed upload URL in the place of a person’s', async () => {
    const bytes = randomBytes(MB);
    const name = mine('by-token.bin');
    const { data } = await shelf.ada.storage.from('closed').createSignedUploadUrl(name);
    const headers = { 'x-signature': data?.token ?? '' };
    const signed = `${endpoint()}/sign`;
    const upload = await send(bytes, { endpoint: signed, headers, metadata: at('closed', name) });
    expect(upload.url?.startsWith(`${signed}/`)).toBe(true);
    expect(bytes.equals((await stored('closed', name)) ?? Buffer.alloc(0))).toBe(true);
    const { rows } = await shelf.sql.query('select owner_id from storage.objects where name = $1', [name]);
    expect(rows).toEqual([{ owner_id: ADA }]);
    await expect(
      send(bytes, { endpoint: signed, headers, metadata: at('closed', mine('elsewhere.bin')) }),
    ).rejects.toMatchObject({ originalResponse: expect.anything() });
    expect(await stored('closed', mine('elsewhere.bin'))).toBeUndefined();
    const unsigned = await tus('/sign', 'POST', { 'upload-length': '1' });
    expect([unsigned.status, (await unsigned.json()).code]).toEqual([400, 'InvalidJWT']);
  });

  it('replaces an object only when it may', async () => {
    const name = mine('replaced.bin');
    await send(Buffer.from('one'), { metadata: at('closed', name) });
    const refused = await send(Buffer.from('two'), { metadata: at('closed', name) }).catch((e) => e);
    expect(refused).toBeInstanceOf(DetailedError);
    expect([refused.originalResponse.getStatus(), refused.originalResponse.getBody()]).toEqual([
      409,
      'The resource already exists',
    ]);
    const files = shelf.files().length;
    await send(Buffer.from('three'), {
      headers: { ...ada, 'x-upsert': 'true' },
      metadata: at('closed', name),
    });
    expect((await stored('closed', name))?.toString()).toBe('three');
    expect(shelf.files().length).toBe(files);
  });
});

describe('what is refused', () => {
  it('where the policies, the bucket or the name do not allow it, before a byte is sent', async () => {
    for (const [status, text, values, length, headers] of [
      [403, 'new row violates row-level security policy', at('closed', mine('x')), 1, ben],
      [403, 'new row violates row-level security policy', at('closed', mine('x')), 1, {}],
      [404, 'Bucket not found', at('nowhere', mine('x')), 1, ada],
      [400, 'Invalid key: ../x', at('closed', '../x'), 1, ada],
      [415, 'mime type application/x-scan is not supported', at('pictures', mine('x')), 1, ada],
      [413, 'Maximum size exceeded\n', at('small', mine('x')), 1001, ada],
      [400, 'metadata must be a JSON object', at('closed', mine('x'), { metadata: '[]' }), 1, ada],
      [400, 'Metadata header is required', { bucketName: 'closed' }, 1, ada],
    ] as const) {
      const response = await createUpload(values, length, headers as Record<string, string>);
      expect([response.status, await response.text()]).toEqual([status, text]);
    }
    const bad = await createUpload(at('closed', mine('x')), 1, { authorization: 'Bearer x' });
    expect([bad.status, (await bad.json()).statusCode]).toEqual([400, '403']);
    expect((await tus('', 'POST', { ...ada, 'tus-resumable': '0.2.2', 'upload-length': '1' })).status).toBe(
      400,
    );
    expect(await unfinished()).toEqual([]);
  });

  it('more than was announced, or than the bucket takes, counted as it comes', async () => {
    const knownLength = await begin('small', 'known.bin', 500);
    expect((await patch(knownLength, 0, Buffer.alloc(501))).status).toBe(413);
    const endless = () =>
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
    const deferred = await tus('', 'POST', {
      ...ada,
      'upload-defer-length': '1',
      'upload-metadata': metadata(at('small', mine('deferred.bin'))),
    });
    const url = deferred.headers.get('location') ?? '';
    const answer = await fetch(url, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        ...ada,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: endless(),
      duplex: 'half',
    } as RequestInit).catch(() => undefined);
    // The response may be lost with the connection, which would otherwise never end.
    if (answer) expect(answer.status).toBe(413);
    const head = await tus(url, 'HEAD', ada);
    expect(Number(head.headers.get('upload-offset'))).toBeLessThanOrEqual(1000);
    expect(head.headers.get('upload-defer-length')).toBe('1');
    for (const uploadUrl of [knownLength, url])
      expect((await tus(uploadUrl, 'DELETE', ada)).status).toBe(204);
    expect(await unfinished()).toEqual([]);
    expect((await shelf.service.storage.from('small').list(ADA)).data).toEqual([]);
  });

  it('what the end finds changed: the bucket, its limits, the object, the rights', async () => {
    const start = (bucket: string, name: string) => begin(bucket, name, 3);
    const takenUrl = await start('closed', 'taken.bin');
    await shelf.ada.storage.from('closed').upload(mine('taken.bin'), 'first');
    const conflict = await patch(takenUrl, 0, 'abc');
    expect([conflict.status, await conflict.text()]).toEqual([409, 'The resource already exists']);
    expect((await stored('closed', mine('taken.bin')))?.toString()).toBe('first');

    await shelf.service.storage.createBucket('changing', { public: false });
    await shelf.sql.query(`create policy changing on storage.objects for insert to authenticated with check (
      bucket_id = 'changing')`);
    const shrunk = await start('changing', 'shrunk.bin');
    const typed = await start('changing', 'typed.bin');
    const barred = await start('changing', 'barred.bin');
    await shelf.service.storage.updateBucket('changing', { public: false, fileSizeLimit: 2 });
    expect((await patch(shrunk, 0, 'abc')).status).toBe(413);
    await shelf.service.storage.updateBucket('changing', {
      public: false,
      fileSizeLimit: null,
      allowedMimeTypes: ['image/png'],
    });
    expect((await patch(typed, 0, 'abc')).status).toBe(415);
    await shelf.service.storage.updateBucket('changing', { public: false, allowedMimeTypes: null });
    await shelf.sql.query('drop policy changing on storage.objects');
    expect((await patch(barred, 0, 'abc')).status).toBe(403);
    expect((await shelf.service.storage.from('changing').list(ADA)).data).toEqual([]);
    for (const url of [takenUrl, typed, barred]) expect((await tus(url, 'HEAD', ada)).status).toBe(404);
  });

  it('someone else’s upload, which is as good as none', async () => {
    const url = await begin('closed', 'private.bin');
    await patch(url, 0, 'abc');
    const strangers = [ben, {}, { authorization: `Bearer ${shelf.backend.serviceRoleKey}` }];
    const { data } = await shelf.ada.storage.from('closed').createSignedUploadUrl(mine('private.bin'));
    const byToken = { 'x-signature': data?.token ?? '' };
    const attempts = strangers.flatMap((headers) =>
      [url, `${endpoint()}/${UNKNOWN}`, `${endpoint()}/x`].map((address) => [address, headers]),
    );
    attempts.push([url.replace('/resumable/', '/resumable/sign/'), byToken]);
    for (const [address, headers] of attempts as [string, Record<string, string>][]) {
      expect((await tus(address, 'HEAD', headers)).status).toBe(404);
      expect((await patch(address, 3, 'xyz', headers)).status).toBe(404);
      expect((await tus(address, 'DELETE', headers)).status).toBe(404);
    }
    expect((await patch(url, 3, 'def')).status).toBe(204);
    expect((await stored('closed', mine('private.bin')))?.toString()).toBe('abcdef');
  });

  it('a wrong offset, an upload that is over, or one that ran out', async () => {
    const url = await begin('closed', 'offsets.bin');
    expect((await patch(url, 3, 'def')).status).toBe(409);
    const first = await patch(url, 0, 'abc');
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '3']);
    expect(Date.parse(first.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now());
    expect((await patch(url, 0, 'abc')).status).toBe(409);
    expect((await patch(url, 3, 'def')).status).toBe(204);
    // A client that missed the last response learns that the upload is complete.
    expect((await tus(url, 'HEAD', ada)).headers.get('upload-offset')).toBe('6');
    expect((await tus(url, 'DELETE', ada)).status).toBe(400);
    expect((await stored('closed', mine('offsets.bin')))?.toString()).toBe('abcdef');

    const ended = await begin('closed', 'ended.bin');
    await patch(ended, 0, 'abc');
    const files = shelf.files().length;
    expect((await tus(ended, 'DELETE', ada)).status).toBe(204);
    expect(shelf.files().length).toBe(files - 1);
    expect((await tus(ended, 'HEAD', ada)).status).toBe(404);

    const old = await begin('closed', 'old.bin');
    await shelf.sql.query(
      "update storage.resumable_uploads set created_at = now() - interval '25 h' where not done",
    );
    expect((await tus(old, 'HEAD', ada)).status).toBe(410);
    expect((await patch(old, 0, 'abc')).status).toBe(410);
  });

  it('beginnings without end', async () => {
    await shelf.sql.query(
      `insert into storage.resumable_uploads (id, bucket_id, name, owner, upsert, size, reserved)
       select gen_random_uuid(), 'closed', 'x', 'authenticated ' || $1, false, 1, 1 from generate_series(1, 100)`,
      [ADA],
    );
    const full = await createUpload(at('closed', mine('one-more.bin')), 1);
    expect([full.status, await full.text()]).toEqual([
      429,
      'Too many unfinished uploads; finish or end some of them first',
    ]);
    await shelf.sql.query('delete from storage.resumable_uploads where not done');
  });
});

describe('requests that meet', () => {
  /** A request whose body stays open, as on a dead connection. */
  function hanging(url: string, offset: number, bytes: string) {
    const sent = request(url, {
      method: 'PATCH',
      headers: {
        ...ada,
        'tus-resumable': '1.0.0',
        'upload-offset': offset,
        'content-type': 'application/offset+octet-stream',
        'content-length': 6 - offset,
      },
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      sent.once('response', (response) => resolve(response.resume().statusCode));
      sent.once('error', reject);
    });
    sent.write(bytes);
    return { status, end: (rest: string) => sent.end(rest), cut: () => sent.destroy() };
  }
  /** Waits until this many bytes have been written. */
  const received = (url: string) => {
    const id = url.split('/').at(-1) ?? '';
    return statSync(join(shelf.backend.dataDir, 'files/resumable', id)).size;
  };

  it('let the later one go on where the earlier got stuck', async () => {
    const url = await begin('closed', 'stuck.bin');
    const stuck = hanging(url, 0, 'abc');
    stuck.status.catch(() => undefined);
    await expect.poll(() => received(url)).toBe(3);
    const head = await tus(url, 'HEAD', ada);
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '3']);
    expect((await patch(url, 3, 'def')).status).toBe(204);
    expect((await stored('closed', mine('stuck.bin')))?.toString()).toBe('abcdef');
    stuck.cut();
  });

  it('are told that it is locked when the other does not let go', async () => {
    const url = await begin('closed', 'locked.bin');
    await shelf.sql.query(
      `update storage.resumable_uploads set held_by = gen_random_uuid(), held_until = now() + interval '1 min'
       where not done`,
    );
    const locked = await patch(url, 0, 'abc');
    expect([locked.status, await locked.text()]).toEqual([423, 'The resource is locked']);
    await shelf.sql.query('update storage.resumable_uploads set held_until = now()');
    expect((await patch(url, 0, 'abcdef')).status).toBe(204);
  });

  it('keep what came before a line was cut', async () => {
    const url = await begin('closed', 'cut.bin');
    const cut = hanging(url, 0, 'abcd');
    cut.status.catch(() => undefined);
    await expect.poll(() => received(url)).toBe(4);
    cut.cut();
    await expect.poll(async () => (await tus(url, 'HEAD', ada)).headers.get('upload-offset')).toBe('4');
    expect((await patch(url, 4, 'ef')).status).toBe(204);
    expect((await stored('closed', mine('cut.bin')))?.toString()).toBe('abcdef');
  });
});

describe('what a crash cut off at the last moment', () => {
  it('is finished by whoever asks next how much is there', async () => {
    const folder = join(shelf.backend.dataDir, 'files');
    for (const inPlace of [false, true]) {
      const name = mine(`last-moment-${inPlace}.bin`);
      const url = (await createUpload(at('closed', name), 6)).headers.get('location') ?? '';
      const id = url.split('/').at(-1) ?? '';
      await patch(url, 0, 'abcde');
      // The state on disk when the process dies after the last byte, or after the file was put in its place.
      appendFileSync(join(folder, 'resumable', id), 'f');
      if (inPlace) {
        mkdirSync(join(folder, id.slice(0, 2)), { recursive: true });
        renameSync(join(folder, 'resumable', id), join(folder, id.slice(0, 2), id));
      }
      const upload = await send(Buffer.from('abcdef'), { uploadUrl: url });
      expect(upload.url).toBe(url);
      expect((await stored('closed', name))?.toString()).toBe('abcdef');
      expect(existsSync(join(folder, 'resumable', id))).toBe(false);
    }
  });

  it('goes on at the next process when the first was killed in the middle of a piece', async () => {
    const bytes = randomBytes(2 * MB);
    const name = mine('killed.bin');
    const first = await startBackendProcess(shelf.backend);
    const url = (await createUpload(at('closed', name), bytes.length)).headers.get('location') ?? '';
    const address = url.replace(shelf.backend.url, first.url);
    await patch(address, 0, bytes.subarray(0, MB));
    const cut = request(address, {
      method: 'PATCH',
      headers: {
        ...ada,
        'tus-resumable': '1.0.0',
        'upload-offset': MB,
        'content-type': 'application/offset+octet-stream',
        'content-length': MB,
      },
    });
    cut.once('error', () => undefined);
    cut.write(bytes.subarray(MB, MB + 300_000));
    const part = join(shelf.backend.dataDir, 'files/resumable', url.split('/').at(-1) ?? '');
    await expect.poll(() => statSync(part).size).toBeGreaterThan(MB);
    await first.kill();
    // The dead process still holds the upload for a few seconds; the client retries until it does not.
    await send(bytes, { uploadUrl: url, retryDelays: [500, 500, 500, 500] });
    expect(bytes.equals((await stored('closed', name)) ?? Buffer.alloc(0))).toBe(true);
  });
});

describe('around it', () => {
  it('says what it can do, and lets browsers of other origins use it', async () => {
    const options = await fetch(endpoint(), { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(Object.fromEntries(options.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination,expiration',
      'tus-max-size': '52428800',
    });
    const preflight = await fetch(endpoint(), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'tus-resumable,upload-offset,x-signature',
      },
    });
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('upload-offset');
    const created = await createUpload(at('closed', mine('cors.bin')), 1);
    for (const name of ['location', 'upload-offset', 'upload-length', 'tus-resumable'])
      expect(created.headers.get('access-control-expose-headers')).toContain(name);
  });

  it('gives addresses that lead through the proxy before it', async () => {
    const behind = await startTestBackend(
      { SITE_URL: 'https://limbs.example.org' },
      undefined,
      shelf.backend,
    );
    const response = await fetch(`${behind.url}/storage/v1/upload/resumable`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        ...ada,
        'upload-length': '1',
        'upload-metadata': metadata(at('closed', mine('proxied.bin'))),
      },
    });
    expect(response.headers.get('location')).toMatch(
      /^https:\/\/limbs\.example\.org\/storage\/v1\/upload\/resumable\/[0-9a-f-]{36}$/,
    );
    await behind.stop();
  });

  it('sweeps what ran out, of any process, but nothing that is being written', async () => {
    const out = await begin('closed', 'out.bin');
    const busy = await begin('closed', 'busy.bin');
    await patch(out, 0, 'abc');
    await patch(busy, 0, 'abc');
    const idOf = (url: string) => url.split('/').at(-1) ?? '';
    await shelf.sql.query("update storage.resumable_uploads set created_at = now() - interval '25 h'");
    await shelf.sql.query(
      `update storage.resumable_uploads set held_by = gen_random_uuid(), held_until = now() + interval '1 min' where id = $1`,
      [idOf(busy)],
    );
    // Every process sweeps when it starts.
    const other = await startTestBackend({}, undefined, shelf.backend);
    await expect.poll(() => shelf.files().includes(idOf(out))).toBe(false);
    expect(shelf.files()).toContain(idOf(busy));
    expect(await unfinished()).toEqual([idOf(busy)]);
    await other.stop();
  });
});

describe('a limit on all files together', () => {
  it('refuses what goes beyond it, exactly, and reads go on', async () => {
    const { rows } = await shelf.sql.query<{ used: string }>(
      "select sum((metadata ->> 'size')::bigint) as used from storage.objects",
    );
    await shelf.sql.query('delete from storage.resumable_uploads');
    // Whoever added up all objects for an upload would fail at this one.
    await shelf.sql.query(`begin; set local session_replication_role = replica;
      insert into storage.objects (bucket_id, name, metadata) values ('closed', 'unread', '{"size": "many"}'); commit`);
    const limit = Number(rows[0]?.used) + 10_000;
    const tight = await startTestBackend({ STORAGE_TOTAL_LIMIT: String(limit) }, undefined, shelf.backend);
    const closed = createClient(tight.url, tight.anonKey, {
      accessToken: () => shelf.token(ADA),
    }).storage.from('closed');
    const words = `The storage is full: all files together may take ${limit} bytes`;
    const full = { statusCode: '413', message: words };
    expect((await closed.upload(mine('too-much.bin'), Buffer.alloc(10_001))).error).toMatchObject(full);
    expect((await closed.upload(mine('too-much.bin'), new Blob([Buffer.alloc(90_000)]))).error).toMatchObject(
      full,
    );
    expect((await closed.upload(mine('half.bin'), Buffer.alloc(6_000))).error).toBeNull();
    // Of several concurrent uploads only as many succeed as there is room for.
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, n) => closed.upload(mine(`crowd-${n}.bin`), Buffer.alloc(1_000))),
    );
    expect(many.filter(({ error }) => error === null)).toHaveLength(4);
    for (const { error } of many) if (error) expect(error).toMatchObject(full);
    expect((await closed.upload(mine('one.bin'), 'x')).error).toMatchObject(full);
    expect((await closed.copy(mine('half.bin'), mine('copy.bin'))).error).toMatchObject(full);
    const resumable = await fetch(`${tight.url}/storage/v1/upload/resumable`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        ...ada,
        'upload-length': '1',
        'upload-metadata': metadata(at('closed', mine('tus.bin'))),
      },
    });
    expect([resumable.status, await resumable.text()]).toEqual([413, words]);
    expect((await closed.download(mine('half.bin'))).data?.size).toBe(6_000);
    // A replacement needs only the difference in size.
    expect((await closed.update(mine('half.bin'), Buffer.alloc(5_999))).error).toBeNull();
    expect((await closed.upload(mine('one.bin'), 'x')).error).toBeNull();
    // So does one that goes, and the count is right after it all, also once it is made shorter.
    expect((await closed.remove([mine('half.bin')])).error).toBeNull();
    expect((await closed.move(mine('one.bin'), mine('moved.bin'))).error).toBeNull();
    await shelf.sql.query("update storage.objects set last_accessed_at = now() where name <> 'unread'");
    const counted = async () =>
      (
        await shelf.sql.query(
          `select (select sum(bytes) from storage.stored_bytes) as counted, (select count(*)::int from storage.stored_bytes) as rows,
             (select sum((metadata ->> 'size')::bigint) from storage.objects where name <> 'unread') as bytes`,
        )
      ).rows[0];
    const { counted: bytes, rows: pieces, ...there } = await counted();
    expect([bytes, pieces > 1]).toEqual([there.bytes, true]);
    await Promise.all([1, 2].map(() => shelf.sql.query('select storage.sum_bytes(false)')));
    expect(await counted()).toEqual({ counted: bytes, bytes, rows: 1 });
    expect((await closed.upload(mine('half.bin'), Buffer.alloc(5_999))).error).toBeNull();
    await closed.remove([mine('half.bin')]);
    expect((await closed.upload(mine('after.bin'), Buffer.alloc(5_999))).error).toBeNull();
    await tight.stop();
  });
});
