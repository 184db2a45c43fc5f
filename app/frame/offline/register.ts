/** The worker of `service-worker.ts`, as the build names it. */
const WORKER = '/service-worker.js';

/** Registers the service worker when the page has nothing more important to do. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const start = () => void register();
  const soon = () => ('requestIdleCallback' in window ? requestIdleCallback(start) : setTimeout(start, 2000));
  if (document.readyState === 'complete') soon();
  else window.addEventListener('load', soon, { once: true });
}

async function register(): Promise<void> {
  try {
    const isFirst = !navigator.serviceWorker.controller;
    await navigator.serviceWorker.register(WORKER);
    if (!isFirst) return;
    const { active } = await navigator.serviceWorker.ready;
    // The worker did not see the page that brought it being loaded.
    const loaded = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'));
    active?.postMessage({
      type: 'CACHE_URLS',
      payload: {
        urlsToCache: [
          [location.href.split('#')[0], { headers: { accept: 'text/html' } }],
          ...loaded.map(({ href }) => href),
        ],
      },
    });
  } catch (error) {
    // The site works without it.
    console.warn('offline reading:', error);
  }
}
