import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import pg from 'pg';
import type { ServerBuild } from 'react-router';
import { UNFINISHED } from '#backend/backup/restore.ts';
import { scheduleBackups } from '#backend/backup/schedule.ts';
import { type Config, ConfigError, readConfig } from '#backend/config.ts';
import { announceInstance, forgetInstance, runningInstance } from '#backend/instance.ts';
import { createLog, type Logger } from '#backend/log.ts';
import { type Backend, connectSupabase, startBackend } from '#backend/main.ts';
import { createOperation, isOperationPath } from '#backend/operation/operation.ts';
import { letGoOfUnreadBodies } from '#backend/unread-bodies.ts';
import { createPageCache } from './page-cache.ts';

const root = import.meta.dirname;
/** As it was given to us; for what we start with the same settings. */
const environment = { ...process.env };
const dev = process.argv.includes('--dev');
/** Writes that change no page a visitor can see at once; a count of views may be some seconds old. */
const SHOWN_ON_NO_PAGE = new Set([
  '/page_views',
  '/rpc/increment_topic_views',
  '/messages',
  '/notifications',
  '/solution_drafts',
  '/rpc/record_uptime',
]);
const isBackendPath = (path: string) =>
  /^\/(?:(?:auth|rest|storage|realtime|functions)\/v1|mail)(?:\/|$)/.test(path);

/** What the site's server entry offers besides rendering; see app/entry.server.tsx. */
interface SiteEntry {
  createHandler(
    build: ServerBuild,
    mode: 'production' | 'development',
    api: { url: string; anonKey: string },
    operator: Config['operator'],
    dashboard: { storageQuota: number; demoContent: boolean },
    fetch: typeof globalThis.fetch,
    write: (fields: object, message: string) => void,
  ): (request: Request) => Promise<Response>;
}

const pagesOf = (
  build: ServerBuild,
  mode: 'production' | 'development',
  backend: Backend,
  config: Config,
  log: Logger,
) =>
  (build.entry.module as unknown as SiteEntry).createHandler(
    build,
    mode,
    { url: backend.apiUrl, anonKey: backend.keys.anonKey },
    config.operator,
    { storageQuota: config.storageQuota, demoContent: !config.production },
    backend.fetch,
    (fields, message) => log.error(fields, message),
  );

/** The bindings carry the socket, by which the services know a client's address. */
type Handler = (request: Request, bindings: HttpBindings | Http2Bindings) => Response | Promise<Response>;

/** Ends the process: with one sentence for the operator when it was written for them, else with all there is. */
function give(error: unknown): never {
  const written = error instanceof Error && (error.constructor === Error || error instanceof ConfigError);
  console.error(written ? error.message : error);
  process.exit(1);
}

function progress(step: string) {
  console.error(`${step} …`);
}

/** Waits for the port before anything is started, so that a taken one costs nothing. */
async function listen(server: Server, config: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new Error(
        `Port ${config.port} on ${config.host} is taken by another program; set PORT to a free one and start again.`,
      );
    if (error.code === 'EACCES')
      throw new Error(
        `Port ${config.port} on ${config.host} may not be used by this account; set PORT to one above 1023.`,
      );
    if (error.code === 'EADDRNOTAVAIL')
      throw new Error(`This machine has no address ${config.host}; set HOST to one it has.`);
    throw error;
  });
}

async function siteHandler(
  backend: Backend,
  config: Config,
  log: Logger,
): Promise<(request: Request) => Response | Promise<Response>> {
  const { buildSite } = await import('./scripts/build.ts');
  buildSite(progress);
  // React chooses its build when it is first loaded, and its development build halves the server's speed.
  process.env.NODE_ENV = 'production';
  const build: ServerBuild = await import(pathToFileURL(`${root}/build/server/index.js`).href);
  const pages = pagesOf(build, 'production', backend, config, log);

  const site = new Hono();
  site.use(compress());
  site.use(
    '/assets/*',
    serveStatic({
      root: './build/client',
      precompressed: true,
      onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
    }),
  );
  // Only files have an ending; looking for a page on the disk would cost more than answering it.
  site.get(
    '/:file{.+\\.[a-z0-9]+}',
    serveStatic({
      root: './build/client',
      precompressed: true,
      onFound: (_path, c) => c.header('cache-control', 'public, max-age=3600'),
    }),
  );
  const cache = createPageCache(pages, config.siteUrl);
  backend.onWrite((path) => {
    if (!SHOWN_ON_NO_PAGE.has(path)) cache.clear();
  });
  // A picture that was drawn may be had already; pages differ each time by their nonce.
  site.use('/:picture{.+\\.png}', etag());
  site.all('*', (c) => cache.answer(c.req.raw));
  return (request) => site.fetch(request);
}

/** The same site from its sources, with hot reload. */
async function devServer(backend: Backend, config: Config, log: Logger, services: Handler): Promise<Server> {
  const { createServer: createVite } = await import('vite');
  const server = createServer();
  const vite = await createVite({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  });
  const answer = getRequestListener(services);
  const pages = getRequestListener(async (request) => {
    const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
    return pagesOf(build, 'development', backend, config, log)(request);
  });
  server.on('request', (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (isBackendPath(path) || isOperationPath(path)) answer(request, response);
    else vite.middlewares(request, response, () => pages(request, response));
  });
  return server;
}

