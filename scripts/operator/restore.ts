import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '#backend/config.ts';
import { emptyPlace } from '#backend/files/open-files.ts';
import { ARCHIVES } from '#server/backup/continuous/log-archive.ts';
import { isArchiveFolder, restoreLogArchive } from '#server/backup/continuous/log-restore.ts';
import { readDeletions } from '#server/backup/deletions.ts';
import { BackupError } from '#server/backup/encryption.ts';
import { fetchOffsite } from '#server/backup/offsite.ts';
import { restoreBackup } from '#server/backup/restore.ts';
import { recordRestore } from '#server/backup/retention.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { commandLine } from '#server/version.mjs';
import { usageOf } from '../tasks.mjs';
import { command, root } from './command.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
/** The list of erasures is there, also when one of the archives below was given. */
const backupDirOf = (folder: string) =>
  basename(dirname(folder)) === ARCHIVES ? dirname(dirname(folder)) : folder;

/** Holds what was fetched from a bucket while it is restored. */
let fetched: string | undefined;

await command(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { erased: { type: 'string' }, to: { type: 'string' } },
  });
  const [argument] = positionals;
  if (!argument) throw new BackupError(usageOf('restore'));
  // Providers of sign-in may lack their secrets on a machine that only restores.
  const config = readConfig(root, process.env, null);
  const isOffsite = argument.startsWith('s3://');
  if (isOffsite) fetched = mkdtempSync(`${config.dataDir}.fetched-`);
  const file = isOffsite ? await fetchFrom(config, argument, fetched ?? '') : resolve(argument);
  if (!existsSync(file)) throw new BackupError(`There is no backup ${file}.`);
  const isFolder = statSync(file).isDirectory();
  if (isFolder && !isArchiveFolder(file)) throw new BackupError(`There is no continuous archive in ${file}.`);
  if (values.to && !isFolder)
    throw new BackupError('--to goes with a folder; the file of a backup is of one moment.');
  if (values.to && !MOMENT.test(values.to))
    throw new BackupError('--to wants a moment such as 2026-11-22T10:15:00Z.');
  if (values.erased && !existsSync(values.erased))
    throw new BackupError(`There is no list ${values.erased}.`);
  if (config.supabase) throw new BackupError('A Supabase project is restored by its own tools.');
  if (runningInstance(config.dataDir))
    throw new BackupError(`A site is running on ${config.dataDir}; set DATA_DIR to a new folder.`);
  const { dataDir, databaseUrl, backup } = config;
  const place = await emptyPlace(config);
  const progress = (step: string) => console.error(`${step} …`);
  if (isFolder) {
    if (databaseUrl)
      throw new BackupError(
        'A continuous archive is restored with its own PostgreSQL; unset DATABASE_URL, or restore a file.',
      );
    const restored = await restoreLogArchive(
      file,
      backup.key,
      { dataDir, ...place },
      values.to ? new Date(values.to) : undefined,
      await readDeletions(resolve(values.erased ?? backupDirOf(file))),
      progress,
    );
    const { until, lastChange, files, missing, erased, gap } = restored;
    // A rehearsal compares it with the running site.
    process.send?.(restored);
    console.log(
      `Restored what was there on ${until.toISOString()} into ${dataDir}, with ${files} files; the last change is of ` +
        `${lastChange?.toISOString() ?? 'before the base copy'}. Deleted or hidden again: ${erased}. Start the site with "${commandLine('start')}".`,
    );
    if (missing > 0)
      console.error(`${missing} files that the database names are missing from ${file}, or damaged there.`);
    if (gap) console.error(gap);
  } else {
    const restored = await restoreBackup(
      file,
      backup.key,
      { root: config.root, dataDir, databaseUrl, ...place },
      await readDeletions(resolve(values.erased ?? dirname(file))),
      progress,
    );
    console.log(
      `Restored what was there on ${restored.madeAt} into ${dataDir}: ${restored.rows} rows and ${restored.files} files. ` +
        `Deleted or hidden again: ${restored.erased}. Start the site with "${commandLine('start')}".`,
    );
  }
  // One that may only be read is left without a record.
  if (backup.directory && (isOffsite || file.startsWith(backup.directory)))
    await recordRestore(backup.directory).catch(() => undefined);
}).finally(() => {
  if (fetched) rmSync(fetched, { recursive: true, force: true });
});

/** Brings a backup, or the whole archive, from the bucket that BACKUP_COPY names. */
async function fetchFrom({ backup }: Config, address: string, folder: string): Promise<string> {
  const { offsite } = backup;
  const own = offsite && `s3://${offsite.bucket}/${offsite.prefix}`;
  if (!offsite || !own || !`${address.replace(/\/$/, '')}/`.startsWith(own))
    throw new BackupError(
      `Set BACKUP_COPY to the folder of ${address}, and BACKUP_DIR and the S3 settings, as the site has them.`,
    );
  console.error(`Fetching it from the bucket ${offsite.bucket} …`);
  return fetchOffsite(offsite, folder, address.slice(own.length) || undefined);
}
