import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import type { Piscina } from 'piscina';
import type { PageSettings } from '#app/entry.server.tsx';
import type { Config } from '#backend/config.ts';
import { clientAddress, clientNetwork, clientNetworkOf } from '#backend/http/client-address.ts';
import { QueueFull } from '#backend/http/fair-queue.ts';
import { whileRead } from '#backend/http/held.ts';
import { type AnswerReady, type Handler, plainResponse } from '#backend/http/http-server.ts';
import type { Backend } from '#backend/start.ts';
import { keepAssets } from './earlier-assets.ts';
import { isOffered, placesIn, withOffer } from './field-pack.ts';
import { keepSettings } from './pages/kept-settings.ts';
import { createPageCache } from './pages/page-cache.ts';
import { createRenderer, type PageRoute, type RenderedPage } from './pages/renderers.ts';

/** The files that browsers load. */
const CLIENT = join(import.meta.dirname, '../build/client');
/** The size of a form of the site, with an ample margin; in bytes. */
const MAX_FORM_SIZE = 64 * 1024;
/** The counts of visits, which come with each page and may be some seconds old on it. */
const VISIT_COUNTS = new Set(['/page_views', '/rpc/increment_topic_views', '/rpc/count_download']);

/** The refusal of who has too much under way. @throws any other error */
function waitOr(error: unknown): Response {
  if (!(error instanceof QueueFull)) throw error;
  const refusal = plainResponse(429);
  refusal.headers.set('retry-after', '1');
  return refusal;
}

/** In place of a page while the site hands over to another process. */
const COME_AGAIN: RenderedPage = {
  status: 503,
  headers: [
    ['content-type', 'text/plain; charset=utf-8'],
    ['retry-after', '1'],
  ],
  body: new TextEncoder().encode('The site is being upgraded; try again in a moment.'),
  calls: undefined,
  parameters: [],
};

/** What pages show or use of the configuration. */
export const pageSettings = (backend: Backend, config: Config): PageSettings => ({
  api: { url: backend.apiUrl, anonKey: backend.keys.anonKey },
  operator: config.operator,
  captcha: config.captchaWidget,
  providers: config.providerButtons,
  dashboard: { storageQuota: config.storageQuota, demoContent: !config.production },
});

/** Finds the page at a path, or at the path of a page's data; see `routeAt` of the page cache. */
function createRouteFinder(routes: PageRoute[]): (path: string) => PageRoute | undefined {
  const patterns = routes.map((route) => ({
    route,
    // As the router compares them.
    pattern: new URLPattern({ pathname: route.path }, { ignoreCase: true }),
  }));
  return (path) => {
    // The router would ignore a second slash, and a browser takes it for the beginning of a host.
    if (path.startsWith('//')) return undefined;
    const pathname = path.replace(/(?:\/_)?\.data$/, '').replace(/\/+$/, '') || '/';
    return patterns.find(({ pattern }) => pattern.test({ pathname }))?.route;
  };
}

/** Whether an address can be decoded as text, without the one character that the database cannot store. */
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
 * @param hosts the hosts by which the site is reached
 */
const isOwn = (origin: string | undefined, hosts: string[]): boolean =>
  origin === undefined || hosts.includes(URL.parse(origin)?.host ?? '');

export interface Site {
  /** The bindings are missing for a request that the server makes itself. */
  answer(request: Request, bindings?: Parameters<Handler>[1]): Response | Promise<Response>;
  answerReady: AnswerReady;
  /** From now on no page is made: those that are kept are shown, and for any other visitors are asked to come again. */
  rest(): void;
  /** The memory of the pages that are kept, and how busy the threads are that render. */
  load(): { keptBytes: number; threads: number; waiting: number };
}

/**
 * The built site. The address of a request decides its answer: a file, a page from the cache, or a page made
 * for it.
 */
