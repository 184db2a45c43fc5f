import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '#backend/config.ts';
import { openFiles } from '#backend/files/open-files.ts';
import { makeBackup, recordBackup } from '#server/backup/backup.ts';
import { makeBaseCopy } from '#server/backup/continuous/base-copy.ts';
import { beginArchive, findArchive } from '#server/backup/continuous/log-archive.ts';
import { recordDeletions } from '#server/backup/deletions.ts';
import { BackupError } from '#server/backup/encryption.ts';
import { backupName, removeOldBackups, removeOldBases } from '#server/backup/retention.ts';
import { connect } from '#server/backup/tables.ts';
import { command, root } from './command.ts';
import { siteDatabase } from './site-database.ts';

// The whole work of a backup, in this process alone: the site starts it too, as a child that slows no page.
await command(async () => {
  const config = readConfig(root);
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { base: { type: 'boolean' }, database: { type: 'string' } },
  });
  if (values.base) await makeBase(config);
  else if (values.database) await copyDatabase(config, values.database);
  else await makeFile(config, positionals[0]);
});

async function makeFile(config: Config, outputPath: string | undefined): Promise<void> {
  const { directory, key, keep } = config.backup;
  const file = resolve(outputPath ?? join(directory ?? '.', backupName(new Date(), key !== undefined)));
  await using database = await siteDatabase(config);
  const { dataDir } = config;
  const driver = await openFiles(config);
  const { record: backup } = await makeBackup(database.url, { dataDir, driver }, file, key);
  await recordBackup(dataDir, backup);
  if (directory) {
    const client = await connect(database.url);
    await recordDeletions(client, directory, new Date(0)).finally(() => client.end());
    if (!outputPath) await removeOldBackups(directory, keep);
  }
  console.log(
    `${backup.file}: ${backup.rows} rows and ${backup.files} files, ${backup.bytes} bytes, in ${backup.seconds} s${key ? ', encrypted' : ', not encrypted'}.`,
  );
  if (backup.missing > 0)
    console.error(`${backup.missing} files that the database names are not in ${driver.place}.`);
}

/** The database alone, not encrypted: a release that brings another PostgreSQL asks the one before for it, and reads it at once. */
async function copyDatabase(config: Config, file: string): Promise<void> {
  await using database = await siteDatabase(config);
  await makeBackup(database.url, { dataDir: config.dataDir }, file, undefined);
}

/** The copy from which the continuous archive is restored, with the log from then on. */
async function makeBase(config: Config): Promise<void> {
  const { directory, continuous, key, keep } = config.backup;
  if (!directory || !continuous)
    throw new BackupError(
      'A base copy belongs to a continuous archive: set BACKUP_DIR, BACKUP_EVERY to more than 0, and no DATABASE_URL.',
    );
  await using database = await siteDatabase(config);
  const archive =
    (await findArchive(config.dataDir, directory, key)) ??
    (await beginArchive(config.dataDir, directory, key));
  const { file, bytes } = await makeBaseCopy(
    database.url,
    { dataDir: config.dataDir, driver: await openFiles(config) },
    archive,
  );
  await removeOldBases(archive, directory, keep);
  console.log(`${file}: ${bytes} bytes${key ? ', encrypted' : ', not encrypted'}.`);
}
