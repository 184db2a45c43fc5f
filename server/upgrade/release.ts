import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { compareVersions } from '../version.mjs';

/** A reason not to upgrade; the message is a sentence for the operator. */
export class UpgradeError extends Error {}

/** An unpacked release of another version. */
export interface Release {
  folder: string;
  version: string;
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
  const folder = statSync(archive).isDirectory() ? archive : await unpack(archive, into);
  if (nameIn(folder) !== 'limb-commons') throw new UpgradeError(`${archive} is no release of this site.`);
  const { status, stdout } = spawnSync(join(folder, 'limb-commons'), ['--version'], { encoding: 'utf8' });
  const version = stdout?.trim();
  if (status !== 0 || !version)
    throw new UpgradeError(
      `The release in ${archive} does not run on this machine (${process.platform} on ${process.arch}).`,
    );
  const order = compareVersions(version, current);
  if (order === 0) throw new UpgradeError(`${archive} is version ${version}, which this is already.`);
  if (order < 0)
    throw new UpgradeError(
      `${archive} is version ${version}, older than this one (${current}). A site goes back by restoring a backup of that version.`,
    );
  return { folder, version };
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
  const { status, stderr } = spawnSync('tar', ['xf', archive, '-C', into], { encoding: 'utf8' });
  if (status !== 0)
    throw new UpgradeError(
      `${basename(archive)} cannot be unpacked: ${stderr?.trim().split('\n')[0] ?? 'tar was not found'}.`,
    );
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

/**
 * Runs a command of a release, and not of the one that has replaced it: that is looked for in the folder in which it runs.
 *
 * @param folder has no release and no settings, which come from the environment
 * @returns its exit code, and its last line, which says why it failed
 */
export async function runRelease(
  root: string,
  words: string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; lastLine: string }> {
  const child = spawn(join(root, 'limb-commons'), words, {
    cwd: folder,
    env,
    // By the channel it notices when this process dies, and stops.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  return { code, lastLine: said.trim().split('\n').at(-1) ?? '' };
}

/** The folder beside the data in which a new version is tried. */
export const rehearsalIn = (dataDir: string) => join(dirname(dataDir), `${basename(dataDir)}-rehearsal`);
