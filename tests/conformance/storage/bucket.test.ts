import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import sharp from 'sharp';
import { Upload } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestBackend } from '../../backend.ts';
import { type S3Store, startS3Store } from '../../s3-store.ts';
import { openStorage, type StorageFixture } from './fixtures.ts';

let store: S3Store;
let shelf: StorageFixture;
beforeAll(async () => {
  store = await startS3Store();
  shelf = await openStorage({ ...store.settings, S3_PREFIX: 'site' });
});
afterEach(() => {
  vi.useRealTimers();
  store.fault = () => undefined;
  store.delay = async () => undefined;
});
afterAll(async () => {
  await shelf.stop();
  await store.stop();
});

const closed = () => shelf.service.storage.from('closed');
const put = (name: string, bytes: Buffer | string) =>
  shelf.send(`/object/closed/${name}`, { method: 'POST', body: new Uint8Array(Buffer.from(bytes)) });
const get = (name: string, headers: Record<string, string> = {}) =>
  shelf.send(`/object/closed/${name}`, { headers });
const rowsOf = async (name: string) =>
  (await shelf.sql.query<{ version: string }>('select version from storage.objects where name = $1', [name]))
    .rows;
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const unavailable = {
  statusCode: '503',
  code: 'ServiceUnavailable',
  error: 'Service Unavailable',
  message: 'The files of this site cannot be reached at the moment. Please try again later.',
};

describe('files in a bucket', () => {
  it('are stored there alone, each under its version, and served whole and in part', async () => {
    const bytes = randomBytes(100_000);
    expect((await put('a.bin', bytes)).status).toBe(200);
    const [row] = await rowsOf('a.bin');
    expect([...store.objects.keys()]).toEqual([`site/files/${row?.version.slice(0, 2)}/${row?.version}`]);
    expect(shelf.files()).toEqual([]);
    const whole = await get('a.bin');
    expect((await bytesOf(whole)).equals(bytes)).toBe(true);
    const etag = whole.headers.get('etag') ?? '';
    expect((await get('a.bin', { 'if-none-match': etag })).status).toBe(304);
    const part = await get('a.bin', { range: 'bytes=1000-1999' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/100000']);
    expect((await bytesOf(part)).equals(bytes.subarray(1000, 2000))).toBe(true);
    expect((await get('a.bin', { range: 'bytes=100000-' })).status).toBe(416);
    await put('empty.bin', '');
    expect((await bytesOf(await get('empty.bin'))).length).toBe(0);
  });

  it('are copied, moved, replaced and removed', async () => {
    await put('b.bin', 'first');
    await closed().copy('b.bin', 'c.bin');
    await closed().move('b.bin', 'd.bin');
    await closed().upload('d.bin', 'second', { upsert: true });
    expect([await (await get('c.bin')).text(), await (await get('d.bin')).text()]).toEqual([
      'first',
      'second',
    ]);
    const before = store.objects.size;
    await closed().remove(['c.bin', 'd.bin']);
    expect([(await get('d.bin')).status, store.objects.size]).toEqual([400, before - 2]);
  });

  it('arrive in pieces, and are put there in parts', async () => {
    const bytes = randomBytes(12_000_000);
    let parts = 0;
    store.fault = ({ method }) => {
      if (method === 'PUT') parts += 1;
      return undefined;
    };
    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, {
        endpoint: `${shelf.backend.url}/storage/v1/upload/resumable`,
        chunkSize: 4_000_000,
        headers: { authorization: `Bearer ${shelf.backend.serviceRoleKey}` },
        metadata: { bucketName: 'closed', objectName: 'f.bin' },
        onSuccess: () => resolve(),
        onError: reject,
      }).start();
    });
    expect((await bytesOf(await get('f.bin'))).equals(bytes)).toBe(true);
    expect([parts, store.uploads.size, shelf.files()]).toEqual([3, 0, []]);
  });

  it('are made into pictures of another size', async () => {
    const create = { width: 64, height: 64, channels: 3 as const, background: '#336699' };
    await put('e.png', await sharp({ create }).png().toBuffer());
    const { data } = await closed().download('e.png', { transform: { width: 16, height: 16 } });
    expect((await sharp(await data?.arrayBuffer()).metadata()).width).toBe(16);
  });

  it('are fetched for such a picture in its turn, and not for who has hung up before it', async () => {
    const create = { width: 64, height: 64, channels: 3 as const, background: '#996633' };
    const bytes = await sharp({ create }).png().toBuffer();
    const names = ['first', 'left', 'left too', 'stayed'].map((name) => `${name}.png`);
    for (const name of names) await put(name, bytes);
    const fetched = new Set<string>();
    let give = () => {};
    const given = new Promise<void>((done) => {
      give = done;
    });
    store.delay = async ({ key }) => {
      // The sweep soon after the start lists the bucket.
      if (key === '') return;
      fetched.add(key.slice(-36));
      await given;
    };
    const leaving = new AbortController();
    const picture = (name = '', init: RequestInit = {}) =>
      shelf.send(`/render/image/authenticated/closed/${name}?width=9`, init);
    const first = picture(names[0]);
    await expect.poll(() => fetched.size).toBe(1);
    const left = Promise.allSettled(
      names.slice(1, 3).map((name) => picture(name, { signal: leaving.signal })),
    );
    const requests = () => shelf.backend.held.counts()['requests of a network'];
    await expect.poll(requests).toBe(3);
    const stayed = picture(names[3]);
    await expect.poll(requests).toBe(4);
    leaving.abort();
    await left;
    await expect.poll(requests).toBe(2);
    give();
    expect([(await first).status, (await stayed).status]).toEqual([200, 200]);
    const versions = await Promise.all([rowsOf('first.png'), rowsOf('stayed.png')]);
    expect([...fetched]).toEqual(versions.map(([row]) => row?.version));
  });

  it('are readable only once they are whole and their row is there', async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((done) => {
      arrive = done;
    });
    store.delay = ({ method }) => (method === 'PUT' ? arrived : Promise.resolve());
    const putting = put('g.bin', 'late');
    await expect.poll(() => store.answering()).toBe(1);
    expect([(await get('g.bin')).status, await rowsOf('g.bin')]).toEqual([400, []]);
    arrive();
    expect((await putting).status).toBe(200);
    expect(await (await get('g.bin')).text()).toBe('late');
  });
});

