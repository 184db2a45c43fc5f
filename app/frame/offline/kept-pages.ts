import { CLOSED_PAGES } from '#app/site.ts';

export const OFFLINE_PAGE = '/offline';

/** Kept from the first visit on; the style sheet is that of the offline page. */
export const START_PAGES = [OFFLINE_PAGE, '/theme.css', '/', '/browse'];

/** Paths that are not pages of the site. */
const SERVICES = [
  '/storage/',
  '/rest/',
  '/auth/',
  '/functions/',
  '/realtime/',
  '/mail',
  '/metrics',
  '/healthz',
];

/**
 * Whether a page may be kept on the device: one that everyone sees alike, and not one for a person alone. The share
 * form is drawn for everyone alike, without its draft, and can be filled in and submitted without a connection.
 */
export const isKept = (path: string): boolean =>
  /^\/upload(\.data)?$/.test(path) ||
  ![...CLOSED_PAGES, ...SERVICES].some((beginning) => path.startsWith(beginning));
