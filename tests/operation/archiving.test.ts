// @module-tag whole

import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startPostgres } from '#backend/database/postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS, TIMEOUT_MS } from '../timeouts.ts';
import { startedOnce } from './first-start.ts';
import { childrenOf, freePort, processesOf, type Run, run, signal, start } from './site.ts';

const directory = temporaryFolder('archiving');
const backups = join(directory, 'backups');
const lost = join(directory, 'lost');
let settings: Record<string, string>;
let secretKey: string;
let site: Run;
let service: SupabaseClient;
let database: pg.Client;
/** The writes that the site has acknowledged. */
const rows: number[] = [];
const files = new Map<string, string>();
/** The moment to restore. */
let moment: string;
let before: { rows: number[]; files: Map<string, string> };

const instanceOf = (dataDir: string) => JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const archives = () => readdirSync(join(backups, 'continuous')).sort();
const inArchive = (id: string, part: string) => readdirSync(join(backups, 'continuous', id, part));

async function open(given: Record<string, string>) {
  site = await start(given);
  const instance = instanceOf(given.DATA_DIR ?? '');
  service = createClient(instance.apiUrl, instance.serviceRoleKey, {
    auth: { persistSession: false },
    db: { retry: false },
  });
  database = new pg.Client({ connectionString: instance.databaseUrl });
  database.on('error', () => undefined);
  await database.connect();
}

async function stop() {
  await database?.end().catch(() => undefined);
  site?.process.kill('SIGTERM');
  await site?.exited;
}

async function writeRow(n: number): Promise<void> {
  const { status } = await service.from('kept').insert({ n });
  if (status === 201) rows.push(n);
}

async function writeFile(name: string): Promise<void> {
  const bytes = randomBytes(50_000);
  const { error } = await service.storage.from('avatars').upload(name, bytes, { contentType: 'image/webp' });
  if (!error) files.set(name, sha256(bytes));
}

/** Switches the log as the timer does every half minute: all writes so far are archived afterwards. */
async function archived(id: string): Promise<void> {
  const { rows: ended } = await database.query('select pg_walfile_name(pg_switch_wal()) as segment');
  await expect.poll(() => inArchive(id, 'wal').some((name) => name.startsWith(ended[0].segment))).toBe(true);
}

/** Rows, and the hashes of the files that the database names, of a data folder on which no site runs. */
async function contentOf(dataDir: string) {
  const { databasePassword } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const postgres = await startPostgres(dataDir, databasePassword);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const stored = await client.query<{ n: number }>('select n from public.kept order by n');
    const objects = await client.query(
      "select name, version from storage.objects where bucket_id = 'avatars'",
    );
    const people = await client.query('select email from auth.users');
    return {
      rows: stored.rows.map(({ n }) => n),
      files: new Map<string, string>(
        objects.rows.map(({ name, version }) => [
          name,
          sha256(readFileSync(join(dataDir, 'files', version.slice(0, 2), version))),
        ]),
      ),
      people: people.rows.map(({ email }) => email),
    };
  } finally {
    await client.end();
    await postgres.stop();
  }
}

async function restore(dataDir: string, ...args: string[]) {
  const restoring = run('restore', { DATA_DIR: dataDir, BACKUP_KEY: secretKey }, args);
  const { code } = await restoring.exited;
  return { code, output: restoring.output() };
}

beforeAll(async () => {
  secretKey = await generateIdentity();
  settings = {
    DATA_DIR: join(directory, 'data'),
    PORT: await freePort(),
    BACKUP_DIR: backups,
    BACKUP_KEY: await identityToRecipient(secretKey),
    LOG_LEVEL: 'info',
  };
  await startedOnce(settings.DATA_DIR ?? '', false);
  await open(settings);
  await database.query(
    "create table public.kept (n int primary key); grant all on public.kept to service_role; notify pgrst, 'reload schema'",
  );
  await vi.waitFor(async () => expect((await service.from('kept').select('n')).status).toBe(200), TIMEOUT_MS);
});
afterAll(async () => {
  await stop();
});

