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

/** Whether a page may be kept on the device: one that everyone sees alike, and not one for a person alone. */
export const isKept = (path: string): boolean =>
  ![...CLOSED_PAGES, ...SERVICES].some((beginning) => path.startsWith(beginning));
