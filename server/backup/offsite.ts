import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '#backend/config.ts';
import { ConfigError } from '#backend/config-project.ts';
import { FilesUnavailable } from '#backend/files/file-driver.ts';
import type { Logger } from '#backend/log.ts';
import { tryEach } from '#backend/try-each.ts';
import { ARCHIVES } from './continuous/log-archive.ts';
import { BackupError } from './encryption.ts';
import { backupsIn, newestFirst, OLDEST } from './retention.ts';

type Offsite = NonNullable<Config['backup']['offsite']>;

const ROUND_MS = 60_000;
/** Listing all of a large bucket costs, and only another process can have changed it. */
const LIST_EVERY_MS = 86_400_000;
/** The time between two lines of the log about the same problem. */
const REPORT_MS = 900_000;
/** The time for the last changes, when the site stops. */
const STOP_MS = 8_000;

/** What is written again under its name; all else has one content for ever. */
const CHANGING = /(^|\/)(erased\.jsonl|archived-until|secrets\.json\.gz(\.age)?)$/;
/** What is being written, or about to be renamed. */
const UNFINISHED = /\.(unfinished|new)$|\/unfinished\//;
/** What the archive adds to the name of a file that no row names any more. */
const GONE = /\.gone-[^/]+$/;
/** A backup of one moment, by its name. */
const BACKUP = /^limb-commons-[^/]+\.tar(\.age)?$/;

/**
 * Copies the folder of backups to a bucket every minute, where the settings name one. A failure is reported, and
 * never blocks the site.
 *
 * @returns a function that copies the last changes and stops this
 */
export function copyOffsite({ backup }: Pick<Config, 'backup'>, log: Logger): () => Promise<void> {
  const { directory, offsite } = backup;
  if (!directory || !offsite) return async () => undefined;
  const copy = createOffsiteCopy(offsite, directory);
  let reported: { problem: string; at: number } | undefined;
  let running: Promise<void> | undefined;
  const runRound = async () => {
    try {
      await copy();
      if (reported) log.info('backups are copied to the bucket again');
      reported = undefined;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (reported?.problem === problem && performance.now() - reported.at < REPORT_MS) return;
      reported = { problem, at: performance.now() };
      const isFault = !(error instanceof FilesUnavailable || error instanceof ConfigError);
      log.error(isFault ? { err: error } : { problem }, 'backups cannot be copied to the bucket');
    }
  };
  const startRound = () => {
    running ??= runRound().finally(() => {
      running = undefined;
    });
  };
  startRound();
  const timer = setInterval(startRound, ROUND_MS).unref();
  return async () => {
    clearInterval(timer);
    const rest = async () => {
      await running;
      await runRound();
    };
    await Promise.race([rest(), wait(STOP_MS, undefined, { ref: false })]);
  };
}

/**
 * Copies what is new in a folder of backups each time that it is called. What a name promises comes after what it stands
 * on: files, then the log that names them, then base copies, then until when all is there; so what is in the bucket can be
 * restored at any moment.
 */
