import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BackupError } from '#backend/backup/archive.ts';
import { readErasures } from '#backend/backup/erasures.ts';
import { restoreBackup } from '#backend/backup/restore.ts';
import { ConfigError, readConfig } from '#backend/config.ts';
import { runningInstance } from '#backend/instance.ts';

try {
  const root = resolve(import.meta.dirname, '..');
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { erased: { type: 'string' } },
  });
  const [given] = positionals;
  if (!given) throw new BackupError('Usage: npm run restore -- FILE [--erased LIST]');
  const file = resolve(given);
  if (!existsSync(file)) throw new BackupError(`There is no backup ${file}.`);
  if (values.erased && !existsSync(values.erased))
    throw new BackupError(`There is no list ${values.erased}.`);
  const config = readConfig(root);
  if (config.supabase) throw new BackupError('A Supabase project is restored by its own tools.');
  if (runningInstance(config.dataDir))
    throw new BackupError(`A site is running on ${config.dataDir}; set DATA_DIR to a new folder.`);
  const { dataDir, databaseUrl, backup } = config;
  const restored = await restoreBackup(
    file,
    backup.key,
    { root: config.root, dataDir, databaseUrl },
    await readErasures(resolve(values.erased ?? dirname(file))),
    (step) => console.error(`${step} …`),
  );
  console.log(
    `Restored what was there on ${restored.madeAt} into ${dataDir}: ${restored.rows} rows and ${restored.files} files. ` +
      `Deleted or hidden again: ${restored.erased}. Start the site with "npm start".`,
  );
} catch (error) {
  const known = error instanceof BackupError || error instanceof ConfigError;
  console.error(known ? error.message : error);
  process.exitCode = 1;
}
