import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Config, SETTINGS } from '#backend/config.ts';
import { clusterOf } from '#backend/database/postgres.ts';
import { majorOfCluster, majorOfPrograms } from '#backend/database/postgres-programs.ts';
import { openFiles } from '#backend/files/open-files.ts';
import { makeBackup } from '../backup/backup.ts';
import { lastArchived } from '../backup/continuous/archiving.ts';
import { bases, findArchive } from '../backup/continuous/log-archive.ts';
import type { RestoredArchive } from '../backup/continuous/log-restore.ts';
import { connect, type RowCount, rowCounts } from '../backup/tables.ts';
import { commandLine } from '../version.mjs';
import { requireRoom } from './place.ts';
import { runToEnd } from './processes.ts';
import type { Release } from './release.ts';

/** The time for the site to archive what it has just written. */
const ARCHIVING_TIMEOUT_MS = 60_000;
const LOOK_MS = 250;
/** What a rehearsal takes over: the site's project and who operates it. */
const TAKEN_OVER = /^(OPERATOR_|SUPPORT_EMAIL|LEGAL_EMAIL|CAPTCHA_SITE_KEY|SUPABASE_WORKDIR|STORAGE_QUOTA)/;

/** The site for which a release is tried. */
export interface LiveSite {
  config: Config;
  release: Release;
  databaseUrl: string;
  /** Where this machine reaches it; undefined when none runs. */
  address: string | undefined;
  environment: NodeJS.ProcessEnv;
}

/** A copy of a site's data. */
export interface Copy {
  /** What is in it. */
  tables: RowCount[];
  /** What the archive lacks, asked once the database's statistics are up to date. */
  lost: () => Promise<string[]>;
  /** Whether it was restored from the continuous archive, all of whose files were there. */
  provesArchive: boolean;
  /** The backup that it was restored from otherwise. */
  backup?: { file: string; madeAt: string };
  remarks: string[];
}

/**
 * The settings of a rehearsal: none that names another machine, a bucket, a folder of backups or a way to reach people. They are blank rather
 * than missing, so that no `.env` brings them back.
 */
export const rehearsalSettings = (
  surroundings: NodeJS.ProcessEnv,
  own: Record<string, string>,
): NodeJS.ProcessEnv => ({
  ...surroundings,
  ...Object.fromEntries(SETTINGS.filter((name) => !TAKEN_OVER.test(name)).map((name) => [name, ''])),
  LOG_LEVEL: 'error',
  // No one would take it from there.
  FIELD_PACK_EVERY: '0',
  ...own,
});

/**
 * Restores the data of a site into a folder of its own: the last of its continuous archive, or where that cannot be read here a backup.
 *
 * @param folder for the backup, and for the data as `data`
 * @returns the copy, or why there is none
 */
export async function copySite(
  site: LiveSite,
  release: Release,
  folder: string,
  progress: (step: string) => void,
): Promise<Copy | string> {
  const found = await readableArchive(site, release);
  const bytes = await sizeOf(site.databaseUrl);
  requireRoom(folder, 'reason' in found ? 2 * bytes : bytes);
  if ('reason' in found) return restoreBackup(site, release, folder, found.reason, progress);
  progress('Waiting until the continuous archive has this moment');
  const moment = await markMoment(site.databaseUrl);
  if (!(await isArchived(found.archive, moment.segment))) {
    const { problem } = lastArchived(site.config.dataDir) ?? {};
    return `The continuous archive does not go on${problem ? `: ${problem}` : ''}.`;
  }
  progress('Restoring the continuous archive');
  return restoreArchive(site, found.archive, moment, folder);
}

async function readableArchive(
  { config, address }: LiveSite,
  release: Release,
): Promise<{ archive: string } | { reason: string }> {
  const { backup, dataDir } = config;
  if (!backup.directory || !backup.continuous) return { reason: 'there is no continuous archive' };
  if (backup.key?.startsWith('age1'))
    return { reason: 'the key that opens the continuous archive is not on this machine' };
  if (!address) return { reason: 'no site runs that would archive its last minute' };
  const [ours, theirs] = [majorOfCluster(clusterOf(dataDir).cluster), majorOfPrograms(release.folder)];
  if (ours !== theirs)
    return { reason: `PostgreSQL ${theirs} cannot read the continuous archive of PostgreSQL ${ours}` };
  const archive = await findArchive(dataDir, backup.directory, backup.key);
  if (!archive || (await bases(archive.folder)).length === 0)
    return { reason: 'the continuous archive is not in BACKUP_DIR, or has no base copy yet' };
  return { archive: archive.folder };
}

