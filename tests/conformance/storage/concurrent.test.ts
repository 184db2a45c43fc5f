import { readdirSync, utimesSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBackend } from '../../backend.ts';
import { type BackendProcess, startBackendProcess } from '../../backend-process.ts';
import { openStorage, type StorageFixture } from './fixtures.ts';

// Two servers on one database and one folder; an upload that is begun at one and continued at the other is in
// storage-resumable.
let shelf: StorageFixture;
let other: BackendProcess;
let [here, there]: SupabaseClient[] = [];
beforeAll(async () => {
  shelf = await openStorage();
  other = await startBackendProcess(shelf.backend);
  here = shelf.service;
  there = createClient(other.url, shelf.backend.serviceRoleKey);
});
afterAll(async () => {
  await other.kill();
  await shelf.stop();
});

const closed = (client: SupabaseClient | undefined) => {
  if (!client) throw new Error('not started');
  return client.storage.from('closed');
};
const text = async (client: SupabaseClient | undefined, name: string) =>
  (await closed(client).download(name)).data?.text();

it('reads, lists, moves, replaces and removes through one what came through the other', async () => {
  await closed(here).upload('a/one.txt', 'one');
  expect(await text(there, 'a/one.txt')).toBe('one');
  expect((await closed(there).list('a')).data?.map(({ name }) => name)).toEqual(['one.txt']);
  expect((await closed(there).move('a/one.txt', 'a/two.txt')).error).toBeNull();
  expect(await text(here, 'a/one.txt')).toBeUndefined();
  expect(await text(here, 'a/two.txt')).toBe('one');
  await closed(there).update('a/two.txt', 'newer');
  expect(await text(here, 'a/two.txt')).toBe('newer');
  await closed(here).copy('a/two.txt', 'a/three.txt');
  const files = shelf.files().length;
  expect((await closed(there).remove(['a/two.txt', 'a/three.txt'])).data).toHaveLength(2);
  expect(shelf.files().length).toBe(files - 2);
  expect((await closed(here).list('a')).data).toEqual([]);
  await there?.storage.createBucket('made-there');
  expect((await here?.storage.getBucket('made-there'))?.data?.id).toBe('made-there');
});

it('keeps one of many versions that arrive at both at once', async () => {
  const words = Array.from({ length: 20 }, (_, n) => `version ${n}`.padEnd(2000, '.'));
  const before = shelf.files().length;
  const all = await Promise.all(
    words.map((word, n) => closed(n % 2 ? here : there).upload('race.txt', word, { upsert: true })),
  );
  for (const { error } of all) expect(error).toBeNull();
  expect(words).toContain(await text(here, 'race.txt'));
  expect(await text(here, 'race.txt')).toBe(await text(there, 'race.txt'));
  const { rows } = await shelf.sql.query<{ version: string }>(
    "select version from storage.objects where name = 'race.txt'",
  );
  expect(shelf.files()).toContain(rows[0]?.version);
  // Two that replaced the same version leave one of theirs to the sweeper.
  expect(shelf.files().length).toBeLessThanOrEqual(before + words.length);
  // Created at both at once, it is there once.
  const uploads = await Promise.all(
    words.map((word, n) => closed(n % 2 ? here : there).upload('once.txt', word)),
  );
  expect(uploads.filter(({ error }) => error === null)).toHaveLength(1);
  expect(new Set(uploads.flatMap(({ error }) => (error ? [error.message] : [])))).toEqual(
    new Set(['The resource already exists']),
  );
});

it('shows the same pictures, whichever made them, and none of an object that the other removed', async () => {
  const create = { width: 40, height: 40, channels: 3 as const, background: '#008080' };
  await closed(here).upload('p.png', await sharp({ create }).png().toBuffer(), { contentType: 'image/png' });
  const transform = { width: 10 };
  const sizes = [];
  for (const client of [here, there])
    sizes.push((await closed(client).download('p.png', { transform })).data?.size);
  expect(sizes[0]).toBe(sizes[1]);
  await closed(there).remove(['p.png']);
  expect((await closed(here).download('p.png', { transform })).error).not.toBeNull();
});

it('sweeps beside an upload that is running at the other', async () => {
  const size = 200_000;
  const running = request(`${other.url}/storage/v1/object/closed/running.bin`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shelf.backend.serviceRoleKey}`, 'content-length': size },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    running.once('response', (response) => resolve(response.resume().statusCode));
    running.once('error', reject);
  });
  running.write(Buffer.alloc(size / 2, 'x'));
  const unfinished = join(shelf.backend.dataDir, 'files/unfinished');
  await expect.poll(() => readdirSync(unfinished)).toHaveLength(1);
  // A file whose row was changed without the service, an hour ago.
  await closed(here).upload('lost.txt', 'lost');
  const { rows } = await shelf.sql.query<{ version: string }>(
    "update storage.objects set version = gen_random_uuid() where name = 'lost.txt' returning (select version from storage.objects where name = 'lost.txt')",
  );
  const lost = rows[0]?.version ?? '';
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(join(shelf.backend.dataDir, 'files', lost.slice(0, 2), lost), old, old);
  // Every process sweeps soon after its start.
  const third = await startTestBackend({}, undefined, shelf.backend);
  await expect.poll(() => shelf.files().includes(lost)).toBe(false);
  await third.stop();
  running.end(Buffer.alloc(size / 2, 'x'));
  expect(await answered).toBe(200);
  expect((await closed(here).download('running.bin')).data?.size).toBe(size);
});
