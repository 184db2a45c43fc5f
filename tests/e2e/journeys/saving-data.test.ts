import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { follow, press } from '../steps.ts';

const site = openSite({ demo: true });
/** What a reader on a slow line waits for: seven and a half seconds at 64 kbit/s. */
const MAX_CASE_BYTES = 60_000;
let pictured: string;

/** The page of a device that asks to save data, and what has come over its line. */
async function saver(page: Page) {
  await page.context().setExtraHTTPHeaders({ 'save-data': 'on' });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const line = { bytes: 0, paths: [] as string[] };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    line.bytes += encodedDataLength;
  });
  page.on('request', (request) => {
    if (request.url().startsWith('http')) line.paths.push(new URL(request.url()).pathname);
  });
  return line;
}

const isDrawn = (page: Page) =>
  page
    .locator('[aria-label="Gallery, scrolls sideways"] img')
    .first()
    .evaluate((image: HTMLImageElement) => image.currentSrc.startsWith('http') && image.naturalWidth > 0);
const scriptsIn = (paths: string[]) => paths.filter((path) => path.endsWith('.js'));

beforeAll(async () => {
  const [image] = await site.rows('solution_media', 'solution_id, solutions!inner(status)', {
    'solutions.status': 'approved',
    media_type: 'image',
    position: 2,
  });
  pictured = `/solutions/${image.solution_id}`;
});

describe('a device that asks to save data', () => {
  it('reads a case without its images, its font and its code, and is shown the images when it asks', async () => {
    const page = await site.person({ width: 360 });
    const line = await saver(page);
    await page.goto(pictured);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState('networkidle');
    expect(line.bytes).toBeGreaterThan(5_000);
    expect(line.bytes).toBeLessThanOrEqual(MAX_CASE_BYTES);
    expect(line.paths.filter((path) => /\.(?:js|woff2|webp|jpe?g|png)$/.test(path))).toEqual([]);
    expect(await isDrawn(page)).toBe(false);
    await expectAccessible(page, 'a page whose images wait');
    await follow(page, 'Show the images', { url: /[?]images$/ });
    await expect.poll(() => isDrawn(page)).toBe(true);
    expect(scriptsIn(line.paths)).toEqual([]);
  });

  it('has a press done that needs the site’s code, which comes with it', async () => {
    const page = await site.person({ width: 360 });
    const line = await saver(page);
    await page.goto(pictured);
    await page.waitForLoadState('networkidle');
    expect(scriptsIn(line.paths)).toEqual([]);
    await press(page, 'Share');
    await page.getByRole('dialog', { name: 'Share this solution' }).waitFor();
    expect(await isDrawn(page)).toBe(false);
  });

  it('is a member’s page as any other, whose images wait', async () => {
    const member = await site.member('Sparing');
    const page = await site.signedIn(member.email);
    await saver(page);
    await page.goto(pictured);
    await page.getByRole('textbox', { name: 'Comment' }).fill('Read on a ship');
    await press(page, 'Post comment', { toast: 'Comment posted successfully' });
    expect(await isDrawn(page)).toBe(false);
  });
});

it('any other device is shown the same case with its images', async () => {
  const page = await site.person();
  await page.goto(pictured);
  await expect.poll(() => isDrawn(page)).toBe(true);
  expect(await page.getByRole('link', { name: 'Show the images' }).count()).toBe(0);
});
