import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Whether the page is drawn in its dark theme. */
export const isDark = (page: Page) =>
  page.evaluate(() => document.documentElement.classList.contains('dark'));

/** The minified one, which a browser parses in half the time; it does so on each page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What lies over the page when something does: the last one lies on top. */
const OVER = '[role=dialog], [role=alertdialog]';
/** The same on every page. */
const EVERYWHERE = ['body > header', 'body > footer'];

/** The rules of accessibility that what is checked breaks. */
async function violations(page: Page, within?: string): Promise<string[]> {
  const there = await page.evaluate(() => 'axe' in window);
  if (!there) await page.evaluate(AXE);
  return page.evaluate(
    async ([place, over, everywhere, tags]) => {
      const dialogs = [...document.querySelectorAll(over)].filter((one) => one.checkVisibility());
      const found = await (window as unknown as { axe: typeof axe }).axe.run(
        place ?? dialogs.at(-1) ?? { include: document, exclude: everywhere },
        {
          runOnly: { type: 'tag', values: tags },
          // Describing the passed rules takes longer than finding the violations.
          resultTypes: ['violations'],
          // No rule of these tags reads the style sheets, of which axe would parse a copy on each page.
          preload: { assets: ['media'] },
        },
      );
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
    },
    [within, OVER, EVERYWHERE, TAGS] as const,
  );
}

/** By how much the page is wider than the screen, if it is. */
const scrollsSideways = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth - clientWidth} px`] : [];
  });

/** What goes wrong for a reader whose letters are of twice the size: texts that do not grow, and a page wider than the screen. */
export async function atTwiceTheSize(page: Page): Promise<string[]> {
  const small = await page.evaluate(async () => {
    // The window may just have been changed.
    await new Promise(requestAnimationFrame);
    const texts: [HTMLElement, number][] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const sizeOf = (one: HTMLElement) => Number.parseFloat(getComputedStyle(one).fontSize);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: parent, textContent } = node;
      if (parent && textContent?.trim() && !parent.closest('svg, script, style') && parent.checkVisibility())
        texts.push([parent, sizeOf(parent)]);
    }
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { font-size: 200% } *, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(sheet);
    return texts
      .filter(([parent, before]) => parent.isConnected && sizeOf(parent) <= before)
      .map(([parent, before]) => `${parent.textContent?.trim().slice(0, 60)} stays at ${before} px`);
  });
  const found = [...small, ...(await scrollsSideways(page))];
  await page.evaluate(() => document.adoptedStyleSheets.pop());
  return found;
}

/**
 * What is on the screen breaks no rule of accessibility, and the page does not scroll sideways, once it has settled:
 * colours fade, and parts replace their placeholders.
 *
 * @param what names the page and its state when it does
 * @param within is the dialog on top when left out, else the page without its header and footer
 */
export const expectAccessible = (page: Page, what: string, within?: string): Promise<void> =>
  expect
    .poll(async () => [...(await violations(page, within)), ...(await scrollsSideways(page))], {
      message: what,
    })
    .toEqual([]);

/** The texts on the page that stand out of their box or are cut off by it, where nothing scrolls them or ends them with an ellipsis. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cut = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (parent.closest('script, style, svg')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
        const { left, right, top, bottom, width } = box.getBoundingClientRect();
        const style = getComputedStyle(box);
        const scrolls = [box, box.parentElement].some(
          (one) => one && /auto|scroll/.test(getComputedStyle(one).overflowX),
        );
        // One pixel wide is what only screen readers read.
        if (width <= 2 || scrolls || style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none')
          break;
        if (style.display === 'inline') continue;
        const isOut = lines.some((line) => line.right > right + 1 || line.left < left - 1);
        const isHidden =
          style.overflowY !== 'visible' &&
          lines.some((line) => line.bottom > bottom + 4 || line.top < top - 4);
        if (isOut || isHidden)
          cut.add(`${node.textContent?.trim().slice(0, 80)} in ${box.outerHTML.slice(0, 120)}`);
      }
    }
    return [...cut];
  });
