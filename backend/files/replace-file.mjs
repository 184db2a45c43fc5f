// JavaScript, and with nothing but what Node 20 brings: scripts/run.mjs needs it before packages are installed.
import { renameSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';

/**
 * Writes a file whole or not at all: a process that is killed leaves the one before, and so does a power failure, since the new one is on
 * disk before it takes its place.
 *
 * @param {string} file
 * @param {string | Uint8Array} content
 * @param {number} [mode] of a new file
 */
export async function replaceFile(file, content, mode = 0o600) {
  await writeFile(`${file}.new`, content, { mode, flush: true });
  await rename(`${file}.new`, file);
}

/**
 * The same, for what nothing else may come between.
 *
 * @param {string} file
 * @param {string | Uint8Array} content
 * @param {number} [mode] of a new file
 */
export function replaceFileSync(file, content, mode = 0o600) {
  writeFileSync(`${file}.new`, content, { mode, flush: true });
  renameSync(`${file}.new`, file);
}
