import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#backend/config.ts';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { startPostgres } from '#backend/database/postgres.ts';
import { archiveSettings } from '#server/backup/continuous/log-archive.ts';
import { BackupError } from '#server/backup/encryption.ts';
import { runningInstance } from '#server/running-instance.mjs';

/** The database of the running site, or an operator's own, as superuser; undefined where neither is there. */
export const runningDatabase = (config: Config): string | undefined =>
  config.databaseUrl ?? runningInstance(config.dataDir)?.databaseUrl;

/**
 * The site's database as superuser: that of the running site, an operator's own, or else one that is started
 * for as long as it is needed.
 */
export async function siteDatabase(config: Config): Promise<AsyncDisposable & { url: string }> {
  if (config.supabase)
    throw new BackupError('Beside a Supabase project there is nothing here to back up; the project does it.');
  const url = runningDatabase(config);
  if (url) return { url, [Symbol.asyncDispose]: async () => undefined };
  // Where an upgrade, or going back from one, was cut off, the next start of the site completes it.
  if (!existsSync(join(config.dataDir, 'postgres')))
    throw new BackupError(`There is no site in ${config.dataDir}.`);
  const { databasePassword } = await readSecrets(config.dataDir, undefined);
  const postgres = await startPostgres(config.dataDir, databasePassword, archiveSettings(config)).catch(
    (error) => {
      throw new BackupError(error.message, { cause: error });
    },
  );
  return { url: postgres.url, [Symbol.asyncDispose]: postgres.stop };
}
