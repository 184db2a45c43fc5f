import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { z } from 'zod';
import { clusterOf } from '#backend/database/postgres.ts';
import { placeDurably } from '#backend/files/disk-files.ts';
import { type AddPart, writeArchive } from '../archive.ts';
import { BackupError } from '../encryption.ts';
import { objects, type SiteFiles } from '../files.ts';
import { connect } from '../tables.ts';
import { baseName, type LogArchive, stamp } from './log-archive.ts';
import { createShipper, versionOf } from './log-shipping.ts';

const LOCK = 7266203147;
/** The time for PostgreSQL to deliver the end of its log. */
const STOP_TIMEOUT = '5min';
/** Folders and files whose content belongs to the running server alone. */
const EMPTY = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const EXCLUDED = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|pg_internal\.init.*|pgsql_tmp.*)$/;
/** Names the part of the log that must be replayed, so it is copied last. */
const CONTROL = 'global/pg_control';

/** The content of a base copy, apart from the hashes of its parts. */
export const baseManifestSchema = z.object({
  format: z.literal(1),
  /** The size of a segment of the log, in bytes. */
  segmentSize: z.int(),
  /** Folders below the database's folder, each after its parent. */
  folders: z.array(z.string()),
  demoContent: z.boolean(),
});

/**
 * Copies the database's folder into an archive while the database runs, from the present position of the
 * archived log.
 *
 * @param url superuser connection
 * @throws BackupError when another base copy is being made
 */
export async function makeBaseCopy(
  url: string,
  site: SiteFiles,
  archive: LogArchive,
): Promise<{ file: string; bytes: number }> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (!rows[0]?.free) throw new BackupError('Another base copy of this site is being made.');
    const unfinished = join(archive.folder, 'unfinished');
    for (const name of (await readdir(unfinished)).filter((each) => each.startsWith('base')))
      await rm(join(unfinished, name));
    const copied = join(unfinished, `base.tar.gz${archive.recipient ? '.age' : ''}`);
    const { at, segment } = await copyCluster(client, site, archive, copied);
    const file = join(archive.folder, 'base', baseName(at, segment, archive));
    await placeDurably(copied, file);
    return { file, bytes: (await stat(file)).size };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function copyCluster(
  client: pg.Client,
  site: SiteFiles,
  archive: LogArchive,
  file: string,
): Promise<{ at: Date; segment: string }> {
  const { dataDir } = site;
  const ship = createShipper(archive, site);
  // The files so far may be many, and the log of the meantime would wait for them.
  await ship({ all: true });
  await recordRemoval(client, site, archive);
  const started = await client.query<{ segment: string; size: number }>(
    `select pg_walfile_name(pg_backup_start('limb-commons', fast => true)) as segment,
       pg_size_bytes(current_setting('wal_segment_size'))::int as size`,
  );
  const { segment = '', size: segmentSize = 0 } = started.rows[0] ?? {};
  let at = new Date();
  await writeArchive(file, archive.recipient, async (add) => {
    const { cluster } = clusterOf(dataDir);
    const folders: string[] = [];
    await addFolder(cluster, '', folders, add);
    await add(`postgres/${CONTROL}`, await steady(join(cluster, CONTROL)));
    await client.query(`set statement_timeout = '${STOP_TIMEOUT}'`);
    const { rows } = await client.query<{ labelfile: string; at: Date; segment: string }>(
      'select labelfile, clock_timestamp() as at, pg_walfile_name(lsn) as segment from pg_backup_stop(wait_for_archive => true)',
    );
    const [stopped] = rows;
    if (!stopped) throw new Error('pg_backup_stop answered nothing');
    // Without the log of the meantime the copy is useless.
    await ship();
    const log = await readdir(join(archive.folder, 'wal'));
    if (!log.some((name) => name.startsWith(stopped.segment)))
      throw new BackupError('The log that the base copy needs was not archived.');
    at = stopped.at;
    await add('postgres/backup_label', Buffer.from(stopped.labelfile));
    const manifest: z.infer<typeof baseManifestSchema> = {
      format: 1,
      segmentSize,
      folders,
      demoContent: existsSync(join(dataDir, 'demo-content')),
    };
    await add('manifest.json', Buffer.from(`${JSON.stringify(manifest)}\n`));
  });
  return { at, segment };
}

async function addFolder(cluster: string, folder: string, folders: string[], add: AddPart): Promise<void> {
  for (const entry of await readdir(join(cluster, folder), { withFileTypes: true }).catch(
    ifExists(() => []),
  )) {
    const path = join(folder, entry.name);
    if (EXCLUDED.test(entry.name) || path === CONTROL) continue;
    if (entry.isDirectory()) {
      folders.push(path);
      if (!EMPTY.has(path)) await addFolder(cluster, path, folders, add);
    } else if (entry.isFile()) {
      const content = await readPresentBytes(join(cluster, path)).catch(ifExists(() => undefined));
      if (content) await add(`postgres/${path}`, content);
    }
  }
}

/** A file's bytes, up to its present size: its later growth or loss is in the log. */
async function readPresentBytes(path: string): Promise<{ size: number; body: Readable }> {
  const handle = await open(path);
  const { size } = await handle.stat();
  async function* bytes() {
    let left = size;
    try {
      for await (const chunk of size > 0
        ? (handle.createReadStream({ end: size - 1, autoClose: false }) as AsyncIterable<Buffer>)
        : []) {
        left -= chunk.length;
        yield chunk;
      }
      for (const piece = Buffer.alloc(65_536); left > 0; left -= piece.length)
        yield piece.subarray(0, Math.min(left, piece.length));
    } finally {
      await handle.close();
    }
  }
  return { size, body: Readable.from(bytes()) };
}

/** A small file that another process may be writing: its content once two readings in a row agree. */
async function steady(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ; ) {
    const now = await readFile(path);
    if (now.equals(before)) return now;
    before = now;
  }
}

/**
 * Records on the archive's copies of unreferenced files since when they are unreferenced. They are removed
 * with the last base copy from before.
 */
async function recordRemoval(
  client: pg.Client,
  { driver }: SiteFiles,
  { folder }: LogArchive,
): Promise<void> {
  const now = stamp(new Date());
  const copies: string[] = [];
  for (const part of await readdir(join(folder, 'files')))
    for (const name of await readdir(join(folder, 'files', part)))
      if (!name.includes('.gone-')) copies.push(join(folder, 'files', part, name));
  const named = new Set<string>();
  await client.query('begin read only');
  for await (const { version } of objects(client)) named.add(version);
  await client.query('commit');
  for (const copy of copies) {
    const version = versionOf(copy.slice(copy.lastIndexOf('/') + 1));
    // A file whose row is yet to be written is already there, and a lost file keeps its row.
    if (!named.has(version) && (await driver.size(version)) === undefined)
      await rename(copy, `${copy}.gone-${now}`);
  }
}

const ifExists =
  <T>(otherwise: () => T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return otherwise();
    throw error;
  };
