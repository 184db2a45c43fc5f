// @module-tag whole

import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { phonePicture } from '../media/files.ts';
import { type S3Request, type S3Store, startS3Store } from '../s3-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS } from '../timeouts.ts';
import { startedOnce } from './first-start.ts';
import { freePort, type Run, run, start } from './site.ts';

const directory = temporaryFolder('bucket');
const dataDir = join(directory, 'data');
const backups = join(directory, 'backups');
let store: S3Store;
let onDisk: Record<string, string>;
let inBucket: Record<string, string>;
/** The bytes of every file, by its version. */
let files: Map<string, Buffer>;
let site: Run | undefined;
let service: SupabaseClient;

/** The files below a folder of the disk, by their names. */
const filesIn = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\/[0-9a-f]{2}$/.test(entry.parentPath))
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))]),
  );
/** The files below a folder of the bucket. */
const filesBelow = (prefix: string) =>
  new Map(
    [...store.objects]
      .filter(([key]) => key.startsWith(`${prefix}files/`))
      .map(([key, { bytes }]) => [key.slice(key.lastIndexOf('/') + 1), bytes]),
  );
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
/** The names and hashes of what is in a folder. */
const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), sha256(readFileSync(path))]),
  );
/** The same of the bucket's folder of backups. */
const copied = () =>
  Object.fromEntries(
    [...store.objects]
      .filter(([key]) => key.startsWith('backups/'))
      .sort()
      .map(([key, { bytes }]) => [key.slice('backups/'.length), sha256(bytes)]),
  );
const expectAll = (found: Map<string, Buffer>) => {
  expect([...found.keys()].sort()).toEqual([...files.keys()].sort());
  for (const [version, bytes] of files) expect(found.get(version)?.equals(bytes), version).toBe(true);
};

async function finished(task: string, settings: Record<string, string>, ...args: string[]) {
  const command = run(task, settings, args);
  const { code } = await command.exited;
  return { code, said: command.output() };
}
/** While the store fails, a member is asked to come back. */
async function refusesAvatar(url: string, anonKey: string): Promise<void> {
  const client = createClient(url, anonKey, { auth: { persistSession: false } });
  const { data } = await client.auth.signInWithPassword({
    email: 'member@example.org',
    password: 'limb-commons-demo',
  });
  const form = new FormData();
  form.set('userId', data.user?.id ?? '');
  form.set('file', new Blob([new Uint8Array(await phonePicture('jpeg'))], { type: 'image/jpeg' }), 'me.jpg');
  store.fault = ({ method }) => (method === 'PUT' ? 'error' : undefined);
  const answer = await fetch(`${url}/functions/v1/process-avatar-upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.session?.access_token}`, apikey: anonKey },
    body: form,
  });
  store.fault = () => undefined;
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining('The site can’t accept files at the moment. Please try again in a minute.'),
  ]);
}

async function stop(): Promise<void> {
  site?.process.kill('SIGTERM');
  await site?.exited;
  site = undefined;
}

beforeAll(async () => {
  store = await startS3Store();
  await startedOnce(dataDir, true);
  onDisk = { DATA_DIR: dataDir, PORT: await freePort(), LOG_LEVEL: 'info', BACKUP_DIR: backups };
  inBucket = { ...onDisk, ...store.settings, BACKUP_COPY: `s3://${store.settings.S3_BUCKET}/backups` };
  files = filesIn(join(dataDir, 'files'));
});
afterAll(async () => {
  await stop();
  await store.stop();
});

