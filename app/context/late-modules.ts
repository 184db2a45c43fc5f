const LINKS = /<link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>/g;
/** The beginning of the router's own inline script, which comes after the page's content. */
const ROUTER = 'window.__reactRouterContext = ';

/**
 * Has a page's modules fetched once its style sheet is there: an inline script waits for the style sheet, and
 * the links that preload the modules are added by one, where a browser would otherwise fetch them together
 * with it. On a slow line the page is painted earlier.
 *
 * @param html as the router renders it
 */
export function preloadAfterStyles(html: string): string {
  if (!html.includes(ROUTER)) return html;
  const files = [...html.matchAll(LINKS)].map(([, href]) => href);
  const script = `for(const href of ${JSON.stringify(files)})document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href,fetchPriority:"low"}));`;
  return html.replaceAll(LINKS, '').replace(ROUTER, () => script + ROUTER);
}