async function sizeOf(databaseUrl: string): Promise<number> {
  const client = await connect(databaseUrl);
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `select (select sum(pg_database_size(oid)) from pg_database)
         + (select coalesce(sum((metadata ->> 'size')::numeric), 0) from storage.objects) as bytes`,
    );
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}

interface Moment {
  tables: RowCount[];
  /** The rows that had been removed from each table. */
  removed: Map<string, number>;
  /** The segment of the log with which the moment is archived. */
  segment: string;
}

/** Counts the rows of one moment, and ends the segment of the log that belongs to it. */
async function markMoment(databaseUrl: string): Promise<Moment> {
  const [client, marker] = await Promise.all([connect(databaseUrl), connect(databaseUrl)]);
  try {
    await client.query('begin isolation level repeatable read read only');
    const removed = await removedRows(client);
    const { rows } = await marker.query<{ segment: string }>(
      "select pg_walfile_name(pg_create_restore_point('rehearsal') - 1) as segment",
    );
    await marker.query('select pg_switch_wal()');
    return { tables: await rowCounts(client), removed, segment: rows[0]?.segment ?? '' };
  } finally {
    await Promise.all([client.end(), marker.end()]);
  }
}

async function removedRows(client: Awaited<ReturnType<typeof connect>>): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; removed: string }>(
    "select format('%I.%I', schemaname, relname) as name, n_tup_del as removed from pg_stat_all_tables",
  );
  return new Map(rows.map(({ name, removed }) => [name, Number(removed)]));
}

async function isArchived(archive: string, segment: string): Promise<boolean> {
  for (let waited = 0; waited < ARCHIVING_TIMEOUT_MS; waited += LOOK_MS) {
    if ((await readdir(join(archive, 'wal'))).some((name) => name.startsWith(segment))) return true;
    await wait(LOOK_MS);
  }
  return false;
}

async function restoreArchive(
  { config, release, databaseUrl, environment }: LiveSite,
  archive: string,
  moment: Moment,
  folder: string,
): Promise<Copy | string> {
  const own = { DATA_DIR: join(folder, 'data'), BACKUP_KEY: config.backup.key ?? '' };
  const restored = await runToEnd(
    release.folder,
    ['restore', archive],
    folder,
    rehearsalSettings(environment, own),
  );
  const result = restored.message as RestoredArchive | undefined;
  const anew = `Begin it anew by "${commandLine('backup', '--base')}".`;
  if (restored.code !== 0 || !result)
    return `The continuous archive cannot be restored: ${restored.lastLine} ${anew}`;
  if (result.gap) return `${result.gap} ${anew}`;
  const held = new Map(result.tables.map(({ name, rows }) => [name, rows]));
  return {
    tables: result.tables,
    async lost() {
      const client = await connect(databaseUrl);
      const removed = await removedRows(client).finally(() => client.end());
      return moment.tables.flatMap(({ name, rows }) => {
        // A row of that moment may have been removed before the last archived one.
        const since = Math.max(0, (removed.get(name) ?? 0) - (moment.removed.get(name) ?? 0));
        const lacking = rows - since - (held.get(name) ?? 0);
        return lacking > 0 ? [`The continuous archive lacks ${lacking} rows of ${name}. ${anew}`] : [];
      });
    },
    provesArchive: result.missing === 0,
    remarks:
      result.missing > 0
        ? [`${result.missing} files that the database names are missing from the continuous archive.`]
        : [],
  };
}

async function restoreBackup(
  { config, databaseUrl, environment }: LiveSite,
  release: Release,
  folder: string,
  reason: string,
  progress: (step: string) => void,
): Promise<Copy | string> {
  progress(`Making a backup, since ${reason}`);
  const { dataDir } = config;
  const { record, manifest } = await makeBackup(
    databaseUrl,
    { dataDir, driver: await openFiles(config) },
    join(folder, 'site.tar'),
    undefined,
  );
  progress('Restoring the backup');
  const own = { DATA_DIR: join(folder, 'data') };
  const { code, lastLine } = await runToEnd(
    release.folder,
    ['restore', record.file],
    folder,
    rehearsalSettings(environment, own),
  );
  if (code !== 0) return `Version ${release.version} cannot restore the data: ${lastLine}`;
  return { tables: manifest.tables, lost: async () => [], provesArchive: false, backup: record, remarks: [] };
}
