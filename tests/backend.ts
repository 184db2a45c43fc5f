import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { inject, vi } from 'vitest';
import { type Config, readConfig } from '#backend/config.ts';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { countRequests, type Held } from '#backend/http/held.ts';
import { type Count, createHttpServer, type Handler, type Upgrade } from '#backend/http/http-server.ts';
import { createLog } from '#backend/log.ts';
import { assemble } from '#backend/start.ts';
import { commitDeletions, deletionsSince } from '#server/backup/deletions.ts';
import { createMailbox, isMailboxPath } from '#server/dev-mailbox.ts';
import { onFailureKeep, rowsIn } from './runner/evidence.ts';
import { removeFolder } from './temporary-folder.ts';
import { TIMEOUT_MS } from './timeouts.ts';

const root = resolve(import.meta.dirname, '..');

/** A fresh database, copied from the migrated template in milliseconds. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const template = inject('clusterUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const run = async (sql: string) => {
    // From a database other than the template, which must have no sessions while it is copied.
    const client = new pg.Client({ connectionString: template.replace(/\/postgres$/, '/template1') });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name} template postgres`);
  return {
    url: template.replace(/\/postgres$/, `/${name}`),
    // A connection that read the database's log may still be closing, which blocks the deletion.
    drop: () => vi.waitFor(() => run(`drop database ${name} with (force)`), { timeout: TIMEOUT_MS }),
  };
}

/** Repeats what was removed, in a database that a test has brought back to a moment before, as a restore of a backup does. */
export const repeatRemovals = async (database: pg.Client) =>
  commitDeletions(database, await deletionsSince(database, new Date(0)));

export interface TestBackend {
  url: string;
  anonKey: string;
  serviceRoleKey: string;
  databaseUrl: string;
  dataDir: string;
  /** What clients hold of it. */
  held: Held;
  stop(): Promise<void>;
}

/** A separate data folder, with the keys that the databases know; it goes with the cluster at the latest. */
export function createDataFolder(): string {
  const directory = mkdtempSync(join(inject('clusterDirectory'), 'backend-'));
  mkdirSync(join(directory, 'files'));
  copyFileSync(join(inject('clusterDirectory'), 'secrets.json'), join(directory, 'secrets.json'));
  return directory;
}

/**
 * Opens every object that `postgres` creates in a test's own database to all roles, as no rule of the product
 * does.
 */
export const OPEN_TO_ALL = ['tables', 'functions', 'sequences']
  .map(
    (kind) =>
      `alter default privileges for role postgres in schema public grant all on ${kind} to anon, authenticated, service_role`,
  )
  .join('; ');

/** `[auth]` of supabase/config.toml. */
export type AuthSettings = Config['auth'];

/**
 * Without the limits that a test file would meet, as it signs in more often than a client may; and passwords
 * cost less.
 *
 * @param changes other settings of `[auth]`
 */
export const withAuth =
  (changes: Partial<AuthSettings> | ((auth: AuthSettings) => Partial<AuthSettings>) = {}) =>
  (config: Config): Config => {
    const auth: AuthSettings = {
      ...config.auth,
      email: { ...config.auth.email, max_frequency: 0 },
      rate_limit: {
        email_sent: 100_000_000,
        sms_sent: 100_000_000,
        sign_in_sign_ups: 100_000_000,
        token_verifications: 100_000_000,
        token_refresh: 100_000_000,
      },
    };
    return {
      ...config,
      passwordCost: 4,
      auth: { ...auth, ...(typeof changes === 'function' ? changes(auth) : changes) },
    };
  };

/**
 * The real services on a separate port, over a separate database and data folder.
 *
 * @param adjust changes the settings of `supabase/config.toml`
 * @param beside a running backend whose database and folder this one shares; it must outlive this one
 */
export async function startTestBackend(
  environment: Record<string, string> = {},
  adjust: (config: Config) => Config = withAuth(),
  beside?: TestBackend,
): Promise<TestBackend> {
  const database = beside ? { url: beside.databaseUrl, drop: async () => undefined } : await createDatabase();
  const dataDir = beside?.dataDir ?? createDataFolder();

  // The port must be known before the configuration is, since links in emails carry it.
  let handle: Handler = () => new Response(null, { status: 503 });
  let upgrade: Upgrade = () => false;
  let count: Count = () => () => undefined;
  // Most tests of refusals make the services log; what they wrote is kept for a test that fails.
  let written = '';
  const log = createLog(environment.LOG_LEVEL ?? 'warn', {
    write(line) {
      written += line;
    },
  });
  const server = createHttpServer(
    'http://127.0.0.1',
    log,
    (request, bindings) => handle(request, bindings),
    (request, socket, head) => upgrade(request, socket, head),
    undefined,
    (incoming, outgoing) => count(incoming, outgoing),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

  const config = adjust(
    readConfig(root, { DATA_DIR: dataDir, SITE_URL: url, LOG_LEVEL: 'warn', ...environment }),
  );
  const backend = await assemble(config, await readSecrets(dataDir, config.jwtSecret), database.url, log);
  const mailbox = createMailbox(config, backend.settled);
  handle = (request, bindings) =>
    (mailbox && isMailboxPath(new URL(request.url).pathname) ? mailbox : backend.app).fetch(
      request,
      bindings,
    );
  upgrade = (request, socket, head) => backend.sockets?.upgrade(request, socket, head) ?? false;
  count = countRequests(backend.held, config.trustProxy);
  const unregister = onFailureKeep(async () => ({
    'services.log': written,
    ...(await rowsIn(database.url)),
  }));
  return {
    url,
    anonKey: backend.keys.anonKey,
    serviceRoleKey: backend.keys.serviceRoleKey,
    databaseUrl: database.url,
    dataDir,
    held: backend.held,
    async stop() {
      unregister();
      await backend.sockets?.close();
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
      await backend.stop();
      await database.drop();
      if (!beside) await removeFolder(dataDir);
    },
  };
}