describe('what belongs to no row', () => {
  const anHourAgo = new Date(Date.now() - 3_600_000);
  /** Each backend sweeps soon after its start. */
  const swept = async (isDone: () => boolean) => {
    const another = await startTestBackend(
      { ...store.settings, S3_PREFIX: 'site' },
      undefined,
      shelf.backend,
    );
    await expect.poll(isDone).toBe(true);
    await another.stop();
  };

  it('is swept from the bucket, with what killed uploads have left in parts', async () => {
    await put('named.bin', 'named');
    for (const object of store.objects.values()) object.modified = anHourAgo;
    const before = [...store.objects.keys()];
    const stray = `site/files/ab/ab${randomUUID().slice(2)}`;
    store.objects.set(stray, { bytes: Buffer.from('stray'), modified: anHourAgo });
    store.objects.set('another/site', { bytes: Buffer.from('not ours'), modified: anHourAgo });
    store.uploads.set('killed', { key: stray, parts: new Map(), begun: anHourAgo });
    await swept(() => !store.objects.has(stray) && store.uploads.size === 0);
    expect([...store.objects.keys()]).toEqual([...before, 'another/site']);
  });

  it('is swept also behind what the store does not let go', async () => {
    const [stuck, killed] = [`site/files/aa/${randomUUID()}`, `site/files/bb/${randomUUID()}`];
    for (const key of [stuck, killed]) store.uploads.set(key, { key, parts: new Map(), begun: anHourAgo });
    store.fault = ({ method, key }) => (method === 'DELETE' && key === stuck ? 'read-only' : undefined);
    await swept(() => !store.uploads.has(killed));
    expect([...store.uploads.keys()]).toEqual([stuck]);
    store.fault = () => undefined;
    await swept(() => store.uploads.size === 0);
  });

  it('is swept by one sweep at a time, and of finished files nothing where no row names any', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    store.uploads.set('killed', { key: 'new/files/aa/unfinished', parts: new Map(), begun: anHourAgo });
    const finished = `new/files/cd/cd${randomUUID().slice(2)}`;
    store.objects.set(finished, { bytes: Buffer.from('of another database'), modified: anHourAgo });
    let listings = 0;
    let list = () => {};
    const listed = new Promise<void>((done) => {
      list = done;
    });
    store.delay = ({ method, key }) => {
      if (method !== 'GET' || key !== '') return Promise.resolve();
      listings += 1;
      return listed;
    };
    const fresh = await startTestBackend({ ...store.settings, S3_PREFIX: 'new' });
    await expect.poll(() => listings).toBe(1);
    vi.advanceTimersByTime(2 * 1_200_000);
    list();
    await expect.poll(() => store.uploads.size).toBe(0);
    await fresh.stop();
    expect([listings, store.objects.has(finished)]).toEqual([1, true]);
    store.objects.delete(finished);
  });

  it('stays while a backup reads the files of one moment', async () => {
    await put('held.bin', 'held');
    const before = store.objects.size;
    // The backup may be another process's, on another machine.
    store.objects.set('site/backing-up', { bytes: Buffer.of(), modified: new Date() });
    await closed().remove(['held.bin']);
    expect([(await get('held.bin')).status, store.objects.size]).toEqual([400, before + 1]);
    store.objects.delete('site/backing-up');
    for (const object of store.objects.values()) object.modified = anHourAgo;
    await swept(() => store.objects.size === before - 1);
  });
});

