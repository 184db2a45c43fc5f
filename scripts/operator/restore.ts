import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '#backend/config.ts';
import { emptyPlace } from '#backend/files/open-files.ts';
import { ARCHIVES } from '#server/backup/continuous/log-archive.ts';
import { isArchiveFolder, restoreLogArchive } from '#server/backup/continuous/log-restore.ts';
import { readDeletions } from '#server/backup/deletions.ts';
import { BackupError } from '#server/backup/encryption.ts';
import { fetchOffsite } from '#server/backup/offsite.ts';
import { restoreBackup, UNFINISHED_MARKER } from '#server/backup/restore.ts';
import { recordRestore } from '#server/backup/retention.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { commandLine } from '#server/version.mjs';
import { usageOf } from '../tasks.mjs';
import { command, root, stopBy } from './command.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
/** The list of erasures is there, also when one of the archives below was given. */
const backupDirOf = (folder: string) =>
  basename(dirname(folder)) === ARCHIVES ? dirname(dirname(folder)) : folder;

/** Makes a bucket empty again into which files are being restored. */
let giveBack: (() => Promise<void>) | undefined;
let isLeaving = false;
stopBy(async () => {
  // Ctrl-C sends two signals.
  if (isLeaving) return;
  isLeaving = true;
  if (giveBack) console.error('Removing what was restored into the bucket …');
  await giveBack?.().catch((error) => console.error(error.message));
  process.exit(1);
});

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
  const file = isOffsite ? await fetchFrom(config, argument) : resolve(argument);
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
  const { claim } = place;
  if (claim)
    place.claim = async () => {
      const makeEmpty = await claim();
      giveBack = async () => {
        await makeEmpty();
        // The restore has gone on since, and may have come to its end: no site may start on it.
        writeFileSync(join(dataDir, UNFINISHED_MARKER), '', { mode: 0o600 });
      };
      return makeEmpty;
    };
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
  giveBack = undefined;
  // One that may only be read is left without a record.
  if (backup.directory && (isOffsite || file.startsWith(backup.directory)))
    await recordRestore(backup.directory).catch(() => undefined);
});

/** Brings a backup, or the whole archive, from the bucket that BACKUP_COPY names. */
async function fetchFrom({ backup, dataDir }: Config, address: string): Promise<string> {
  const { offsite } = backup;
  const own = offsite && `s3://${offsite.bucket}/${offsite.prefix}`;
  if (!offsite || !own || !`${address.replace(/\/$/, '')}/`.startsWith(own))
    throw new BackupError(
      `Set BACKUP_COPY to the folder of ${address}, and BACKUP_DIR and the S3 settings, as the site has them.`,
    );
  const folder = mkdtempSync(`${dataDir}.fetched-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  console.error(`Fetching it from the bucket ${offsite.bucket} …`);
  return fetchOffsite(offsite, folder, address.slice(own.length) || undefined);
}
