// @module-tag whole

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { phonePicture } from '../media/files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS, TIMEOUT_MS } from '../timeouts.ts';
import { startedOnce } from './first-start.ts';
import { childrenOf, freePort, processesOf, type Run, signal, start } from './site.ts';

const directory = temporaryFolder('disk');
const mounted: string[] = [];

/** Mounts a folder; undefined, with the reason printed, where the machine does not permit it. */
function mount(folder: string, ...how: string[]): string | undefined {
  mkdirSync(folder, { recursive: true });
  const mount = spawnSync('mount', [...how, folder], { encoding: 'utf8' });
  if (mount.status === 0) {
    mounted.push(folder);
    return folder;
  }
  console.warn(
    `Nothing can be mounted here, so full disks are not tried: ${mount.stderr || mount.error?.message}`,
  );
  return undefined;
}

const disk = mount(join(directory, 'disk'), '-t', 'tmpfs', '-o', 'size=320m,mode=711', 'tmpfs');
const small = disk && mount(join(directory, 'small'), '-t', 'tmpfs', '-o', 'size=320m,mode=711', 'tmpfs');
const temporary =
  disk && mount(join(directory, 'temporary'), '-t', 'tmpfs', '-o', 'size=64k,mode=1777', 'tmpfs');

afterAll(() => {
  for (const folder of mounted.toReversed()) spawnSync('umount', [folder]);
});

const fill = join(directory, 'disk/fill');
/** Leaves this many bytes of the disk free. */
function fillDiskExcept(bytes: number): void {
  const { bavail, bsize } = statfsSync(join(directory, 'disk'));
  writeFileSync(fill, Buffer.alloc(Math.max(0, bavail * bsize - bytes)), { flag: 'a' });
}

/**
 * A connection to a site's database, as its superuser; later errors of the connection show in its queries.
 */
