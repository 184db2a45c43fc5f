import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { migrate } from '#backend/database/migrate.ts';
import { placeOf, startPostgres } from '#backend/database/postgres.ts';
import { readArchive, verifyArchive } from './archive.ts';
import { type Manifest, manifestSchema } from './backup.ts';
import { type Deletion, repeatDeletions } from './deletions.ts';
import { BackupError } from './encryption.ts';
import { BACKUP_PATH, type SiteFiles, storeFile } from './files.ts';
import { connect, loadRows, tables } from './tables.ts';

/** A marker in a data folder in which a restore was killed; no site may start on it. */
export const UNFINISHED_MARKER = 'unfinished-restore';

/**
 * The names and hashes of the migrations of 25 November 2026, the last before they were written again for 1.0. A backup that lists them
 * is converted by `supabase/before-1.0`.
 */
const BEFORE_RELEASE = 'f3bc579a3820e3bbcf630b852a418fc60e00eccfad2fe85ef6be8e5adfab09ef';

/** The last migration of 1.0, for whose tables those backups are converted. */
const LAST_OF_FIRST_RELEASE = '20261101000930_member_writes.sql';

export interface Restored {
  madeAt: string;
  rows: number;
  files: number;
  erased: number;
}

/**
 * Restores a site from a backup: the archive is read to its end and compared with its hashes before any data
 * is written.
 *
 * @param target `databaseUrl` is a superuser connection to an empty database, else one is made in
 * `dataDir`; `driver` is an empty place for the files
 * @param erasures the permanent deletions since, which must not come back
 * @throws BackupError, with nothing changed, when backup or target is unsuitable
 */
export async function restoreBackup(
  file: string,
  key: string | undefined,
  target: SiteFiles & { root: string; databaseUrl: string | undefined },
  erasures: Deletion[],
  progress: (step: string) => void,
): Promise<Restored> {
  const { root, dataDir, databaseUrl } = target;
  checkEmptyFolder(dataDir);
  progress('Verifying the backup');
  const contents = await verifyArchive(file, key, ['manifest.json', 'secrets.json']);
  const manifest = readManifest(contents.get('manifest.json'));
  if (!manifest) throw new BackupError(`${file} is not a backup that this version can read.`);
  const isBeforeRelease =
    createHash('sha256').update(JSON.stringify(manifest.migrations)).digest('hex') === BEFORE_RELEASE;
  if (!isBeforeRelease) checkMigrations(manifest, root);
  if (databaseUrl) await checkEmpty(databaseUrl);

  await mkdir(dataDir, { recursive: true });
  let giveBack: (() => Promise<void>) | undefined;
  try {
    await writeFile(join(dataDir, UNFINISHED_MARKER), '', { mode: 0o600 });
    giveBack = await target.claim?.();
    await writeFile(join(dataDir, 'secrets.json'), contents.get('secrets.json') ?? '', {
      mode: 0o600,
      flush: true,
    });
    if (manifest.demoContent) await writeFile(join(dataDir, 'demo-content'), '', { mode: 0o600 });
    const { databasePassword } = await readSecrets(dataDir, undefined);
    progress('Making the database');
    const postgres = databaseUrl ? undefined : await startPostgres(dataDir, databasePassword);
    const url = postgres?.url ?? databaseUrl ?? '';
    let erased = 0;
    try {
      // The rows fit the tables of their own version; the next start brings these up to date.
      const names = isBeforeRelease
        ? readdirSync(join(root, 'supabase/migrations')).filter((name) => name <= LAST_OF_FIRST_RELEASE)
        : manifest.migrations.map(({ name }) => name);
      await migrate(url, databasePassword, root, { only: names });
      progress(`Restoring ${manifest.files} files and the rows of ${manifest.tables.length} tables`);
      erased = await fill(url, { file, key, manifest }, target, erasures, isBeforeRelease ? root : undefined);
    } finally {
      await postgres?.stop();
    }
    await rm(join(dataDir, UNFINISHED_MARKER));
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { madeAt: manifest.madeAt, rows, files: manifest.files, erased };
  } catch (error) {
    // A failed restore leaves the operator's own database unchanged, without a row of the backup.
    await giveBack?.().catch(() => undefined);
    await emptyAgain(dataDir);
    throw error;
  }
}

/**
 * Puts the rows of a backup into a database that has its migrations, in place of those that are there.
 *
 * @throws BackupError, with the rows as they were, when the backup is unsuitable
 */
export async function replaceRows(databaseUrl: string, file: string, site: SiteFiles): Promise<void> {
  const contents = await verifyArchive(file, undefined, ['manifest.json']);
  const manifest = readManifest(contents.get('manifest.json'));
  if (!manifest) throw new BackupError(`${file} is not a backup that this version can read.`);
  await fill(databaseUrl, { file, key: undefined, manifest }, site, [], undefined);
}

