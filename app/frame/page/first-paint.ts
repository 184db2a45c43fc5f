import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the browser's files, seen from the server's bundle. */
const FILES = join(import.meta.dirname, '../../client');
const STYLES = /<link(?=[^>]* rel="stylesheet")[^>]* href="([^"]+)"[^>]*\/>/g;
const MODULES = /<link(?=[^>]* rel="modulepreload")[^>]* href="([^"]+)"[^>]*\/>/g;
const FONTS = /<link(?=[^>]* rel="preload")(?=[^>]* as="font")[^>]* href="([^"]+)"[^>]*\/>/g;
/** The beginning of the router's own inline script, which comes after the page's content. */
const ROUTER = 'window.__reactRouterContext = ';
/** Puts back the links to style sheets, which hydration looks for, without having them loaded. */
const RESTORE_LINKS =
  'for(const style of document.querySelectorAll("style[data-href]")){const link=document.createElement("link");link.rel="stylesheet";link.disabled=true;link.setAttribute("href",style.dataset.href);style.after(link)}';

const styles = new Map<string, Buffer | undefined>();

/** The bytes of a style sheet of the build; undefined in development, where Vite serves them. */
function readStyles(href: string): Buffer | undefined {
  if (!styles.has(href)) {
    // The router marks the addresses of its style sheets at their end.
    const file = join(FILES, href.replace(/#$/, ''));
    styles.set(href, existsSync(file) ? readFileSync(file) : undefined);
  }
  return styles.get(href);
}

/**
 * Loads the site's code when a member's page needs it, or when something is pressed or typed that does: see
 * `captureEarlyInput`, which keeps what came before.
 */
const LOAD_WHEN_NEEDED = `{const load=()=>{const kept=document.querySelector("script[data-code]");if(!kept)return;const code=document.createElement("script");code.type="module";code.textContent=kept.textContent;kept.replaceWith(code)};window.loadCode=load;addEventListener("DOMContentLoaded",()=>{let isMember=false;try{isMember=Object.keys(localStorage).some((key)=>/^sb-.*-auth-token$/.test(key))}catch{}if(window.isCodeNeeded||isMember||/[=]/.test(location.hash)||document.querySelector("main .animate-pulse"))load()})}`;
const CODE = /<script(?=[^>]* type="module")([^>]*) type="module"/;

/**
 * Has a page's modules and font preloaded by an inline script after its content. A browser would otherwise fetch the
 * modules before it paints, have the first paint wait for the font, and the first image share the line with it.
 *
 * @param html as the router renders it
 * @param isSparing whether the page does without the font, and without its code until that is needed
 */
export function preloadModulesLate(html: string, isSparing: boolean): string {
  const { head, rest } = partsOf(html);
  if (!rest.includes(ROUTER)) return html;
  const script =
    RESTORE_LINKS +
    (isSparing
      ? LOAD_WHEN_NEEDED
      : appendLinks(head, FONTS, 'rel:"preload",as:"font",type:"font/woff2",crossOrigin:"anonymous"') +
        appendLinks(head, MODULES, 'rel:"modulepreload",fetchPriority:"low"'));
  const end = rest.replace(ROUTER, () => script + ROUTER);
  const start = head.replaceAll(FONTS, '').replaceAll(MODULES, '');
  return isSparing
    ? start.replace('<html', '<html data-sparing') +
        end.replace(CODE, '<script$1 type="text/plain" data-code')
    : start + end;
}

/** A statement that adds the links which the head has of a kind. */
function appendLinks(head: string, kind: RegExp, properties: string): string {
  const files = [...head.matchAll(kind)].map(([, href]) => href);
  return `for(const href of ${JSON.stringify(files)})document.head.append(Object.assign(document.createElement("link"),{href,${properties}}));`;
}

/** The head has all links, and is a tenth of the text that would else be looked through. */
function partsOf(html: string): { head: string; rest: string } {
  const end = html.indexOf('</head>');
  return { head: html.slice(0, end), rest: html.slice(end) };
}

/**
 * The page's bytes with its style sheets in it, so that its first paint waits for nothing else. They are put between the
 * bytes of the text, as they are larger than it.
 */
export function inlineStyles(html: string): Buffer<ArrayBuffer> {
  const { head, rest } = partsOf(html);
  const parts: (string | Buffer)[] = [];
  let end = 0;
  for (const { index, 0: link, 1: href = '' } of head.matchAll(STYLES)) {
    const style = readStyles(href);
    if (!style) continue;
    parts.push(`${head.slice(end, index)}<style data-href="${href}">`, style, '</style>');
    end = index + link.length;
  }
  return Buffer.concat(
    [...parts, head.slice(end) + rest].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  );
}
