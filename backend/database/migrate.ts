import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openConnection } from './open-connection.ts';
import { refuseOtherOwner, refuseServer } from './other-owner.ts';

/** Migrations are applied as on a hosted project. */
const AS_OWNER = 'begin; set local role postgres; set local search_path = public, extensions;';

/**
 * Brings a database up to date: first the objects that the services own (`backend/sql`, run as superuser and
 * safe to repeat), then the product's migrations, each once, as the `postgres` role that a hosted project
 * has.
 *
 * @param url superuser connection
 * @param root holds `supabase/migrations`
 * @param password given to every role that signs in, as it is made
 * @param only names of the migrations that may be applied; all when left out
 * @param isNew may refuse a database that has nothing of the site yet, before anything is changed
 * @returns names of the migrations applied now
 * @throws in a sentence for the operator, with nothing changed, when the server cannot be used, is too old, holds what another than this
 * site has made, or was last used by a version that does not lead here
 */
export async function migrate(
  url: string,
  password: string,
  root: string,
  { only, isNew }: { only?: string[]; isNew?: () => Promise<void> } = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await openConnection(client);
  try {
    await refuseServer(client);
    // Two processes may start on one database; the second waits and finds the work done.
    await client.query('select pg_advisory_lock(7266203145)');
    const migrations = sqlFiles(join(root, 'supabase/migrations'));
    const recorded = await appliedTo(client);
    const applied = recorded ?? new Map<string, string>();
    refuseOtherVersions(applied, migrations);
    const services = sqlFiles(join(import.meta.dirname, '../sql'));
    const roles = rolesOf(services);
    // A server whose superuser has the site's own password was made by the site.
    const present =
      new URL(url).password === password
        ? new Set<string>()
        : await refuseOtherOwner(client, password, roles, recorded !== undefined);
    if (!recorded) await isNew?.();
    const passwords = [...roles]
      .filter(([role, signsIn]) => signsIn && !present.has(role))
      .map(([role]) => `alter role ${role} password ${pg.escapeLiteral(password)};`)
      .join('\n');
    for (const [index, file] of services.entries()) {
      // In one transaction with the roles themselves, so that none is left which cannot be told from another's.
      await apply(client, file.name, 'begin;', file.text, index === 0 ? passwords : '');
      await client.query('commit');
    }
    const done: string[] = [];
    for (const file of migrations) {
      const version = versionOf(file.name);
      if ((only && !only.includes(file.name)) || applied.has(version)) continue;
      await apply(client, file.name, AS_OWNER, file.text, 'reset role;');
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

/** The text of each migration that was applied to a database, by its version; undefined in one that is new. */
async function appliedTo(client: pg.Client): Promise<Map<string, string> | undefined> {
  const { rows: known } = await client.query(
    "select where to_regclass('supabase_migrations.schema_migrations') is not null",
  );
  if (known.length === 0) return undefined;
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

/** Runs a file in a transaction that it leaves open. @throws with the name of the file, and what stands where it failed */
async function apply(client: pg.Client, name: string, before: string, text: string, after: string) {
  const script = `${before}\n${text}\n;${after}`;
  try {
    await client.query(script);
  } catch (cause) {
    const at = cause instanceof pg.DatabaseError && cause.position ? Number(cause.position) - 1 : undefined;
    throw new Error(
      `${name} could not be applied: ${cause instanceof Error ? cause.message : cause}${at === undefined ? '' : ` near: ${script.slice(at, at + 80)}`}`,
      { cause },
    );
  }
}

/** The roles that the services make, each with whether it signs in. */
const rolesOf = (files: { text: string }[]) =>
  new Map(
    files.flatMap(({ text }) =>
      [...text.matchAll(/create role (\w+) (no)?login/g)].map(([, role = '', no]) => [role, !no] as const),
    ),
  );

const versionOf = (name: string) => name.replace(/\.sql$/, '').split('_')[0] ?? '';

function sqlFiles(directory: string): { name: string; text: string }[] {
  return (existsSync(directory) ? readdirSync(directory) : [])
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(directory, name), 'utf8') }));
}
