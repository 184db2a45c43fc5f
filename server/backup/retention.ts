import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryEach } from '#backend/try-each.ts';
import { ARCHIVES, type Base, bases, type LogArchive, stamp } from './continuous/log-archive.ts';

const NAME = /^limb-commons-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar(\.age)?(\.unfinished)?$/;
/** The privacy notice promises members this: deleted data stays in backups no longer. */
export const OLDEST = 35 * 86_400_000;
const HOUR = 3_600_000;

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

/** When a backup of this folder was last restored; undefined when none was. */
export async function lastRestore(directory: string): Promise<Date | undefined> {
  const text = await readFile(join(directory, RESTORED), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : new Date(JSON.parse(text).at);
}

/**
 * Removes all backups of a folder except the newest `keep`, and among those the expired and the incomplete;
 * the newest always stays.
 */
export async function removeOldBackups(directory: string, keep: number): Promise<void> {
  const all = (await readdir(directory)).filter((name) => NAME.test(name)).sort();
  const unfinished = all.filter((name) => name.endsWith('.unfinished'));
  const [, ...others] = all.filter((name) => !name.endsWith('.unfinished')).reverse();
  await tryEach([...unfinished, ...others], async (name) => {
    const path = join(directory, name);
    const isBeyond = others.indexOf(name) + 1 >= keep || unfinished.includes(name);
    if (isBeyond || (await stat(path)).mtimeMs < Date.now() - OLDEST) await rm(path);
  });
}

/**
 * Removes all base copies of an archive except the newest `keep` that have not expired, with the log and the
 * files that only they needed; the newest always stays. Expired content of other archives beside it, for
 * example one from before a restore, is removed entirely.
 */
export async function removeOldBases(own: LogArchive, directory: string, keep: number): Promise<void> {
  const isTooOld = ({ at }: Pick<Base, 'at'>) => at.getTime() < Date.now() - OLDEST;
  await tryEach(await readdir(join(directory, ARCHIVES)), async (id) => {
    const folder = join(directory, ARCHIVES, id);
    const all = (await bases(folder)).reverse();
    const isOwn = folder === own.folder;
    const remaining = all.filter((base, index) =>
      isOwn ? index === 0 || (index < keep && !isTooOld(base)) : !isTooOld(base),
    );
    for (const { file } of all.slice(remaining.length)) await rm(file);
    await removeUnfinished(folder);
    const oldest = remaining.at(-1);
    if (oldest && remaining.length < all.length) await removeUnneeded(folder, oldest);
    // An archive without a base copy may be about to get its first.
    if (!oldest && !isOwn && (await stat(folder)).mtimeMs < Date.now() - OLDEST)
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

/** Removes the parts that only base copies before this one needed. */
async function removeUnneeded(folder: string, { at, segment }: Base): Promise<void> {
  for (const name of await readdir(join(folder, 'wal')))
    if (name.slice(0, segment.length) < segment) await rm(join(folder, 'wal', name), { force: true });
  for (const part of await readdir(join(folder, 'files')))
    for (const name of await readdir(join(folder, 'files', part))) {
      const deletedAt = /\.gone-(.+)$/.exec(name)?.[1];
      if (deletedAt && deletedAt < stamp(at)) await rm(join(folder, 'files', part, name), { force: true });
    }
}
