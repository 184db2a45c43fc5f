import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import pg from 'pg';
import type { ServerBuild } from 'react-router';
import { type Config, ConfigError, readConfig } from '#backend/config.ts';
import { clientAddress, clientNetwork } from '#backend/http/client-address.ts';
import { TooMuchWaiting } from '#backend/http/fair-share.ts';
import { createHttpServer, type Handler, plain, type Upgrade } from '#backend/http/http-server.ts';
import { createLog, type Logger } from '#backend/log.ts';
import { type Backend, connectSupabase, startBackend } from '#backend/main.ts';
import { buildSite } from '../scripts/build.ts';
import { archiveContinuously } from './backup/continuous/archiving.ts';
import { UNFINISHED } from './backup/restore.ts';
import { scheduleBackups } from './backup/schedule.ts';
import { createOperation, isOperationPath } from './health/routes.ts';
import { createPageCache } from './page-cache.ts';
import { announceInstance, forgetInstance, runningInstance } from './running-instance.ts';

const root = resolve(import.meta.dirname, '..');
/** As it was given to us; for what we start with the same settings. */
const environment = { ...process.env };
const dev = process.argv.includes('--dev');
/** What a form of the site sends, by far. */
const MAX_FORM = 64 * 1024;
/** How long stopping may take after a fault, which may have broken what has to be stopped. */
const FAULT_STOP_MS = 30_000;
/**
 * Writes that change no page a visitor can see at once; a count of views may be some seconds old. What the site does by
 * itself every few seconds is among them, or no page would be there any more when the database goes away.
 */
const SHOWN_ON_NO_PAGE = new Set([
  '/page_views',
  '/rpc/increment_topic_views',
  '/messages',
  '/notifications',
  '/solution_drafts',
  '/rpc/record_uptime',
  '/rpc/mail_due',
  '/rpc/claim_mail',
  '/rpc/mail_sent',
  '/rpc/mail_failed',
  '/media_jobs',
  '/rpc/claim_media_job',
  '/rpc/expire_uploads',
  '/rpc/expire_retained_records',
]);
const isBackendPath = (path: string) =>
  /^\/(?:(?:auth|rest|storage|realtime|functions)\/v1|mail)(?:\/|$)/.test(path);

/** What the site's server entry offers besides rendering; see app/entry.server.tsx. */
interface SiteEntry {
  createRouteFinder(build: ServerBuild): (path: string) => ServerBuild['routes'][string];
  createHandler(
    build: ServerBuild,
    mode: 'production' | 'development',
    api: { url: string; anonKey: string },
    operator: Config['operator'],
    captcha: Config['captchaWidget'],
    dashboard: { storageQuota: number; demoContent: boolean },
    fetch: typeof globalThis.fetch,
    write: (fields: object, message: string) => void,
  ): (request: Request) => Promise<Response>;
}

const entryOf = (build: ServerBuild) => build.entry.module as unknown as SiteEntry;

const pagesOf = (
  build: ServerBuild,
  mode: 'production' | 'development',
  backend: Backend,
  config: Config,
  log: Logger,
) =>
  entryOf(build).createHandler(
    build,
    mode,
    { url: backend.apiUrl, anonKey: backend.keys.anonKey },
    config.operator,
    config.captchaWidget,
    { storageQuota: config.storageQuota, demoContent: !config.production },
    backend.fetch,
    (fields, message) => log.error(fields, message),
  );

