/** The product's name; no other file spells it out. */
export const SITE_NAME = 'Limb Commons';

export const HEADLINE = 'Advancing prosthetics through collaborative innovation';

/** A page's title as the browser shows it. */
export function pageTitle(title: string): string {
  return `${title} · ${SITE_NAME}`;
}

/**
 * Pages for one person alone, by the beginning of their path: excluded from search engines and shared caches.
 */
export const CLOSED_PAGES = [
  '/admin',
  '/auth',
  '/complete-profile',
  '/messages',
  '/notifications',
  '/reports',
  '/saved',
  '/following',
  '/collections',
  '/profile',
  '/settings',
  '/removal-request',
  '/unsubscribe',
  '/upload',
];

/** Whether a path is that of such a page, or of one below it. */
export const isClosedPage = (path: string): boolean =>
  CLOSED_PAGES.some((page) => path === page || path.startsWith(`${page}/`));