function createOffsiteCopy(offsite: Offsite, directory: string): () => Promise<void> {
  /** Each name with the time of its copying. */
  let copied: Map<string, Date> | undefined;
  let listedAt = 0;
  /** The contents of what changes, as they were copied. */
  const contents = new Map<string, Buffer>();

  return async () => {
    const { S3Bucket } = await import('#backend/files/s3-bucket.ts');
    if (!copied) {
      const { checkStore } = await import('#backend/files/s3-check.ts');
      await checkStore(offsite);
    }
    const bucket = new S3Bucket(offsite);
    try {
      if (!copied || performance.now() - listedAt > LIST_EVERY_MS) {
        const found = new Map<string, Date>();
        for await (const { name, modified } of bucket.list()) found.set(name, modified);
        copied = found;
        listedAt = performance.now();
      }
      const already = copied;
      // In the opposite order of the copying, so that each list has all that the one before stands on.
      const changing = await changingIn(directory);
      const bases = (await namesIn(directory)).filter((name) => name.includes('/base/'));
      const log = (await namesIn(directory)).filter((name) => name.includes('/wal/'));
      const all = await namesIn(directory);
      const others = all.filter((name) => !CHANGING.test(name) && !/\/(base|wal)\//.test(name));
      for (const group of [others, log, bases])
        await tryEach(
          group.filter((name) => !already.has(name)),
          async (name) => {
            const path = join(directory, name);
            // Retention may have removed it in the meantime.
            if (!existsSync(path)) return;
            // A file that no row names any more has been renamed, and the bucket has its bytes.
            const before = name.replace(GONE, '');
            if (!(before !== name && already.has(before) && (await bucket.copy(before, name))))
              await bucket.put(name, path);
            already.set(name, new Date());
          },
        );
      for (const [name, content] of changing) {
        if (contents.get(name)?.equals(content)) continue;
        await bucket.put(name, content);
        already.set(name, new Date());
        contents.set(name, content);
      }
      await tryEach(expired(already, new Set(all)), async (name) => {
        await bucket.remove(name);
        already.delete(name);
      });
    } finally {
      bucket.close();
    }
  };
}

/**
 * Names in a bucket that may go: those that have been gone from the folder of backups, and have been in the bucket for
 * 35 days. Of an archive that is missing from the folder, and of the newest backup, none goes before all are so old: then
 * the folder's disk may be what was lost.
 */
export function expired(copied: Map<string, Date>, here: Set<string>): string[] {
  const isOld = (at: Date | undefined) => at !== undefined && at.getTime() < Date.now() - OLDEST;
  const archiveOf = (name: string) => /^continuous\/[^/]+\//.exec(name)?.[0];
  const present = new Set([...here].map(archiveOf));
  /** When each archive was last copied. */
  const last = new Map<string, Date>();
  for (const [name, at] of copied) {
    const archive = archiveOf(name);
    if (archive && at > (last.get(archive) ?? new Date(0))) last.set(archive, at);
  }
  const newest = newestFirst(backupsIn(copied.keys()))[0]?.name;
  return [...copied]
    .filter(([name, at]) => {
      if (here.has(name) || !isOld(at)) return false;
      const archive = archiveOf(name);
      if (!archive) return BACKUP.test(name) && name !== newest;
      return present.has(archive) || isOld(last.get(archive));
    })
    .map(([name]) => name);
}

/**
 * Brings what was copied to a bucket to a folder of this disk, to restore from.
 *
 * @param only the name of a backup; without it, the whole archive
 * @returns the path from which to restore
 */
export async function fetchOffsite(
  offsite: Offsite,
  folder: string,
  only: string | undefined,
): Promise<string> {
  const { S3Bucket } = await import('#backend/files/s3-bucket.ts');
  const bucket = new S3Bucket(offsite);
  try {
    let fetched = 0;
    for await (const { name } of bucket.list()) {
      const isWanted = only ? name === only : name.startsWith(`${ARCHIVES}/`);
      if ((!isWanted && name !== 'erased.jsonl') || name.split('/').includes('..')) continue;
      await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
      if (!(await bucket.download(name, join(folder, name))))
        throw new BackupError(`${name} was removed from the bucket ${offsite.bucket} in the meantime.`);
      if (isWanted) fetched += 1;
    }
    if (fetched === 0)
      throw new BackupError(`There is no ${only ?? 'continuous archive'} in the bucket ${offsite.bucket}.`);
    return only ? join(folder, only) : folder;
  } finally {
    bucket.close();
  }
}

/** The finished files below a folder, by their names in a bucket. */
async function namesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll(sep, '/'),
    )
    .filter(
      (name) =>
        !UNFINISHED.test(name) &&
        (BACKUP.test(name) || name === 'erased.jsonl' || name.startsWith(`${ARCHIVES}/`)),
    );
}

async function changingIn(directory: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const name of (await namesIn(directory)).filter((each) => CHANGING.test(each)))
    found.set(name, await readFile(join(directory, name)));
  return found;
}
