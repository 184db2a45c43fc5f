import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '#backend/config.ts';
import { openFiles } from '#backend/files/open-files.ts';
import { BackupError } from '#server/backup/encryption.ts';
import { exportSite } from '#server/backup/export.ts';
import { checkExport, loadExport, type Project } from '#server/backup/export-load.ts';
import { usageOf } from '../tasks.mjs';
import { command, root } from './command.ts';
import { siteDatabase } from './site-database.ts';

await command(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { load: { type: 'boolean' }, check: { type: 'boolean' } },
  });
  const [argument] = positionals;
  if (!argument) throw new BackupError(usageOf('export'));
  const folder = resolve(argument);
  const config = readConfig(root);
  if (values.load || values.check) {
    const project = projectOf(config);
    if (values.load) await loadExport(folder, project, console.log);
    await checkExport(folder, project, console.log);
    console.log(`${project.url} holds what ${folder} does.`);
  } else {
    await using database = await siteDatabase(config);
    const { dataDir } = config;
    const driver = await openFiles(config);
    const { rows, files, missing } = await exportSite(database.url, { dataDir, driver }, folder);
    const count = Object.values(rows).reduce((sum, n) => sum + n, 0);
    console.log(`${count} rows and ${files} files are in ${folder}; README.txt there says how to go on.`);
    if (missing > 0) console.error(`${missing} files that the database names are not in ${driver.place}.`);
  }
});

function projectOf({ supabase, siteUrl }: Config): Project {
  if (!supabase) throw new BackupError('Set SUPABASE_URL and its keys to those of the project.');
  if (!supabase.databaseUrl) throw new BackupError("Set SUPABASE_DB_URL to the project's connection string.");
  return { ...supabase, databaseUrl: supabase.databaseUrl, siteUrl };
}
