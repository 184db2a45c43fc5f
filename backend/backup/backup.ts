import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { type AddPart, BackupError, writeArchive } from './archive.ts';
import { holdFiles, openFile, placeOf, versionsOf } from './files.ts';
import { connect, countRows, rowsOf, type Sequence, sequences, type Table, tables } from './tables.ts';

/** What an archive holds, beside the hashes of its parts. */
export interface Manifest {
  format: 1;
  madeAt: string;
  /** Of the product, in the order they were applied. */
  migrations: { name: string; sha256: string }[];
  tables: (Table & { rows: number })[];
  sequences: Sequence[];
  files: number;
  /** Versions that a row names and the data folder does not have; nothing to be done about them but know it. */
  missing: string[];
  /** Whether demo content has been added, or refused for good. */
  demoContent: boolean;
}

export interface BackupRecord {
  file: string;
  madeAt: string;
  bytes: number;
  seconds: number;
  rows: number;
  files: number;
  missing: number;
}

/** A file may go between the snapshot and its holding; another snapshot does not name it any more. */
const SNAPSHOTS = 4;
const LOCK = 7266203146;

const compressed = promisify(gzip);
const recordIn = (dataDir: string) => join(dataDir, 'last-backup.json');

/** The newest backup that was made of this data folder. */
export async function lastBackup(dataDir: string): Promise<BackupRecord | undefined> {
  if (!existsSync(recordIn(dataDir))) return undefined;
  return JSON.parse(await readFile(recordIn(dataDir), 'utf8'));
}

/**
 * Writes database and files of one moment into one archive, while the site runs.
 *
 * @param url superuser connection
 * @param key encrypts it
 * @throws BackupError when another backup is being made
 */
export async function makeBackup(
  url: string,
  dataDir: string,
  file: string,
  key: string | undefined,
): Promise<BackupRecord> {
  const began = Date.now();
  await mkdir(dirname(file), { recursive: true });
  const client = await connect(url);
  const held = join(dataDir, 'backing-up');
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (!rows[0]?.free) throw new BackupError('Another backup of this site is being made.');
    const missing = await takeSnapshot(client, dataDir, held);
    const manifest: Manifest = {
      format: 1,
      madeAt: new Date(began).toISOString(),
      migrations: await appliedMigrations(client),
      tables: [],
      sequences: [],
      files: 0,
      missing,
      demoContent: existsSync(join(dataDir, 'demo-content')),
    };
    await writeArchive(file, key, async (add) => {
      await add('secrets.json', await readFile(join(dataDir, 'secrets.json')));
      for (const table of await tables(client))
        manifest.tables.push({ ...table, rows: await addTable(client, table, add) });
      manifest.sequences = await sequences(client);
      const gone = new Set(missing);
      for await (const version of versionsOf(client)) {
        if (gone.has(version)) continue;
        await add(placeOf(version), await openFile(join(held, version)));
        manifest.files += 1;
      }
      await add('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
    });
    const record = {
      file,
      madeAt: manifest.madeAt,
      bytes: (await stat(file)).size,
      seconds: Math.round((Date.now() - began) / 100) / 10,
      rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
      files: manifest.files,
      missing: missing.length,
    };
    await writeFile(`${recordIn(dataDir)}.new`, `${JSON.stringify(record)}\n`);
    await rename(`${recordIn(dataDir)}.new`, recordIn(dataDir));
    return record;
  } finally {
    await client.end().catch(() => undefined);
    await rm(held, { recursive: true, force: true });
  }
}

/** @returns versions whose file is not there though a row names it for good */
async function takeSnapshot(client: pg.Client, dataDir: string, held: string): Promise<string[]> {
  for (let left = SNAPSHOTS; ; left--) {
    await client.query('begin isolation level repeatable read read only');
    const missing = await holdFiles(client, dataDir, held);
    if (missing.length === 0 || left === 1) return missing;
    await client.query('rollback');
  }
}

async function appliedMigrations(client: pg.Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ version: string; name: string; text: string }>(
    'select version, name, statements[1] as text from supabase_migrations.schema_migrations order by version',
  );
  return rows.map(({ version, name, text }) => ({
    name: `${version}_${name}.sql`,
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
}

async function addTable(client: pg.Client, table: Table, add: AddPart): Promise<number> {
  let rows = 0;
  let number = 1;
  for await (const text of rowsOf(client, table)) {
    await add(`database/${table.name}/${String(number++).padStart(4, '0')}.copy.gz`, await compressed(text));
    rows += countRows(text);
  }
  return rows;
}
