import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryEach } from '#backend/try-each.ts';
import { ARCHIVES, type Base, bases, type LogArchive, momentOf, stamp } from './continuous/log-archive.ts';

const NAME = /^limb-commons-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.tar(\.age)?(\.unfinished)?$/;
/** The privacy notice promises members this: deleted data stays in backups no longer. */
export const OLDEST = 35 * 86_400_000;
const HOUR = 3_600_000;
/** A base copy is dated up to a second after it was made, and clocks are set by as little all the time. */
const AHEAD = 60_000;

interface Dated {
  at: Date;
}
const isAhead = ({ at }: Dated) => at.getTime() > Date.now() + AHEAD;
const isExpired = ({ at }: Dated) => at.getTime() < Date.now() - OLDEST;

/**
 * Sorts backups by their age. What is dated ahead comes last: the clock was wrong when it was made or is wrong now, so its date does not
 * tell that it is the newest.
 */
export const newestFirst = <T extends Dated>(all: T[]): T[] =>
  all.toSorted((a, b) => Number(isAhead(a)) - Number(isAhead(b)) || b.at.getTime() - a.at.getTime());

/**
 * The backups of these that have not expired. The age of one that is dated ahead is not known, so it goes with the first of the
 * others: a clock that is behind lets none expire, and all would be dated ahead.
 */
const unexpired = <T extends Dated>(all: T[]): T[] =>
  all.filter((one) => !isExpired(one) && !(isAhead(one) && all.some(isExpired)));

/** The backups in a folder, by their names. */
export const backupsIn = (names: Iterable<string>): { name: string; at: Date }[] =>
  [...names].flatMap((name) => {
    const [, at, , unfinished] = NAME.exec(name) ?? [];
    return at && !unfinished ? [{ name, at: momentOf(at) }] : [];
  });

/** The name by which `removeOldBackups` recognises a backup and its age. */
export const backupName = (at: Date, encrypted: boolean) =>
  `limb-commons-${stamp(at)}.tar${encrypted ? '.age' : ''}`;

const RESTORED = 'last-restore.json';

/** Records beside the backups that one of them was restored, as they are known to work by that alone. */
export async function recordRestore(directory: string): Promise<void> {
  await writeFile(join(directory, RESTORED), JSON.stringify({ at: new Date().toISOString() }), {
    mode: 0o600,
  });
}

/** When a backup of this folder was last restored; undefined when none was, or its record cannot be read. */
export async function lastRestore(directory: string): Promise<Date | undefined> {
  try {
    return new Date(JSON.parse(await readFile(join(directory, RESTORED), 'utf8')).at);
  } catch {
    return undefined;
  }
}

/**
 * Removes all backups of a folder except the newest `keep`, and among those the expired and the incomplete;
 * the newest always stays.
 */
export async function removeOldBackups(directory: string, keep: number): Promise<void> {
  const names = (await readdir(directory)).filter((name) => NAME.test(name));
  const kept = remaining(backupsIn(names), keep).map(({ name }) => name);
  await tryEach(
    names.filter((name) => !kept.includes(name)),
    (name) => rm(join(directory, name)),
  );
}

/** The newest, and of the others the newest that have not expired: `keep` together. */
function remaining<T extends Dated>(all: T[], keep: number): T[] {
  const sorted = newestFirst(all);
  const good = unexpired(sorted);
  return sorted.filter((one, index) => index === 0 || (index < keep && good.includes(one)));
}

/**
 * Removes all base copies of an archive except the newest `keep` that have not expired, with the log and the
 * files that only they needed; the newest always stays. Expired content of other archives beside it, for
 * example one from before a restore, is removed entirely.
 */
export async function removeOldBases(own: LogArchive, directory: string, keep: number): Promise<void> {
  await tryEach(await readdir(join(directory, ARCHIVES)), async (id) => {
    const folder = join(directory, ARCHIVES, id);
    const all = await bases(folder);
    const isOwn = folder === own.folder;
    const kept = isOwn ? remaining(all, keep) : unexpired(all);
    for (const base of all) if (!kept.includes(base)) await rm(base.file);
    await removeUnfinished(folder);
    if (kept.length > 0 && kept.length < all.length) await removeUnneeded(folder, kept);
    // An archive without a base copy may be about to get its first.
    if (kept.length === 0 && !isOwn && (await stat(folder)).mtimeMs < Date.now() - OLDEST)
      await rm(folder, { recursive: true });
  });
}

/** Removes the remains of a killed process. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(join(folder, 'unfinished'))) {
    const path = join(folder, 'unfinished', name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - HOUR) await rm(path, { force: true });
  }
}

/**
 * Removes the parts that none of these base copies needs. Their dates and their places in the log have different orders where the clock
 * was set back between them.
 */
async function removeUnneeded(folder: string, needing: Base[]): Promise<void> {
  const [segment = ''] = needing.map((base) => base.segment).sort();
  const [at = ''] = needing.map((base) => stamp(base.at)).sort();
  for (const name of await readdir(join(folder, 'wal')))
    if (name.slice(0, segment.length) < segment) await rm(join(folder, 'wal', name), { force: true });
  for (const part of await readdir(join(folder, 'files')))
    for (const name of await readdir(join(folder, 'files', part))) {
      const deletedAt = /\.gone-(.+)$/.exec(name)?.[1];
      if (deletedAt && deletedAt < at) await rm(join(folder, 'files', part, name), { force: true });
    }
}
