import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { type App, createApp, createFunctionsApp, type Sockets } from './app.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-project.ts';
import type { Env } from './context.ts';
import {
  needsSecrets,
  readSecrets,
  removeSecrets,
  type Secrets,
  watchSigningKeys,
} from './crypto/secrets.ts';
import { createKeys, createRemoteVerifier, type Verifier } from './crypto/tokens.ts';
import { Database, type PoolLoad } from './database/database.ts';
import { loadLibrary, migrate, migrationVersions } from './database/migrate.ts';
import { startPostgres } from './database/postgres.ts';
import { releaseOnShutdown } from './database/smart-shutdown.ts';
import { openFiles } from './files/open-files.ts';
import { checkPlace } from './files/place.ts';
import type { FairQueue } from './http/fair-queue.ts';
import { Held } from './http/held.ts';
import type { Logger } from './log.ts';
import { createMailer } from './mail/mail.ts';

/** Tries one dependency of the site; resolves to its fault, in a sentence, or to undefined. */
export type Probe = () => Promise<string | undefined>;

export interface Backend {
  app: Hono<Env>;
  keys: Pick<Verifier, 'anonKey' | 'serviceRoleKey'>;
  /** The address at which the browser reaches the API; blank when it is the site's own. */
  apiUrl: string;
  /** The `fetch` that reaches the API from this process. */
  fetch: typeof globalThis.fetch;
  /** Superuser connection, for the operator's own tools; absent with a hosted project. */
  databaseUrl: string | undefined;
  /** Absent with a hosted project, which serves its own. */
  sockets: Sockets | undefined;
  onWrite: App['onWrite'];
  /** Hears what the database notifies on a channel; absent with a hosted project. See `Database.listen`. */
  listen: Database['listen'] | undefined;
  /** Resolves when the work that earlier requests deferred until after their answers is done. */
  settled: App['settled'];
  /** The dependencies that must work for the site to serve, by their names in a sentence. */
  probes: Record<string, Probe>;
  /** The use of the connections to the database, by the services that use them. */
  pools(): Record<string, PoolLoad>;
  /** What clients hold of this process. */
  held: Held;
  stop(): Promise<void>;
}

/**
 * Starts database and services without listening; the caller serves `app`.
 *
 * @param postgresSettings called for settings of the embedded server, just before it starts
 * @param progress receives each step in words
 */