async function connect(dataDir: string): Promise<pg.Client> {
  const { databaseUrl } = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

describe.runIf(disk && temporary)('a site on a disk of its own', () => {
  const dataDir = join(directory, 'disk/data');
  let site: Run;
  let url: string;
  let anonKey: string;
  let service: SupabaseClient;
  let member: SupabaseClient;
  let token: string;
  let id: string;
  let solution: { id: string; title: string };
  let unseen: string;
  /** The superuser's connection; open before the first fault. */
  let database: pg.Client;
  const acknowledged: number[] = [];

  const ready = async () => {
    const answer = await fetch(`${url}/readyz`);
    return `${answer.status} ${(await answer.text()).trim()}`;
  };
  const page = async (path: string) => {
    const answer = await fetch(url + path);
    return { status: answer.status, text: await answer.text() };
  };
  const write = async (n: number) => {
    const answer = await service.from('kept').insert({ n });
    if (answer.status === 201) acknowledged.push(n);
    return answer;
  };
  const store = () =>
    fetch(`${url}/storage/v1/object/pending-media/${id}/${randomUUID()}.webp`, {
      method: 'POST',
      headers: { apikey: token, authorization: `Bearer ${token}`, 'content-type': 'image/webp' },
      body: new Uint8Array(2_000_000),
    });
  const upload = async () => {
    const form = new FormData();
    form.set('userId', id);
    form.set(
      'file',
      new File([new Uint8Array(await phonePicture('jpeg', 600, 400))], 'a.jpg', { type: 'image/jpeg' }),
    );
    const session = (await member.auth.getSession()).data.session;
    const answer = await fetch(`${url}/functions/v1/process-media-upload`, {
      method: 'POST',
      headers: { apikey: anonKey, authorization: `Bearer ${session?.access_token}` },
      body: form,
    });
    return { status: answer.status, body: await answer.json() };
  };
  const leftOver = () =>
    ['incoming', 'files/unfinished', 'files/resumable'].flatMap((folder) =>
      existsSync(join(dataDir, folder)) ? readdirSync(join(dataDir, folder)) : [],
    );
  const logged = (message: string) =>
    site
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === message);

  beforeAll(async () => {
    await startedOnce(dataDir, true);
    // The temporary folder is full from the start; no part of the site needs it.
    spawnSync('dd', ['if=/dev/zero', `of=${join(temporary ?? '', 'full')}`, 'bs=1k']);
    site = await start({ DATA_DIR: dataDir, PORT: await freePort(), TMPDIR: temporary ?? '' });
    const instance = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
    url = instance.apiUrl;
    anonKey = instance.anonKey;
    token = instance.serviceRoleKey;
    const auth = { persistSession: false, autoRefreshToken: false };
    service = createClient(url, token, { auth, db: { retry: false } });
    member = createClient(url, anonKey, { auth, db: { retry: false } });
    const signedIn = await member.auth.signInWithPassword({
      email: 'member@example.org',
      password: 'limb-commons-demo',
    });
    id = signedIn.data.user?.id ?? '';
    database = await connect(dataDir);
    await database.query(
      "create table public.kept (n int primary key); grant all on public.kept to service_role; notify pgrst, 'reload schema'",
    );
    const { data } = await service.from('solutions').select('id,title').eq('status', 'approved').limit(2);
    solution = data?.[0] as typeof solution;
    unseen = data?.[1]?.id;
    await vi.waitFor(async () => expect((await write(1)).status).toBe(201), TIMEOUT_MS);
    for (const path of ['/', '/browse', `/solutions/${solution.id}`])
      expect((await page(path)).status).toBe(200);
  });
  afterAll(async () => {
    await database?.end().catch(() => undefined);
    site?.process.kill('SIGTERM');
    await site?.exited;
  });

  it('takes uploads while its temporary folder is full, and what it stores is there', async () => {
    expect((await upload()).status).toBe(200);
    expect((await store()).status).toBe(200);
    expect(leftOver()).toEqual([]);
  });

  it('that is nearly full refuses files, says so, leaves nothing behind, and goes on with everything else', async () => {
    fillDiskExcept(60_000_000);
    const refused = await store();
    expect(refused.status).toBe(507);
    expect(await refused.json()).toEqual({
      statusCode: '507',
      code: 'InsufficientStorage',
      error: 'Insufficient Storage',
      message: 'The disk of this site has no room for files at the moment. Please try again later.',
    });
    expect(await upload()).toEqual({
      status: 507,
      body: {
        error: 'No Room For Files',
        message:
          'The site has no room for files at the moment. Your files and texts are safe. Please try again later.',
      },
    });
    const resumable = await fetch(`${url}/storage/v1/upload/resumable`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'upload-length': '2000000',
        'upload-metadata': `bucketName ${btoa('pending-media')},objectName ${btoa(`${id}/a.webp`)},contentType ${btoa('image/webp')}`,
      },
    });
    expect(resumable.status).toBe(507);
    expect(leftOver()).toEqual([]);
    expect(await ready()).toBe('200 ok');
    expect((await write(2)).status).toBe(201);
    expect((await page(`/solutions/${unseen}`)).status).toBe(200);
    rmSync(fill);
    expect((await store()).status).toBe(200);
  });

  it('that is full says so, shows what it has, loses nothing it acknowledged, and comes back when there is room', async () => {
    fillDiskExcept(0);
    let n = 3;
    // The database's own log has a little room in it yet.
    while ((await write(n)).status === 201) n++;
    for (const path of ['/', `/solutions/${solution.id}`]) expect((await page(path)).status).toBe(200);
    await database
      .query(
        "select pg_logical_emit_message(true, 'fill', repeat(md5(n::text), 3000)) from generate_series(1, 2000) as n",
      )
      .catch(() => undefined);

    await expect.poll(ready).toBe('503 The disk of the data folder is full.');
    await expect.poll(() => logged('the database ended and is started again').length).toBeGreaterThan(2);
    const ended = logged('the database ended and is started again');
    expect(ended.slice(0, 3).map(({ pauseMs }) => pauseMs)).toEqual([500, 1000, 2000]);
    expect(ended[0].reason).toMatch(/^the disk of .+ is full$/);
    expect((await page('/')).text).toContain('Prosthetists, rehabilitation doctors and therapists');
    expect(await page(`/solutions/${solution.id}`)).toEqual({
      status: 200,
      text: expect.stringContaining(solution.title),
    });
    expect((await page('/favicon.svg')).status).toBe(200);
    expect((await page('/forum')).status).toBe(503);
    expect((await write(n)).status).toBe(503);
    expect([507, 503]).toContain((await store()).status);
    expect(await upload()).toMatchObject({ status: 503, body: { error: 'Try Again Later' } });
    const refused = await member.auth.signInWithPassword({
      email: 'member@example.org',
      password: 'limb-commons-demo',
    });
    expect([refused.error?.status, refused.error?.message]).toEqual([
      503,
      expect.stringMatching(/at the moment.*try again/),
    ]);
    expect(leftOver()).toEqual([]);

    rmSync(fill);
    await expect.poll(ready).toBe('200 ok');
    await expect.poll(async () => (await write(n + 1)).status).toBe(201);
    expect((await upload()).status).toBe(200);
    const { data } = await service.from('kept').select('n');
    expect(data?.map((row) => row.n)).toEqual(expect.arrayContaining(acknowledged));
    await expect.poll(async () => (await page('/forum')).status).toBe(200);
  });

  it('that can only be read says so, takes no file, and goes on when it can be written to', async () => {
    // The database has the folder open by another name, and keeps running.
    expect(mount(dataDir, '--bind', dataDir)).toBe(dataDir);
    expect(spawnSync('mount', ['-o', 'remount,bind,ro', dataDir]).status).toBe(0);
    await expect.poll(ready).toBe('503 The disk of the data folder cannot be written to.');
    const refused = await store();
    expect([refused.status, (await refused.json()).message]).toEqual([
      507,
      'Nothing can be saved at the moment, because the disk of this site cannot be written to. Please try again later.',
    ]);
    expect((await upload()).status).toBe(507);
    expect((await page(`/solutions/${solution.id}`)).status).toBe(200);
    // A process with a file open there at that moment prevents the unmount.
    await expect.poll(() => spawnSync('umount', [dataDir]).status).toBe(0);
    await expect.poll(ready).toBe('200 ok');
    expect((await upload()).status).toBe(200);
    expect(leftOver()).toEqual([]);
  });

  it('shows what it has while its database hangs, lets no one wait for ever, and goes on when it wakes', async () => {
    for (const path of ['/', `/solutions/${solution.id}`]) expect((await page(path)).status).toBe(200);
    // The full disk ended the connection that was open.
    database = await connect(dataDir);
    // The scheduled jobs take no space either: here a file to remove, and an email that is out of date.
    await database.query('insert into public.media_jobs default values');
    await database.query(
      `insert into private.mail_jobs (user_id, notice, digest, due_at)
       values ($1, '{"type": "safety_notice"}', false, now())`,
      [id],
    );
    const jobs =
      'select id from public.media_jobs union all select id from private.mail_jobs where due_at <= now()';
    await expect.poll(async () => (await database.query(jobs)).rows).toEqual([]);
    const { postgres } = processesOf(dataDir);
    const children = childrenOf(postgres).map(({ pid }) => pid);
    const signalAll = (name: NodeJS.Signals) => {
      for (const pid of [postgres, ...children]) signal(pid, name);
    };
    signalAll('SIGSTOP');
    try {
      await expect.poll(ready).toBe('503 The database does not answer.');
      // Each of these waits at most as long as a statement may take, and a little.
      const anonymous = { headers: { apikey: anonKey }, signal: AbortSignal.timeout(TIMEOUT_MS) };
      const [read, seen] = await Promise.all([
        fetch(`${url}/rest/v1/solutions?select=id&limit=1`, anonymous),
        page(`/solutions/${solution.id}`),
      ]);
      expect([503, 504]).toContain(read.status);
      expect(seen).toEqual({ status: 200, text: expect.stringContaining(solution.title) });
    } finally {
      signalAll('SIGCONT');
    }
    await expect.poll(ready).toBe('200 ok');
    await expect.poll(async () => (await write(-1)).status).toBe(201);
  });
});

