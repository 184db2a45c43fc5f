import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^limb-commons-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar(\.age)?(\.unfinished)?$/;
/** What members were told: nothing deleted is in a backup for longer. */
const OLDEST = 35 * 86_400_000;

export const backupName = (at: Date, encrypted: boolean) =>
  `limb-commons-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar${encrypted ? '.age' : ''}`;

/** Removes all backups of a folder but the newest `keep`, those too old and those cut off; the newest always stays. */
export async function removeOld(directory: string, keep: number): Promise<void> {
  const all = (await readdir(directory)).filter((name) => NAME.test(name)).sort();
  for (const name of all.filter((each) => each.endsWith('.unfinished'))) await rm(join(directory, name));
  const [, ...others] = all.filter((name) => !name.endsWith('.unfinished')).reverse();
  for (const [index, name] of others.entries()) {
    const path = join(directory, name);
    if (index + 1 >= keep || (await stat(path)).mtimeMs < Date.now() - OLDEST) await rm(path);
  }
}