/**
 * Loads a backup into a database, all of it or nothing.
 *
 * @param converts the folder of this version, where the backup is of before 1.0
 * @returns how many of the permanent deletions the database had
 */
async function fill(
  url: string,
  { file, key, manifest }: { file: string; key: string | undefined; manifest: Manifest },
  site: SiteFiles,
  erasures: Deletion[],
  converts: string | undefined,
): Promise<number> {
  const sql = (name: string) => readFileSync(join(converts ?? '', 'supabase/before-1.0', name), 'utf8');
  const client = await connect(url);
  try {
    await client.query('begin; set local session_replication_role = replica');
    if (converts) await client.query(sql('accept.sql'));
    await checkNames(client, manifest);
    await load(client, file, key, manifest, site);
    if (converts) await client.query(sql('convert.sql'));
    // Before anyone can read the rows, and with their triggers, which the rest of a removal depends on.
    await client.query('set local session_replication_role = origin');
    const erased = await repeatDeletions(client, erasures);
    await client.query('commit');
    await client.query('analyze');
    return erased;
  } finally {
    await client.end();
  }
}

/** @throws BackupError when a restore would overwrite existing data */
export function checkEmptyFolder(dataDir: string): void {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new BackupError(
      `The data folder ${dataDir} is not empty; move it away, or set DATA_DIR to one that is.`,
    );
}

/** Leaves a data folder as it was before a restore that failed. */
export async function emptyAgain(dataDir: string): Promise<void> {
  const cluster = join(dataDir, 'postgres');
  if (lstatSync(cluster, { throwIfNoEntry: false })?.isSymbolicLink())
    await rm(placeOf(resolve(dataDir, readlinkSync(cluster))), { recursive: true, force: true });
  for (const name of readdirSync(dataDir)) await rm(join(dataDir, name), { recursive: true, force: true });
}

function readManifest(text: Buffer | undefined): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text?.toString() ?? ''));
  } catch {
    return undefined;
  }
}

/**
 * Names from the archive become part of statements that run with every right.
 *
 * @throws BackupError for one that the schema does not have
 */
async function checkNames(
  client: pg.Client,
  { tables: listed, sequences: numbered }: Manifest,
): Promise<void> {
  const namesOf = (all: { name: string; columns: string[] }[]) =>
    all.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name} ${column}`)]);
  const existing = new Set(namesOf(await tables(client)));
  const { rows } = await client.query<{ name: string }>(
    "select format('%I.%I', schemaname, sequencename) as name from pg_sequences",
  );
  for (const { name } of rows) existing.add(`sequence ${name}`);
  const names = [...namesOf(listed), ...numbered.map(({ name }) => `sequence ${name}`)];
  const unknown = names.find((name) => !existing.has(name));
  if (unknown !== undefined)
    throw new BackupError(`The backup names ${unknown}, which this version does not have.`);
}

/** The schema must be that of the backup; the next start applies newer migrations. */
function checkMigrations({ migrations }: Manifest, root: string): void {
  for (const { name, sha256 } of migrations) {
    const path = join(root, 'supabase/migrations', name);
    const found = existsSync(path)
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : undefined;
    if (found !== sha256)
      throw new BackupError(
        `The backup was made with another version of this software: its migration ${name} is ${found ? 'different' : 'missing'} here.`,
      );
  }
}

async function checkEmpty(url: string): Promise<void> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ present: boolean }>(
      "select to_regclass('auth.users') is not null as present",
    );
    if (!rows[0]?.present) return;
    const used = await client.query('select from auth.users union all select from storage.objects limit 1');
    if (used.rowCount)
      throw new BackupError('The database of DATABASE_URL is in use; restore into an empty one.');
  } finally {
    await client.end();
  }
}

/** Loads all rows and files, in the caller's transaction without triggers, which would repeat effects that the rows already show. */
async function load(
  client: pg.Client,
  file: string,
  key: string | undefined,
  manifest: Manifest,
  site: SiteFiles,
): Promise<void> {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  // Migrations insert some rows themselves, for example badges and settings.
  await client.query(`truncate ${[...tables.keys()].join(', ')} cascade`);
  for await (const { name, body } of readArchive(file, key)) {
    const table = tables.get(/^database\/(.+)\/\d+\.copy\.gz$/.exec(name)?.[1] ?? '');
    if (table) await loadRows(client, table, body.pipe(createGunzip()));
    else {
      const [, , version] = BACKUP_PATH.exec(name) ?? [];
      if (version) await storeFile(site, version, [body]);
      else body.resume();
    }
  }
  for (const { name, value } of manifest.sequences)
    await client.query('select setval($1::regclass, $2)', [name, value]);
  for (const { name, rows } of tables.values()) {
    const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${name}`);
    if (Number(counted.rows[0]?.rows) !== rows)
      throw new BackupError(`${name} has ${counted.rows[0]?.rows} rows after the restore, and had ${rows}.`);
  }
}
