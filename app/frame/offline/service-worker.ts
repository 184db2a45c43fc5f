import { clientsClaim } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { CacheFirst, NetworkFirst, NetworkOnly } from 'workbox-strategies';
import { isForOne, isKept, OFFLINE_PAGE, START_PAGES } from './kept-pages.ts';

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
const PAGES = 'pages';

const limit = (maxEntries: number, maxAgeSeconds = MONTH_SECONDS) =>
  new ExpirationPlugin({ maxEntries, maxAgeSeconds, purgeOnQuotaError: true });

/** The path of a page, or of what the router fetches in its place. */
const pathOf = ({ url }: Request) => new URL(url).pathname.replace(/\.data$/, '');

/**
 * Forgets what the server no longer shows, such as an image that was removed or a case that was withdrawn, with the pages
 * below it.
 */
const forgetRemoved = {
  fetchDidSucceed: async ({ request, response }: { request: Request; response: Response }) => {
    if (![400, 401, 403, 404, 410].includes(response.status)) return response;
    const gone = pathOf(request);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const kept of await cache.keys())
        if (pathOf(kept) === gone || pathOf(kept).startsWith(`${gone}/`)) await cache.delete(kept);
    }
    return response;
  },
};

const isPage = (request: Request) =>
  request.mode === 'navigate' || request.headers.get('accept')?.startsWith('text/html');

registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && isPage(request) && isKept(url.pathname),
  new NetworkFirst({
    cacheName: PAGES,
    networkTimeoutSeconds: TIMEOUT_SECONDS,
    plugins: [limit(80), forgetRemoved],
  }),
);
// A page for one person alone is not kept; without a connection the handler below says so in its place.
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && isForOne(url.pathname),
  new NetworkOnly(),
);
// What the router fetches in place of a page.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.endsWith('.data') && isKept(url.pathname),
  new NetworkFirst({
    cacheName: 'page-data',
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

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(PAGES).then((cache) => cache.addAll([...START_PAGES])));
  void self.skipWaiting();
});
clientsClaim();
