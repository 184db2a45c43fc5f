// @module-tag whole

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './every-page/page-checks.ts';
import { holdScripts, intercept, openSite, waitForHydration } from './site.ts';
import { expectFocus, expectFocusWithin, follow, open, press, says } from './steps.ts';

const site = openSite({ demo: true });
const cards = (page: Page) => page.getByRole('main').getByRole('article');
const box = (page: Page) => page.getByRole('combobox', { name: 'Search solutions' });
const filter = (page: Page, name: RegExp) => page.getByRole('checkbox', { name });

let visitor: Page;
beforeAll(async () => {
  visitor = await site.person();
});

async function list(address: string, page = visitor): Promise<Page> {
  await open(page, address, /solutions found$/);
  // The page answers once it is hydrated.
  await page.waitForLoadState('networkidle');
  return page;
}

/** Checks the settled page: old results are dimmed while new ones are on their way. */
async function expectSettledAccessible(page: Page, what: string) {
  await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
  await expectAccessible(page, what);
}

describe('the pictures of cards', () => {
  const pictures = (page: Page) => cards(page).locator('img:is([src], [srcset])[alt=""]');
  /** The place and the size of every picture on the page, once the fonts are loaded. */
  async function boxes(page: Page) {
    await page.evaluate(() => document.fonts.ready);
    return pictures(page).evaluateAll((all) =>
      all.map((picture) => {
        const { x, y, width, height } = picture.getBoundingClientRect();
        return [x, y + window.scrollY, width, height].map(Math.round);
      }),
    );
  }
  /** The images of the first cards: those further down are drawn the same way. */
  async function displayedPictures(page: Page) {
    const displayed: { src: string; width: number }[] = [];
    for (const picture of (await pictures(page).all()).slice(0, 9)) {
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
        .toBe(true);
      displayed.push(
        await picture.evaluate(async (image: HTMLImageElement) => {
          const own = await createImageBitmap(await (await fetch(image.currentSrc)).blob());
          return { src: image.currentSrc, width: own.width };
        }),
      );
    }
    expect(displayed.length).toBeGreaterThan(8);
    return displayed;
  }

  it.each([
    [360, 2, 672],
    [1440, 1, 400],
    [1440, 2, 672],
  ])('are as large as %d pixels at density %d need, and move nothing', async (width, density, expected) => {
    const page = await site.person({ width, density });
    const { promise: mayCome, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/storage/v1/**', async (route) => {
      await mayCome;
      await route.continue();
    });
    let [bytes, stored] = [0, 0];
    await page.goto('/browse', { waitUntil: 'domcontentloaded' });
    await waitForHydration(page);
    const before = await boxes(page);
    release();
    for (const { src, width: pixels } of await displayedPictures(page)) {
      expect([src.includes('/render/image/public/'), pixels]).toEqual([true, expected]);
      const answer = await fetch(src, { headers: { accept: 'image/webp' } });
      bytes += (await answer.arrayBuffer()).byteLength;
      const whole = await fetch((src.split('?')[0] ?? '').replace('/render/image/', '/object/'));
      stored += (await whole.arrayBuffer()).byteLength;
      const cacheControl = whole.headers.get('cache-control');
      expect(cacheControl).toMatch(/^public, max-age=/);
      expect(answer.headers.get('cache-control')).toBe(cacheControl);
    }
    expect(bytes).toBeLessThan(stored * 0.7);
    expect(await boxes(page)).toEqual(before);
  });

  it.each(['before the page came alive', 'afterwards'])(
    'are the stored ones where the service makes no others, %s',
    async (moment) => {
      const page = await site.person({ width: 360, density: 2 });
      const { promise: alive, resolve: release } = Promise.withResolvers<void>();
      let refused = 0;
      await page.route('**/render/image/**', async (route) => {
        if (moment === 'afterwards') await alive;
        await route.fulfill({ status: 403, body: '' });
        refused += 1;
      });
      const releaseScripts = await holdScripts(page);
      await page.goto('/browse', { waitUntil: 'commit' });
      if (moment !== 'afterwards') await expect.poll(() => refused).toBeGreaterThan(0);
      releaseScripts();
      await page.waitForLoadState('domcontentloaded');
      await waitForHydration(page);
      release();
      for (const { src } of await displayedPictures(page))
        expect(src).toMatch(/\/object\/public\/.*card\.webp$/);
    },
  );

  it('that cannot be loaded are drawn signs, as are those of other pages', async () => {
    const page = await site.person();
    await page.route('**/storage/v1/**', (route) => route.abort('connectionreset'));
    await page.goto('/browse');
    const solution = (await page.locator('a[href^="/solutions/"]').first().getAttribute('href')) ?? '';
    for (const path of ['/browse', '/', solution, `${solution}/removal-request`]) {
      await page.goto(path);
      const images = page.locator('main img');
      await images.evaluateAll((all) => {
        for (const image of all) image.setAttribute('loading', 'eager');
      });
      const missing = page.locator('main img[src*="no-image"]');
      await expect.poll(() => missing.count(), { message: path }).toBeGreaterThan(0);
      const brokenSources = () =>
        images.evaluateAll((all: HTMLImageElement[]) =>
          all.filter((image) => !image.naturalWidth).map((image) => image.src),
        );
      await expect.poll(brokenSources, { message: path }).toEqual([]);
    }
  });
});

describe('searching', () => {
  it('suggests while one types and is worked by keyboard alone', async () => {
    const page = await list('/browse');
    await box(page).focus();
    await page.keyboard.type('sock');
    const options = page.getByRole('option');
    await options
      .filter({ hasText: /^socket/ })
      .first()
      .waitFor();
    expect(await box(page).getAttribute('aria-expanded')).toBe('true');
    await page.waitForURL(/q=sock/);
    await expectSettledAccessible(page, 'suggestions');
    await page.keyboard.press('ArrowDown');
    const first = options.first();
    expect(await first.getAttribute('aria-selected')).toBe('true');
    expect(await box(page).getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'));
    await page.keyboard.press('Escape');
    await options.first().waitFor({ state: 'hidden' });
    expect(await box(page).inputValue()).toBe('sock');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=socket/);
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await page.locator('mark').first().textContent())?.toLowerCase())
      .toBe('socket');
  });

  it('pre-fills the box from the address, understands abbreviations and forgives a typo', async () => {
    const page = await list('/browse?q=BK');
    expect(await box(page).inputValue()).toBe('BK');
    expect(await cards(page).count()).toBeGreaterThan(0);
    const typo = await list('/browse?q=soket');
    await typo.getByText('No results for “soket”').waitFor();
    expect(await cards(typo).count()).toBeGreaterThan(0);
    await expectSettledAccessible(typo, 'results of a forgiven typo');
  });

  it('says when nothing matches and asks what was meant', async () => {
    const page = await list('/browse?q=sockadle');
    await says(page, 'No solutions found matching your criteria', 'Did you mean');
    await expectSettledAccessible(page, 'an empty result');
    await page.getByText('Did you mean').getByRole('link').click();
    await cards(page).first().waitFor();
    expect(await box(page).inputValue()).not.toBe('sockadle');
  });

  it('says when it stands for more than can be looked through', async () => {
    const page = await list('/browse?q=a+b+c+d+e+f+g+h+i');
    await page.getByText('This search is very broad').waitFor();
    await expectSettledAccessible(page, 'a search that is too broad');
    const precise = await list('/browse?q=carbon');
    await cards(precise).first().waitFor();
    expect(await precise.getByText('too many different words').count()).toBe(0);
  });

  it('says when solutions fail to load and tries again', async () => {
    const page = await list('/browse');
    const calls = /browse\.data|rpc\/browse_solutions/;
    const restore = await intercept(page, calls, (route) => route.abort());
    await filter(page, /Carbon Fiber/).check();
    await page.getByText('Failed to load solutions').first().waitFor();
    restore();
    await press(page, 'Try again');
    await cards(page).first().waitFor();
    expect(await filter(page, /Carbon Fiber/).isChecked()).toBe(true);
  });
});

describe('filters', () => {
  it('are in the address, as chips and as one step of the history each', async () => {
    const page = await list('/browse');
    const all = await page.getByText(/solutions found$/).textContent();
    await filter(page, /Transtibial/).check();
    await page.waitForURL(/filter=Transtibial/);
    await filter(page, /Carbon Fiber/).check();
    await page.waitForURL(/filter=Carbon/);
    await page.getByRole('link', { name: 'Remove Carbon Fiber' }).waitFor();
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('Carbon'));
    await page.getByRole('link', { name: 'Remove Carbon Fiber' }).waitFor({ state: 'hidden' });
    expect(await filter(page, /Carbon Fiber/).isChecked()).toBe(false);
    expect(await filter(page, /Transtibial/).isChecked()).toBe(true);
    await page.goForward();
    await page.getByRole('link', { name: 'Remove Carbon Fiber' }).click();
    await page.getByRole('link', { name: 'Clear all' }).first().click();
    await page.waitForURL(/\/browse$/);
    await page.getByText(all ?? '', { exact: true }).waitFor();
  });

  it('count live, disable what would leave nothing, and match any on request', {
    tags: 'system/browse',
  }, async () => {
    const page = await list('/browse?filter=Transtibial+%28Below+Knee%29');
    expect(await filter(page, /Transfemoral/).isDisabled()).toBe(true);
    await page.getByText('Match any').click();
    await page.waitForURL(/match=any/);
    await expect.poll(() => filter(page, /Transfemoral/).isEnabled()).toBe(true);
    await filter(page, /Transfemoral/).check();
    await page.waitForURL(/Transfemoral/);
    const row = page.locator('label', { has: page.getByRole('checkbox', { name: /Transfemoral/ }) });
    const promised = /\d+$/.exec((await row.textContent()) ?? '')?.[0];
    expect(Number(promised)).toBeGreaterThan(0);
    await page.getByText(`${promised} solutions found`).waitFor();
  });

  it('of measures are those of the chosen limb, and a choice far down leaves the number of results in view', async () => {
    const page = await list('/browse', await site.person({ width: 1440 }));
    const measure = (name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}`) });
    expect(await measure('SCS').isVisible()).toBe(false);
    await filter(page, /Transtibial/).check();
    await measure('SCS').waitFor();
    expect(await measure('SHAP').count()).toBe(0);
    await measure('SCS').check();
    await page.waitForURL(/filter=SCS/);
    const count = page.getByText(/solutions found$/);
    await expect.poll(() => count.evaluate((line) => line.getBoundingClientRect().top)).toBeGreaterThan(0);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  it('are a dialog on small screens, with their number on its button', async () => {
    const page = await list('/browse', await site.person({ width: 360 }));
    await press(page, /^Filters/);
    await filter(page, /Carbon Fiber/).check();
    await page.waitForURL(/filter=Carbon/);
    await expectSettledAccessible(page, 'results on a phone');
    const drawer = page.getByRole('dialog', { name: 'Filters' });
    // The page under it can't be reached, by the keyboard either.
    await page.keyboard.press('Shift+Tab');
    await expectFocusWithin(drawer);
    const title = page.getByRole('heading', { name: 'Browse Solutions' });
    expect(await title.evaluate((one) => one.closest('[inert]') !== null)).toBe(true);
    const opener = page.getByRole('button', { name: 'Filters 1 chosen' });
    // A look under the drawer would find hidden elements, so each press must reach its target.
    for (const close of [/^Show \d+ solution/, 'Close filters']) {
      await press(drawer, close);
      await drawer.waitFor({ state: 'hidden' });
      await expectFocus(opener);
      await opener.click();
    }
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await follow(page, 'Remove Carbon Fiber', { url: /\/browse$/ });
  });
});

describe('the list', () => {
  it('is sorted, shown as list or grid, and both stay in the address', {
    tags: 'system/browse',
  }, async () => {
    const page = await list('/browse');
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('popular');
    await page.waitForURL(/sort=popular/);
    await page.getByText('List', { exact: true }).click();
    await page.waitForURL(/view=list/);
    await page.reload();
    expect(await page.getByRole('combobox', { name: 'Sort' }).inputValue()).toBe('popular');
    expect(await page.getByRole('radio', { name: 'List' }).isChecked()).toBe(true);
  });

  it('is where it was when one comes back from a solution', async () => {
    const { id } = await site.member('Ingrid');
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => site.publish(id, `Quokka series, fitting ${n + 1}`)),
    );
    const page = await list('/browse?q=quokka');
    await page.getByText('60 solutions found').waitFor();
    await page.getByText('24 of 60 shown').scrollIntoViewIfNeeded();
    await page.getByText('48 of 60 shown').waitFor();
    await page.waitForURL(/page=2/);
    const card = cards(page).nth(30);
    await card.scrollIntoViewIfNeeded();
    const title = (await card.getByRole('heading').textContent()) ?? '';
    const scrollPosition = () => page.evaluate(() => window.scrollY);
    const before = await scrollPosition();
    expect(before).toBeGreaterThan(500);
    await card.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
    expect(await cards(page).count()).toBeGreaterThanOrEqual(48);
    await expect.poll(async () => Math.abs((await scrollPosition()) - before)).toBeLessThan(100);
  });

  it('lets an admin delete, with the question and the specified words', {
    tags: 'system/delete',
  }, async () => {
    const { id } = await site.member('Tova');
    for (const side of ['left', 'right']) await site.publish(id, `Toucan grip, ${side}`);
    const { page } = await site.joins('Adeola', { role: 'admin', at: '/browse?q=toucan' });
    await page.getByText('2 solutions found').waitFor();
    await page
      .getByRole('button', { name: /^Delete Toucan/ })
      .first()
      .click();
    await page.getByText('Are you sure you want to delete this solution?').waitFor();
    await press(page.getByRole('dialog').or(page.getByRole('alertdialog')), 'Delete');
    await says(page, 'Solution deleted successfully', '1 solutions found');
  });
});

it('works as a plain form without JavaScript', async () => {
  const page = await site.visit('/browse', { javaScriptEnabled: false });
  await page.getByLabel('Search solutions').last().fill('transtibal');
  await page.getByLabel('Search solutions').last().press('Enter');
  await page.waitForURL(/q=transtibal/);
  await page.getByText('No results for “transtibal”').waitFor();
  expect(await page.locator('mark').count()).toBeGreaterThan(0);
  // No button is shown that leads nowhere, here and where one would like and comment.
  await page.locator('article a').first().click();
  await page.waitForURL(/\/solutions\//);
  await page.getByRole('heading', { name: /^Discussion/ }).waitFor();
  for (const control of ['button[type=button]:not([popovertarget])', 'form[method=dialog]', 'select'])
    expect(await page.locator(`${control}:visible`).count(), control).toBe(0);
});
