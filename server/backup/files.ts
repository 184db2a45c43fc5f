import { constants, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { DiskFiles } from '#backend/files/disk-files.ts';
import type { FileDriver } from '#backend/files/file-driver.ts';

/** The names of stored files in an archive; others are not restored. */
export const BACKUP_PATH = /^files\/([0-9a-f]{2})\/(\1[0-9a-f-]{34})$/;

/** What a backup is made of besides the database, and a restore makes. */
export interface SiteFiles {
  dataDir: string;
  driver: FileDriver;
  /** Takes an empty place for the files of a site that is restored; what it returns gives that back, empty. */
  claim?: () => Promise<() => Promise<void>>;
}

export interface StoredObject {
  bucket: string;
  name: string;
  version: string;
  metadata: { mimetype?: string; cacheControl?: string; size?: number };
}

/** All stored objects, without holding them all at once. */
export async function* objects(client: pg.Client): AsyncGenerator<StoredObject> {
  await client.query(
    'declare objects no scroll cursor for select bucket_id as bucket, name, version, metadata from storage.objects',
  );
  for (;;) {
    const { rows } = await client.query<StoredObject>('fetch 1000 from objects');
    yield* rows;
    if (rows.length === 0) break;
  }
  await client.query('close objects');
}

/** The files that a moment names, which stay readable although some are removed in the meantime. */
export interface HeldFiles {
  /** Versions whose file was removed before it could be held, or was lost although a row names it. */
  missing: Set<string>;
  open(version: string): Promise<{ size: number; body: Readable }>;
}

/**
 * Gives every file that the snapshot names a second name in a separate folder of the backup: a file never
 * changes, and one that is removed in the meantime stays there. Where the files are not on this disk, none is removed until
 * they are released.
 */
export async function holdFiles(client: pg.Client, driver: FileDriver, folder: string): Promise<HeldFiles> {
  const missing = new Set<string>();
  if (driver instanceof DiskFiles) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for await (const { version } of objects(client))
      if (!(await linkFile(driver.pathOf(version), join(folder, version)))) missing.add(version);
    return { missing, open: (version) => openFile(join(folder, version)) };
  }
  const named = new Set<string>();
  await driver.hold?.();
  // The snapshot is taken by its first statement, which comes after that.
  for await (const { version } of objects(client)) named.add(version);
  const sizes = new Map<string, number>();
  for await (const { version, size } of driver.list()) if (named.has(version)) sizes.set(version, size);
  for (const version of named) if (!sizes.has(version)) missing.add(version);
  return {
    missing,
    async open(version) {
      const size = sizes.get(version) ?? 0;
      const body = size === 0 ? Readable.from([]) : await driver.open(version, { start: 0, end: size - 1 });
      if (!body)
        throw new Error(`The file ${version} was removed from ${driver.place} while it was backed up.`);
      return { size, body };
    },
  };
}

/**
 * Puts the bytes of a file that is restored in their place.
 *
 * @param bytes a stream, and those through which it passes
 * @param isWhole asked once all bytes have come
 * @returns whether they were whole; else nothing is left of them
 */
export async function storeFile(
  { dataDir, driver }: SiteFiles,
  version: string,
  bytes: NodeJS.ReadableStream[],
  isWhole = () => true,
): Promise<boolean> {
  const arriving = join(dataDir, 'files/unfinished', version);
  await mkdir(dirname(arriving), { recursive: true });
  try {
    await pipeline([...bytes, createWriteStream(arriving, { mode: 0o600, flush: true })]);
    if (!isWhole()) return false;
    await driver.put(version, arriving);
    return true;
  } finally {
    await rm(arriving, { force: true });
  }
}

async function linkFile(path: string, as: string): Promise<boolean> {
  try {
    // A file system may have no links, or the files may be on another one.
    await link(path, as).catch((error) => {
      if (isAbsent(error)) throw error;
      return copyFile(path, as, constants.COPYFILE_FICLONE);
    });
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** Its size and a stream of its bytes. */
async function openFile(path: string) {
  const handle = await open(path);
  const { size } = await handle.stat();
  return { size, body: handle.createReadStream() };
}

const isAbsent = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
