import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { ConfigError } from '../config-project.ts';
import { isRunning } from '../is-running.mjs';
import { replaceFileSync } from './replace-file.mjs';
import type { S3Settings } from './s3-client.ts';

/** Kept in the data folder: the place of the files, which settings alone do not change. */
interface Place {
  /** Names this site in its bucket. */
  id: string;
  /** On the local disk where missing. */
  s3?: Pick<S3Settings, 'endpoint' | 'bucket' | 'prefix'>;
}

const fileIn = (dataDir: string) => join(dataDir, 'files.json');

/** The place of this site's files; undefined for a site that has only ever had them on its disk. */
export function readPlace(dataDir: string): Place | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes down where the files are: from the next start on, they are looked for there alone. */
export function writePlace(dataDir: string, id: string, s3: S3Settings | undefined): void {
  const place: Place = {
    id,
    ...(s3 && { s3: { endpoint: s3.endpoint, bucket: s3.bucket, prefix: s3.prefix } }),
  };
  replaceFileSync(fileIn(dataDir), `${JSON.stringify(place)}\n`);
}

/** Whether this place is that of the settings. */
export const isSamePlace = (place: Place | undefined, s3: S3Settings | undefined): boolean =>
  place?.s3?.endpoint === s3?.endpoint &&
  place?.s3?.bucket === s3?.bucket &&
  place?.s3?.prefix === s3?.prefix;

/** Whether a data folder has stored files of its own. */
function hasFilesOnDisk(dataDir: string): boolean {
  try {
    return readdirSync(join(dataDir, 'files')).some(
      (name) => /^[0-9a-f]{2}$/.test(name) && readdirSync(join(dataDir, 'files', name)).length > 0,
    );
  } catch {
    return false;
  }
}

/**
 * Checks that the files are where the settings say.
 *
 * @throws ConfigError, with nothing changed
 */
export function refuseOtherPlace({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): void {
  const place = readPlace(dataDir);
  if (place?.s3 && !isSamePlace(place, s3))
    throw new ConfigError(
      `The files of this site are in the bucket ${place.s3.bucket}; set the S3 settings to it, or bring the files back first with the command "move-files disk".`,
    );
  if (s3 && !place?.s3 && hasFilesOnDisk(dataDir))
    throw new ConfigError(
      'The files of this site are on its disk; stop it and bring them to the bucket first with the command "move-files s3".',
    );
}

/**
 * Checks before a start that the files are where the settings say and can be used there, and takes an empty bucket for a new
 * site.
 *
 * @throws ConfigError, with nothing changed
 */
export async function checkPlace(config: Pick<Config, 'dataDir' | 's3'>): Promise<void> {
  const { dataDir, s3 } = config;
  if (isMoving(dataDir))
    throw new ConfigError('The files of this site are being moved; start it when that has ended.');
  refuseOtherPlace(config);
  if (!s3) return;
  const id = await checkOwnStore(s3, readPlace(dataDir)?.id);
  await claimStore(dataDir, s3, id);
}

/** Makes a bucket that has been checked the place of this site's files. */
export async function claimStore(dataDir: string, s3: S3Settings, id: string): Promise<void> {
  writePlace(dataDir, id, s3);
  // Last, so that a start which is cut off leaves no bucket that its own site refuses.
  const { writeOwner } = await import('./s3-check.ts');
  await writeOwner(s3, id);
}

/**
 * Checks a bucket, and that it has no files but those of this site.
 *
 * @param own how this site is named in its bucket; undefined when it never had one
 * @returns the name
 * @throws ConfigError, with nothing changed
 */
export async function checkOwnStore(s3: S3Settings, own: string | undefined): Promise<string> {
  // Loaded only where it is needed: the client is large.
  const { checkStore, readOwner } = await import('./s3-check.ts');
  await checkStore(s3);
  const owner = await readOwner(s3);
  if (owner !== undefined && owner !== own)
    throw new ConfigError(
      `The bucket ${s3.bucket} has files of another site${s3.prefix ? ` under ${s3.prefix}` : ''}; set S3_PREFIX to a folder of its own for each site.`,
    );
  return own ?? randomUUID();
}

/** Whether files are being moved from or to this data folder, so that no site may start on it. */
function isMoving(dataDir: string): boolean {
  const lock = lockIn(dataDir);
  return existsSync(lock) && isRunning(Number(readFileSync(lock, 'utf8')), 'move-files');
}

const lockIn = (dataDir: string) => join(dataDir, 'moving-files');

/** Says that files are being moved, until it is told that they are no more. @throws ConfigError when they are already */
export function lockForMoving(dataDir: string): () => void {
  if (isMoving(dataDir)) throw new ConfigError('The files of this site are being moved already.');
  writeFileSync(lockIn(dataDir), String(process.pid), { mode: 0o600 });
  return () => rmSync(lockIn(dataDir), { force: true });
}