it('takes the files of a site that is stopped, also when the command was killed on the way', async () => {
  expect(await finished('start', inBucket)).toMatchObject({
    code: 1,
    said: expect.stringContaining('The files of this site are on its disk; stop it and'),
  });
  const killed = run('move-files', inBucket, ['s3']);
  await expect.poll(() => store.objects.size).toBeGreaterThan(50);
  process.kill(Number(readFileSync(join(dataDir, 'moving-files'), 'utf8')), 'SIGKILL');
  await killed.exited;
  expectAll(filesIn(join(dataDir, 'files')));
  const { code, said } = await finished('move-files', inBucket, 's3');
  expect([code, said]).toEqual([0, expect.stringContaining(`${files.size} files, `)]);
  expectAll(filesBelow(''));
  expect(filesIn(join(dataDir, 'files')).size).toBe(0);
  expect(await finished('start', onDisk)).toMatchObject({
    code: 1,
    said: expect.stringContaining('The files of this site are in the bucket'),
  });
});

it('serves the site from there, and archives new files as they come', async () => {
  site = await start(inBucket);
  const { apiUrl, anonKey, serviceRoleKey } = JSON.parse(
    readFileSync(join(dataDir, 'instance.json'), 'utf8'),
  );
  service = createClient(apiUrl, serviceRoleKey, { auth: { persistSession: false } });
  const page = await (await fetch(`${apiUrl}/browse`)).text();
  const [picture = ''] = /\/storage\/v1\/render\/image\/public\/[^" ]+/.exec(page) ?? [];
  const shown = await fetch(apiUrl + picture.replaceAll('&amp;', '&'));
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
  await refusesAvatar(apiUrl, anonKey);
  const advice = 'Mend the store or the S3 settings';
  expect((await finished('doctor', inBucket)).said).not.toContain(advice);
  store.fault = ({ method }) => (method === 'PUT' ? 'full' : undefined);
  expect((await finished('doctor', inBucket)).said).toMatch(
    new RegExp(`The bucket .* is full\\.\\s+${advice}`),
  );
  store.fault = () => undefined;
  expect(await finished('move-files', inBucket, 'disk')).toMatchObject({
    code: 1,
    said: expect.stringContaining(`The site runs at ${apiUrl}; stop it first.`),
  });

  await expect.poll(() => site?.output(), { timeout: BACKGROUND_TIMEOUT_MS }).toContain('base copy made');
  await expect.poll(() => site?.output(), { timeout: BACKGROUND_TIMEOUT_MS }).toContain('backup made');
  const bytes = randomBytes(50_000);
  const { error } = await service.storage
    .from('avatars')
    .upload('new.webp', bytes, { contentType: 'image/webp' });
  expect(error).toBeNull();
  const [added] = [...filesBelow('')].filter(([version]) => !files.has(version));
  expect(added?.[1].equals(bytes)).toBe(true);
  if (added) files.set(...added);
  const [archive = ''] = readdirSync(join(backups, 'continuous'));
  const archived = () => [...filesIn(join(backups, 'continuous', archive, 'files')).keys()];
  await expect
    .poll(() =>
      archived()
        .map((name) => name.slice(0, 36))
        .sort(),
    )
    .toEqual([...files.keys()].sort());
  await expect.poll(() => readdirSync(join(dataDir, 'files/unarchived'))).toEqual([]);
  // A site that stops has seconds for what is not copied yet, which is enough for the last of the log alone.
  const isLarge = (name: string) => /\/(files|base)\//.test(name);
  await expect
    .poll(() => Object.keys(copied()).filter(isLarge), { timeout: BACKGROUND_TIMEOUT_MS, interval: 1000 })
    .toEqual(Object.keys(filesOf(backups)).filter(isLarge));
  await stop();
  expect(copied()).toEqual(filesOf(backups));
});

it('is restored from its archive into another folder of the bucket, and refused where files are', async () => {
  const restored = { ...inBucket, DATA_DIR: join(directory, 'restored') };
  const refused = await finished('restore', restored, backups);
  expect(refused).toMatchObject({
    code: 1,
    said: expect.stringContaining('has files of another site; set S3_PREFIX'),
  });
  expect(readdirSync(restored.DATA_DIR)).toEqual([]);
  expectAll(filesBelow(''));
  const { code, said } = await finished('restore', { ...restored, S3_PREFIX: 'restored' }, backups);
  expect([code, said]).toEqual([0, expect.stringContaining(`with ${files.size} files`)]);
  expectAll(filesBelow('restored/'));
  expectAll(filesBelow(''));
});

it('is restored from the copy of its backups alone', async () => {
  rmSync(backups, { recursive: true });
  const settings = { ...inBucket, S3_PREFIX: 'fetched', DATA_DIR: join(directory, 'fetched') };
  const whole = await finished('restore', settings, `${inBucket.BACKUP_COPY}`);
  expect([whole.code, whole.said]).toEqual([0, expect.stringContaining(`with ${files.size} files`)]);
  expectAll(filesBelow('fetched/'));
  const [name = ''] = Object.keys(copied()).filter((each) => each.endsWith('.tar'));
  const onlyDisk = { ...onDisk, ...store.settings, S3_BUCKET: '', BACKUP_COPY: inBucket.BACKUP_COPY ?? '' };
  const fromFile = { ...onlyDisk, DATA_DIR: join(directory, 'fetched-file') };
  expect(await finished('restore', fromFile, `${inBucket.BACKUP_COPY}/${name}`)).toMatchObject({
    code: 0,
    said: expect.stringContaining(`${files.size - 1} files`),
  });
  expect(readdirSync(directory).filter((each) => each.includes('.fetched-'))).toEqual([]);
});

it('leaves nothing in the bucket, and nothing that was fetched, when its restore is stopped', async () => {
  const settings = { ...inBucket, S3_PREFIX: 'stopped', DATA_DIR: join(directory, 'stopped') };
  const isSlow = ({ method, key }: S3Request) =>
    method === 'PUT' && key.startsWith('stopped/files/') && filesBelow('stopped/').size === 3;
  // One is on its way when the restore is stopped, and arrives afterwards.
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: isOnItsWay, resolve: comes } = Promise.withResolvers<void>();
  store.delay = async (request) => {
    if (!isSlow(request)) return;
    comes();
    await arrives;
  };
  const restore = run('restore', settings, [`${inBucket.BACKUP_COPY}`]);
  await Promise.race([isOnItsWay, restore.exited]);
  restore.process.kill('SIGINT');
  await expect.poll(() => restore.output()).toContain('Removing what was restored into the bucket');
  arrive();
  expect(await restore.exited).toMatchObject({ code: 1 });
  store.delay = async () => undefined;
  expect([...store.objects.keys()].filter((key) => key.startsWith('stopped/'))).toEqual([]);
  expect(readdirSync(directory).filter((each) => each.includes('.fetched-'))).toEqual([]);
  expect((await finished('start', settings)).said).toContain(
    'was cut off; empty the folder and restore again',
  );
  // And the place is free again.
  rmSync(settings.DATA_DIR, { recursive: true });
  expect(await finished('restore', settings, `${inBucket.BACKUP_COPY}`)).toMatchObject({ code: 0 });
});

it('is backed up with its files, which come back to a disk', async () => {
  const file = join(directory, 'site.tar');
  const holds: string[] = [];
  store.delay = async ({ method, key }) => {
    if (key === 'backing-up') holds.push(method);
  };
  expect(await finished('backup', inBucket, file)).toMatchObject({ code: 0 });
  expect(holds.filter((method) => method !== 'HEAD')).toEqual(['PUT', 'DELETE']);
  const restored = join(directory, 'from-file');
  const { code, said } = await finished('restore', { ...onDisk, DATA_DIR: restored }, file);
  expect([code, said]).toEqual([0, expect.stringContaining(`${files.size} files`)]);
  expectAll(filesIn(join(restored, 'files')));

  const folder = join(directory, 'export');
  expect(await finished('export', inBucket, folder)).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'objects.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(files.size);
});

it('is left again for the disk', async () => {
  expect(await finished('move-files', inBucket, 'disk')).toMatchObject({ code: 0 });
  expectAll(filesIn(join(dataDir, 'files')));
  expect([...store.objects.keys()].filter((key) => /^(files|site)/.test(key))).toEqual([]);
  site = await start(onDisk);
  await stop();
});
