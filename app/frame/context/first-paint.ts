import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the browser's files, seen from the server's bundle. */
const FILES = join(import.meta.dirname, '../../client');
const STYLES = /<link(?=[^>]* rel="stylesheet")[^>]* href="([^"]+)"[^>]*\/>/g;
const MODULES = /<link(?=[^>]* rel="modulepreload")[^>]* href="([^"]+)"[^>]*\/>/g;
/** The beginning of the router's own inline script, which comes after the page's content. */
const ROUTER = 'window.__reactRouterContext = ';
/** Puts back the links to style sheets, which hydration looks for, without having them loaded. */
const RESTORE_LINKS =
  'for(const style of document.querySelectorAll("style[data-href]")){const link=document.createElement("link");link.rel="stylesheet";link.disabled=true;link.setAttribute("href",style.dataset.href);style.after(link)}';

const styles = new Map<string, string | undefined>();

/** A style sheet of the build; undefined in development, where Vite serves them. */
function readStyles(href: string): string | undefined {
  if (!styles.has(href)) {
    // The router marks the addresses of its style sheets at their end.
    const file = join(FILES, href.replace(/#$/, ''));
    styles.set(href, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  }
  return styles.get(href);
}

/**
 * Has a page's modules preloaded by an inline script after its content, where a browser would otherwise fetch
 * them before it paints.
 *
 * @param html as the router renders it
 */
export function preloadModulesLate(html: string): string {
  if (!html.includes(ROUTER)) return html;
  const files = [...html.matchAll(MODULES)].map(([, href]) => href);
  const script = `${RESTORE_LINKS}for(const href of ${JSON.stringify(files)})document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href,fetchPriority:"low"}));`;
  return html.replaceAll(MODULES, '').replace(ROUTER, () => script + ROUTER);
}

/** Puts a page's style sheets into the page, whose first paint then waits for nothing else. */
export const inlineStyles = (html: string): string =>
  html.replace(STYLES, (link, href: string) => {
    const text = readStyles(href);
    return text === undefined ? link : `<style data-href="${href}">${text}</style>`;
  });
