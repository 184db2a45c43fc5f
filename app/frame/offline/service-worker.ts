import { clientsClaim } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import { isPagePath, OFFLINE_PAGE, START_PAGES } from './kept-pages.ts';

// Keeps what a reader has opened, for when the line is down. Pages are drawn for visitors alike and are kept without
// anything that belongs to a member; requests that carry a session are never kept.

/** The events of a service worker that are used here; its types cannot stand beside those of a page. */
interface Installing {
  waitUntil: (work: Promise<unknown>) => void;
}
declare const self: {
  skipWaiting: () => Promise<void>;
  addEventListener: (type: 'install', listener: (event: Installing) => void) => void;
};

const DAY_SECONDS = 24 * 60 * 60;
const MONTH_SECONDS = 30 * DAY_SECONDS;
/** A line that has not answered by then is taken for one that is down. */
const TIMEOUT_SECONDS = 8;
const [PAGES, PAGE_DATA] = ['pages', 'page-data'];

const limit = (maxEntries: number, maxAgeSeconds = MONTH_SECONDS) =>
  new ExpirationPlugin({ maxEntries, maxAgeSeconds, purgeOnQuotaError: true });

/** The path of a page, or of what the router fetches in its place. */
const pathOf = ({ url }: Request) => new URL(url).pathname.replace(/\.data$/, '');

/** Whether an answer is for one person alone. */
const isForOne = (response: Response) => response.headers.get('cache-control')?.includes('no-store') ?? false;

/**
 * Forgets what the server no longer shows, such as an image that was removed or a case that was withdrawn, or shows to one person alone,
 * with the pages below it.
 */
const forgetRemoved = {
  fetchDidSucceed: async ({ request, response }: { request: Request; response: Response }) => {
    if (![400, 401, 403, 404, 410].includes(response.status) && !isForOne(response)) return response;
    const gone = pathOf(request);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const kept of await cache.keys())
        if (pathOf(kept) === gone || pathOf(kept).startsWith(`${gone}/`)) await cache.delete(kept);
    }
    return response;
  },
  cacheWillUpdate: async ({ response }: { response: Response }) =>
    // Of another host's images nothing can be read, not even the status.
    [0, 200].includes(response.status) && !isForOne(response) ? response : null,
};

const isPage = (request: Request) =>
  request.mode === 'navigate' || request.headers.get('accept')?.startsWith('text/html');

registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && isPage(request) && isPagePath(url.pathname),
  new NetworkFirst({
    cacheName: PAGES,
    networkTimeoutSeconds: TIMEOUT_SECONDS,
    plugins: [limit(80), forgetRemoved],
  }),
);
// What the router fetches in place of a page.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.endsWith('.data') && isPagePath(url.pathname),
  new NetworkFirst({
    cacheName: PAGE_DATA,
    networkTimeoutSeconds: TIMEOUT_SECONDS,
    plugins: [limit(80), forgetRemoved],
  }),
);
// Their names change with their contents.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: 'assets', plugins: [limit(300)] }),
);
registerRoute(
  ({ request, url }) =>
    request.destination === 'image' &&
    /^\/(badges|icons|storage\/v1\/(object|render\/image)\/public)\//.test(url.pathname),
  // An image that was hidden at the request of a person in it must not stay on devices, as the privacy policy says.
  new NetworkFirst({ cacheName: 'images', plugins: [limit(300, DAY_SECONDS), forgetRemoved] }),
);

setCatchHandler(async ({ request }) =>
  isPage(request) ? ((await caches.match(OFFLINE_PAGE)) ?? Response.error()) : Response.error(),
);

/** Links that let their reader answer or unsubscribe were kept by an earlier version. */
async function forgetTokens(): Promise<void> {
  for (const name of [PAGES, PAGE_DATA]) {
    const cache = await caches.open(name);
    for (const kept of await cache.keys())
      if (new URL(kept.url).searchParams.has('token')) await cache.delete(kept);
  }
}

self.addEventListener('install', (event) => {
  const keepStart = caches.open(PAGES).then((cache) => cache.addAll([...START_PAGES]));
  event.waitUntil(Promise.all([keepStart, forgetTokens()]));
  void self.skipWaiting();
});
clientsClaim();
