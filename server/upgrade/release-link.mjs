// JavaScript, and with nothing but what Node 20 brings: scripts/run.mjs uses it before packages are installed.
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The link to the release that an upgrade has put in the place of the one that the operator installed.
 *
 * @param {string} home
 */
export const linkIn = (home) => join(home, 'release');

/**
 * Changes which release starts, in one step so that no start finds none.
 *
 * @param {string} home
 * @param {string | undefined} target undefined for the one that the operator installed
 */
export function linkRelease(home, target) {
  const link = linkIn(home);
  if (!target) {
    rmSync(link, { force: true });
    return;
  }
  rmSync(`${link}.new`, { force: true });
  symlinkSync(target, `${link}.new`);
  renameSync(`${link}.new`, link);
}
