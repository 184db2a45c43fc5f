import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** The path of a stored file in an archive, and below the data folder. */
export const backupPathOf = (version: string) => `files/${version.slice(0, 2)}/${version}`;

/** Names that may be written below the data folder. */
export const BACKUP_PATH = /^files\/([0-9a-f]{2})\/\1[0-9a-f-]{34}$/;

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

/**
 * Gives every file that the snapshot names a second name in a separate folder of the backup: a file never
 * changes, and one that is removed in the meantime stays there.
 *
 * @returns versions whose file was removed before it could be held
 */
export async function hardLinkFiles(client: pg.Client, dataDir: string, filesDir: string): Promise<string[]> {
  await rm(filesDir, { recursive: true, force: true });
  await mkdir(filesDir, { recursive: true, mode: 0o700 });
  const missing: string[] = [];
  for await (const { version } of objects(client)) {
    if (!(await linkFile(join(dataDir, backupPathOf(version)), join(filesDir, version))))
      missing.push(version);
  }
  return missing;
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
export async function openFile(path: string) {
  const handle = await open(path);
  const { size } = await handle.stat();
  return { size, body: handle.createReadStream() };
}

const isAbsent = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
