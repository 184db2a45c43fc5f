import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '#backend/is-running.mjs';
import { freeBytes } from '../../media/disk.ts';
import { discard } from './kept-data.ts';
import { stopAll } from './processes.ts';
import { UpgradeError } from './release.ts';

/** What a rehearsal leaves free on the disk that it may share with the site, which stops when it can write nothing. */
const RESERVED_BYTES = 400_000_000;
/** Short beside the time in which a program fills the reserve. */
const LOOK_MS = 50;

const size = (bytes: number) =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** @throws UpgradeError when the disk of this folder has too little space for a copy of the site */
export function requireRoom(folder: string, bytes: number): void {
  const [needed, free] = [bytes + RESERVED_BYTES, freeBytes(folder)];
  if (free < needed)
    throw new UpgradeError(
      `A copy of the site needs ${size(needed)} on the disk of ${folder}, and ${size(free)} are free; free some first.`,
    );
}

/**
 * Takes the folder of rehearsals for this process, and watches the space on its disk.
 *
 * @param full called with a sentence when too little is left for the site itself
 * @returns gives the folder back, with everything in it and every program that runs there
 * @throws UpgradeError while another process has it, or the disk is full
 */
export async function takeRehearsalFolder(
  folder: string,
  full: (sentence: string) => unknown,
): Promise<() => Promise<void>> {
  const owner = join(folder, 'owner');
  // It is blank when the disk was full.
  const pid = existsSync(owner) ? Number(readFileSync(owner, 'utf8')) : 0;
  if (pid > 0 && isRunning(pid, 'operator/upgrade.ts'))
    throw new UpgradeError(`Another upgrade is being tried in ${folder}; wait for its end.`);
  const remove = async () => {
    // What a rehearsal left that was killed, with its database.
    await discard(join(folder, 'data'));
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      rmSync(join(folder, name), { recursive: true, force: true });
    try {
      rmdirSync(folder);
    } catch {
      // An operator may have mounted another disk there.
    }
  };
  await remove();
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  try {
    requireRoom(folder, 0);
    writeFileSync(owner, String(process.pid), { flag: 'wx' });
  } catch (error) {
    await remove();
    throw error;
  }
  const watch = setInterval(() => {
    const free = freeBytes(folder);
    if (free >= RESERVED_BYTES / 2) return;
    clearInterval(watch);
    full(
      `Only ${size(free)} are left on the disk of ${folder}, which the site may need; free some, and try again.`,
    );
  }, LOOK_MS).unref();
  return async () => {
    clearInterval(watch);
    await stopAll();
    await remove();
  };
}