function prepareDataDirectory(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
    // Root may write anywhere the check says it may not, and the other way round on a read-only file system.
    const probe = join(dataDir, '.writable');
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} cannot be written to; set DATA_DIR to one that can.`, {
      cause,
    });
  }
  if (existsSync(join(dataDir, UNFINISHED)))
    throw new Error(`A restore into ${dataDir} was cut off; empty the folder and restore again.`);
}

/** Demo accounts have a known password: fine for an evaluation, never in production. */
async function demoContent(config: Config, backend: Backend): Promise<void> {
  if (!backend.databaseUrl) return;
  const client = new pg.Client({ connectionString: backend.databaseUrl });
  await client.connect();
  const { rows } = await client
    .query<{ demo: number; others: number }>(
      `select count(*) filter (where raw_app_meta_data ->> 'demo' = 'true')::int as demo,
         count(*) filter (where raw_app_meta_data ->> 'demo' is distinct from 'true')::int as others from auth.users`,
    )
    .finally(() => client.end());
  const accounts = rows[0] ?? { demo: 0, others: 0 };
  if (config.production) {
    if (accounts.demo > 0)
      throw new Error(
        'This database holds demo accounts, whose password everybody knows; production needs a database without them.',
      );
    return;
  }
  const done = join(config.dataDir, 'demo-content');
  // Another project's tables are no place for it.
  const ours = config.root === root;
  if (ours && !existsSync(done) && accounts.others === 0) {
    const { seedDemoData } = await import('./supabase/seed/seed.ts');
    const service = createClient(config.siteUrl, backend.keys.serviceRoleKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: backend.fetch },
    });
    await seedDemoData(service, progress);
    writeFileSync(done, '');
    accounts.demo = 1;
  }
  if (accounts.demo > 0) {
    const { DEMO_PASSWORD, DEMO_SIGN_INS } = await import('./supabase/seed/seed.ts');
    console.log(`\nDemo sign-ins, all with the password ${DEMO_PASSWORD}:`);
    for (const [role, address] of Object.entries(DEMO_SIGN_INS))
      console.log(`  ${role.padEnd(10)} ${address}`);
  }
}

async function main() {
  const config = readConfig(root);
  prepareDataDirectory(config.dataDir);
  const log = createLog(config.logLevel);
  const before = runningInstance(config.dataDir);
  if (before)
    throw new Error(
      `The site already runs on ${config.dataDir}, at ${before.apiUrl}; stop that one first, or set DATA_DIR and PORT.`,
    );

  let handle: Handler = (request) =>
    new URL(request.url).pathname === '/healthz'
      ? new Response('ok\n')
      : new Response('The site is starting; try again in a moment.', {
          status: 503,
          headers: { 'retry-after': '1' },
        });
  let server = createServer(
    // A film over a slow line takes longer than the five minutes Node would give it.
    { requestTimeout: 30 * 60_000 },
    getRequestListener((request, bindings) => handle(request, bindings)),
  );
  letGoOfUnreadBodies(server);
  await listen(server, config);

  const backend = config.supabase
    ? connectSupabase(config, config.supabase, log)
    : await startBackend(config, log, progress);
  let stopping = false;
  let stopBackups = async () => {};
  let stopRecording = async () => {};
  const operation = createOperation(config, backend, log, () => stopping);
  const services = operation.measured((request, bindings) =>
    isOperationPath(new URL(request.url).pathname)
      ? operation.app.fetch(request, bindings)
      : backend.app.fetch(request, bindings),
  );
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    progress('Stopping');
    await stopRecording();
    await backend.sockets?.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 8_000).unref();
    await closed;
    await stopBackups();
    await backend.stop();
    forgetInstance(config.dataDir);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // The process that started this one is gone, and with it whoever would stop us.
  process.on('disconnect', stop);

  try {
    await demoContent(config, backend);
  } catch (error) {
    // Stopped in the middle of it; the next start goes on.
    if (stopping) return;
    await backend.stop();
    throw error;
  }
  if (dev) {
    await new Promise((resolve) => server.close(resolve));
    server = await devServer(backend, config, log, services);
    await listen(server, config);
  } else {
    const site = await siteHandler(backend, config, log);
    const pages = operation.measured(site);
    handle = (request, bindings) => {
      const path = new URL(request.url).pathname;
      return isBackendPath(path) || isOperationPath(path)
        ? services(request, bindings)
        : pages(request, bindings);
    };
    // Another project's tables are no place for it.
    if (config.root === root)
      stopRecording = operation.start(async () => (await site(new Request(config.siteUrl))).ok);
  }
  server.on('upgrade', (request, socket, head) => {
    // In development Vite listens on the same server for its own.
    if (!backend.sockets?.upgrade(request, socket, head) && !dev) socket.destroy();
  });
  announceInstance(config.dataDir, {
    pid: process.pid,
    apiUrl: config.siteUrl,
    databaseUrl: backend.databaseUrl,
    mailUrl: config.smtpUrl || config.supabase ? undefined : `${config.siteUrl}/mail`,
    anonKey: backend.keys.anonKey,
    serviceRoleKey: backend.keys.serviceRoleKey,
  });
  if (backend.databaseUrl)
    stopBackups = scheduleBackups(
      config,
      backend.databaseUrl,
      { program: join(root, 'scripts/backup.ts'), environment },
      log,
    );
  if (!config.smtpUrl && !config.supabase)
    console.log(`\nE-mail is not sent but kept; read it at ${config.siteUrl}/mail`);
  console.log(`\nLimb Commons is ready: ${config.siteUrl}`);
}

await main().catch((error) => {
  if (error instanceof ConfigError) give(new Error(`Configuration: ${error.message}`));
  give(error);
});
