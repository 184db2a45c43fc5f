import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterOf, stopOrphan } from '#backend/database/postgres.ts';
import { tryEach } from '#backend/try-each.ts';
import { commitDeletions, readDeletions, recordDeletions } from '../backup/deletions.ts';
import { emptyAgain } from '../backup/restore.ts';
import { OLDEST } from '../backup/retention.ts';
import { connect } from '../backup/tables.ts';
import { copyIn } from './before.ts';

/**
 * The entries of a data folder that one release cannot use after another: the database with what is archived of it, and the files
 * where those come with it. All others are used by any release; `secrets.json` stays, so that a revoked key does not come back.
 */
const OWNED = ['archive.json', 'last-archived.json', 'unarchived-wal', 'files', 'postgres'];
const ERASED = 'erased.jsonl';
/** The version to which the data of the folder belong that these replace. */
const REPLACED = 'replaces-version';

/** The data that a release takes at its next start. */
const awaiting = (dataDir: string, version: string) => join(dataDir, `for-${version}`);
/** Data that no start takes: of a release that was replaced, until the next upgrade. */
export const keptIn = (dataDir: string, version: string) => join(dataDir, `kept-${version}`);
/** Where data are made for a release, which may be cut off. */
export const unfinishedIn = (dataDir: string) => join(dataDir, 'unfinished-data');

/** A database of the release that is tried, with the rows of that moment: replacing them takes less than making it. */
export const preparedIn = (dataDir: string) => join(dataDir, 'prepared-database');

/** The kept data of a release, or those that wait for it; undefined where there are none. */
export const dataOf = (dataDir: string, version: string): string | undefined =>
  [awaiting(dataDir, version), keptIn(dataDir, version)].find(existsSync);

/**
 * Has a release take these data at its next start, in place of those of the one that runs now.
 *
 * @param folder in the data folder, with a database, and with files where it brings them
 */
export function offer(dataDir: string, folder: string, version: string, replaced: string): void {
  writeFileSync(join(folder, REPLACED), replaced, { flush: true });
  if (folder !== awaiting(dataDir, version)) renameSync(folder, awaiting(dataDir, version));
}

/**
 * Tells the release that takes over with data that were made while this one still ran what has been deleted until now.
 *
 * @param version of this release
 */
export async function passOnDeletions(dataDir: string, version: string, databaseUrl: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    const folder = join(dataDir, name);
    if (!name.startsWith('for-') || readFileSync(join(folder, REPLACED), 'utf8') !== version) continue;
    const client = await connect(databaseUrl);
    await recordDeletions(client, folder, new Date(0)).finally(() => client.end());
  }
}

/**
 * Takes the data that wait for this version, and lets those that were there wait for theirs: whichever of the two starts next
 * finds its own. Each step can be the last before the machine stops; a start of either version then completes it.
 */
export async function takeOwnData(dataDir: string, version: string): Promise<void> {
  const own = awaiting(dataDir, version);
  if (!existsSync(own)) return;
  const replaced = readFileSync(join(own, REPLACED), 'utf8');
  const other = awaiting(dataDir, replaced);
  if (!existsSync(other)) {
    await discard(unfinishedIn(dataDir));
    mkdirSync(unfinishedIn(dataDir), { mode: 0o711 });
    offer(dataDir, unfinishedIn(dataDir), replaced, version);
  }
  const comes = (name: string) => existsSync(join(own, name));
  const move = (name: string, from: string, to: string) => {
    if (lstatSync(join(from, name), { throwIfNoEntry: false })) renameSync(join(from, name), join(to, name));
  };
  // The database goes last and comes first: where it is tells how far this was.
  if (!existsSync(join(other, 'postgres')))
    for (const name of OWNED)
      if ((name !== 'files' || comes(name)) && !existsSync(join(other, name))) move(name, dataDir, other);
  for (const name of [...OWNED].reverse()) move(name, own, dataDir);
  move(ERASED, own, dataDir);
  renameSync(own, unfinishedIn(dataDir));
  await discard(unfinishedIn(dataDir));
}

/**
 * Ends the taking of data, once the site runs on them and before anyone writes: what was deleted since they were left is deleted again,
 * and the data of other versions are kept, and wait no longer.
 */
export async function settleData(dataDir: string, databaseUrl: string): Promise<void> {
  const deletions = await readDeletions(dataDir);
  if (deletions.length > 0) {
    const client = await connect(databaseUrl);
    await commitDeletions(client, deletions).finally(() => client.end());
  }
  await rm(join(dataDir, ERASED), { force: true });
  await discard(preparedIn(dataDir));
  // A going back that was stopped has left it: a copy of the database from before what members have deleted since.
  await discard(unfinishedIn(dataDir));
  for (const name of readdirSync(dataDir)) {
    const version = /^for-(.+)$/.exec(name)?.[1];
    if (!version) continue;
    await discard(keptIn(dataDir, version));
    renameSync(join(dataDir, name), keptIn(dataDir, version));
  }
}

/** Removes the data of other versions, and the copy that was made before the last upgrade. */
export async function discardKept(dataDir: string, home: string): Promise<void> {
  for (const name of existsSync(dataDir) ? readdirSync(dataDir) : [])
    if (/^(for|kept)-/.test(name)) await discard(join(dataDir, name));
  await discard(unfinishedIn(dataDir));
  await rm(copyIn(home), { force: true });
}

/** Removes what is kept to go back to once it is as old as no backup may be: it holds what members have deleted since. */
export async function discardOld(dataDir: string, home: string, now = Date.now()): Promise<void> {
  const kept = readdirSync(dataDir).flatMap((name) => (name.startsWith('kept-') ? join(dataDir, name) : []));
  await tryEach([...kept, copyIn(home)], async (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && now - found.mtimeMs > OLDEST) await (found.isDirectory() ? discard(path) : rm(path));
  });
}

/** Removes a folder of data, with its database wherever that is, and a server that was left running there. */
export async function discard(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  if (lstatSync(join(folder, 'postgres'), { throwIfNoEntry: false }))
    await stopOrphan(clusterOf(folder).cluster);
  await emptyAgain(folder);
  await rm(folder, { recursive: true });
}
