import type { Config } from '../config.ts';
import { DiskFiles } from './disk-files.ts';
import type { FileDriver } from './file-driver.ts';
import { checkOwnStore, claimStore, refuseOtherPlace } from './place.ts';

const REMOVED_AT_ONCE = 1000;

/**
 * Opens the place of this site's files, by its settings.
 *
 * @param archives whether new files wait on this disk for the continuous archive
 * @throws ConfigError when the files are elsewhere
 */
export async function openFiles(
  config: Pick<Config, 'dataDir' | 's3' | 'backup'>,
  archives = config.backup.continuous,
): Promise<FileDriver> {
  refuseOtherPlace(config);
  const { dataDir, s3 } = config;
  if (!s3) return new DiskFiles(dataDir);
  // Loaded only where it is needed: the client is large.
  const { S3Files } = await import('./s3-files.ts');
  return new S3Files(s3, dataDir, archives);
}

/** Opens the place for the files of a site that is restored; a bucket becomes its own by `claim`. */
export async function emptyPlace(
  config: Pick<Config, 'dataDir' | 's3' | 'backup'>,
): Promise<{ driver: FileDriver; claim?: () => Promise<() => Promise<void>> }> {
  const driver = await openFiles(config, false);
  const { dataDir, s3 } = config;
  if (!s3) return { driver };
  return {
    driver,
    async claim() {
      await claimStore(dataDir, s3, await checkOwnStore(s3, undefined));
      return async () => {
        await driver.close?.();
        await removeAll(driver);
        const { writeOwner } = await import('./s3-check.ts');
        await writeOwner(s3, undefined);
      };
    },
  };
}

/**
 * Removes all files of a place.
 *
 * @returns the number of those that could not be removed
 */
export async function removeAll(driver: FileDriver): Promise<number> {
  let versions: string[] = [];
  for await (const { version } of driver.list()) {
    versions.push(version);
    if (versions.length < REMOVED_AT_ONCE) continue;
    await driver.remove(versions);
    versions = [];
  }
  await driver.remove(versions);
  let left = 0;
  for await (const _file of driver.list()) left += 1;
  return left;
}
