// @module-tag whole

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { Database } from '#backend/database/database.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS } from '../timeouts.ts';
import { startedOnce } from './first-start.ts';
import { freePort, isAlive, processesOf, ready, run, start } from './site.ts';

const directory = temporaryFolder('faults');
const dataDir = join(directory, 'data');
/** Loaded by the server before its own code; the launcher skips it. */
const preload = join(directory, 'fault.mjs');

beforeAll(async () => {
  await startedOnce(dataDir, false);
});

it.each([
  ['an exception', "throw new Error('nobody foresaw this')", 'uncaughtException'],
  ['a rejection', "void Promise.reject(new Error('nobody foresaw this'))", 'unhandledRejection'],
])(
  '%s that nothing catches stops the site in order, database included, and is no success',
  async (_, fault, origin) => {
    writeFileSync(
      preload,
      `if (process.argv[1]?.endsWith('server/main.ts')) process.on('SIGWINCH', () => { ${fault}; });`,
    );
    const site = await start({
      DATA_DIR: dataDir,
      PORT: await freePort(),
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import=${preload}`,
    });
    const { server, postgres } = processesOf(dataDir);
    expect([isAlive(server), isAlive(postgres)]).toEqual([true, true]);

    process.kill(server, 'SIGWINCH');

    expect((await site.exited).code).toBe(1);
    expect([isAlive(server), isAlive(postgres)]).toEqual([false, false]);
    const [line = ''] = /^\{.*nobody foresaw this.*\}$/m.exec(site.output()) ?? [];
    expect(JSON.parse(line)).toMatchObject({ level: 60, origin, err: { message: 'nobody foresaw this' } });
    expect(site.output()).toContain('Stopping');
  },
);

/** Has a site that is starting do something before it writes the file by which it announces itself. */
function beforeItAnnouncesItself(statement: string): void {
  writeFileSync(
    preload,
    `if (process.argv[1]?.endsWith('server/main.ts')) {
      const { default: fs } = await import('node:fs');
      const { syncBuiltinESMExports } = await import('node:module');
      const write = fs.writeFileSync;
      fs.writeFileSync = (path, ...rest) => {
        if (String(path).includes('instance.json')) ${statement};
        return write(path, ...rest);
      };
      syncBuiltinESMExports();
    }`,
  );
}

it('a start that fails half-way leaves no database behind, and says why last', async () => {
  // The site's own file is in the way of the one it announces itself with.
  beforeItAnnouncesItself("throw new Error('The disk is full.')");
  const failed = await start({
    DATA_DIR: dataDir,
    PORT: await freePort(),
    NODE_OPTIONS: `--import=${preload}`,
  }).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(failed.trim().split('\n').at(-1)).toBe('The disk is full.');
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
});

it('a command beside a site that is starting leaves its database to it', async () => {
  const goOn = join(directory, 'go-on');
  beforeItAnnouncesItself(
    `while (!fs.existsSync(${JSON.stringify(goOn)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)`,
  );
  const settings = { DATA_DIR: dataDir, PORT: await freePort() };
  const site = run('start', { ...settings, NODE_OPTIONS: `--import=${preload}` });
  await expect
    .poll(() => existsSync(join(dataDir, 'postgres/postmaster.pid')), { timeout: BACKGROUND_TIMEOUT_MS })
    .toBe(true);
  for (const [task, words] of [
    ['backup', [join(directory, 'site.tar')]],
    ['start', []],
  ] as const) {
    const other = run(task, { ...settings, PORT: await freePort() }, [...words]);
    expect(await other.exited).toMatchObject({ code: 1 });
    expect(other.output()).toMatch(
      /^The database in .* is that of process \d+, a site that is starting or a command; /m,
    );
  }
  writeFileSync(goOn, '');
  await ready(site);
  expect(await run('backup', settings, [join(directory, 'site.tar')]).exited).toMatchObject({ code: 0 });
  site.process.kill('SIGTERM');
  expect(await site.exited).toMatchObject({ code: 0 });
});

it('a database that is let go of while someone begins to listen to it is let go of, and the next is listened to', async () => {
  const site = await start({ DATA_DIR: dataDir, PORT: await freePort() });
  const { databaseUrl } = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
  const database = await Database.connect(databaseUrl, { max: 2, onIdleError: () => undefined });
  const payloads: string[] = [];
  const listening = database.listen('news', (payload) => payloads.push(payload));
  // By then it has its connection, and no response yet.
  await new Promise(setImmediate);
  await database.reconnect();
  await listening;
  await expect
    .poll(async () => {
      await database.query("select pg_notify('news', 'something')");
      return payloads;
    })
    .toContain('something');

  const again = database.listen('news', () => undefined);
  await new Promise(setImmediate);
  await database.close();
  await again;
  site.process.kill('SIGTERM');
  expect((await site.exited).code).toBe(0);
});
