import { isClosedPage } from '#app/site.ts';

export const OFFLINE_PAGE = '/offline';

/** Kept from the first visit on; the style sheet is that of the offline page. */
export const START_PAGES = [OFFLINE_PAGE, '/theme.css', '/', '/browse'];

/** Paths that are not pages of the site. */
const SERVICES = [
  '/storage/',
  '/rest/',
  '/auth/',
  '/functions/',
  // Archives to download; the page that leads to them is another one.
  '/field-pack/',
  '/realtime/',
  '/mail',
  '/metrics',
  '/doctor',
  '/healthz',
];

const isService = (path: string) => SERVICES.some((beginning) => path.startsWith(beginning));

/** Whether a path is that of a page for one person alone. */
export const isForOne = (path: string): boolean => isClosedPage(path) && !isService(path);

/**
 * Whether a page may be kept on the device: one that everyone sees alike, and not one for a person alone. The share
 * form is drawn for everyone alike, without its draft, and can be filled in and submitted without a connection.
 *
 * @param path that of the page, or of what the router fetches in its place
 */
export function isKept(path: string): boolean {
  const page = path.replace(/\.data$/, '');
  return page === '/upload' || !(isClosedPage(page) || isService(page));
}
