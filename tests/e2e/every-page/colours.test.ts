// @module-tag whole

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { blockRealtime, holdScripts, openSite, refuse, signIn } from '../site.ts';
import { press } from '../steps.ts';
import { isDark } from './page-checks.ts';

const site = openSite({ demo: true });
const DEMO_PASSWORD = 'limb-commons-demo';

/** What is chosen, and what of the same kind is not. */
const KINDS = {
  switch: ['[role=switch][aria-checked=true]', '[role=switch][aria-checked=false]'],
  segment: ['.segment:has(:checked)', '.segment:not(:has(:checked))'],
  'current link': ['a[aria-current]', 'a:not([aria-current])'],
  tab: ['[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]'],
  'pressed button': ['[aria-pressed=true]', '[aria-pressed=false]'],
} as const;

const pages: Record<string, Record<string, (keyof typeof KINDS)[]>> = {
  '': {
    '/browse': ['segment', 'current link'],
    '/forum': ['pressed button', 'current link'],
    '/resources': ['current link'],
    '/auth': ['tab'],
  },
  'member@example.org': { '/settings': ['switch'], '/notifications': ['segment'] },
  'admin@example.org': { '/admin?tab=queue': ['tab'] },
};

/** By kind, how many chosen controls are shown, and those that look like their neighbours but for hue and weight. */
const compare = (page: Page) =>
  page.evaluate((kinds) => {
    const lines = (element: Element) => {
      const style = getComputedStyle(element);
      const border = ['Top', 'Right', 'Bottom', 'Left'].map((side) => [
        style.getPropertyValue(`border-${side.toLowerCase()}-width`),
        style.getPropertyValue(`border-${side.toLowerCase()}-color`),
      ]);
      return JSON.stringify([style.backgroundColor, border, style.outlineStyle, style.outlineColor]);
    };
    const shown = (selector: string) =>
      [...document.querySelectorAll(selector)].filter(
        (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1,
      );
    const groupOf = (element: Element) => element.closest('nav, fieldset, [role=tablist], ul, section');
    const chosen: Record<string, number> = {};
    const alike: string[] = [];
    for (const [kind, [on, off]] of Object.entries(kinds))
      for (const element of shown(on)) {
        const neighbour = shown(off).find((other) => groupOf(other) === groupOf(element));
        if (!neighbour) continue;
        chosen[kind] = (chosen[kind] ?? 0) + 1;
        if (lines(element) === lines(neighbour)) alike.push(`${kind}: ${element.textContent}`);
      }
    const unframed = shown('.button')
      .filter((button) => Number.parseFloat(getComputedStyle(button).borderTopWidth) === 0)
      .map((button) => button.textContent);
    return { chosen, alike, unframed };
  }, KINDS);

describe('in the colours that a reader forces', () => {
  it('every button has a frame, and what is chosen, pressed or current looks different', async () => {
    for (const [email, paths] of Object.entries(pages)) {
      const page = await site.person();
      await page.emulateMedia({ forcedColors: 'active' });
      if (email) await signIn(page, email, DEMO_PASSWORD);
      for (const [path, kinds] of Object.entries(paths)) {
        await page.goto(path);
        for (const kind of kinds) await page.locator(KINDS[kind][0]).first().waitFor({ state: 'attached' });
        await expect
          .poll(() => compare(page), { message: path })
          .toMatchObject({
            alike: [],
            unframed: [],
            chosen: Object.fromEntries(kinds.map((kind) => [kind, expect.any(Number)])),
          });
      }
    }
  });
});

describe('beside a dialog on a phone', () => {
  it('a toast covers no button of it, and takes no press through to the page', async () => {
    const page = await site.person({ width: 360 });
    await page.setViewportSize({ width: 360, height: 640 });
    await blockRealtime(page);
    await signIn(page, 'member@example.org', DEMO_PASSWORD);
    // A failure stays until it is closed; its text takes several lines.
    await refuse(page, '/rest/v1/profiles', 'PATCH');
    await page.goto('/settings');
    await page.getByRole('switch', { name: 'Allow messages' }).click();
    await press(page, 'Save Changes');
    const toast = page.getByRole('listitem').filter({ hasText: 'Failed to save settings' });
    await toast.waitFor();
    await press(page, 'Delete my account');
    const dialog = page.getByRole('dialog', { name: 'Delete my account' });
    await dialog.waitFor();
    const covered = () =>
      dialog.evaluate((element) =>
        [...element.querySelectorAll('button')].flatMap((button) => {
          button.scrollIntoView({ block: 'nearest' });
          const { x, y, width, height } = button.getBoundingClientRect();
          const top = document.elementFromPoint(x + width / 2, y + height / 2);
          return top && button.contains(top) ? [] : [button.textContent];
        }),
      );
    await expect.poll(covered).toEqual([]);
    // It stands above the dialog, whose buttons are at its foot.
    const [frame, over] = [await dialog.boundingBox(), await toast.boundingBox()];
    expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(frame?.y ?? 0);
    await toast.getByText('Failed to save settings').click();
    expect(new URL(page.url()).pathname).toBe('/settings');
    await dialog.waitFor();
    await press(toast, 'Close');
    await toast.waitFor({ state: 'detached' });
    await press(dialog, 'Cancel');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('the theme', () => {
  it('is chosen by hand, kept under the key theme, and follows the system otherwise', {
    tags: 'system/theme',
  }, async () => {
    const page = await site.visit('/', { colorScheme: 'dark' });
    expect(await isDark(page)).toBe(true);
    const choose = (name: string) => page.getByRole('contentinfo').getByText(name, { exact: true }).click();
    const light = (where: Page) =>
      where.getByRole('contentinfo').getByRole('radio', { name: 'Light', exact: true });
    await choose('Light');
    await expect.poll(() => isDark(page)).toBe(false);
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
    await page.reload();
    expect(await isDark(page)).toBe(false);
    // A page that moves to the background before hydration, and shows the choice, sleeps until it is in front
    // again.
    await expect.poll(() => light(page).isChecked()).toBe(true);

    const other = await page.context().newPage();
    await other.goto('/browse');
    await expect.poll(() => light(other).isChecked()).toBe(true);
    await choose('System');
    await expect.poll(() => isDark(other)).toBe(true);
    // A page in the background draws nothing, and so does not read the system's colours.
    await page.bringToFront();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => isDark(page)).toBe(colorScheme === 'dark');
    }
    await choose('Dark');
    await other.emulateMedia({ colorScheme: 'light' });
    // Before any script of the page has come: the first paint already has the right colours.
    await other.route('**/*.js', (route) => route.abort());
    await other.goto('/');
    expect(await isDark(other)).toBe(true);
    expect(await other.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(18, 22, 21)',
    );
  });

  it('follows the system also where it changes while the scripts are on their way', async () => {
    const page = await site.person({ colorScheme: 'dark' });
    const releaseScripts = await holdScripts(page);
    await page.goto('/', { waitUntil: 'commit' });
    await expect.poll(() => isDark(page)).toBe(true);
    await page.emulateMedia({ colorScheme: 'light' });
    releaseScripts();
    await expect.poll(() => isDark(page)).toBe(false);
  });
});
