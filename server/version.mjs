// JavaScript, and with nothing but what Node 20 brings: scripts/run.mjs asks this before packages are installed.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The version of this software; releases are named by it.
 *
 * @type {string}
 */
export const VERSION = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/** Whether this is the unpacked archive of a release, with the site built and its packages beside it, and no clone. */
export const isRelease = !existsSync(join(root, 'package-lock.json'));

/**
 * What an operator types to run a task.
 *
 * @param {string} task
 * @param {string} [words] that follow it
 */
export function commandLine(task, words = '') {
  if (isRelease) return `limb-commons ${task} ${words}`.trim();
  return `${task === 'start' ? 'npm start' : `npm run ${task}`}${words && ` -- ${words}`}`;
}

/**
 * Compares two versions of three numbers, as semver does.
 *
 * @param {string} one
 * @param {string} other
 * @returns {number} below, above or equal to 0 as the first is to the second
 */
export function compareVersions(one, other) {
  const [ours, theirs] = [one, other].map((version) => version.split(/[.-]/).slice(0, 3).map(Number));
  for (const place of [0, 1, 2]) {
    const difference = (ours?.[place] ?? 0) - (theirs?.[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