describe('a store that fails', () => {
  it('is an answer that asks to come back, and leaves no row', async () => {
    await put('kept.txt', 'kept');
    for (const fault of ['error', 'read-only'] as const) {
      store.fault = () => fault;
      for (const response of [await put('new.txt', 'new'), await get('kept.txt')]) {
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
        expect(await response.json()).toEqual(unavailable);
      }
    }
    store.fault = () => undefined;
    expect(await rowsOf('new.txt')).toEqual([]);
    expect(await (await get('kept.txt')).text()).toBe('kept');
    expect((await put('new.txt', 'new')).status).toBe(200);
  });

  it('is told apart from one that is full', async () => {
    store.fault = ({ method }) => (method === 'PUT' ? 'full' : undefined);
    const full = await put('full.txt', 'full');
    expect([full.status, await full.json()]).toMatchObject([
      507,
      { message: 'The disk of this site has no room for files at the moment. Please try again later.' },
    ]);
    expect(await rowsOf('full.txt')).toEqual([]);
  });

  it('may fail for a moment without anyone noticing', async () => {
    let faults = 0;
    const twice = (fault: 'error' | 'lost' | 'cut') => () => (faults++ % 3 < 2 ? fault : undefined);
    const bytes = randomBytes(50_000);
    store.fault = twice('error');
    expect((await put('moment.bin', bytes)).status).toBe(200);
    store.fault = twice('lost');
    expect((await put('lost.bin', bytes)).status).toBe(200);
    store.fault = twice('cut');
    expect((await bytesOf(await get('moment.bin'))).equals(bytes)).toBe(true);
    store.fault = () => undefined;
    expect((await bytesOf(await get('lost.bin'))).equals(bytes)).toBe(true);
  });

  it('never has half a file taken for a whole one', async () => {
    await put('half.bin', randomBytes(50_000));
    store.fault = ({ method }) => (method === 'GET' ? 'short' : undefined);
    expect((await get('half.bin')).status).toBe(503);
    // Each answer brings half of what is left, until nothing more comes.
    let answers = 0;
    store.fault = ({ method }) => (method !== 'GET' ? undefined : answers++ < 2 ? 'cut' : 'error');
    await expect(get('half.bin').then(bytesOf)).rejects.toThrow();
    store.fault = () => undefined;
    const [row] = await rowsOf('half.bin');
    const kept = store.objects.get(`site/files/${row?.version.slice(0, 2)}/${row?.version}`);
    if (kept) kept.bytes = kept.bytes.subarray(0, 10_000);
    expect((await get('half.bin')).status).toBe(503);
  });

  it('gets its connection back when a reader hangs up', async () => {
    await put('long.bin', randomBytes(40_000_000));
    const reading = request(`${shelf.backend.url}/storage/v1/object/closed/long.bin`, {
      headers: { authorization: `Bearer ${shelf.backend.serviceRoleKey}` },
    }).end();
    const [response] = await once(reading, 'response');
    await once(response, 'readable');
    expect(store.answering()).toBe(1);
    reading.destroy();
    await expect.poll(() => store.answering()).toBe(0);
  });

  it('keeps an upload in pieces, which ends when the store is back', async () => {
    store.fault = ({ method }) => (method === 'PUT' ? 'error' : undefined);
    let failures = 0;
    await new Promise<void>((resolve, reject) => {
      new Upload(Buffer.from('in pieces'), {
        endpoint: `${shelf.backend.url}/storage/v1/upload/resumable`,
        headers: { authorization: `Bearer ${shelf.backend.serviceRoleKey}` },
        metadata: { bucketName: 'closed', objectName: 'pieces.txt' },
        retryDelays: [0, 0, 0],
        onShouldRetry() {
          failures += 1;
          store.fault = () => undefined;
          return true;
        },
        onSuccess: () => resolve(),
        onError: reject,
      }).start();
    });
    expect([failures, await (await get('pieces.txt')).text()]).toEqual([1, 'in pieces']);
  });
});
