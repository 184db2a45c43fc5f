import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { z } from 'zod';
import { pathOf } from '#backend/files/file-driver.ts';
import { replaceFile } from '#backend/files/replace-file.mjs';
import { VERSION } from '../version.mjs';
import { type AddPart, writeArchive } from './archive.ts';
import { objects, type SiteFiles } from './files.ts';
import { type Snapshot, withSnapshot } from './snapshot.ts';
import { countRows, rowsOf, sequences, type Table, tables } from './tables.ts';

/** The content of an archive, apart from the hashes of its parts. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** Which version of this software made the backup; those of before 1.0 do not say. */
  version: z.string().optional(),
  madeAt: z.iso.datetime(),
  /** The product's migrations, in the order in which they were applied. */
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  files: z.int(),
  /** Versions that a row names and no file is there for; they cannot be repaired, only reported. */
  missing: z.array(z.string()),
  /** Whether demo content has been added, or refused permanently. */
  demoContent: z.boolean(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export interface BackupRecord {
  file: string;
  madeAt: string;
  bytes: number;
  seconds: number;
  rows: number;
  files: number;
  missing: number;
}

const compressed = promisify(gzip);
const recordIn = (dataDir: string) => join(dataDir, 'last-backup.json');

/** The newest backup that was made of this data folder; undefined also where its record cannot be read. */
export async function lastBackup(dataDir: string): Promise<BackupRecord | undefined> {
  try {
    return JSON.parse(await readFile(recordIn(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Writes database and files of one moment into one archive, while the site runs.
 *
 * @param url superuser connection
 * @param site has no driver where the database alone is wanted
 * @param key encrypts it
 * @throws BackupError when another backup is being made
 */
export async function makeBackup(
  url: string,
  site: Partial<SiteFiles> & { dataDir: string },
  file: string,
  key: string | undefined,
): Promise<{ record: BackupRecord; manifest: Manifest }> {
  const { dataDir, driver } = site;
  const startedAt = performance.now();
  await mkdir(dirname(file), { recursive: true });
  const manifest = await withSnapshot(url, site, (snapshot) =>
    archive(snapshot, dataDir, driver !== undefined, file, key),
  );
  const record = {
    file,
    madeAt: manifest.madeAt,
    bytes: (await stat(file)).size,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
    files: manifest.files,
    missing: manifest.missing.length,
  };
  return { record, manifest };
}

/** Makes a backup the newest of this data folder, for those who ask how old that is. */
export async function recordBackup(dataDir: string, record: BackupRecord): Promise<void> {
  await replaceFile(recordIn(dataDir), `${JSON.stringify(record)}\n`);
}

async function archive(
  { client, files: { missing, open } }: Snapshot,
  dataDir: string,
  withFiles: boolean,
  file: string,
  key: string | undefined,
): Promise<Manifest> {
  const manifest: Manifest = {
    format: 1,
    version: VERSION,
    madeAt: new Date().toISOString(),
    migrations: await appliedMigrations(client),
    tables: [],
    sequences: [],
    files: 0,
    missing: [...missing],
    demoContent: existsSync(join(dataDir, 'demo-content')),
  };
  await writeArchive(file, key, async (add) => {
    await add('secrets.json', await readFile(join(dataDir, 'secrets.json')));
    for (const table of await tables(client))
      manifest.tables.push({ ...table, rows: await addTable(client, table, add) });
    manifest.sequences = await sequences(client);
    for await (const { version } of withFiles ? objects(client) : []) {
      if (missing.has(version)) continue;
      await add(pathOf(version), await open(version));
      manifest.files += 1;
    }
    await add('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
  });
  return manifest;
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
