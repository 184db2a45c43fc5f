import { expect, it } from 'vitest';
import { preloadAfterStyles } from './late-modules.ts';

const LINK = '<link rel="modulepreload" href="/assets/page.js"/>';

it('modules are preloaded by an inline script after the page, and by no link before it', () => {
  const html = preloadAfterStyles(
    `<head>${LINK}<link rel="stylesheet" href="/a.css"/></head><p>$&</p><script>window.__reactRouterContext = {};</script>`,
  );
  expect(html).toMatch(/^<head><link rel="stylesheet" href="\/a.css"\/><\/head><p>\$&<\/p><script>for\(/);
  expect(html).toContain('["/assets/page.js"]');
  expect(html).toMatch(/;window\.__reactRouterContext = \{\};<\/script>$/);
});

it('a page without the router’s script keeps its links', () => {
  expect(preloadAfterStyles(`<head>${LINK}</head>`)).toBe(`<head>${LINK}</head>`);
});
