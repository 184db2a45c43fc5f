import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { afterEach, type RunnerTestCase } from 'vitest';
import { runs } from '../operation/site.ts';

type Evidence = Record<string, string | Buffer>;
const witnesses = new Set<() => Promise<Evidence>>();

/**
 * Registers evidence to keep when a test of this file fails.
 *
 * @param witness gives contents by file name
 * @returns unregisters it; call it when the witness can no longer read its subject
 */
export function onFailureKeep(witness: () => Promise<Evidence>): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/** The rows of every table that has some, as far as a person would read. */
export async function rowsSeenBy(client: pg.Client): Promise<Evidence> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'private', 'auth', 'storage') order by 1`,
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: object }>(
      `select to_jsonb(t) as row from ${name} t limit 200`,
    );
    lines.push(...rows.map(({ row }) => `${name} ${JSON.stringify(row)}`));
  }
  return { 'rows.txt': lines.join('\n') };
}

/** As `rowsSeenBy`, over a separate connection. */
export async function rowsIn(databaseUrl: string): Promise<Evidence> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await rowsSeenBy(client);
  } finally {
    await client.end();
  }
}

/** Writes the evidence of a failed test to a separate folder, and prints its path. */
export async function writeEvidence(task: RunnerTestCase, seen: () => Promise<Evidence>): Promise<void> {
  if (task.result?.state !== 'fail') return;
  const name = `${basename(task.file.name, '.test.ts')}-${task.name}`.replace(/[^\w.-]+/g, '-').slice(0, 100);
  const folder = join('test-results', `${task.file.projectName}-${name}`);
  // Undefined when another witness was there before.
  if (mkdirSync(folder, { recursive: true })) console.error(`What "${task.name}" saw is in ${folder}.`);
  // The fault that broke the test may keep the witness from seeing it.
  const evidence = await seen().catch((error: Error) => ({ 'not-seen.txt': String(error) }));
  const errors = task.result.errors?.map(({ message, stack }) => `${message}\n${stack}`) ?? [];
  for (const [file, content] of Object.entries({ ...evidence, 'error.txt': errors.join('\n\n') }))
    writeFileSync(join(folder, file), content);
}

onFailureKeep(async () =>
  Object.fromEntries(runs.map(({ task, output }, place) => [`${place}-${task}.log`, output()])),
);

afterEach(async ({ task }) => {
  for (const witness of witnesses) await writeEvidence(task, witness);
});
