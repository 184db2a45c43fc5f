// @module-tag whole

import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestBackend, type TestBackend } from '../../backend.ts';
import { startBackendProcess } from '../../backend-process.ts';
import { COMPLETE_PROFILES } from '../../completed-profiles.ts';
import { phoneFilm, phonePicture } from '../../media/files.ts';
import { textCube } from '../../media/models.ts';
import { childrenOf } from '../../operation/site.ts';
import { seededRandom } from '../../seeded-random.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { freshAddress, operator, PASSWORD, visitor } from '../auth/fixtures.ts';

let backend: TestBackend;
let token: string;
let member: string;

beforeAll(async () => {
  backend = await startTestBackend();
  const email = freshAddress();
  const { data } = await operator(backend).auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
  });
  member = data.user?.id ?? '';
  const database = new pg.Client({ connectionString: backend.databaseUrl });
  await database.connect();
  await database.query(COMPLETE_PROFILES);
  await database.end();
  const { data: signedIn } = await visitor(backend).auth.signInWithPassword({ email, password: PASSWORD });
  token = signedIn.session?.access_token ?? '';
});
afterAll(() => backend.stop());

/** A whole upload as it goes over the line. */
async function upload(to: string, content: Buffer, name: string, type: string): Promise<Buffer> {
  const form = new FormData();
  form.set('userId', member);
  form.set('file', new File([new Uint8Array(content)], name, { type }));
  const sent = new Request(backend.url, { method: 'POST', body: form });
  const body = Buffer.from(await sent.arrayBuffer());
  const head = [
    `POST /functions/v1/${to} HTTP/1.1`,
    `host: ${new URL(backend.url).host}`,
    `authorization: Bearer ${token}`,
    `content-type: ${sent.headers.get('content-type')}`,
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** Sends the beginning and hangs up, once the service may have begun to read it. */
async function breakOff(whole: Buffer, at: number, afterMs: number, url = backend.url): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.write(whole.subarray(0, at), () => setTimeout(() => socket.resetAndDestroy(), afterMs));
  });
}

async function send(whole: Buffer): Promise<string> {
  const { hostname, port } = new URL(backend.url);
  const socket = connect(Number(port), hostname);
  socket.write(whole);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(answer.toString('latin1'));
    });
  });
}

const arriving = () => readdir(join(backend.dataDir, 'incoming')).catch(() => []);

test('uploads that break off at any byte leave neither a place taken nor a file', async () => {
  const picture = await phonePicture('jpeg', 200, 300);
  const kinds = await Promise.all([
    upload('process-media-upload', picture, 'a.jpg', 'image/jpeg'),
    upload('process-avatar-upload', picture, 'a.jpg', 'image/jpeg'),
    upload('process-media-upload', await phoneFilm(), 'a.mp4', 'video/mp4'),
    upload('process-file-upload', Buffer.from(textCube()), 'a.stl', 'model/stl'),
  ]);
  const random = seededRandom(36);
  for (let round = 0; round < 15; round++)
    await Promise.all(kinds.map((whole) => breakOff(whole, random(whole.length), random(40))));
  // Some of them are only about to be received.
  const uploaded = async (whole: Buffer) => expect(await send(whole)).toContain('HTTP/1.1 200 OK');
  for (const whole of kinds) await vi.waitFor(() => uploaded(whole), { timeout: TIMEOUT_MS });
  await vi.waitFor(async () => expect(await arriving()).toEqual([]), { timeout: TIMEOUT_MS });
});

const BUCKET = 'broken-off';
/** More than the line holds without a reader. */
const LARGE = 20_000_000;

