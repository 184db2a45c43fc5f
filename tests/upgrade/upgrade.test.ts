// @module-tag whole

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { migrate } from '#backend/database/migrate.ts';
import { startPostgres } from '#backend/database/postgres.ts';
import { REPEATS } from '#server/backup/deletions.ts';
import { schemaSql } from '../../scripts/generate/schema-sql.ts';
import { brokenAmong, INVARIANTS } from '../invariants.ts';
import { freePort, type Run, run, start } from '../operation/site.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS } from '../timeouts.ts';
import { stateOf } from './state.ts';

/** The audit log has no decisions on demo content, which were made before there was a site. */
const OF_ROWS = Object.fromEntries(
  Object.entries(INVARIANTS).filter(([name]) => !name.includes('audit log')),
);
const root = join(import.meta.dirname, '../..');
/** The versions of which there is a backup here, made when they were released. */
const RELEASES = readdirSync(import.meta.dirname).flatMap((name) => /^(.+)\.tar$/.exec(name)?.[1] ?? []);
const HAS_SETTINGS = RELEASES.filter((release) => release !== 'before-1.0');

it('has a backup of each release, this version among them unless it has no date yet', () => {
  const released = [
    ...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+\.\d+), \d/gm),
  ];
  expect(HAS_SETTINGS.sort()).toEqual(released.map(([, version]) => version).sort());
});

