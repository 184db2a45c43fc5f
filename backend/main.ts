import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { createApp, type Env } from './app.ts';
import type { Config } from './config.ts';
import { Database } from './database.ts';
import { createKeys, type Keys } from './jwt.ts';
import type { Logger } from './log.ts';
import { createMailer } from './mail.ts';
import { migrate } from './migrate.ts';
import { startPostgres } from './postgres.ts';
import { readSecrets } from './secrets.ts';

export interface Backend {
  app: Hono<Env>;
  keys: Keys;
  /** Superuser connection, for the operator's own tools. */
  databaseUrl: string;
  /** Migrations applied by this start; the first start applies all. */
  migrated: string[];
  stop(): Promise<void>;
}

/**
 * Starts database and services without listening; the caller serves `app`.
 *
 * @param progress told in words what is going on
 */
export async function startBackend(config: Config, log: Logger, progress: (step: string) => void): Promise<Backend> {
  mkdirSync(join(config.dataDir, 'files'), { recursive: true });
  const secrets = await readSecrets(config.dataDir, config.jwtSecret);
  const opened: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of opened.reverse()) await close();
  };
  try {
    let databaseUrl = config.databaseUrl;
    if (!databaseUrl) {
      progress('Starting the database');
      const postgres = await startPostgres(config.dataDir, secrets.databasePassword);
      opened.push(postgres.stop);
      databaseUrl = postgres.url;
    }
    const migrated = await migrate(databaseUrl, secrets.databasePassword, config.root);
    if (migrated.length > 0) progress(`Applied ${migrated.length} migrations`);

    const keys = await createKeys(config, secrets);
    const onIdleError = (error: Error) => log.warn({ err: error }, 'an idle database connection was cut');
    const connect = async (role: string, max: number) => {
      const url = new URL(databaseUrl);
      url.username = role;
      url.password = secrets.databasePassword;
      const database = await Database.connect(url.href, { max, onIdleError });
      opened.push(() => database.close());
      return database;
    };
    const app = await createApp({
      config,
      log,
      keys,
      database: await connect('authenticator', 16),
      authDatabase: await connect('supabase_auth_admin', 8),
      mailer: createMailer(config, log),
    });
    return { app, keys, databaseUrl, migrated, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
