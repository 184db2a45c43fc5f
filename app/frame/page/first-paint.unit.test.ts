import { expect, it } from 'vitest';
import { inlineStyles, preloadModulesLate } from './first-paint.ts';

const MODULE = '<link rel="modulepreload" nonce="x" href="/assets/page.js"/>';

const FONT =
  '<link rel="preload" as="font" type="font/woff2" href="/assets/a.woff2" crossorigin="anonymous"/>';

it('modules and the font are preloaded by an inline script after the page, and by no link before it', () => {
  const html = preloadModulesLate(
    `<head>${FONT}${MODULE}</head><p>$&</p><script>window.__reactRouterContext = {};</script>`,
    false,
  );
  expect(html).toMatch(/^<head><\/head><p>\$&<\/p><script>for\(/);
  expect(html).toContain('["/assets/a.woff2"]');
  expect(html).toContain('["/assets/page.js"]');
  expect(html).toMatch(/;window\.__reactRouterContext = \{\};<\/script>$/);
});

it('a sparing page loads neither the font nor its modules, and keeps its code as a text', () => {
  const html = preloadModulesLate(
    `<head>${FONT}${MODULE}</head><script nonce="x">window.__reactRouterContext = {};</script><script nonce="x" type="module" async="">import "/assets/page.js"</script>`,
    true,
  );
  expect(html).not.toMatch(/woff2|modulepreload|<script[^>]* type="module"/);
  expect(html).toMatch(
    /<script nonce="x" type="text\/plain" data-code async="">import "\/assets\/page\.js"<\/script>$/,
  );
});

it('a style sheet that the build does not have stays a link', () => {
  const page = '<head><link rel="stylesheet" href="/assets/of-another-build.css#"/></head>';
  expect(inlineStyles(page).toString()).toBe(page);
});

it('a page without the router’s script keeps its links', () => {
  expect(preloadModulesLate(`<head>${MODULE}</head>`, false)).toBe(`<head>${MODULE}</head>`);
});
