import { readConfig } from '#backend/config.ts';
import { lastArchived } from '#server/backup/continuous/archiving.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { commandLine, VERSION } from '#server/version.mjs';
import { command, Refusal, root } from './command.ts';

await command(async () => {
  const config = readConfig(root);
  const instance = runningInstance(config.dataDir);
  if (!instance)
    throw new Refusal(`No site is running on ${config.dataDir}; start one with "${commandLine('start')}".`);
  // Names as `supabase status -o env` prints them. Without a configured secret, people's tokens are signed with a key of
  // the instance, whose public half is at JWKS_URL.
  const archived = lastArchived(config.dataDir);
  const values = {
    VERSION,
    API_URL: instance.apiUrl,
    ANON_KEY: instance.anonKey,
    SERVICE_ROLE_KEY: instance.serviceRoleKey,
    JWT_SECRET: config.jwtSecret,
    JWKS_URL: `${instance.apiUrl}/auth/v1/.well-known/jwks.json`,
    DB_URL: instance.databaseUrl,
    MAIL_URL: instance.mailUrl,
    ARCHIVED_UNTIL: archived?.until,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value) console.log(`${name}=${value}`);
  }
  if (archived?.problem) console.error(`Archiving fails: ${archived.problem}`);
});