describe.each(RELEASES)('a backup of version %s', (release) => {
  const directory = temporaryFolder('upgrade');
  const dataDir = join(directory, 'data');
  const settings: Record<string, string> = { DATA_DIR: dataDir };
  const backup = join(import.meta.dirname, `${release}.tar`);
  /** The token of a member's session when the backup was made, the secret of an admin's second step, and what there was. */
  const { refreshToken, secret, state } = JSON.parse(
    readFileSync(join(import.meta.dirname, `${release}.json`), 'utf8'),
  );
  const isBeforeFirst = release === 'before-1.0';

  let site: Run | undefined;
  let member: SupabaseClient;
  let siteUrl: string;
  let anonKey: string;

  beforeAll(async () => {
    const manifest = JSON.parse(execFileSync('tar', ['xOf', backup, 'manifest.json'], { encoding: 'utf8' }));
    const rows = manifest.tables.reduce((sum: number, table: { rows: number }) => sum + table.rows, 0);
    // As a later version leaves the list beside the backups.
    const erased = join(directory, 'erased.jsonl');
    const id = randomUUID();
    const list = Object.keys(REPEATS).map((kind) => ({ at: new Date().toISOString(), kind, id }));
    writeFileSync(erased, list.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const restored = run('restore', settings, [backup, '--erased', erased]);
    expect([(await restored.exited).code, restored.output()]).toEqual([
      0,
      expect.stringContaining(`${rows} rows and ${manifest.files} files`),
    ]);
  }, BACKGROUND_TIMEOUT_MS);

  afterAll(async () => {
    site?.process.kill('SIGINT');
    await site?.exited;
  });

  describe('restored', () => {
    let cluster: Awaited<ReturnType<typeof startPostgres>>;
    let pool: pg.Pool;
    const rowsOf = async (sql: string) => (await pool.query(sql)).rows;

    beforeAll(async () => {
      const { databasePassword } = await readSecrets(dataDir, undefined);
      cluster = await startPostgres(dataDir, databasePassword);
      pool = new pg.Pool({ connectionString: cluster.url });
      // A server that stops next may cut a connection that is still closing.
      pool.on('error', () => undefined);
      pool.on('connect', (client) => client.on('error', () => undefined));
      // As if solutions that were tried had been for members at first: what was written then is not for those who came later.
      if (!isBeforeFirst)
        await pool.query(`begin; set local session_replication_role = replica;
          update public.solution_versions v set audience = 'members'
          where v.solution_id in (select t.solution_id from public.solution_trials t);
          insert into public.withdrawn_solutions (id, title, reason)
          values (gen_random_uuid(), null, 'author'), (gen_random_uuid(), 'For all', 'error'); commit`);
    });
    afterAll(async () => {
      // A session that was not used for 90 days has ended, and this backup grows older.
      await pool?.query('update auth.sessions set refreshed_at = now()');
      await pool?.end();
      await cluster?.stop();
    });

    it('has the tables of a new site, with the migrations that came after it', async () => {
      await migrate(cluster.url, (await readSecrets(dataDir, undefined)).databasePassword, root);
      expect(await schemaSql(pool)).toBe(readFileSync(join(root, 'supabase/schema.sql'), 'utf8'));
    });

    it('has rows of which holds what must hold', async () => {
      expect(await brokenAmong(OF_ROWS, rowsOf)).toEqual([]);
    });

    it.skipIf(isBeforeFirst)(
      'shows nothing to more readers than there were when it was written',
      async () => {
        const [shown] = await rowsOf(
          `select (select array_agg(distinct t.audience) from public.solution_trials t) as reports,
         (select array_agg(distinct o.audience) from public.solution_outcomes o where o.trial_id is not null) as outcomes,
         (select count(*)::int from public.comments c where c.audience = 'members') > 0 as comments,
         (select count(*)::int from public.solutions s where s.tried_count > 0) as tried,
         (select array_agg(distinct w.audience || case when w.title is null then '' else ', titled' end)
          from public.withdrawn_solutions w) as withdrawn`,
        );
        expect(shown).toEqual({
          reports: ['members'],
          outcomes: ['members'],
          comments: true,
          tried: 0,
          withdrawn: ['checked', 'public, titled'],
        });
      },
    );

    it.runIf(isBeforeFirst)('has counted what was not counted then', async () => {
      const [counts] = await rowsOf(
        `select (select sum(rows)::int from private.kept_counts where name like 'waiting %') as waiting,
         (select count(*)::int from public.comments where thread_id is not null) as replies`,
      );
      expect(counts).toEqual({ waiting: 8, replies: 8 });
    });

    it.runIf(isBeforeFirst)('has under today’s names what had others', async () => {
      // Before a site starts, which removes uploads that have waited for a day and does the jobs.
      expect(
        await rowsOf(
          "select made ->> 'file_name' as name, cardinality(urls) as files from pending_uploads order by 1",
        ),
      ).toEqual([
        { name: 'clamp.stl', files: 2 },
        { name: null, files: 3 },
      ]);
      expect(await rowsOf('select object_names from media_jobs order by id')).toEqual([
        { object_names: [] },
        { object_names: ['pending-media/gone/full.webp'] },
        { object_names: ['solution-media/gone/full.webp'] },
      ]);
      expect(
        await rowsOf("select distinct notice ->> 'type' as type from private.mail_jobs where not digest"),
      ).toEqual([{ type: 'removal_requests' }]);
    });

    it.runIf(isBeforeFirst)('is refused by other versions in a sentence, and stays as it is', async () => {
      /** What a version says that has these migrations, by name and text. */
      const migratedBy = (migrations: [name: string, text: string][]) => {
        const other = mkdtempSync(join(directory, 'other-'));
        mkdirSync(join(other, 'supabase/migrations'), { recursive: true });
        for (const [name, text] of migrations) writeFileSync(join(other, 'supabase/migrations', name), text);
        return migrate(cluster.url, 'another password', other);
      };
      const folder = join(root, 'supabase/migrations');
      const own = readdirSync(folder)
        .sort()
        .map((name): [string, string] => [name, readFileSync(join(folder, name), 'utf8')]);
      const applied = () => rowsOf('select * from supabase_migrations.schema_migrations order by version');
      const before = await applied();
      await expect(migratedBy(own.slice(0, -1))).rejects.toThrow(
        /^The database was last used by a newer version/,
      );
      await expect(migratedBy([...own.slice(1), ['20990101000000_other.sql', 'select 1']])).rejects.toThrow(
        /^The database was made by a version before 1.0\./,
      );
      await expect(
        migratedBy(own.map(([name, text], index) => [name, index === 0 ? 'select 1' : text])),
      ).rejects.toThrow(/ has changed since it was applied/);
      expect(await applied()).toEqual(before);
    });
  });

  describe('started', () => {
    beforeAll(async () => {
      settings.PORT = await freePort();
      site = await start(settings);
      const instance = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
      siteUrl = instance.apiUrl;
      anonKey = instance.anonKey;
      member = createClient(siteUrl, anonKey, { auth: { persistSession: false } });
    }, BACKGROUND_TIMEOUT_MS);

    it('keeps its members signed in, and what they see is as it was', async () => {
      const { data, error } = await member.auth.refreshSession({ refresh_token: refreshToken });
      expect([error, data.user?.email]).toEqual([null, 'member@example.org']);
      expect(await stateOf(siteUrl, anonKey, member)).toEqual(state);
    });

    it.skipIf(isBeforeFirst)('keeps the second step of its staff', async () => {
      const admin = createClient(siteUrl, anonKey, { auth: { persistSession: false } });
      await admin.auth.signInWithPassword({ email: 'admin@example.org', password: 'limb-commons-demo' });
      const { data: factors } = await admin.auth.mfa.listFactors();
      const { error } = await admin.auth.mfa.challengeAndVerify({
        factorId: factors?.totp[0]?.id ?? '',
        code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
      });
      expect(error).toBeNull();
    });
  });
});