test('downloads, pictures, exports, uploads, sockets and statements that break off hold nothing afterwards', async () => {
  const storage = operator(backend).storage;
  await storage.createBucket(BUCKET, { public: true });
  await storage.from(BUCKET).upload('large', randomBytes(LARGE), { contentType: 'application/pdf' });
  await storage.from(BUCKET).upload('picture', await phonePicture('jpeg'), { contentType: 'image/jpeg' });
  const { data: signed } = await storage.from(BUCKET).createSignedUrl('large', 600);
  const database = new pg.Client({ connectionString: backend.databaseUrl });
  await database.connect();
  await database.query(
    "create function public.take_long() returns text language sql as $$ select 'done' from pg_sleep(0.2) $$; grant execute on function public.take_long to anon, service_role",
  );
  const own = await startBackendProcess(backend);
  const service = `authorization: Bearer ${backend.serviceRoleKey}\r\napikey: ${backend.serviceRoleKey}`;
  const request = (line: string, headers: string, body: Buffer | string = '') =>
    Buffer.concat([
      Buffer.from(
        `${line} HTTP/1.1\r\nhost: ${new URL(own.url).host}\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n`,
      ),
      Buffer.from(body),
    ]);
  const random = seededRandom(37);
  const names = [BUCKET, 'begun'].map((name) => Buffer.from(name).toString('base64'));
  const kinds: (() => Buffer)[] = [
    () => request(`GET /storage/v1/object/public/${BUCKET}/large`, 'accept: */*'),
    () => request(`GET /storage/v1/object/authenticated/${BUCKET}/large`, `${service}\r\nrange: bytes=5-`),
    () => request(`GET ${signed?.signedUrl.replace(backend.url, '')}`, 'accept: */*'),
    () =>
      request(
        `GET /storage/v1/render/image/public/${BUCKET}/picture?width=${20 + random(900)}&height=${20 + random(900)}`,
        'accept: */*',
      ),
    () => request('POST /functions/v1/export-data', `authorization: Bearer ${token}`),
    () =>
      request(
        'POST /storage/v1/upload/resumable',
        `${service}\r\ntus-resumable: 1.0.0\r\nupload-length: 300000\r\ncontent-type: application/offset+octet-stream\r\nupload-metadata: bucketName ${names[0]},objectName ${names[1]}`,
        randomBytes(200_000),
      ),
    () =>
      request(
        `POST /storage/v1/object/${BUCKET}/half`,
        `${service}\r\nx-upsert: true\r\ncontent-type: application/pdf`,
        randomBytes(200_000),
      ),
    () =>
      request(
        `GET /realtime/v1/websocket?apikey=${backend.anonKey}&vsn=1.0.0`,
        'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      ),
    () => request('POST /rest/v1/rpc/take_long', `${service}\r\ncontent-type: application/json`, '{}'),
  ];
  /** Half of them break off in the request, half of them in the answer. */
  const storm = () =>
    Promise.all(
      kinds.map((kind) => {
        const whole = kind();
        return breakOff(whole, random(2) === 0 ? whole.length : random(whole.length), random(250), own.url);
      }),
    );
  const held = async () => {
    const links = await Promise.all(
      (await readdir(`/proc/${own.pid}/fd`)).map((fd) =>
        readlink(`/proc/${own.pid}/fd/${fd}`).catch(() => ''),
      ),
    );
    const { rows } = await database.query(
      `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend' and state <> 'idle'`,
    );
    const { rows: locks } = await database.query(
      'select id from storage.resumable_uploads where held_until > now()',
    );
    const pools = Object.values(await own.pools());
    return {
      /** What stays once it was opened: a connection that listens, a worker, a thread of the pool. */
      open: {
        sockets: links.filter((link) => link.startsWith('socket:')).length,
        connections: pools.reduce((sum, { total, idle }) => sum + total - idle, 0),
        workers: childrenOf(own.pid).length,
        threads: (await readdir(`/proc/${own.pid}/task`)).length,
      },
      waiting: pools.reduce((sum, pool) => sum + pool.waiting, 0),
      files: links.filter((link) => link.startsWith(backend.dataDir)),
      statements: rows,
      locks,
      arriving: await arriving(),
    };
  };
  const NOTHING = { waiting: 0, files: [], statements: [], locks: [], arriving: [] };
  try {
    // The first storms open the connections to the database and start the worker, all of which stay.
    for (let round = 0; round < 4; round++) await storm();
    const all = (of: () => Buffer) => fetchStatus(own.url, of());
    const whole = () => Promise.all(kinds.flatMap((kind) => [kind, kind, kind]).map(all));
    await whole();
    await expect.poll(held).toMatchObject(NOTHING);
    const { open } = await held();
    for (let round = 0; round < 12; round++) {
      await storm();
      await database.query('delete from storage.resumable_uploads where held_until is null and not done');
    }
    await expect
      .poll(async () => {
        const { open: now, ...rest } = await held();
        const more = Object.entries(open).filter(([what, number]) => now[what as keyof typeof now] > number);
        return { ...rest, more: more.map(([what, number]) => [what, number, now[what as keyof typeof now]]) };
      })
      .toEqual({ ...NOTHING, more: [] });
    // No turn was lost either.
    expect(new Set(await whole())).toEqual(new Set([200, 201, 206, 101]));
  } finally {
    await own.kill();
    await database.end();
  }
});

/** The status of the answer to a whole request, whose line is then closed. */
function fetchStatus(url: string, whole: Buffer): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the line was closed without an answer')));
    socket.once('data', (answer) => {
      resolve(Number(answer.toString('latin1').split(' ')[1]));
      socket.destroy();
    });
    socket.write(whole);
  });
}
