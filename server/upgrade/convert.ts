import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { clusterOf, startPostgres } from '#backend/database/postgres.ts';
import { majorOfCluster, majorOfPrograms } from '#backend/database/postgres-programs.ts';
import { DiskFiles } from '#backend/files/disk-files.ts';
import { makeBackup } from '../backup/backup.ts';
import { replaceRows, restoreBackup, UNFINISHED_MARKER } from '../backup/restore.ts';
import { VERSION } from '../version.mjs';
import { releaseBefore } from './before.ts';
import { rehearsalSettings } from './copy.ts';
import { discard, offer, preparedIn, takeOwnData, unfinishedIn } from './kept-data.ts';
import { runToEnd } from './processes.ts';
import { type Release, UpgradeError } from './release.ts';
import { linkIn } from './release-link.mjs';

const DUMP = 'database.tar';

/** The major version of the PostgreSQL that made the database of a data folder, where this is not the one of a release. */
export function otherMajor(dataDir: string, root?: string): string | undefined {
  if (!existsSync(join(dataDir, 'postgres'))) return undefined;
  const major = majorOfCluster(clusterOf(dataDir).cluster);
  return major === majorOfPrograms(root) ? undefined : major;
}

/**
 * Makes the database readable where the release before had another major version of PostgreSQL: that one copies it, this one restores
 * the copy beside it and takes that in its place. The old one is only read, and waits for its release as `takeOwnData` says.
 *
 * @param home the folder in which the site is started
 * @param root the folder of this version
 * @throws in a sentence for the operator, with the database as it was
 */
export async function convertDatabase(
  dataDir: string,
  home: string,
  root: string,
  environment: NodeJS.ProcessEnv,
  progress: (step: string) => void,
): Promise<void> {
  const major = otherMajor(dataDir);
  const before = releaseBefore(home);
  // A release that was started by hand does not know which one ran before. It is refused where the database would be started.
  const isInstalled = existsSync(linkIn(home)) && realpathSync(linkIn(home)) === realpathSync(root);
  if (major === undefined || !before || !isInstalled) return;
  progress(`Copying the database from PostgreSQL ${major} to ${majorOfPrograms()}`);
  const folder = unfinishedIn(dataDir);
  await discard(folder);
  const isPrepared = isWhole(preparedIn(dataDir));
  const dump = join(dataDir, DUMP);
  try {
    const { code, lastLine } = await runToEnd(before.root, ['backup', '--database', dump], dataDir, {
      ...environment,
      DATA_DIR: dataDir,
    });
    if (code !== 0) throw new Error(`Version ${before.version} could not copy the database: ${lastLine}`);
    const site = { dataDir: folder, driver: new DiskFiles(folder) };
    if (isPrepared) {
      renameSync(preparedIn(dataDir), folder);
      const { databasePassword } = await readSecrets(folder, undefined);
      const postgres = await startPostgres(folder, databasePassword);
      await replaceRows(postgres.url, dump, site).finally(postgres.stop);
    } else
      await restoreBackup(dump, undefined, { root, databaseUrl: undefined, ...site }, [], () => undefined);
  } finally {
    rmSync(dump, { force: true });
  }
  for (const name of await readdir(folder))
    if (name !== 'postgres') await rm(join(folder, name), { recursive: true });
  offer(dataDir, folder, VERSION, before.version);
  await takeOwnData(dataDir, VERSION);
}

/** Whether a restore by this version has come to its end there. */
const isWhole = (folder: string) =>
  existsSync(join(folder, 'secrets.json')) &&
  !existsSync(join(folder, UNFINISHED_MARKER)) &&
  otherMajor(folder) === undefined;

/**
 * Tries how long the conversion of the database takes, on this machine and now. What it makes shortens the real one, and is left
 * in the data folder for that.
 *
 * @param folder for a copy
 * @returns the most seconds for which the site will not answer
 */
export async function tryConversion(
  release: Release,
  databaseUrl: string,
  dataDir: string,
  folder: string,
  surroundings: NodeJS.ProcessEnv,
): Promise<number> {
  const startedAt = performance.now();
  const dump = join(folder, DUMP);
  await makeBackup(databaseUrl, { dataDir }, dump, undefined);
  const prepared = preparedIn(dataDir);
  await discard(prepared);
  const settings = rehearsalSettings(surroundings, { DATA_DIR: prepared });
  const { code, lastLine } = await runToEnd(release.folder, ['restore', dump], folder, settings);
  if (code !== 0)
    throw new UpgradeError(`Version ${release.version} cannot take over the database: ${lastLine}`);
  return Math.ceil((performance.now() - startedAt) / 1000);
}