describe.runIf(small)('a site whose backups cannot be written', () => {
  const dataDir = join(directory, 'small/data');
  const backups = join(directory, 'backups');
  const archives = () => readdirSync(join(backups, 'continuous'));
  const hasBase = (id: string) => readdirSync(join(backups, 'continuous', id, 'base')).length > 0;
  let site: Run;
  afterAll(async () => {
    site?.process.kill('SIGTERM');
    await site?.exited;
  });

  it('lets go of what waits before it fills the disk, goes on, and begins a new archive when it can', async () => {
    await startedOnce(dataDir, false);
    const settings = { DATA_DIR: dataDir, PORT: await freePort(), BACKUP_DIR: backups };
    site = await start(settings);
    await expect
      .poll(() => existsSync(join(backups, 'continuous')) && archives().some(hasBase), {
        timeout: BACKGROUND_TIMEOUT_MS,
      })
      .toBe(true);
    const [ended = ''] = archives();
    renameSync(backups, `${backups}-away`);
    writeFileSync(backups, 'no folder');

    const { apiUrl } = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
    const database = await connect(dataDir);
    const waiting = () => readdirSync(join(dataDir, 'unarchived-wal')).length;
    // Of four megabytes each; half of the disk's free space then is less.
    for (let segments = 0; segments < 20; segments = Math.max(segments + 1, waiting()))
      await database.query(
        `select pg_logical_emit_message(true, 'fill', repeat(md5(n::text), 3000)) from generate_series(1, 40) as n;
         select pg_switch_wal()`,
      );
    await expect.poll(() => site.output()).toContain('has been let go');
    expect((await fetch(`${apiUrl}/readyz`)).status).toBe(200);
    await database.end();
    expect(waiting()).toBeLessThan(10);

    rmSync(backups);
    renameSync(`${backups}-away`, backups);
    site.process.kill('SIGTERM');
    await site.exited;
    site = await start(settings);
    await expect
      .poll(() => archives().some((id) => id !== ended && hasBase(id)), { timeout: BACKGROUND_TIMEOUT_MS })
      .toBe(true);
  });
});