/** Says why there is no site: in one sentence when it was written for the operator, else with all there is. */
function tell(error: unknown): void {
  if (error instanceof ConfigError) console.error(`Configuration: ${error.message}`);
  else console.error(error instanceof Error && error.constructor === Error ? error.message : error);
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

/** Whether an address is one that text can be made of, without the one character that the database cannot store. */
function isReadable({ pathname, search }: URL): boolean {
  try {
    return !decodeURIComponent(pathname).includes('\0') && !search.includes('%00');
  } catch {
    return false;
  }
}

/**
 * Whether a form comes from a page of this site, or from no page, as a mail program's (RFC 8058).
 *
 * @param hosts that the site is reached by
 */
const isOwn = (origin: string | undefined, hosts: string[]): boolean =>
  origin === undefined || hosts.includes(URL.parse(origin)?.host ?? '');

async function siteHandler(
  backend: Backend,
  config: Config,
  log: Logger,
): Promise<(request: Request, bindings?: Parameters<Handler>[1]) => Response | Promise<Response>> {
  // React chooses its build when it is first loaded, and its development build halves the server's speed.
  process.env.NODE_ENV = 'production';
  const build: ServerBuild = await import(pathToFileURL(`${root}/build/server/index.js`).href);
  const pages = pagesOf(build, 'production', backend, config, log);

  const { origin, host } = new URL(config.siteUrl);
  const routeAt = entryOf(build).createRouteFinder(build);
  const site = new Hono();
  // What nobody caught is for the entry to answer.
  site.onError((error) => {
    throw error;
  });
  site.use(compress());
  site.use(async (c, next) => {
    const url = new URL(c.req.url);
    if (!isReadable(url)) return plain(400);
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    if (c.req.method === 'POST' && routeAt(url.pathname)?.module.action)
      return isOwn(c.req.header('origin'), [url.host, host]) ? next() : plain(403);
    const refusal = plain(405);
    refusal.headers.set('allow', 'GET, HEAD');
    return refusal;
  });
  site.use(bodyLimit({ maxSize: MAX_FORM, onError: () => plain(413) }));
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
  const cache = createPageCache(pages, origin, (path) => routeAt(path) !== undefined);
  backend.onWrite((path) => {
    if (!SHOWN_ON_NO_PAGE.has(path)) cache.clear();
  });
  // A picture that was drawn may be had already; pages differ each time by their nonce.
  site.use('/:picture{.+\\.png}', etag());
  site.all('*', async (c) => {
    const request = c.req.method === 'POST' ? new Request(c.req.raw) : c.req.raw;
    // Looked at above; the router would compare it with an address that it was not sent to.
    if (request !== c.req.raw) request.headers.delete('origin');
    try {
      return await cache.answer(request, clientNetwork(clientAddress(c, config.trustProxy) ?? ''));
    } catch (error) {
      if (!(error instanceof TooMuchWaiting)) throw error;
      const refusal = plain(429);
      refusal.headers.set('retry-after', '1');
      return refusal;
    }
  });
  return (request, bindings) => site.fetch(request, bindings);
}

/** The same site from its sources, with hot reload. */
async function devHandler(backend: Backend, config: Config, log: Logger, server: Server): Promise<Handler> {
  const { createServer: createVite } = await import('vite');
  const vite = await createVite({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  });
  return (request, { incoming, outgoing }) =>
    new Promise((resolve, reject) => {
      const page = async () => {
        const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
        return pagesOf(build, 'development', backend, config, log)(request);
      };
      outgoing.once('finish', () => resolve(RESPONSE_ALREADY_SENT));
      vite.middlewares(incoming as IncomingMessage, outgoing as ServerResponse, () =>
        page().then(resolve, reject),
      );
    });
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
    const { seedDemoData } = await import('../supabase/seed/seed.ts');
    const service = createClient(config.siteUrl, backend.keys.serviceRoleKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: backend.fetch },
    });
    await seedDemoData(service, progress);
    writeFileSync(done, '');
    accounts.demo = 1;
  }
  if (accounts.demo > 0) {
    const { DEMO_PASSWORD, DEMO_SIGN_INS } = await import('../supabase/seed/seed.ts');
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
  let upgrade: Upgrade = () => false;
  const server = createHttpServer(
    config.siteUrl,
    log,
    (request, bindings) => handle(request, bindings),
    (request, socket, head) => upgrade(request, socket, head),
  );
  await listen(server, config);

  const building = new AbortController();
  const built = dev ? undefined : buildSite(progress, building.signal);
  // It is waited for where there are pages to serve.
  built?.catch(() => undefined);
  const starting = config.supabase
    ? Promise.resolve(connectSupabase(config, config.supabase, log))
    : startBackend(config, log, progress);
  let stopping: Promise<void> | undefined;
  let stopBackups = async () => {};
  let stopArchiving = async () => {};
  let stopRecording = async () => {};
  const stopInOrder = async () => {
    progress('Stopping');
    building.abort();
    await built?.catch(() => undefined);
    await stopRecording();
    // What could not start has stopped itself.
    const backend = await starting.catch(() => undefined);
    await backend?.sockets?.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 8_000).unref();
    await closed;
    await stopBackups();
    await backend?.stop();
    await stopArchiving();
    forgetInstance(config.dataDir);
  };
  const stop = async () => {
    stopping ??= stopInOrder().catch((error: unknown) => {
      tell(error);
      process.exitCode = 1;
    });
    await stopping;
    process.exit();
  };
  // What nobody caught may have left anything half-way, so the process does not go on with it.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'an error that nothing foresaw: the site stops');
    process.exitCode = 1;
    setTimeout(() => process.exit(), FAULT_STOP_MS);
    void stop();
  });
  try {
    const backend = await starting;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    // The process that started this one is gone, and with it whoever would stop us.
    process.on('disconnect', stop);
    await serve(backend);
  } catch (error) {
    // Stopped in the middle of it; the next start goes on.
    if (stopping) return;
    stopping = stopInOrder();
    // The reason comes last, where an operator looks for it.
    await stopping.finally(() => tell(error));
    process.exit(1);
  }

  async function serve(backend: Backend): Promise<void> {
    await demoContent(config, backend);
    const operation = createOperation(config, backend, log, () => stopping !== undefined);
    const services = operation.measured((request, bindings) =>
      isOperationPath(new URL(request.url).pathname)
        ? operation.app.fetch(request, bindings)
        : backend.app.fetch(request, bindings),
    );
    let pages: Handler;
    if (dev) pages = await devHandler(backend, config, log, server);
    else {
      await built;
      const site = await siteHandler(backend, config, log);
      pages = operation.measured(site);
      // Another project's tables are no place for it.
      if (config.root === root)
        stopRecording = operation.start(async () => (await site(new Request(config.siteUrl))).ok);
    }
    handle = (request, bindings) => {
      const path = new URL(request.url).pathname;
      return isBackendPath(path) || isOperationPath(path)
        ? services(request, bindings)
        : pages(request, bindings);
    };
    // In development Vite listens on the same server for its own.
    upgrade = (request, socket, head) => backend.sockets?.upgrade(request, socket, head) || dev;
    announceInstance(config.dataDir, {
      pid: process.pid,
      apiUrl: config.siteUrl,
      databaseUrl: backend.databaseUrl,
      mailUrl: config.smtpUrl || config.supabase ? undefined : `${config.siteUrl}/mail`,
      anonKey: backend.keys.anonKey,
      serviceRoleKey: backend.keys.serviceRoleKey,
    });
    if (backend.databaseUrl) {
      stopArchiving = archiveContinuously(config, backend.databaseUrl, log);
      stopBackups = scheduleBackups(
        config,
        backend.databaseUrl,
        { program: join(root, 'scripts/backup.ts'), environment },
        log,
      );
    }
    if (!config.smtpUrl && !config.supabase)
      console.log(`\nE-mail is not sent but kept; read it at ${config.siteUrl}/mail`);
    console.log(`\nLimb Commons is ready: ${config.siteUrl}`);
  }
}

await main().catch((error) => {
  tell(error);
  process.exit(1);
});
