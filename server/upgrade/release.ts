import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { compareVersions } from '../version.mjs';
import { runToEnd, unpackTar } from './processes.ts';

/** A reason not to upgrade; the message is a sentence for the operator. */
export class UpgradeError extends Error {}

/** An unpacked release of another version. */
export interface Release {
  folder: string;
  version: string;
  /** Whether its folder was unpacked here, and may be moved. */
  isUnpackedHere?: boolean;
}

/**
 * Unpacks the archive of a release, and tries whether it runs here.
 *
 * @param archive an archive beside its checksum, or an unpacked one
 * @param into an empty folder
 * @param current the version that asks
 * @throws UpgradeError when it is another product's, changed, cut off, for another platform, or not newer
 */
export async function openRelease(archive: string, into: string, current: string): Promise<Release> {
  if (!existsSync(archive)) throw new UpgradeError(`There is no archive ${archive}.`);
  const isUnpackedHere = !statSync(archive).isDirectory();
  const folder = isUnpackedHere ? await unpack(archive, into) : archive;
  if (nameIn(folder) !== 'limb-commons') throw new UpgradeError(`${archive} is no release of this site.`);
  const { code, lastLine: version } = await runToEnd(folder, ['--version'], folder);
  if (code !== 0)
    throw new UpgradeError(
      `The release in ${archive} does not run on this machine (${process.platform} on ${process.arch}).`,
    );
  const order = compareVersions(version, current);
  if (order === 0) throw new UpgradeError(`${archive} is version ${version}, which this is already.`);
  if (order < 0)
    throw new UpgradeError(
      `${archive} is version ${version}, older than this one (${current}). A site goes back by restoring a backup of that version.`,
    );
  return { folder, version, isUnpackedHere };
}

async function unpack(archive: string, into: string): Promise<string> {
  const list = `${archive}.sha256`;
  if (!existsSync(list))
    throw new UpgradeError(`The checksum ${list} is missing; download it, and put it beside the archive.`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), hash);
  if (readFileSync(list, 'utf8').split(/\s/)[0] !== hash.digest('hex'))
    throw new UpgradeError(
      `${archive} is not what its checksum says; it was cut off or changed. Download it again.`,
    );
  mkdirSync(into, { recursive: true });
  const problem = await unpackTar(archive, into);
  if (problem) throw new UpgradeError(`${basename(archive)} cannot be unpacked: ${problem}.`);
  const [only, ...others] = readdirSync(into);
  if (!only || others.length > 0) throw new UpgradeError(`${archive} is no release of this site.`);
  return join(into, only);
}

function nameIn(folder: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
  } catch {
    return undefined;
  }
}

/** The folder beside the data in which a new version is tried. */
export const rehearsalIn = (dataDir: string) => join(dirname(dataDir), `${basename(dataDir)}-rehearsal`);
