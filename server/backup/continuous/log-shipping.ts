import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DiskFiles } from '#backend/files/disk-files.ts';
import { pathOf, unarchivedFilesIn } from '#backend/files/file-driver.ts';
import { tryEach } from '#backend/try-each.ts';
import { BackupError } from '../encryption.ts';
import { BACKUP_PATH, type SiteFiles } from '../files.ts';
import { type LogArchive, unarchivedIn, writeDurably } from './log-archive.ts';

const SEGMENT = /^[0-9A-F]{24}$/;
/** PostgreSQL archives them too; within one timeline a restore needs none of them. */
const NOT_NEEDED = /^[0-9A-F]+(\.[0-9A-F]{8})?\.(backup|history|partial)$/;
/** The length of a segment's hash in its name. */
export const SHORT_HASH = 16;

/**
 * Adds to an archive the content of the data folder that it lacks: keys, files, and the finished segments of
 * the log. A segment comes after every file that a row in it may name.
 *
 * @returns a function that does so once, and later checks only places that may have changed, unless `all` is set
 */
export function createShipper(
  archive: LogArchive,
  { dataDir, driver }: SiteFiles,
): (options?: { all: boolean }) => Promise<void> {
  const files = join(dataDir, 'files');
  /**
   * The times at which the folders of files were changed, at their last reading, and when two readings in a
   * row agreed.
   */
  const [read, settled] = [new Map<string, number>(), new Map<string, number>()];
  let secrets: string | undefined;

  async function shipSecrets(): Promise<void> {
    const now = await readFile(join(dataDir, 'secrets.json'), 'utf8');
    if (now === secrets) return;
    await writeDurably(archive, Readable.from([Buffer.from(now)]), true, () => 'secrets.json.gz');
    secrets = now;
  }

  const archivedIn = async (part: string) =>
    new Set((await readdir(join(archive.folder, 'files', part)).catch(() => [])).map(versionOf));
  const shipFile = (version: string, content: Readable) =>
    writeDurably(archive, content, false, (sha256) => `${pathOf(version)}-${sha256}`);

  /** Files that lie elsewhere wait on this disk until they are archived. */
  async function shipWaiting(): Promise<void> {
    const waiting = unarchivedFilesIn(dataDir);
    await tryEach(await readdir(waiting).catch(() => []), async (version) => {
      try {
        if (!(await archivedIn(version.slice(0, 2))).has(version))
          await shipFile(version, createReadStream(join(waiting, version)));
      } catch (error) {
        // Another process may be doing the same.
        if (existsSync(join(waiting, version))) throw error;
      }
      await rm(join(waiting, version), { force: true });
    });
  }

  /** An archive that begins lacks the files from before it. */
  async function shipListed(): Promise<void> {
    const archived = new Map<string, Set<string>>();
    for await (const { version, size } of driver.list()) {
      const part = version.slice(0, 2);
      const there = archived.get(part) ?? (await archivedIn(part));
      archived.set(part, there);
      if (there.has(version) || !BACKUP_PATH.test(pathOf(version))) continue;
      const range = size > 0 ? { start: 0, end: size - 1 } : undefined;
      const content = await driver.open(version, range);
      if (content) await shipFile(version, content);
    }
  }

  async function shipFolder(name: string): Promise<void> {
    const { mtimeMs } = await stat(join(files, name));
    if (settled.get(name) === mtimeMs) return;
    const there = await archivedIn(name);
    await tryEach(await readdir(join(files, name)), async (version) => {
      if (there.has(version) || !BACKUP_PATH.test(pathOf(version))) return;
      try {
        await shipFile(version, createReadStream(join(files, name, version)));
      } catch (error) {
        // Removed since the folder was read.
        if (existsSync(join(files, name, version))) throw error;
      }
    });
    // A change within one tick of the disk's clock leaves the time as it was.
    if (read.get(name) === mtimeMs) settled.set(name, mtimeMs);
    read.set(name, mtimeMs);
  }

  async function shipLog(segments: string[]): Promise<void> {
    if (segments.length === 0) return;
    const there = new Map(
      (await readdir(join(archive.folder, 'wal'))).map((name) => [
        name.slice(0, 24),
        name.slice(25, 25 + SHORT_HASH),
      ]),
    );
    for (const segment of segments) {
      const path = join(unarchivedIn(dataDir), segment);
      // Another process may be doing the same.
      const bytes = await readFile(path).catch(() => undefined);
      if (!bytes) continue;
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, SHORT_HASH);
      const before = there.get(segment);
      if (before !== undefined && before !== hash)
        throw new BackupError(
          `Another site, perhaps a copy of this one, archives into ${archive.folder}; remove archive.json from the data folder of the copy and start it again.`,
        );
      if (before === undefined)
        await writeDurably(archive, Readable.from([bytes]), true, () => `wal/${segment}-${hash}.gz`);
      await rm(path, { force: true });
    }
  }

  return async ({ all } = { all: false }) => {
    const handedOver = await readdir(unarchivedIn(dataDir));
    const segments = handedOver.filter((name) => SEGMENT.test(name)).sort();
    for (const name of handedOver.filter((each) => NOT_NEEDED.test(each)))
      await rm(join(unarchivedIn(dataDir), name), { force: true });
    await shipSecrets();
    let failure: unknown;
    // A file that cannot be read on a failing disk is no reason to hold back the log.
    const note = (error: unknown) => {
      failure ??= error;
    };
    if (driver instanceof DiskFiles) {
      for (const { name } of (await readdir(files, { withFileTypes: true })).filter(
        (entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name),
      ))
        await shipFolder(name).catch(note);
    } else {
      await shipWaiting().catch(note);
      if (all) await shipListed();
    }
    await shipLog(segments);
    if (failure) throw failure;
  };
}

/** The name, in the data folder, of a file of an archive. */
export const versionOf = (name: string) => name.slice(0, 36);
