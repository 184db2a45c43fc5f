/**
 * Loads the files and then runs the module once the page has been painted, or at once in a tab that is not
 * shown and so is never painted.
 */
const START = `((files,module)=>{
let started;const start=()=>{if(started)return;started=true;
for(const href of files)document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href,fetchPriority:"low"}));
document.head.append(Object.assign(document.createElement("script"),{type:"module",textContent:module}))};
if(document.hidden)start();else{requestAnimationFrame(()=>setTimeout(start));document.addEventListener("visibilitychange",start)}
})`.replaceAll('\n', '');

const PRELOAD = /<link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>/g;
const MODULE = /<script(?=[^>]* type="module")[^>]*>([\s\S]*?)<\/script>/;

/** A text or a list of texts as it can stand in an inline script. */
const literal = (value: string | string[]) => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Has a page's scripts fetched after its first paint, so that on a slow line the style sheet, the font and the
 * first picture do not share the line with them.
 *
 * @param html as the router renders it: links that preload its modules, and one module that imports them
 * @returns the page, and the text of the module, which runs as an inline script of its own
 */
export function startAfterFirstPaint(html: string, nonce: string): { html: string; module: string } {
  const module = MODULE.exec(html)?.[1];
  if (!module) return { html, module: '' };
  const files = [...html.matchAll(PRELOAD)].flatMap(([, href]) => href ?? []);
  const start = `<script nonce="${nonce}">${START}(${literal(files)},${literal(module)})</script>`;
  return { html: html.replaceAll(PRELOAD, '').replace(MODULE, () => start), module };
}
