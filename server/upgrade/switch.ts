import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CAN_HAND_OVER } from '../listen.ts';
import { runningInstance } from '../running-instance.mjs';
import { type Release, UpgradeError } from './release.ts';

const STEP_MS = 50;
/** The time for the first start of a release, with its migrations. */
const MAX_SWITCH_MS = 1_800_000;

/** What ran before, kept in the folder of releases. */
interface Before {
  root: string;
  version: string;
  /** When the site was handed over. */
  at: string;
}

/** A site of which the release is changed. */
interface Site {
  /** The folder in which it is started, where the link to its release is. */
  home: string;
  dataDir: string;
  /** Where this process reaches it, past any proxy. */
  address: string;
}

const linkIn = (home: string) => join(home, 'release');
const releasesIn = (home: string) => join(home, 'releases');
const beforeIn = (home: string) => join(releasesIn(home), 'before.json');

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
 * Puts a release in the place of the running one, which answers with the pages it keeps until the new one is ready.
 *
 * @param running the release that runs now
 * @returns the seconds in which nothing could be written; undefined when no site runs, and the next start is of the new release
 * @throws UpgradeError when the new one does not come up; the earlier one then runs again where that is possible
 */
export async function install(site: Site, release: Release, running: Release): Promise<number | undefined> {
  const place = join(releasesIn(site.home), basename(release.folder));
  mkdirSync(releasesIn(site.home), { recursive: true });
  rmSync(place, { recursive: true, force: true });
  bring(release, place);
  const before: Before = {
    root: realpathSync(running.folder),
    version: running.version,
    at: new Date().toISOString(),
  };
  writeFileSync(beforeIn(site.home), JSON.stringify(before));
  link(site.home, place);
  const gap = await handOver(site, release.version);
  for (const name of readdirSync(releasesIn(site.home)))
    if (![basename(place), 'before.json'].includes(name) && join(releasesIn(site.home), name) !== before.root)
      rmSync(join(releasesIn(site.home), name), { recursive: true, force: true });
  return gap;
}

/**
 * Puts the release that ran before in the place of this one, when that can use the database.
 *
 * @returns that release and the seconds, as `install`
 * @throws UpgradeError with what to do when it cannot
 */
export async function goBack(
  site: Site,
  running: Release,
): Promise<{ version: string; gap: number | undefined }> {
  if (!existsSync(beforeIn(site.home))) throw new UpgradeError('No release ran here before this one.');
  const before: Before = JSON.parse(readFileSync(beforeIn(site.home), 'utf8'));
  if (!existsSync(join(before.root, 'limb-commons')))
    throw new UpgradeError(`Version ${before.version} is no longer in ${before.root}.`);
  const migrations = (root: string) => readdirSync(join(root, 'supabase/migrations'));
  const known = new Set(migrations(before.root));
  const added = migrations(running.folder).filter((name) => !known.has(name));
  if (added.length > 0)
    throw new UpgradeError(
      `Version ${running.version} has changed the database (${added.join(', ')}), which version ${before.version} cannot use. ` +
        `What was there before the upgrade comes back from the archive, without what was written since: stop the site, then run "DATA_DIR=NEW_FOLDER ${join(before.root, 'limb-commons')} restore BACKUP_DIR --to ${before.at}", remove ${linkIn(site.home)}, and start with that DATA_DIR.`,
    );
  if (before.root.startsWith(`${releasesIn(site.home)}/`)) link(site.home, before.root);
  else rmSync(linkIn(site.home));
  rmSync(beforeIn(site.home));
  return { version: before.version, gap: await handOver(site, before.version) };
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

/** Changes the link in one step, so that no start finds it missing. */
function link(home: string, target: string): void {
  rmSync(`${linkIn(home)}.new`, { force: true });
  symlinkSync(target, `${linkIn(home)}.new`);
  renameSync(`${linkIn(home)}.new`, linkIn(home));
}

async function handOver({ dataDir, address }: Site, version: string): Promise<number | undefined> {
  const instance = runningInstance(dataDir);
  if (!instance) return undefined;
  process.kill(instance.pid, 'SIGUSR2');
  let awayAt: number | undefined;
  for (let waited = 0; waited < MAX_SWITCH_MS; waited += STEP_MS) {
    const isReady = await fetch(`${address}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (!isReady) awayAt ??= performance.now();
    else if (awayAt !== undefined && runningInstance(dataDir)) {
      const gap = (performance.now() - awayAt) / 1000;
      const answered = await (await fetch(`${address}/healthz`)).text();
      if (answered.trim() !== `ok ${version}`)
        throw new UpgradeError(
          `Version ${version} did not start, and the one before runs again; the log says why.`,
        );
      return gap;
    }
    await wait(STEP_MS);
  }
  throw new UpgradeError(`Version ${version} is not ready after half an hour; the log says why.`);
}