export async function createSite(
  threads: Piscina,
  backend: Backend,
  config: Config,
  recordReadyPage: (method: string, status: number, startedAt: number) => void,
): Promise<Site> {
  const earlier = await keepAssets(CLIENT, config.dataDir);
  const fetchApi = withOffer(config.dataDir, await keepSettings(backend));
  const renderer = createRenderer(threads, pageSettings(backend, config), fetchApi);
  const { origin, host } = new URL(config.siteUrl);
  const routeAt = createRouteFinder(await renderer.routes());
  const cache = createPageCache(
    renderer.render,
    fetchApi,
    origin,
    (url) => (isReadable(url) ? routeAt(url.pathname)?.path : undefined),
    backend.held.turns({ maxRunning: 8, maxRunningOfOne: 2, maxWaitingOfOne: 50 }),
  );
  backend.onWrite((path, client) => {
    // The site's own writes, every few seconds, show when pages are looked at again. Were they reported, no page would
    // remain in the cache when the database becomes unreachable.
    if (client !== undefined && !VISIT_COUNTS.has(path)) cache.written(client);
  });
  const answerPage = async (c: Context): Promise<Response> => {
    const request = c.req.method === 'POST' ? new Request(c.req.raw) : c.req.raw;
    // Checked above; the router would compare it with an address to which it was not sent.
    if (request !== c.req.raw) request.headers.delete('origin');
    try {
      return await cache.answer(request, clientNetwork(clientAddress(c, config.trustProxy) ?? ''));
    } catch (error) {
      return waitOr(error);
    }
  };
  /** A file counts among the downloads of its client, and its place is taken before it is opened. */
  const countAsDownload = async (c: Context, next: Next) => {
    // What the router fetches in place of a page, which is made in its client's turn.
    if (c.req.path.endsWith('.data')) return next();
    const client = clientNetwork(clientAddress(c, config.trustProxy) ?? '');
    const release = await backend.held.download(client, c.req.raw);
    try {
      await next();
      // Of an answer to HEAD no one reads a body.
      if (c.res.body && c.req.method === 'GET') c.res = new Response(whileRead(c.res.body, release), c.res);
      else release();
    } catch (error) {
      release();
      throw error;
    }
  };
  const site = new Hono();
  // The server entry answers uncaught errors.
  site.onError(waitOr);
  site.use(compress());
  site.use(async (c, next) => {
    const url = new URL(c.req.url);
    // One that cannot be read names no file either.
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return isReadable(url) ? next() : answerPage(c);
    if (!isReadable(url)) return plainResponse(400);
    if (c.req.method === 'POST' && routeAt(url.pathname)?.hasAction)
      return isOwn(c.req.header('origin'), [url.host, host]) ? next() : plainResponse(403);
    const refusal = plainResponse(405);
    refusal.headers.set('allow', 'GET, HEAD');
    return refusal;
  });
  site.use(bodyLimit({ maxSize: MAX_FORM_SIZE, onError: () => plainResponse(413) }));
  site.use('/:file{.+\\.[a-z0-9]+}', countAsDownload);
  for (const root of [CLIENT, ...earlier])
    site.use(
      '/assets/*',
      serveStatic({
        root,
        precompressed: true,
        onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
      }),
    );
  const archive = serveStatic({
    root: placesIn(config.dataDir).folder,
    rewriteRequestPath: (path) => path.replace('/field-pack/', '/archives/'),
    onFound: (_path, c) => {
      c.header('accept-ranges', 'bytes');
      // What was hidden since must not come from another place.
      c.header('cache-control', 'private, no-store');
    },
  });
  site.get(
    '/field-pack/:archive{field-pack-.+\\.zip}',
    (c, next) => (isOffered(config.dataDir, c.req.param('archive')) ? archive(c, next) : next()),
    // It was on a page that is older than the present one.
    (c) => c.redirect('/take-with-you', 303),
  );
  // Only files have an extension; looking for a page on the disk would cost more than answering it.
  site.get(
    '/:file{.+\\.[a-z0-9]+}',
    serveStatic({
      root: CLIENT,
      precompressed: true,
      onFound: (_path, c) => c.header('cache-control', 'public, max-age=3600'),
    }),
  );
  site.all('*', answerPage);
  return {
    answer: (request, bindings) => site.fetch(request, bindings),
    rest: () => cache.rest(COME_AGAIN),
    answerReady(incoming, outgoing, common) {
      const startedAt = performance.now();
      const status = cache.answerReady(incoming, outgoing, common, () =>
        clientNetworkOf(incoming, config.trustProxy),
      );
      if (status === undefined) return false;
      recordReadyPage(incoming.method ?? '', status, startedAt);
      return true;
    },
    load: () => ({ keptBytes: cache.size(), ...renderer.load() }),
  };
}
