import { cpSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from '#backend/is-running.mjs';
import { CAN_HAND_OVER } from '../listen.ts';
import { runningInstance } from '../running-instance.mjs';
import { copyIn, noteBefore, releasesIn } from './before.ts';
import { discardKept } from './kept-data.ts';
import { type Release, UpgradeError } from './release.ts';
import { linkRelease } from './release-link.mjs';

const STEP_MS = 50;
/** The time in which a process that runs answers. */
const ANSWER_MS = 5_000;
/** The time for the first start of a release, with its migrations. */
const MAX_SWITCH_MS = 1_800_000;

/** A site of which the release is changed. */
export interface Site {
  /** The folder in which it is started, where the link to its release is. */
  home: string;
  dataDir: string;
  /** Where this process reaches it, past any proxy. */
  address: string;
}

/** Refuses where a release cannot be put in the place of the running one. @throws UpgradeError */
export function requireSwitch(isRelease: boolean): void {
  if (!isRelease)
    throw new UpgradeError(
      'This is a clone, which is upgraded by git: stop the site, "git pull", and start it again.',
    );
  if (!CAN_HAND_OVER)
    throw new UpgradeError(
      'On this system a site is upgraded by hand: stop it, unpack the new release, and start that in the same folder.',
    );
}

/**
 * Puts a release in the place of the running one, which answers with the pages it keeps until the new one is ready. The data of
 * releases before that are removed.
 *
 * @param running the release that runs now
 * @param copy a backup of this moment, kept to go back to
 * @returns the seconds in which nothing could be written; undefined when no site runs, and the next start is of the new release
 * @throws UpgradeError when the new one does not come up; the earlier one then runs again where that is possible
 */
export async function install(
  { home, ...site }: Site,
  release: Release,
  running: Release,
  copy: { file: string; madeAt: string } | undefined,
): Promise<number | undefined> {
  const place = join(releasesIn(home), basename(release.folder));
  mkdirSync(releasesIn(home), { recursive: true });
  rmSync(place, { recursive: true, force: true });
  bring(release, place);
  await discardKept(site.dataDir, home);
  if (copy) cpSync(copy.file, copyIn(home));
  const root = realpathSync(running.folder);
  noteBefore(home, {
    root,
    version: running.version,
    at: new Date().toISOString(),
    ...(copy && { copyOf: copy.madeAt }),
  });
  linkRelease(home, place);
  const gap = await handOver({ home, ...site }, release.version);
  for (const name of readdirSync(releasesIn(home)))
    if (!name.startsWith('before.') && ![place, root].includes(join(releasesIn(home), name)))
      rmSync(join(releasesIn(home), name), { recursive: true, force: true });
  return gap;
}

/** Moves a release that was unpacked on the same disk, and copies any other. */
function bring({ folder, isUnpackedHere }: Release, place: string): void {
  try {
    if (isUnpackedHere) {
      renameSync(folder, place);
      return;
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
  }
  try {
    cpSync(folder, place, { recursive: true, verbatimSymlinks: true });
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Has the running site hand over to the release that starts now.
 *
 * @returns the seconds in which nothing could be written; undefined when no site runs
 * @throws UpgradeError when another version answers afterwards
 */
export async function handOver({ dataDir, address }: Site, version: string): Promise<number | undefined> {
  const instance = runningInstance(dataDir);
  if (!instance) return undefined;
  process.kill(instance.pid, 'SIGUSR2');
  /** The text of a good answer; undefined when there is none in time, as from a process that hangs. */
  const answerTo = (path: string) =>
    fetch(address + path, { signal: AbortSignal.timeout(ANSWER_MS) })
      .then(async (answer) => (answer.ok ? answer.text() : undefined))
      .catch(() => undefined);
  const deadline = performance.now() + MAX_SWITCH_MS;
  let awayAt: number | undefined;
  let gap: number | undefined;
  while (performance.now() < deadline) {
    if ((await answerTo('/readyz')) === undefined) awayAt ??= performance.now();
    else if (awayAt !== undefined && runningInstance(dataDir)) gap ??= (performance.now() - awayAt) / 1000;
    // Until it has ended, the earlier process answers those who are connected to it.
    if (gap !== undefined && !isRunning(instance.pid, 'server/main.ts')) {
      if ((await answerTo('/healthz'))?.trim() !== `ok ${version}`)
        throw new UpgradeError(
          `Version ${version} did not start, and the one before runs again; the log says why.`,
        );
      return gap;
    }
    await wait(STEP_MS);
  }
  throw new UpgradeError(`Version ${version} is not ready after half an hour; the log says why.`);
}
