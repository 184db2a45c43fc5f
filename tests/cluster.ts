import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { migrate } from '#backend/database/migrate.ts';
import { startPostgres } from '#backend/database/postgres.ts';
import { removeFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser connection to the migrated database that every test database is a copy of. */
    clusterUrl: string;
    /** Holds the `secrets.json` that all test backends share. */
    clusterDirectory: string;
  }
}

interface Cluster {
  url: string;
  password: string;
  directory: string;
  stop(): Promise<void>;
}

/** No row of a test database has to survive a power cut, and several files use the cluster at once. */
const SETTINGS = {
  fsync: 'off',
  // One test has its own commit wait for a standby; those of other files do not.
  synchronous_commit: 'local',
  full_page_writes: 'off',
  max_connections: '400',
  max_wal_size: '4GB',
};

export async function startEmptyCluster(): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'limb-commons-'));
  chmodSync(directory, 0o711);
  mkdirSync(join(directory, 'files'));
  const { databasePassword: password } = await readSecrets(directory, undefined);
  const postgres = await startPostgres(directory, password, SETTINGS);
  return {
    url: postgres.url,
    password,
    directory,
    async stop() {
      await postgres.stop();
      await removeFolder(directory);
    },
  };
}

interface Shared {
  cluster?: Promise<Cluster>;
  users: number;
}

/** Every vitest project has a copy of this module; all copies share this object. */
const global = globalThis as unknown as { clusterOfTheRun?: Shared };
global.clusterOfTheRun ??= { users: 0 };
const shared = global.clusterOfTheRun;

/**
 * One PostgreSQL for a run; its database `postgres` is the template, made once and then left alone.
 *
 * @returns its connection, and a function that releases it
 */
export async function joinCluster(): Promise<Cluster> {
  shared.users += 1;
  shared.cluster ??= startEmptyCluster().then(async (cluster) => {
    await migrate(cluster.url, cluster.password, resolve(import.meta.dirname, '..'));
    return cluster;
  });
  const cluster = await shared.cluster;
  return {
    ...cluster,
    async stop() {
      shared.users -= 1;
      if (shared.users === 0) await cluster.stop();
    },
  };
}

export default async function setUp(project: TestProject) {
  const { url, directory, stop } = await joinCluster();
  project.provide('clusterUrl', url);
  project.provide('clusterDirectory', directory);
  return stop;
}
