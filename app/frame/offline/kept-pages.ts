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

/** Whether a path can be that of a page, or of what the router fetches in its place. Each answer says itself whether it may be kept. */
export const isPagePath = (path: string): boolean =>
  !SERVICES.some((beginning) => path.startsWith(beginning));
