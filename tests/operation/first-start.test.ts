// @module-tag whole

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { startPostgres } from '#backend/database/postgres.ts';
import { type Instance, runningInstance } from '#server/running-instance.mjs';
import { demoRows } from '../demo-rows.ts';
import { seededRandom } from '../seeded-random.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TEST_TIMEOUT_MS, TIMEOUT_MS } from '../timeouts.ts';
import { startedOnce } from './first-start.ts';
import { freePort, processesOf, type Run, run, signal, start } from './site.ts';

const directory = temporaryFolder('first-start');

const CUTS = 3;

/** Which processes are ended how; PostgreSQL is left behind when the server alone is killed. */
const CUT_OFF = {
  stopped: (site: Run) => site.process.kill('SIGTERM'),
  'server killed': (_: Run, { server }) => signal(server, 'SIGKILL'),
  'all killed': (site: Run, { server, postgres }) => {
    for (const pid of [site.process.pid ?? 0, server, postgres]) signal(pid, 'SIGKILL');
  },
} satisfies Record<string, (site: Run, processes: ReturnType<typeof processesOf>) => unknown>;
const WAYS = Object.keys(CUT_OFF) as (keyof typeof CUT_OFF)[];

const running = (dataDir: string): Promise<Instance> =>
  vi.waitUntil(() => runningInstance(dataDir), { timeout: TEST_TIMEOUT_MS, interval: 5 });

/** The number of rows of the demo content by now; those of one request come together. */
const rowCount = async (client: pg.Client): Promise<number> => {
  const tables = [
    'auth.users',
    'storage.objects',
    'solutions',
    'solution_media',
    'solution_trials',
    'comments',
  ];
  const counts = [...tables, 'likes', 'collection_items', 'forum_posts'].map(
    (table) => `(select count(*) from ${table})`,
  );
  return (await client.query(`select (${counts.join(' + ')})::int as count`)).rows[0].count;
};

async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

describe('a first start that is cut off while it adds demo content', () => {
  it(
    'is followed by a good one with all of it, wherever that was, and stops without an error',
    async () => {
      const whole = join(directory, 'whole');
      await startedOnce(whole, true);
      const model = await startPostgres(whole, (await readSecrets(whole, undefined)).databasePassword);
      const expected = await demoRows(model.url);
      const total = await withDatabase(model.url, rowCount);
      await model.stop();

      const settings = { DATA_DIR: join(directory, 'cut'), PORT: await freePort() };
      mkdirSync(settings.DATA_DIR);
      const random = seededRandom('first start');
      for (let cut = 0; cut < CUTS; cut++) {
        const way = WAYS[cut % WAYS.length] ?? 'stopped';
        const at = `cut ${cut + 1}, ${way}`;
        const site = run('start', settings);
        // Each gets further than the one before. The last twentieth leaves something to be cut off.
        const target = Math.floor(((cut + random(1000) / 1000) / CUTS) * total * 0.95);
        const { databaseUrl } = await running(settings.DATA_DIR);
        await withDatabase(databaseUrl ?? '', (client) =>
          vi.waitUntil(async () => (await rowCount(client)) >= target, { timeout: TIMEOUT_MS, interval: 1 }),
        );
        CUT_OFF[way](site, processesOf(settings.DATA_DIR));
        const { code } = await site.exited;
        if (way === 'stopped') {
          expect([at, code]).toEqual([at, 0]);
          // No error and no stack trace. The last request may have completed a solution.
          expect(site.output(), at).toMatch(/Stopping …\n(Adding demo content .*\n)?$/);
        }
        expect([at, existsSync(join(settings.DATA_DIR, 'demo-content'))]).toEqual([at, false]);
      }
      const site = await start(settings);
      expect(site.output()).toContain('Demo sign-ins');
      const found = await demoRows(runningInstance(settings.DATA_DIR)?.databaseUrl ?? '');
      for (const [name, value] of Object.entries(expected))
        expect([name, found[name]]).toEqual([name, value]);
      site.process.kill('SIGTERM');
      expect(await site.exited).toMatchObject({ code: 0 });
      expect(site.output()).toMatch(/Stopping …\n$/);
    },
    TEST_TIMEOUT_MS,
  );
});
