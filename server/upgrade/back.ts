import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '#backend/config.ts';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { startPostgres } from '#backend/database/postgres.ts';
import { lastArchived } from '../backup/continuous/archiving.ts';
import { commitDeletions, deletionsSince, recordDeletions } from '../backup/deletions.ts';
import { connect, tables } from '../backup/tables.ts';
import { runningInstance } from '../running-instance.mjs';
import { type Before, copyIn, noteBefore, releaseBefore, releasesIn } from './before.ts';
import { otherMajor } from './convert.ts';
import { dataOf, discard, keptIn, offer, unfinishedIn } from './kept-data.ts';
import { runToEnd } from './processes.ts';
import { type Release, UpgradeError } from './release.ts';
import { linkRelease } from './release-link.mjs';
import { handOver, type Site } from './switch.ts';

const MAX_ARCHIVING_MS = 90_000;
const STEP_MS = 500;

/** A site that has gone back. */
export interface Back {
  version: string;
  /** The seconds in which nothing could be written; undefined when no site runs, and the next start is of that version. */
  gap: number | undefined;
  /** Where the data of the later version are kept; undefined where both versions use the same. */
  kept: string | undefined;
}

/** The site's settings, where its database is now, and whether its operator accepts that changes are lost. */
interface Conditions {
  config: Config;
  surroundings: NodeJS.ProcessEnv;
  databaseUrl: string;
  losesChanges: boolean;
}

/**
 * Puts the release that ran before in the place of this one. Where that cannot read the database any more, it first restores
 * what was there when it was replaced, beside the data and while the site runs.
 *
 * @param running the release that runs now
 * @throws UpgradeError with the site as it is, when the release is gone, has nothing to restore from, or would lose changes
 */
export async function goBack(
  site: Site,
  running: Release,
  { config, surroundings, databaseUrl, losesChanges }: Conditions,
  progress: (step: string) => void,
): Promise<Back> {
  const { home, dataDir } = site;
  const before = releaseBefore(home);
  if (!before || before.version === running.version)
    throw new UpgradeError('No release ran here before this one.');
  if (!existsSync(join(before.root, 'limb-commons')))
    throw new UpgradeError(`Version ${before.version} is no longer in ${before.root}.`);
  const changes = changesSince(before, running, dataDir);
  if (changes) {
    const since = dataOf(dataDir, before.version) ? before.at : (before.copyOf ?? before.at);
    const lost = await writtenSince(databaseUrl, since);
    if (!losesChanges)
      throw new UpgradeError(
        `Version ${running.version} has changed the database (${changes}), which version ${before.version} cannot use. ` +
          `It goes back to what was there on ${since}, and loses what was written since: ${lost}, besides edits and deletions. ` +
          'If you accept that, add --losing-changes; nothing has been changed yet.',
      );
    const folder =
      dataOf(dataDir, before.version) ?? (await restored(before, home, config, surroundings, progress));
    await eraseIn(folder, { config, databaseUrl }, otherMajor(dataDir, before.root) !== undefined);
    offer(dataDir, folder, before.version, running.version);
  }
  progress('Handing over');
  linkRelease(home, before.root.startsWith(`${releasesIn(home)}/`) ? before.root : undefined);
  noteBefore(home, undefined);
  const gap = await handOver(site, before.version);
  return { version: before.version, gap, kept: changes && keptIn(dataDir, running.version) };
}

/**
 * What was removed since must not come back with the data of the release before. It is repeated here, since that release may not know
 * all that this one removes; where only that one has the programs for its database, it finds a list beside it.
 */
async function eraseIn(
  folder: string,
  { config: { dataDir }, databaseUrl }: Pick<Conditions, 'config' | 'databaseUrl'>,
  isOfOtherMajor: boolean,
): Promise<void> {
  const live = await connect(databaseUrl);
  try {
    if (isOfOtherMajor) return await recordDeletions(live, folder, new Date(0));
    const { databasePassword } = await readSecrets(dataDir, undefined);
    const postgres = await startPostgres(folder, databasePassword);
    try {
      const client = await connect(postgres.url);
      try {
        await commitDeletions(client, await deletionsSince(live, new Date(0)));
      } finally {
        await client.end();
      }
    } finally {
      await postgres.stop();
    }
  } finally {
    await live.end();
  }
}

