import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { ConfigError } from '../config-project.ts';
import { DiskFiles } from './disk-files.ts';
import type { FileDriver, ListedFile } from './file-driver.ts';
import { removeAll } from './open-files.ts';
import { checkOwnStore, isSamePlace, lockForMoving, readPlace, writePlace } from './place.ts';

const AT_ONCE = 4;
const PROGRESS_FILES = 100;

export interface Moved {
  files: number;
  bytes: number;
  /** Files that are still in the old place, where they are of no more use. */
  left: number;
}

/**
 * Moves all files of a stopped site into its bucket, or back to its disk. Each is compared with the original, by size
 * and SHA-256, before the place is changed, and only then are the originals removed. When it is cut off, the site goes on
 * from where its files were, and doing it again finishes it.
 *
 * @throws ConfigError when settings or bucket are unsuitable; nothing is moved then
 */
export async function moveFiles(
  { dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>,
  to: 's3' | 'disk',
  progress: (step: string) => void,
): Promise<Moved> {
  if (!s3) throw new ConfigError('S3_BUCKET is needed, with its key, to move files there or back.');
  const unlock = lockForMoving(dataDir);
  try {
    const place = readPlace(dataDir);
    if (place?.s3 && !isSamePlace(place, s3))
      throw new ConfigError(
        `The files of this site are in the bucket ${place.s3.bucket}; set the S3 settings to it.`,
      );
    if (!place && to === 'disk') throw new ConfigError('The files of this site are on its disk already.');
    const { S3Files } = await import('./s3-files.ts');
    const { writeOwner } = await import('./s3-check.ts');
    const [disk, bucket] = [new DiskFiles(dataDir), new S3Files(s3, dataDir, false)];
    const [from, target] = to === 's3' ? [disk, bucket] : [bucket, disk];
    const id = await checkOwnStore(s3, place?.id);
    let moved = { files: 0, bytes: 0 };
    if ((to === 's3') !== (place?.s3 !== undefined)) {
      if (!place) writePlace(dataDir, id, undefined);
      await writeOwner(s3, id);
      moved = await copyAll(from, target, dataDir, progress);
      writePlace(dataDir, id, to === 's3' ? s3 : undefined);
    }
    progress(`Removing what is left in ${from.place}`);
    const left = await removeAll(from);
    if (to === 'disk' && left === 0) await writeOwner(s3, undefined);
    return { ...moved, left };
  } finally {
    unlock();
  }
}

async function copyAll(
  from: FileDriver,
  target: FileDriver,
  dataDir: string,
  progress: (step: string) => void,
): Promise<{ files: number; bytes: number }> {
  const all = from.list();
  const moved = { files: 0, bytes: 0 };
  let failed = false;
  const copyNext = async () => {
    for (let next = await all.next(); !next.done && !failed; next = await all.next()) {
      await copyOne(next.value, from, target, dataDir);
      moved.files += 1;
      moved.bytes += next.value.size;
      if (moved.files % PROGRESS_FILES === 0) progress(`${moved.files} files are in ${target.place}`);
    }
  };
  const copying = Array.from({ length: AT_ONCE }, () =>
    copyNext().catch((error) => {
      failed = true;
      throw error;
    }),
  );
  // None goes on after this has ended.
  await Promise.allSettled(copying);
  await Promise.all(copying);
  return moved;
}

async function copyOne(
  { version, size }: ListedFile,
  from: FileDriver,
  target: FileDriver,
  dataDir: string,
): Promise<void> {
  const arriving = join(dataDir, 'files/unfinished', version);
  await mkdir(dirname(arriving), { recursive: true });
  try {
    const original = await hashOf(from, version, arriving);
    if (original.size !== size)
      throw new Error(`${version} has ${original.size} bytes of ${size} in ${from.place}.`);
    if ((await target.size(version)) !== size || (await hashOf(target, version)).hash !== original.hash)
      await target.put(version, arriving);
    if ((await hashOf(target, version)).hash !== original.hash)
      throw new Error(`${version} is not in ${target.place} what it is in ${from.place}.`);
  } finally {
    await rm(arriving, { force: true });
  }
}

/** Reads a file, and keeps a copy on the disk where it is to be put in another place. */
async function hashOf(
  driver: FileDriver,
  version: string,
  copy?: string,
): Promise<{ hash: string; size: number }> {
  const bytes = await driver.open(version);
  if (!bytes) throw new Error(`${version} went from ${driver.place}.`);
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      size += piece.length;
      hash.update(piece);
      yield piece;
    }
  };
  const file = copy
    ? createWriteStream(copy, { mode: 0o600, flush: true })
    : new Writable({ write: (_piece, _encoding, done) => done() });
  await pipeline(bytes, counted, file);
  return { hash: hash.digest('hex'), size };
}
