import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { joinCluster, startEmptyCluster } from '../cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser connection to a database with the embedded services' and the product's migrations. */
    siteUrl?: string;
  }
}

const migrations = join(import.meta.dirname, '../../supabase/migrations');

/**
 * The product's migrations on the objects a Supabase project provides, applied as its own tools do: as
 * `postgres`, file by file.
 */
export default async function setUp(project: TestProject) {
  const [plain, site] = await Promise.all([startEmptyCluster(), joinCluster()]);
  await makeSupabaseProject(plain.url, plain.password);
  project.provide('clusterUrl', plain.url);
  project.provide('clusterDirectory', plain.directory);
  project.provide('siteUrl', site.url);
  return () => Promise.all([plain.stop(), site.stop()]);
}

/**
 * Turns an empty cluster into a Supabase project without a migration.
 *
 * @returns the connection of the project's owner
 */
export async function makeEmptyProject(url: string, password: string): Promise<string> {
  await execute(url, [
    readFileSync(join(import.meta.dirname, 'supabase-project.sql'), 'utf8'),
    `alter role postgres password ${pg.escapeLiteral(password)}`,
  ]);
  const asPostgres = new URL(url);
  asPostgres.username = 'postgres';
  return asPostgres.href;
}

/**
 * Turns an empty cluster into a Supabase project after `supabase db push`.
 *
 * @returns the connection of a project's owner
 */
export async function makeSupabaseProject(url: string, password: string): Promise<string> {
  const owner = await makeEmptyProject(url, password);
  await execute(
    owner,
    readdirSync(migrations)
      .sort()
      .map((name) => readFileSync(join(migrations, name), 'utf8')),
  );
  return owner;
}

async function execute(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