/** What in the database the release before cannot use; undefined when it can use all of it. */
function changesSince(before: Before, running: Release, dataDir: string): string | undefined {
  const major = otherMajor(dataDir, before.root);
  if (major !== undefined) return `it is of PostgreSQL ${major}`;
  const migrations = (root: string) => readdirSync(join(root, 'supabase/migrations'));
  const known = new Set(migrations(before.root));
  return (
    migrations(running.folder)
      .filter((name) => !known.has(name))
      .join(', ') || undefined
  );
}

/** The rows that were added since a moment, as a sentence's part; no table tells which were changed or deleted. */
async function writtenSince(databaseUrl: string, since: string): Promise<string> {
  const client = await connect(databaseUrl);
  try {
    const dated = (await tables(client)).filter(
      ({ name, columns }) => /^(public\.|auth\.users$)/.test(name) && columns.includes('created_at'),
    );
    const added: string[] = [];
    let sum = 0;
    for (const { name } of dated) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from ${name} where created_at > $1`,
        [since],
      );
      const count = rows[0]?.count ?? 0;
      sum += count;
      if (count > 0) added.push(`${count} in ${name}`);
    }
    return sum === 0 ? 'no new row' : `${sum} new ${sum === 1 ? 'row' : 'rows'} (${added.join(', ')})`;
  } finally {
    await client.end();
  }
}

/** Has the release before restore what was there when it was replaced. @returns the folder with it */
async function restored(
  before: Before,
  home: string,
  { dataDir, databaseUrl, s3, backup }: Config,
  surroundings: NodeJS.ProcessEnv,
  progress: (step: string) => void,
): Promise<string> {
  if (databaseUrl)
    throw new UpgradeError(
      'The database of DATABASE_URL is brought back by its own tools; stop the site for that, and start the version before.',
    );
  if (s3)
    throw new UpgradeError(
      'With files in a bucket a site goes back by hand, since they are restored into an empty one: stop the site, set another ' +
        `S3_PREFIX and DATA_DIR, and run "limb-commons restore ${backup.directory ?? copyIn(home)}" of version ${before.version}.`,
    );
  const source = before.copyOf
    ? [copyIn(home)]
    : backup.continuous && backup.directory
      ? [backup.directory, '--to', before.at]
      : undefined;
  if (!source)
    throw new UpgradeError(
      'The continuous archive is turned off, from which the database would be restored; set BACKUP_DIR as it was.',
    );
  if (!before.copyOf) await untilArchived(dataDir, new Date(before.at));
  progress(`Restoring what was there on ${before.copyOf ?? before.at} by version ${before.version}`);
  const folder = unfinishedIn(dataDir);
  await discard(folder);
  // Of the list beside the backups that release may not know all; it is repeated afterwards.
  const nothing = join(home, 'releases/nothing.jsonl');
  writeFileSync(nothing, '');
  const { code, lastLine } = await runToEnd(
    before.root,
    ['restore', ...source, '--erased', nothing],
    dataDir,
    {
      ...surroundings,
      DATA_DIR: folder,
      ...(backup.directory ? { BACKUP_DIR: backup.directory } : {}),
    },
  );
  await rm(nothing);
  if (code !== 0)
    throw new UpgradeError(
      `Version ${before.version} cannot restore it, and the site is as it was: ${lastLine}`,
    );
  for (const name of await readdir(folder))
    if (!['postgres', 'files'].includes(name)) await rm(join(folder, name), { recursive: true });
  // A site to which no one has uploaded anything has no files.
  mkdirSync(join(folder, 'files'), { recursive: true });
  chmodSync(join(folder, 'files'), 0o700);
  return folder;
}

/** Waits while the running site has not archived a moment, as in the first minute after a start. */
async function untilArchived(dataDir: string, moment: Date): Promise<void> {
  const isMissing = () => new Date(lastArchived(dataDir)?.until ?? Number.NaN) < moment;
  for (
    let waited = 0;
    waited < MAX_ARCHIVING_MS && runningInstance(dataDir) && isMissing();
    waited += STEP_MS
  )
    await wait(STEP_MS);
}
