import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '#backend/migrate.ts';
import { startPostgres } from '#backend/postgres.ts';
import { readSecrets } from '#backend/secrets.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser connection to the migrated database that every test database is a copy of. */
    clusterUrl: string;
    /** Holds the `secrets.json` that all test backends share. */
    clusterDirectory: string;
  }
}

/** One PostgreSQL for a run; its database `postgres` is the template, made once and then left alone. */
export async function startEmptyCluster(
  project: TestProject,
): Promise<{ url: string; password: string; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'limb-commons-'));
  chmodSync(directory, 0o711);
  mkdirSync(join(directory, 'files'));
  const { databasePassword: password } = await readSecrets(directory, undefined);
  const postgres = await startPostgres(directory, password);
  project.provide('clusterUrl', postgres.url);
  project.provide('clusterDirectory', directory);
  return {
    url: postgres.url,
    password,
    async stop() {
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export default async function startCluster(project: TestProject) {
  const { url, password, stop } = await startEmptyCluster(project);
  await migrate(url, password, resolve(import.meta.dirname, '..'));
  return stop;
}
