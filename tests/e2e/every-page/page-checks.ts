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

/** The violations of what is checked, and whether the page scrolls sideways. */
async function flaws(page: Page, within?: string): Promise<string[]> {
  const there = await page.evaluate(() => 'axe' in window);
  if (!there) await page.evaluate(AXE);
  return page.evaluate(
    async ([place, over, everywhere, tags]) => {
      const dialogs = [...document.querySelectorAll(over)].filter((one) => one.checkVisibility());
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        place ?? dialogs.at(-1) ?? { include: document, exclude: everywhere },
        {
          runOnly: { type: 'tag', values: tags },
          // Describing the passed rules takes longer than finding the violations.
          resultTypes: ['violations'],
        },
      );
      const { scrollWidth, clientWidth } = document.documentElement;
      return [
        ...violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
        ),
        ...(scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth - clientWidth} px`] : []),
      ];
    },
    [within, OVER, EVERYWHERE, TAGS] as const,
  );
}

/**
 * What is on the screen breaks no rule of accessibility, and the page does not scroll sideways, once it has settled:
 * colours fade, and parts replace their placeholders.
 *
 * @param what names the page and its state when it does
 * @param within is the dialog on top when left out, else the page without its header and footer
 */
export const expectAccessible = (page: Page, what: string, within?: string): Promise<void> =>
  expect.poll(() => flaws(page, within), { message: what }).toEqual([]);
