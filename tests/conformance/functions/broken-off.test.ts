import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestBackend, type TestBackend } from '../../backend.ts';
import { COMPLETE_PROFILES } from '../../completed-profiles.ts';
import { phoneFilm, phonePicture } from '../../media/files.ts';
import { textCube } from '../../media/models.ts';
import { inEachRun } from '../../runner/sample.ts';
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
async function breakOff(whole: Buffer, at: number, afterMs: number): Promise<void> {
  const { hostname, port } = new URL(backend.url);
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
  for (let round = 0; round < inEachRun(15, 125); round++)
    await Promise.all(kinds.map((whole) => breakOff(whole, random(whole.length), random(40))));
  // Some of them are only about to be received.
  const uploaded = async (whole: Buffer) => expect(await send(whole)).toContain('HTTP/1.1 200 OK');
  for (const whole of kinds) await vi.waitFor(() => uploaded(whole), { timeout: TIMEOUT_MS });
  await vi.waitFor(async () => expect(await arriving()).toEqual([]), { timeout: TIMEOUT_MS });
});