export async function startBackend(
  config: Config,
  log: Logger,
  postgresSettings: () => Record<string, string>,
  progress: (step: string) => void,
): Promise<Backend> {
  const { dataDir } = config;
  mkdirSync(join(dataDir, 'files'), { recursive: true });
  const isFirst = needsSecrets(dataDir);
  await checkPlace(config);
  if (!config.databaseUrl && !lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false }))
    await refuseStrayFiles(config);
  const secrets = await readSecrets(dataDir, config.jwtSecret);
  if (config.databaseUrl) {
    const isNew = () => refuseStrayFiles(config);
    await migrate(config.databaseUrl, secrets.databasePassword, config.root, { isNew }).catch((error) => {
      if (isFirst && error instanceof ConfigError) removeSecrets(dataDir);
      throw error;
    });
    return assemble(config, secrets, config.databaseUrl, log);
  }
  progress('Starting the database');
  const postgres = await startPostgres(
    config.dataDir,
    secrets.databasePassword,
    postgresSettings(),
    (reason, pauseMs) => log.error({ reason, pauseMs }, 'the database ended and is started again'),
  );
  try {
    const migrated = await migrate(postgres.url, secrets.databasePassword, config.root);
    if (migrated.length > 0) progress(`Applied ${migrated.length} migrations`);
    const backend = await assemble(config, secrets, postgres.url, log);
    return {
      ...backend,
      async stop() {
        await backend.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/**
 * A database that begins names no file, so that its site would remove those of a site whose database is lost or elsewhere.
 *
 * @throws ConfigError when there are any
 */
async function refuseStrayFiles(config: Config): Promise<void> {
  const driver = await openFiles(config);
  for await (const _file of driver.list())
    throw new ConfigError(
      `There are files of a site in ${driver.place}, and its database is missing, without which they would be removed. Bring the database back, restore a backup into a new data folder, or begin a new site in an empty one.`,
    );
}

/** A Supabase project in the place of the embedded services; only the functions run here. */
export function connectSupabase(
  config: Config,
  project: NonNullable<Config['supabase']>,
  log: Logger,
): Backend {
  mkdirSync(config.dataDir, { recursive: true });
  const keys = createRemoteVerifier(project, config.jwtSecret);
  const mailer = createMailer(config, log);
  const held = new Held(config.maxHeld);
  const { app, start, close, onWrite, settled } = createFunctionsApp({ config, log, keys, mailer, held });
  start();
  return {
    app,
    keys,
    apiUrl: project.url,
    fetch: globalThis.fetch,
    databaseUrl: undefined,
    sockets: undefined,
    onWrite,
    listen: undefined,
    settled,
    probes: {
      async 'The Supabase project'() {
        const { ok, status } = await fetch(`${project.url}/rest/v1/rpc/uptime`, {
          headers: { apikey: project.anonKey },
          signal: AbortSignal.timeout(5_000),
        });
        return ok ? undefined : `The Supabase project answers ${status}`;
      },
    },
    pools: () => ({}),
    held,
    async stop() {
      await close();
      await mailer.close();
    },
  };
}

/** The services over a database that is running and migrated. */
export async function assemble(
  config: Config,
  secrets: Secrets,
  databaseUrl: string,
  log: Logger,
): Promise<Backend> {
  if (config.unserved.length > 0)
    log.warn({ settings: config.unserved }, 'the settings ask for what this backend does not serve');
  const keys = await createKeys(config, secrets);
  const stopWatching = watchSigningKeys(config.dataDir, keys.replaceSigningKeys, (error) =>
    log.error({ err: error }, 'the signing keys of secrets.json cannot be used'),
  );
  const urlFor = (role: string) => {
    const url = new URL(databaseUrl);
    url.username = role;
    url.password = secrets.databasePassword;
    return url.href;
  };
  const connect = (role: string, max: number, options: { turns?: FairQueue; pipeline?: boolean } = {}) =>
    Database.connect(urlFor(role), {
      max,
      onIdleError: (error) => log.warn({ err: error }, 'an idle database connection was cut'),
      ...options,
    });
  const held = new Held(config.maxHeld);
  // Some connections are reserved for the site's background work.
  const share = (maxRunning: number, maxRunningOfOne: number) =>
    held.turns({ maxRunning, maxRunningOfOne, maxWaitingOfOne: 200 });
  const [database, authDatabase, realtimeDatabase, realtimeReader] = await Promise.all([
    connect('authenticator', 17, { turns: share(12, 4) }),
    connect('supabase_auth_admin', 8, { turns: share(6, 3), pipeline: true }),
    connect('authenticator', 5),
    connect('supabase_replication_admin', 2),
  ]);
  const databases = [database, authDatabase, realtimeDatabase, realtimeReader];
  const stopYielding = releaseOnShutdown(urlFor('authenticator'), databases, log);
  const migrations = migrationVersions(config.root);
  const mailer = createMailer(config, log);
  const { app, start, close, sockets, onWrite, settled } = await createApp({
    config,
    log,
    keys,
    database,
    driver: await openFiles(config),
    authDatabase,
    realtimeDatabase,
    realtimeReader,
    replicationUrl: urlFor('supabase_replication_admin'),
    mailer,
    held,
  });
  start();
  return {
    app,
    keys,
    apiUrl: '',
    fetch: async (input, init) => app.fetch(new Request(input, init)),
    databaseUrl,
    sockets,
    onWrite,
    listen: (channel, onNotification) => database.listen(channel, onNotification),
    settled,
    probes: {
      async 'The database'() {
        await loadLibrary(urlFor('authenticator'));
        const { rows } = await database.query<{ version: string }>(
          'select version from supabase_migrations.schema_migrations',
        );
        const applied = new Set(rows.map(({ version }) => version));
        const missing = migrations.find((version) => !applied.has(version));
        return missing && `The migration ${missing} is not applied`;
      },
    },
    pools: () => ({
      requests: database.load,
      auth: authDatabase.load,
      realtime: realtimeDatabase.load,
      changes: realtimeReader.load,
    }),
    held,
    async stop() {
      stopWatching();
      await close();
      await mailer.close();
      await stopYielding();
      await Promise.all(databases.map((connected) => connected.close()));
    },
  };
}
