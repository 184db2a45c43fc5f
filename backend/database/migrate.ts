import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Brings a database up to date: first the objects that the services own (`backend/sql`, run as superuser and
 * safe to repeat), then the product's migrations, each once, as the `postgres` role that a hosted project
 * has.
 *
 * @param url superuser connection
 * @param root holds `supabase/migrations`
 * @param password given to every role that signs in
 * @param only names of the migrations that may be applied; all when left out
 * @returns names of the migrations applied now
 * @throws when an applied migration's text has changed since
 */
export async function migrate(
  url: string,
  password: string,
  root: string,
  only?: string[],
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Two processes may start on one database; the second waits and finds the work done.
    await client.query('select pg_advisory_lock(7266203145)');
    for (const file of sqlFiles(join(import.meta.dirname, '../sql'))) {
      await client.query(`begin;\n${file.text}\ncommit;`);
    }
    for (const role of [
      'postgres',
      'authenticator',
      'supabase_auth_admin',
      'supabase_storage_admin',
      'supabase_replication_admin',
    ]) {
      await client.query(`alter role ${role} password ${pg.escapeLiteral(password)}`);
    }
    const applied = await client.query<{ version: string; statements: string[] }>(
      'select version, statements from supabase_migrations.schema_migrations',
    );
    const done: string[] = [];
    for (const file of sqlFiles(join(root, 'supabase/migrations'))) {
      if (only && !only.includes(file.name)) continue;
      const [version = '', ...words] = file.name.replace(/\.sql$/, '').split('_');
      const before = applied.rows.find((row) => row.version === version);
      if (before) {
        if (before.statements[0] !== file.text) {
          throw new Error(
            `${file.name} has changed since it was applied to this database; add a new migration instead, or start from an empty data folder.`,
          );
        }
        continue;
      }
      try {
        await client.query(
          `begin; set local role postgres; set local search_path = public, extensions;\n${file.text}\n;reset role;`,
        );
      } catch (cause) {
        const position =
          cause instanceof pg.DatabaseError && cause.position
            ? ` near: ${`begin; set local role postgres; set local search_path = public, extensions;\n${file.text}`.slice(Number(cause.position) - 1, Number(cause.position) + 80)}`
            : '';
        throw new Error(
          `${file.name} could not be applied: ${cause instanceof Error ? cause.message : cause}${position}`,
          { cause },
        );
      }
      await client.query(
        'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)',
        [version, words.join('_'), [file.text]],
      );
      await client.query('commit');
      done.push(file.name);
    }
    if (done.length > 0) await client.query("notify pgrst, 'reload schema'");
    return done;
  } finally {
    await client.end();
  }
}

/**
 * Has a new connection load the library of the language that nearly all functions are in: connections that have it go on
 * when its file is gone, and no later one can answer a request.
 */
export async function loadLibrary(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('do $$ begin end $$').finally(() => client.end());
}

/** The versions of a project's migrations, from the names of their files. */
export const migrationVersions = (root: string): string[] =>
  sqlFiles(join(root, 'supabase/migrations')).map(({ name }) => versionOf(name));

const versionOf = (name: string) => name.replace(/\.sql$/, '').split('_')[0] ?? '';

function sqlFiles(directory: string): { name: string; text: string }[] {
  return (existsSync(directory) ? readdirSync(directory) : [])
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(directory, name), 'utf8') }));
}
