import { createServer, type Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { type Config, ConfigError, readConfig } from '#backend/config.ts';
import { announceInstance, forgetInstance, runningInstance } from '#backend/instance.ts';
import { createLog } from '#backend/log.ts';
import { type Backend, startBackend } from '#backend/main.ts';

const root = import.meta.dirname;
const dev = process.argv.includes('--dev');
const isBackendPath = (path: string) => /^\/(?:(?:auth|rest|storage|realtime|functions)\/v1|mail)(?:\/|$)/.test(path);

/** What the site's server entry offers besides rendering; see app/entry.server.tsx. */
interface SiteEntry {
  createLoadContext(api: { url: string; anonKey: string }, fetch: typeof globalThis.fetch): RouterContextProvider;
}

/** The bindings carry the socket, by which the services know a client's address. */
type Handler = (request: Request, bindings: HttpBindings | Http2Bindings) => Response | Promise<Response>;

/** Ends the process with one sentence for the operator instead of a stack. */
function give(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
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
    if (error.code === 'EADDRINUSE') throw new Error(`Port ${config.port} on ${config.host} is taken by another program; set PORT to a free one and start again.`);
    if (error.code === 'EACCES') throw new Error(`Port ${config.port} on ${config.host} may not be used by this account; set PORT to one above 1023.`);
    if (error.code === 'EADDRNOTAVAIL') throw new Error(`This machine has no address ${config.host}; set HOST to one it has.`);
    throw error;
  });
}

async function siteHandler(config: Config, backend: Backend): Promise<Handler> {
  // Pages are rendered against the services in this very process, without a trip through the network.
  const inProcess: typeof globalThis.fetch = async (input, init) => backend.app.fetch(new Request(input, init));
  const api = { url: config.siteUrl, anonKey: backend.keys.anonKey };
  const { buildSite } = await import('./scripts/build.ts');
  buildSite(progress);
  // React chooses its build when it is first loaded, and its development build halves the server's speed.
  process.env.NODE_ENV = 'production';
  const build: ServerBuild = await import(pathToFileURL(`${root}/build/server/index.js`).href);
  const render = createRequestHandler(build, 'production');
  const context = () => (build.entry.module as unknown as SiteEntry).createLoadContext(api, inProcess);

  const site = new Hono();
  site.use(compress());
  site.use('/assets/*', serveStatic({ root: './build/client', onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable') }));
  site.get('*', serveStatic({ root: './build/client', onFound: (_path, c) => c.header('cache-control', 'public, max-age=3600') }));
  site.all('*', (c) => render(c.req.raw, context()));
  return (request) => site.fetch(request);
}

/** The same site from its sources, with hot reload. */
async function devServer(config: Config, backend: Backend): Promise<Server> {
  const { createServer: createVite } = await import('vite');
  const server = createServer();
  const vite = await createVite({ root, appType: 'custom', server: { middlewareMode: true, hmr: { server } } });
  const inProcess: typeof globalThis.fetch = async (input, init) => backend.app.fetch(new Request(input, init));
  const services = getRequestListener((request, bindings) => backend.app.fetch(request, bindings));
  const pages = getRequestListener(async (request) => {
    const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
    const entry = build.entry.module as unknown as SiteEntry;
    return createRequestHandler(build, 'development')(request, entry.createLoadContext({ url: config.siteUrl, anonKey: backend.keys.anonKey }, inProcess));
  });
  server.on('request', (request, response) => {
    if (isBackendPath(request.url?.split('?')[0] ?? '')) services(request, response);
    else vite.middlewares(request, response, () => pages(request, response));
  });
  return server;
}

async function main() {
  const config = readConfig(root);
  const log = createLog(config.logLevel);
  const before = runningInstance(config.dataDir);
  if (before) throw new Error(`The site already runs on ${config.dataDir}, at ${before.apiUrl}; stop that one first, or set DATA_DIR and PORT.`);

  let handle: Handler = () => new Response('The site is starting; try again in a moment.', { status: 503, headers: { 'retry-after': '1' } });
  let server = createServer(getRequestListener((request, bindings) => handle(request, bindings)));
  await listen(server, config);

  const backend = await startBackend(config, log, progress);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      progress('Stopping');
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 8_000).unref();
      await closed;
      await backend.stop();
      forgetInstance(config.dataDir);
      process.exit(0);
    })().catch(give);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // The process that started this one is gone, and with it whoever would stop us.
  process.on('disconnect', stop);

  if (dev) {
    await new Promise((resolve) => server.close(resolve));
    server = await devServer(config, backend);
    await listen(server, config);
  } else {
    const site = await siteHandler(config, backend);
    handle = (request, bindings) =>
      isBackendPath(new URL(request.url).pathname) ? backend.app.fetch(request, bindings) : site(request, bindings);
  }
  announceInstance(config.dataDir, {
    pid: process.pid,
    apiUrl: config.siteUrl,
    databaseUrl: backend.databaseUrl,
    mailUrl: config.smtpUrl ? undefined : `${config.siteUrl}/mail`,
    anonKey: backend.keys.anonKey,
    serviceRoleKey: backend.keys.serviceRoleKey,
  });
  console.log(`Limb Commons is ready: ${config.siteUrl}`);
}

await main().catch((error) => {
  if (error instanceof ConfigError) give(`Configuration: ${error.message}`);
  give(error);
});
