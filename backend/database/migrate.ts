import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ConfigError } from '../config-project.ts';

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
 * @throws in a sentence for the operator, with nothing changed, when the database was made by another version that does not lead here
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
    const migrations = sqlFiles(join(root, 'supabase/migrations'));
    const applied = await appliedTo(client);
    refuseOtherVersions(applied, migrations);
    await refuseOtherKeys(client, url, password);
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
    const done: string[] = [];
    for (const file of migrations) {
      const version = versionOf(file.name);
      if ((only && !only.includes(file.name)) || applied.has(version)) continue;
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
        [version, file.name.slice(version.length + 1, -'.sql'.length), [file.text]],
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

/** The text of each migration that was applied to a database, by its version; none in a new one. */
async function appliedTo(client: pg.Client): Promise<Map<string, string>> {
  const { rows: known } = await client.query(
    "select where to_regclass('supabase_migrations.schema_migrations') is not null",
  );
  if (known.length === 0) return new Map();
  const { rows } = await client.query<{ version: string; statements: string[] }>(
    'select version, statements from supabase_migrations.schema_migrations',
  );
  return new Map(rows.map(({ version, statements }) => [version, statements[0] ?? '']));
}

function refuseOtherVersions(applied: Map<string, string>, migrations: { name: string; text: string }[]) {
  const own = new Map(migrations.map(({ name, text }) => [versionOf(name), { name, text }]));
  const others = [...applied.keys()].filter((version) => !own.has(version)).sort();
  const changed = [...own].find(([version, { text }]) => (applied.get(version) ?? text) !== text);
  if (others.length > 0 && (changed || [...own.keys()].some((version) => !applied.has(version))))
    throw new Error(
      'The database was made by a version before 1.0. Make a backup with that version (npm run backup), and restore it with this one into a new data folder.',
    );
  if (others.length > 0)
    throw new Error(
      `The database was last used by a newer version of this software, with its migration ${others.at(-1)}; start that version again, or restore a backup that was made before.`,
    );
  if (changed)
    throw new Error(
      `${changed[1].name} has changed since it was applied to this database; add a new migration instead, or start from an empty data folder.`,
    );
}

/**
 * The passwords of the roles are set at each start. With those of other keys, the processes that use the database would lose it.
 */
async function refuseOtherKeys(client: pg.Client, url: string, password: string): Promise<void> {
  const { rowCount } = await client.query(
    "select from pg_stat_activity where usename = 'authenticator' limit 1",
  );
  if (!rowCount) return;
  const own = new URL(url);
  [own.username, own.password] = ['authenticator', password];
  const service = new pg.Client({ connectionString: own.href });
  service.on('error', () => undefined);
  try {
    await service.connect();
  } catch (error) {
    // Invalid password.
    if (!(error instanceof pg.DatabaseError) || error.code !== '28P01') throw error;
    throw new ConfigError(
      'The database is used by a process of a site with other keys; copy secrets.json, and with a bucket files.json, from its data folder into this one.',
    );
  } finally {
    await service.end().catch(() => undefined);
  }
}

const versionOf = (name: string) => name.replace(/\.sql$/, '').split('_')[0] ?? '';

function sqlFiles(directory: string): { name: string; text: string }[] {
  return (existsSync(directory) ? readdirSync(directory) : [])
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(directory, name), 'utf8') }));
}
