import { readSiteSettings } from '#app/frame/page/site-settings.ts';
import { themesIn } from '#app/ui/accent.ts';
import { interfaceDirection, interfaceLanguage } from '#app/ui/languages/interface-language.ts';
import type { Route } from './+types/offline-page.ts';

const TEXTS = {
  title: 'You’re offline',
  text: 'This page isn’t saved on your device. You can still read public pages that you opened before.',
  again: 'Try again',
  home: 'Home',
  browse: 'Browse Solutions',
};

/**
 * The page that the service worker shows in the place of one that is not on the device. It has no scripts, since the
 * site's would take it for the page at whose address it is shown; its style sheet is kept with it.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const { site_name, accent_colour } = await readSiteSettings(context);
  const { light, dark } = themesIn(accent_colour);
  const accent = (theme: typeof light | typeof dark) =>
    `:root { --accent: ${theme.accent}; --on-accent: ${theme['on-accent']}; --focus: ${theme.focus}; }`;
  const name = site_name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return new Response(
    `<!doctype html>
<html lang="${interfaceLanguage}" dir="${interfaceDirection}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${TEXTS.title} · ${name}</title>
<link rel="stylesheet" href="/theme.css">
<style>
${accent(light)}
@media (prefers-color-scheme: dark) { ${accent(dark)} }
body { margin: 0; padding: 48px 16px; background: var(--bg); color: var(--ink); font: 1.125rem/1.6 system-ui, sans-serif; }
main { max-width: 640px; margin: 0 auto; }
h1 { margin: 16px 0 12px; font-size: 2rem; line-height: 1.2; }
a { color: var(--accent); }
a:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.button { display: inline-block; margin: 20px 0; padding: 8px 16px; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; }
</style>
<main>
<p>${name}</p>
<h1>${TEXTS.title}</h1>
<p>${TEXTS.text}</p>
<p><a class="button" href="">${TEXTS.again}</a></p>
<p><a href="/">${TEXTS.home}</a> · <a href="/browse">${TEXTS.browse}</a></p>
</main>
</html>
`,
    { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, max-age=3600' } },
  );
}
