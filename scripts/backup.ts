import { join, resolve } from 'node:path';
import { BackupError } from '#backend/backup/archive.ts';
import { makeBackup } from '#backend/backup/backup.ts';
import { keepErasures } from '#backend/backup/erasures.ts';
import { backupName, removeOld } from '#backend/backup/shelf.ts';
import { connect } from '#backend/backup/tables.ts';
import { ConfigError, readConfig } from '#backend/config.ts';
import { siteDatabase } from './site-database.ts';

// Everything a backup takes, of this process alone: the site starts it too, as a child that slows no page.
try {
  const config = readConfig(resolve(import.meta.dirname, '..'));
  const { directory, key, keep } = config.backup;
  const [given] = process.argv.slice(2);
  const file = resolve(given ?? join(directory ?? '.', backupName(new Date(), key !== undefined)));
  await using database = await siteDatabase(config);
  const made = await makeBackup(database.url, config.dataDir, file, key);
  if (directory) {
    const client = await connect(database.url);
    await keepErasures(client, directory, new Date(0)).finally(() => client.end());
    if (!given) await removeOld(directory, keep);
  }
  console.log(
    `${made.file}: ${made.rows} rows and ${made.files} files, ${made.bytes} bytes, in ${made.seconds} s${key ? ', encrypted' : ', not encrypted'}.`,
  );
  if (made.missing > 0)
    console.error(`${made.missing} files that the database names are not in ${config.dataDir}/files.`);
} catch (error) {
  const written = error instanceof BackupError || error instanceof ConfigError;
  console.error(written ? error.message : error);
  process.exitCode = 1;
}
