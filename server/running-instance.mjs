// JavaScript, and with nothing but what Node 20 brings: scripts/run.mjs asks this before packages are installed.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../backend/files/replace-file.mjs';
import { isRunning } from '../backend/is-running.mjs';

/**
 * The address of a running site; kept in `<dataDir>/instance.json` while it runs.
 *
 * @typedef {object} Instance
 * @property {number} pid
 * @property {string} apiUrl
 * @property {string | undefined} databaseUrl
 * @property {string | undefined} mailUrl
 * @property {string} anonKey
 * @property {string} serviceRoleKey
 */

/** @param {string} dataDir */
const fileIn = (dataDir) => join(dataDir, 'instance.json');

/**
 * The instance that runs on this data folder; undefined when none does, also after one was killed.
 *
 * @param {string} dataDir
 * @returns {Instance | undefined}
 */
export function runningInstance(dataDir) {
  if (!existsSync(fileIn(dataDir))) return undefined;
  const text = readFileSync(fileIn(dataDir), 'utf8');
  try {
    const instance = JSON.parse(text);
    return isRunning(instance.pid, 'server/main.ts') ? instance : undefined;
  } catch {
    // A power failure left no more of it.
    return undefined;
  }
}

/**
 * @param {string} dataDir
 * @param {Instance} instance
 */
export function announceInstance(dataDir, instance) {
  replaceFileSync(fileIn(dataDir), `${JSON.stringify(instance, null, 2)}\n`);
}

/** @param {string} dataDir */
export function forgetInstance(dataDir) {
  rmSync(fileIn(dataDir), { force: true });
}
