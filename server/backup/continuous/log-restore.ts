import { createHash } from 'node:crypto';
import { chownSync, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { clusterOf, startPostgres } from '#backend/database/postgres.ts';
import { majorOfCluster, majorOfPrograms } from '#backend/database/postgres-programs.ts';
import { FilesUnavailable } from '#backend/files/file-driver.ts';
import { hashing, readArchive, verifyArchive } from '../archive.ts';
import { commitDeletions, type Deletion } from '../deletions.ts';
import { BackupError, decrypted } from '../encryption.ts';
import { objects, type SiteFiles, storeFile } from '../files.ts';
import { checkEmptyFolder, emptyAgain, UNFINISHED_MARKER } from '../restore.ts';
import { connect, type RowCount, rowCounts } from '../tables.ts';
import { baseManifestSchema } from './base-copy.ts';
import { ARCHIVES, type Base, bases } from './log-archive.ts';
import { SHORT_HASH, versionOf } from './log-shipping.ts';

/**
 * The unit in which the log is written: parts that are all zeros are skipped, since most of a segment that
 * was ended early is.
 */
const PIECE_BYTES = 65_536;

export interface RestoredArchive {
  /** All data written before is there, and none that was written later than this and the last change. */
  until: Date;
  /** The time of the last change that is there. */
  lastChange: Date | undefined;
  tables: RowCount[];
  files: number;
  /** Files that a row names and the archive does not have, or has damaged. */
  missing: number;
  erased: number;
  /** The reason why it is not the last archived moment. */
  gap: string | undefined;
}

interface Log {
  /** The folder in which PostgreSQL finds the segments. */
  folder: string;
  gap: string | undefined;
}

/** Whether this is a folder to which log and files were archived, or one that holds several of them. */
export const isArchiveFolder = (path: string): boolean =>
  existsSync(join(path, ARCHIVES)) || existsSync(join(path, 'base'));

/**
 * Restores a site from the continuous archive, at the last archived moment or at an earlier one: from the
 * newest base copy before that moment, and the log from then on.
 *
 * @param from BACKUP_DIR, or one of the archives in it
 * @param erasures the permanent deletions since, which must not come back
 * @throws BackupError, with nothing changed, when archive or place is unsuitable
 */
export async function restoreLogArchive(
  from: string,
  key: string | undefined,
  site: SiteFiles,
  to: Date | undefined,
  erasures: Deletion[],
  progress: (step: string) => void,
): Promise<RestoredArchive> {
  const { dataDir } = site;
  checkEmptyFolder(dataDir);
  const { archive, base } = await chooseBase(from, to);
  const noted = await readFile(join(archive, 'archived-until'), 'utf8').catch(() => '');
  // Soon after the first base copy it is still the later of the two.
  const archivedUntil = new Date(Math.max(base.at.getTime(), Date.parse(noted.trim()) || 0));
  if (to && to > archivedUntil)
    throw new BackupError(
      `What was archived ends on ${archivedUntil.toISOString()}; leave --to out to restore it.`,
    );
  progress(`Verifying the base copy of ${base.at.toISOString()}`);
  const identity = await openKey(archive, key);
  const contents = await verifyArchive(base.file, identity, ['manifest.json']);
  const manifest = baseManifestSchema.safeParse(
    JSON.parse(contents.get('manifest.json')?.toString() ?? 'null'),
  ).data;
  if (!manifest) throw new BackupError(`${base.file} is not a base copy that this version can read.`);

  await mkdir(dataDir, { recursive: true });
  let giveBack: (() => Promise<void>) | undefined;
  try {
    await writeFile(join(dataDir, UNFINISHED_MARKER), '', { mode: 0o600 });
    giveBack = await site.claim?.();
    const secrets = await decrypted(onlyOne(await readdir(archive), 'secrets.json.gz', archive), identity);
    await pipeline(
      secrets,
      createGunzip(),
      createWriteStream(join(dataDir, 'secrets.json'), { mode: 0o600, flush: true }),
    );
    if (manifest.demoContent) await writeFile(join(dataDir, 'demo-content'), '', { mode: 0o600 });
    await unpackBase(base, identity, dataDir, manifest.folders);
    const major = majorOfCluster(clusterOf(dataDir).cluster);
    if (major !== majorOfPrograms())
      throw new BackupError(
        `${base.file} is of PostgreSQL ${major}, and this version has PostgreSQL ${majorOfPrograms()}; restore it with the version that made it.`,
      );
    progress('Reading the log');
    const log = await readLog(archive, base, identity, dataDir, manifest.segmentSize);
    progress('Replaying the log');
    const { url, stop } = await recover(dataDir, log, to);
    let restored: RestoredArchive;
    try {
      const client = await connect(url);
      try {
        const { rows } = await client.query<{ at: Date | null }>(
          'select pg_last_xact_replay_timestamp() as at',
        );
        const lastChange = rows[0]?.at ?? undefined;
        // Uploads that were still arriving; the received part is not kept.
        await client.query('delete from storage.resumable_uploads');
        progress('Restoring the files');
        const { files, missing } = await restoreFiles(client, archive, identity, site);
        const erased = await commitDeletions(client, erasures);
        const last = log.gap ? (lastChange ?? base.at) : archivedUntil;
        const until = to ?? (lastChange && lastChange > last ? lastChange : last);
        const tables = await rowCounts(client);
        restored = { until, lastChange, tables, files, missing, erased, gap: log.gap };
      } finally {
        await client.end();
      }
    } finally {
      await stop();
    }
    await rm(log.folder, { recursive: true });
    await rm(join(dataDir, UNFINISHED_MARKER));
    return restored;
  } catch (error) {
    await giveBack?.().catch(() => undefined);
    await emptyAgain(dataDir);
    throw error;
  }
}

async function chooseBase(from: string, to: Date | undefined): Promise<{ archive: string; base: Base }> {
  const several = join(from, ARCHIVES);
  const archives = existsSync(several) ? (await readdir(several)).map((id) => join(several, id)) : [from];
  const all = (
    await Promise.all(
      archives.map(async (archive) => (await bases(archive)).map((base) => ({ archive, base }))),
    )
  )
    .flat()
    .sort((one, other) => one.base.at.getTime() - other.base.at.getTime());
  const [oldest] = all;
  if (!oldest)
    throw new BackupError(`There is no base copy in ${from} yet, without which nothing can be restored.`);
  const chosen = all.findLast(({ base }) => !to || base.at <= to);
  if (!chosen)
    throw new BackupError(
      `What was archived begins on ${oldest.base.at.toISOString()}; nothing from before can be restored.`,
    );
  return chosen;
}

/** The key that BACKUP_KEY opens and that encrypts all other files; none where they are not encrypted. */
async function openKey(archive: string, key: string | undefined): Promise<string | undefined> {
  const file = join(archive, 'key.age');
  if (!existsSync(file)) return key;
  return Buffer.concat(await (await decrypted(file, key)).toArray()).toString();
}

/** The path of the only file of a folder whose name has this beginning. */
function onlyOne(names: string[], beginning: string, folder: string): string {
  const name = names.find((each) => each.startsWith(beginning));
  if (!name) throw new BackupError(`${folder} is not whole: it has no ${beginning}.`);
  return join(folder, name);
}

/** Puts the database's folder in its place, for the account that PostgreSQL runs as. */
async function unpackBase(
  base: Base,
  identity: string | undefined,
  dataDir: string,
  folders: string[],
): Promise<void> {
  const { cluster, account } = clusterOf(dataDir);
  const setOwner = (path: string) => account && chownSync(path, account.uid, account.gid);
  const inside = (path: string) => {
    const target = join(cluster, path);
    if (!target.startsWith(`${cluster}/`))
      throw new BackupError(`${base.file} names ${path}, which is not inside it.`);
    return target;
  };
  for (const folder of [cluster, ...folders.map(inside)]) {
    await mkdir(folder, { mode: 0o700 });
    setOwner(folder);
  }
  for await (const { name, body } of readArchive(base.file, identity)) {
    const path = /^postgres\/(.+)$/.exec(name)?.[1];
    if (!path) {
      body.resume();
      continue;
    }
    await pipeline(body, createWriteStream(inside(path), { mode: 0o600 }));
    setOwner(inside(path));
  }
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  setOwner(join(cluster, 'recovery.signal'));
}

/** Puts the log since the base copy where PostgreSQL can read it, up to the first gap. */
async function readLog(
  archive: string,
  base: Base,
  identity: string | undefined,
  dataDir: string,
  segmentSize: number,
): Promise<Log> {
  const { cluster, account } = clusterOf(dataDir);
  const folder = join(dirname(cluster), 'restoring-wal');
  await mkdir(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const names = (await readdir(join(archive, 'wal'))).filter((name) => name >= base.segment).sort();
  let expected = base.segment;
  for (const name of names) {
    const path = join(archive, 'wal', name);
    if (!name.startsWith(`${expected}-`))
      return {
        folder,
        gap: `The log in ${archive} has a gap at ${expected}; nothing after it can be restored.`,
      };
    try {
      await writeSegment(path, identity, join(folder, expected), segmentSize);
    } catch (error) {
      // A full disk is not a fault of the archive.
      if (error instanceof BackupError || (error instanceof Error && 'syscall' in error)) throw error;
      return { folder, gap: `${path} is damaged; nothing after it can be restored.` };
    }
    if (account) chownSync(join(folder, expected), account.uid, account.gid);
    expected = following(expected, segmentSize);
  }
  return { folder, gap: undefined };
}

async function writeSegment(
  path: string,
  identity: string | undefined,
  target: string,
  segmentSize: number,
): Promise<void> {
  const pieces: Buffer[] = [];
  await pipeline(await decrypted(path, identity), createGunzip(), async (bytes: AsyncIterable<Buffer>) => {
    for await (const piece of bytes) pieces.push(piece);
  });
  const content = Buffer.concat(pieces);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, SHORT_HASH);
  if (content.length !== segmentSize || basename(path).slice(25, 25 + SHORT_HASH) !== hash)
    throw new Error('not what was archived');
  const file = await open(target, 'w', 0o600);
  try {
    await file.truncate(segmentSize);
    const zeros = Buffer.alloc(PIECE_BYTES);
    for (let at = 0; at < segmentSize; at += PIECE_BYTES) {
      const piece = content.subarray(at, at + PIECE_BYTES);
      if (!piece.equals(zeros)) await file.write(piece, 0, piece.length, at);
    }
  } finally {
    await file.close();
  }
}

/** The name of the segment after this one; the middle part counts four gigabytes. */
function following(segment: string, segmentSize: number): string {
  const perPart = 0x1_0000_0000 / segmentSize;
  const number =
    Number.parseInt(segment.slice(8, 16), 16) * perPart + Number.parseInt(segment.slice(16), 16) + 1;
  const hex = (part: number) => part.toString(16).toUpperCase().padStart(8, '0');
  return segment.slice(0, 8) + hex(Math.floor(number / perPart)) + hex(number % perPart);
}

/**
 * Why PostgreSQL ended, by its log. It refuses connections with the same word until it is ready, and those who ask may come
 * after the reason.
 */
export const lastFatalIn = (log: string): string | undefined =>
  [...log.matchAll(/FATAL: {2}(?!the database system is )(.+)/g)].at(-1)?.[1];

/** Lets PostgreSQL replay the log, after which it has a new timeline. */
async function recover(
  dataDir: string,
  log: Log,
  to: Date | undefined,
): Promise<Awaited<ReturnType<typeof startPostgres>>> {
  const { databasePassword } = await readSecrets(dataDir, undefined);
  const start = (target: Record<string, string>) =>
    startPostgres(dataDir, databasePassword, {
      restore_command: `cp "${log.folder.replaceAll('%', '%%')}/%f" "%p"`,
      recovery_target_timeline: 'current',
      hot_standby: 'off',
      ...target,
    });
  const { cluster } = clusterOf(dataDir);
  const lastFatal = () =>
    lastFatalIn(readFileSync(join(dirname(cluster), 'postgres.log'), 'utf8')) ?? 'postgres.log is empty';
  const failed = (cause: unknown) =>
    new BackupError(`The log could not be replayed: ${lastFatal()}.`, { cause });
  if (!to) return start({}).catch((error) => Promise.reject(failed(error)));
  try {
    // At this point PostgreSQL does not know the letter Z yet.
    return await start({
      recovery_target_time: to.toISOString().replace('Z', '+00'),
      recovery_target_action: 'promote',
    });
  } catch (error) {
    // When no change was made after that moment, the log does not show that it has been reached.
    if (log.gap || !lastFatal().startsWith('recovery ended before configured recovery target was reached'))
      throw failed(error);
    return start({}).catch((again) => Promise.reject(failed(again)));
  }
}

async function restoreFiles(
  client: pg.Client,
  archive: string,
  identity: string | undefined,
  site: SiteFiles,
): Promise<{ files: number; missing: number }> {
  const copies = new Map<string, string>();
  for (const part of await readdir(join(archive, 'files')))
    for (const name of await readdir(join(archive, 'files', part)))
      copies.set(versionOf(name), join(archive, 'files', part, name));
  let [files, missing] = [0, 0];
  await client.query('begin read only');
  for await (const { version } of objects(client)) {
    const copy = copies.get(version);
    if (!copy) {
      missing += 1;
      continue;
    }
    if (!(await restoreFile(copy, identity, version, site))) {
      missing += 1;
      continue;
    }
    files += 1;
  }
  await client.query('commit');
  return { files, missing };
}

/** @returns whether the copy matches the archived file; a damaged one counts as missing */
async function restoreFile(
  copy: string,
  identity: string | undefined,
  version: string,
  site: SiteFiles,
): Promise<boolean> {
  const hash = createHash('sha256');
  try {
    const bytes = [await decrypted(copy, identity), hashing(hash)];
    return await storeFile(site, version, bytes, () => basename(copy).includes(hash.digest('hex')));
  } catch (error) {
    if (error instanceof Error && ('syscall' in error || error instanceof FilesUnavailable)) throw error;
    return false;
  }
}
