import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Nothing of the page, or of what is `within` it, breaks a rule of accessibility, and nothing makes it scroll sideways.
 *
 * @param what names the page and its state when it does
 */
export async function expectAccessible(page: Page, what: string, within?: string): Promise<void> {
  const there = await page.evaluate(() => 'axe' in window);
  if (!there) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ([place, tags]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(place ?? document, {
        runOnly: { type: 'tag', values: tags },
        // Describing what is in order takes longer than finding what is not.
        resultTypes: ['violations'],
      });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
      );
    },
    [within, TAGS] as const,
  );
  expect(violations, what).toEqual([]);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}