describe('a site with a backup folder', () => {
  it('archives log and files as they are written, encrypted, and for its own account alone', async () => {
    await expect
      .poll(() => existsSync(join(backups, 'continuous')) && archives(), { timeout: BACKGROUND_TIMEOUT_MS })
      .toHaveLength(1);
    const [id = ''] = archives();
    await expect.poll(() => inArchive(id, 'base'), { timeout: BACKGROUND_TIMEOUT_MS }).toHaveLength(1);
    await writeRow(1);
    await writeFile('one.webp');
    await archived(id);
    await expect.poll(() => inArchive(id, 'unfinished'), { timeout: BACKGROUND_TIMEOUT_MS }).toEqual([]);
    const all = readdirSync(join(backups, 'continuous'), { recursive: true, encoding: 'utf8' })
      // There for a moment every few seconds.
      .filter((name) => !name.endsWith('/archived-until.new'))
      .map((name) => join(backups, 'continuous', name));
    expect(all.filter((path) => statSync(path).mode & 0o077)).toEqual([]);
    const open = all
      .filter((path) => statSync(path).isFile())
      .filter((path) => !readFileSync(path, 'latin1').startsWith('age-encryption.org/v1'));
    // It holds only a time, and appears half a minute later.
    expect(open.filter((path) => !path.endsWith('/archived-until'))).toEqual([]);
    expect(all.length).toBeGreaterThan(8);
  });

  it('can be restored to a given moment: what came later is absent, what was erased since stays so', async () => {
    const { data } = await service.auth.admin.createUser({ email: 'gone@clinic.example' });
    await service.auth.admin.createUser({ email: 'stays@clinic.example' });
    await writeRow(2);
    await writeFile('two.webp');
    // A file that is deleted within seconds may be deleted before it has been copied.
    await archived(archives()[0] ?? '');
    before = { rows: [...rows], files: new Map(files) };
    const { rows: clock } = await database.query('select clock_timestamp() as at');
    moment = clock[0].at.toISOString();
    await writeRow(3);
    await writeFile('three.webp');
    await service.storage.from('avatars').remove(['one.webp']);
    files.delete('one.webp');
    await service.auth.admin.deleteUser(data.user?.id ?? '');
    await stop();

    const [earlier, last] = [join(directory, 'earlier'), join(directory, 'last')];
    const [toMoment, toEnd] = await Promise.all([
      restore(earlier, backups, '--to', moment),
      restore(last, backups),
    ]);
    expect(toMoment).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Restored what was there on ${moment}`),
    });
    expect(toMoment.output).toContain('Deleted or hidden again: 1.');
    expect(toEnd).toMatchObject({ code: 0 });
    const [then, now] = await Promise.all([contentOf(earlier), contentOf(last)]);
    expect(then).toEqual({ ...before, people: expect.arrayContaining(['stays@clinic.example']) });
    expect(then.people).not.toContain('gone@clinic.example');
    // A site that was stopped in order has lost nothing.
    expect(now).toMatchObject({ rows, files });
  });

  it('has after a restart too what was written before the moment that it names', async () => {
    await open(settings);
    await service.auth.admin.createUser({ email: 'restarted@clinic.example' });
    const writtenAt = Date.now();
    const until = join(backups, 'continuous', archives()[0] ?? '', 'archived-until');
    await expect
      .poll(() => Date.parse(readFileSync(until, 'utf8').trim()), { timeout: BACKGROUND_TIMEOUT_MS })
      .toBeGreaterThan(writtenAt);
    const beside = join(directory, 'restarted');
    expect(await restore(beside, backups)).toMatchObject({ code: 0 });
    expect((await contentOf(beside)).people).toContain('restarted@clinic.example');
  });
});

describe('a backup folder that cannot be used', () => {
  it('is told of and holds nothing up, and archiving goes on when it can be used again', async () => {
    const status = async () => {
      const statusRun = run('status', settings);
      await statusRun.exited;
      return statusRun.output();
    };
    const [id = ''] = archives();
    expect(await status()).toMatch(/ARCHIVED_UNTIL=\d{4}-/);
    const away = `${backups}-away`;
    renameSync(backups, away);
    writeFileSync(backups, 'no folder');
    await writeRow(4);
    const { rows: ended } = await database.query('select pg_walfile_name(pg_switch_wal()) as segment');
    await expect.poll(() => site.output()).toContain('"msg":"archiving fails"');
    expect(await status()).toMatch(
      /Archiving fails: .+backups (cannot be used|does not have what was archived)/,
    );
    await writeRow(5);
    expect(rows).toEqual(expect.arrayContaining([4, 5]));
    expect((await fetch(`${instanceOf(settings.DATA_DIR ?? '').apiUrl}/readyz`)).status).toBe(200);

    rmSync(backups);
    renameSync(away, backups);
    await expect.poll(() => site.output()).toContain('"msg":"archiving continues"');
    await expect
      .poll(() => inArchive(id, 'wal').some((name) => name.startsWith(ended[0].segment)))
      .toBe(true);
    expect(await status()).not.toContain('Archiving fails');
    const metrics = await (await fetch(`${instanceOf(settings.DATA_DIR ?? '').apiUrl}/metrics`)).text();
    expect(Number(/^limb_archive_age_seconds (.+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
  });
});

describe('when the disk is lost', () => {
  /** Processes of a base copy that has begun and is not done; they have been stopped. */
  async function stoppedBaseCopy(id: string): Promise<number[]> {
    const unfinished = join(backups, 'continuous', id, 'unfinished');
    const copyStarted = () => readdirSync(unfinished).some((name) => name.startsWith('base'));
    // The site makes a base copy by itself when it checked its archive while the folder could not be reached.
    const { server } = processesOf(settings.DATA_DIR ?? '');
    const copies = () => childrenOf(server).filter(({ command }) => command.includes('backup.ts'));
    await expect.poll(copies, { timeout: BACKGROUND_TIMEOUT_MS }).toEqual([]);
    const [, ...later] = inArchive(id, 'base').sort();
    for (const name of later) rmSync(join(backups, 'continuous', id, 'base', name));
    const copy = run('backup', settings, ['--base']);
    await expect.poll(() => copy.process.exitCode !== null || copyStarted(), { interval: 5 }).toBe(true);
    const launcher = copy.process.pid ?? 0;
    const processes = [launcher, ...childrenOf(launcher).map(({ pid }) => pid)];
    for (const pid of processes) signal(pid, 'SIGSTOP');
    if (copyStarted()) return processes;
    // The copy was finished before it could be stopped.
    for (const pid of processes) signal(pid, 'SIGCONT');
    expect(await copy.exited, copy.output()).toMatchObject({ code: 0 });
    return stoppedBaseCopy(id);
  }

  let secured: { rows: number[]; files: Map<string, string> };
  let tried = 0;

  it('in the middle of a load and of a base copy, with every process killed', async () => {
    const [id = ''] = archives();
    let going = true;
    const load = async (write: (n: number) => Promise<void>) => {
      while (going) await write(1000 + tried++).catch(() => undefined);
    };
    const loads = [load(writeRow), load(writeRow), load((n) => writeFile(`load/${n}.webp`))];
    try {
      await expect.poll(() => rows.length > 50 && files.size > 10).toBe(true);
      secured = { rows: [...rows], files: new Map(files) };
      await archived(id);
      const copying = await stoppedBaseCopy(id);
      const { server, postgres } = processesOf(settings.DATA_DIR ?? '');
      const victims = [server, postgres].flatMap((pid) => [pid, ...childrenOf(pid).map(({ pid }) => pid)]);
      for (const pid of [...victims, ...copying]) signal(pid, 'SIGKILL');
    } finally {
      going = false;
    }
    await Promise.all([...loads, site.exited]);
    await database.end().catch(() => undefined);
    expect(inArchive(id, 'base')).toHaveLength(1);
    renameSync(settings.DATA_DIR ?? '', lost);
  });

  it('what had been acknowledged and archived is there, and nothing that no one wrote', async () => {
    const restored = await restore(settings.DATA_DIR ?? '', backups);
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /Restored what was there on \d{4}-.+Z into .+; the last change is of \d{4}-.+Z\./,
      ),
    });
    expect(restored.output).not.toMatch(/missing|gap|damaged/);
    const there = await contentOf(settings.DATA_DIR ?? '');
    expect(there.rows).toEqual(expect.arrayContaining(secured.rows));
    expect(there.rows.filter((n) => n > 5 && (n < 1000 || n >= 1000 + tried))).toEqual([]);
    for (const [name, hash] of secured.files) expect([name, there.files.get(name)]).toEqual([name, hash]);
  });

  it('the restored site goes on, with an archive of its own beside the old one', async () => {
    const [id = ''] = archives();
    const old = ['base', 'wal', 'files'].map((part) => inArchive(id, part));
    await open(settings);
    await expect.poll(() => archives(), { timeout: BACKGROUND_TIMEOUT_MS }).toHaveLength(2);
    const own = archives().find((each) => each !== id) ?? '';
    await expect.poll(() => inArchive(own, 'base'), { timeout: BACKGROUND_TIMEOUT_MS }).toHaveLength(1);
    // Over the API, whose responses hold a thousand rows at most, many of them could be missing.
    const { rows: stored } = await database.query<{ n: number }>('select n from public.kept order by n');
    rows.splice(0, rows.length, ...stored.map(({ n }) => n));
    await writeRow(5000);
    await archived(own);
    expect(['base', 'wal', 'files'].map((part) => inArchive(id, part))).toEqual(old);
  });
});

describe('a restore of an archive', () => {
  const nowhere = join(directory, 'nowhere');
  const refused = async (overrides: Record<string, string>, ...args: string[]) => {
    const restoring = run('restore', { DATA_DIR: nowhere, BACKUP_KEY: secretKey, ...overrides }, args);
    expect((await restoring.exited).code).toBe(1);
    expect(existsSync(nowhere) ? readdirSync(nowhere) : []).toEqual([]);
    return restoring.output();
  };

  it('refuses what is locked, damaged, not there or from another time, and changes nothing', async () => {
    await stop();
    const empty = join(directory, 'empty');
    mkdirSync(empty);
    const spoilt = join(directory, 'spoilt');
    cpSync(join(backups, 'continuous', archives().at(-1) ?? ''), spoilt, { recursive: true });
    const base = join(spoilt, 'base', readdirSync(join(spoilt, 'base'))[0] ?? '');
    const bytes = readFileSync(base);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(base, bytes);
    const answers = await Promise.all([
      refused({ BACKUP_KEY: '' }, backups),
      refused({ BACKUP_KEY: await generateIdentity() }, backups),
      refused({}, spoilt),
      refused({}, empty),
      refused({}, backups, '--to', '2020-01-01T00:00:00Z'),
      refused({}, backups, '--to', '2120-01-01T00:00:00Z'),
      refused({}, backups, '--to', 'yesterday'),
      refused({ DATA_DIR: settings.DATA_DIR ?? '' }, backups),
    ]);
    for (const [index, words] of [
      /is encrypted; set BACKUP_KEY/,
      /BACKUP_KEY does not open/,
      /is damaged or not whole/,
      /There is no continuous archive in/,
      /What was archived begins on/,
      /What was archived ends on/,
      /--to wants a moment/,
      /is not empty/,
    ].entries())
      expect(answers[index]).toMatch(words);
  });

  it('takes an archive that anyone may have made only where no key is set', async () => {
    const id = archives().at(-1) ?? '';
    const open = join(directory, 'open');
    cpSync(join(backups, 'continuous', id), open, { recursive: true });
    rmSync(join(open, 'key.age'));
    writeFileSync(join(open, 'base', inArchive(id, 'base')[0]?.replace(/\.age$/, '') ?? ''), 'forged');
    for (const name of inArchive(id, 'base')) rmSync(join(open, 'base', name));
    expect(await refused({}, open)).toMatch(/is not encrypted, so anyone may have made or changed it/);
  });

  it('goes to the end of the newest archive, or to a gap in the log, and says so', async () => {
    const [id = ''] = archives();
    const broken = join(directory, 'broken');
    cpSync(join(backups, 'continuous', id), broken, { recursive: true });
    const wal = readdirSync(join(broken, 'wal')).sort();
    rmSync(join(broken, 'wal', wal.at(-2) ?? ''));
    const [newest, toGap, old] = ['newest', 'to-gap', 'old'].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ];
    const [whole, part, earlier] = await Promise.all([
      restore(newest, backups),
      restore(toGap, broken),
      restore(old, backups, '--to', moment),
    ]);
    // With the file that the later base copy has found to be missing.
    const copies = readdirSync(join(backups, 'continuous', id, 'files'), {
      recursive: true,
      encoding: 'utf8',
    });
    expect(copies.filter((name) => name.includes('.gone-'))).toHaveLength(1);
    expect(earlier).toMatchObject({ code: 0 });
    expect(earlier.output).not.toMatch(/missing|gap|damaged/);
    expect(await contentOf(old)).toMatchObject(before);
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.output).not.toContain('gap');
    expect(part).toMatchObject({
      code: 0,
      output: expect.stringMatching(/has a gap at .+; nothing after it can be restored/),
    });
    const [all, some] = await Promise.all([contentOf(newest), contentOf(toGap)]);
    expect(all.rows).toEqual(rows);
    expect(some.rows).toEqual(expect.arrayContaining([1, 2]));
    expect(some.rows.length).toBeLessThan(rows.length);
  });
});
