import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import { readConfig } from '#backend/config.ts';
import { ConfigError } from '#backend/config-project.ts';
import { BackupError } from '#server/backup/encryption.ts';
import { exportSite, uploadExport } from '#server/backup/export.ts';
import { siteDatabase } from './site-database.ts';

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { upload: { type: 'boolean' } },
  });
  const [argument] = positionals;
  if (!argument) throw new BackupError('Usage: npm run export -- FOLDER [--upload]');
  const folder = resolve(argument);
  const config = readConfig(resolve(import.meta.dirname, '..'));
  if (values.upload) {
    if (!config.supabase) throw new BackupError('Set SUPABASE_URL and its keys to those of the project.');
    const { url, serviceRoleKey } = config.supabase;
    const service = createClient(url, serviceRoleKey, { auth: { persistSession: false } });
    console.log(`${await uploadExport(folder, service)} files are in the storage of ${url}.`);
  } else {
    await using database = await siteDatabase(config);
    const { rows, files, missing } = await exportSite(database.url, config.dataDir, folder);
    console.log(`${rows} rows and ${files} files are in ${folder}; README.txt there says how to go on.`);
    if (missing > 0)
      console.error(`${missing} files that the database names are not in ${config.dataDir}/files.`);
  }
} catch (error) {
  const expected = error instanceof BackupError || error instanceof ConfigError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
}
