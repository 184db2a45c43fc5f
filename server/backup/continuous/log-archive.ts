import { createHash, randomBytes, randomUUID, scrypt } from 'node:crypto';
import {
  chownSync,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import type { Config } from '#backend/config.ts';
import { clusterOf } from '#backend/database/postgres.ts';
import { placeDurably } from '#backend/files/disk-files.ts';
import { unarchivedFilesIn } from '#backend/files/file-driver.ts';
import { replaceFile } from '#backend/files/replace-file.mjs';
import { hashing } from '../archive.ts';
import { encrypted } from '../encryption.ts';

/**
 * The continuous archive of one data folder, in a separate folder below BACKUP_DIR, so that no site ever writes
 * over the history of another, not even one that was restored from it:
 *
 *     base/<moment>-<segment>.tar.gz   a copy of the database's folder, good from this moment and with the log from this segment on
 *     wal/<segment>-<hash>.gz          finished segments of the write-ahead log
 *     files/<xx>/<version>-<hash>      stored files
 *     secrets.json.gz, key.age, archived-until
 *
 * The names of all but `archived-until` end with `.age` where BACKUP_KEY is set.
 */
export interface LogArchive {
  folder: string;
  /** All content is encrypted for it; none is without BACKUP_KEY. */
  recipient: string | undefined;
}

/** Kept in the data folder: names its archive. */
interface OwnArchive {
  id: string;
  recipient?: string;
  /** Proves whether BACKUP_KEY is still the one that opens the archive, without revealing it. */
  keyCheck?: string;
}

/** The time after which PostgreSQL ends a segment of its log that has content, so that it can be archived. */
export const ARCHIVE_TIMEOUT_MS = 30_000;

const UNARCHIVED = 'unarchived-wal';
const PARTS = ['base', 'wal', 'files', 'unfinished'];
const ownIn = (dataDir: string) => join(dataDir, 'archive.json');
/** The state of the archiving. */
export const recordIn = (dataDir: string) => join(dataDir, 'last-archived.json');
/** The path below BACKUP_DIR. */
export const ARCHIVES = 'continuous';

/** The folder in which PostgreSQL puts the finished segments of its log that are still to be archived. */
export const unarchivedIn = (dataDir: string): string =>
  join(dirname(realpathSync(join(dataDir, 'postgres'))), UNARCHIVED);

/**
 * Settings by which PostgreSQL copies each finished segment of its log into a folder beside its own, whenever
 * it runs on this data folder: its account may be unable to reach the folder of backups, and the copies there
 * may have to be encrypted.
 */
export function archiveSettings({ backup, dataDir }: Config): Record<string, string> {
  if (!backup.continuous) {
    // Later writes are missing from the archive, so a new one begins.
    forgetArchive(dataDir);
    rmSync(recordIn(dataDir), { force: true });
    rmSync(unarchivedFilesIn(dataDir), { recursive: true, force: true });
    return {};
  }
  const { cluster, account } = clusterOf(dataDir);
  const folder = join(dirname(cluster), UNARCHIVED);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  // A copy that a crash cut off is made again under another name.
  for (const name of readdirSync(folder).filter((each) => each.startsWith('archtemp.')))
    rmSync(join(folder, name), { force: true });
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': folder,
    archive_timeout: `${ARCHIVE_TIMEOUT_MS / 1000}s`,
  };
}

/** Makes the next archive a new one, which begins with a base copy. */
export function forgetArchive(dataDir: string): void {
  rmSync(ownIn(dataDir), { force: true });
}

/**
 * The archive of this data folder; undefined where there is none yet, where it is missing, as with another
 * disk, or where BACKUP_KEY has changed.
 */
export async function findArchive(
  dataDir: string,
  directory: string,
  key: string | undefined,
): Promise<LogArchive | undefined> {
  const own = readOwn(dataDir);
  if (!own || own.keyCheck !== (await keyCheck(own.id, key))) return undefined;
  const folder = join(directory, ARCHIVES, own.id);
  return (await isThere(folder)) ? { folder, recipient: own.recipient } : undefined;
}

/** Limited in time so that a network disk which never answers delays nothing else. */
export const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );

/** Begins a new archive of this data folder, which is usable once it has a base copy. */
export async function beginArchive(
  dataDir: string,
  directory: string,
  key: string | undefined,
): Promise<LogArchive> {
  const id = `${stamp(new Date())}-${randomBytes(4).toString('hex')}`;
  const folder = join(directory, ARCHIVES, id);
  for (const part of PARTS) await mkdir(join(folder, part), { recursive: true, mode: 0o700 });
  let recipient: string | undefined;
  if (key) {
    // A key for the archive only: opening each of thousands of files with a passphrase would take a second
    // each.
    const { generateIdentity, identityToRecipient } = await import('age-encryption');
    const identity = await generateIdentity();
    recipient = await identityToRecipient(identity);
    const content = Readable.from([Buffer.from(identity)]);
    await writeDurably({ folder, recipient: key }, content, false, () => 'key');
  }
  const own: OwnArchive = { id, recipient, keyCheck: await keyCheck(id, key) };
  await replaceFile(ownIn(dataDir), `${JSON.stringify(own)}\n`);
  return { folder, recipient };
}

function readOwn(dataDir: string): OwnArchive | undefined {
  try {
    return JSON.parse(readFileSync(ownIn(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

const derived = promisify(scrypt) as (key: string, salt: string, length: number) => Promise<Buffer>;
const keyCheck = async (id: string, key: string | undefined) =>
  key === undefined ? undefined : (await derived(key, id, 32)).toString('base64url');

/** A moment as a part of a file's name. */
export const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** The moment of such a part. */
export const momentOf = (part: string) => new Date(part.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));

/** A copy of the database's folder. */
export interface Base {
  file: string;
  /** The first moment that it can be restored to. */
  at: Date;
  /** The first segment of the log that it needs. */
  segment: string;
}

const BASE = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)-([0-9A-F]{24})\.tar\.gz(\.age)?$/;

/** The name of a base copy that can be restored to this moment and later. */
export const baseName = (at: Date, segment: string, { recipient }: LogArchive) =>
  // The name has whole seconds, so it is rounded up past the moment.
  `${stamp(new Date(at.getTime() + 1000))}-${segment}.tar.gz${recipient ? '.age' : ''}`;

/** The base copies of an archive, oldest first. */
export async function bases(folder: string): Promise<Base[]> {
  const names = await readdir(join(folder, 'base')).catch(() => []);
  return names.sort().flatMap((name) => {
    const [, at = '', segment] = BASE.exec(name) ?? [];
    return segment ? [{ file: join(folder, 'base', name), at: momentOf(at), segment }] : [];
  });
}

/**
 * Adds a file to an archive, completely or not.
 *
 * @param nameOf its name below the archive, from the SHA-256 of its content in hexadecimal
 */
export async function writeDurably(
  { folder, recipient }: LogArchive,
  content: Readable,
  compress: boolean,
  nameOf: (sha256: string) => string,
): Promise<void> {
  const unfinished = join(folder, 'unfinished', randomUUID());
  const hash = createHash('sha256');
  try {
    await pipeline(
      content,
      hashing(hash),
      compress ? createGzip() : new PassThrough(),
      async function* (bytes: AsyncIterable<unknown>) {
        yield* await encrypted(bytes, recipient);
      },
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    );
    const path = join(folder, nameOf(hash.digest('hex')) + (recipient ? '.age' : ''));
    await placeDurably(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}
