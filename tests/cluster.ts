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

/** One PostgreSQL for a run; its database `postgres` is the template, migrated once and then left alone. */
export default async function startCluster(project: TestProject) {
  const directory = mkdtempSync(join(tmpdir(), 'limb-commons-'));
  chmodSync(directory, 0o711);
  mkdirSync(join(directory, 'files'));
  const secrets = await readSecrets(directory, undefined);
  const postgres = await startPostgres(directory, secrets.databasePassword);
  await migrate(postgres.url, secrets.databasePassword, resolve(import.meta.dirname, '..'));
  project.provide('clusterUrl', postgres.url);
  project.provide('clusterDirectory', directory);
  return async () => {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
