// @module-tag whole

import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listening } from '../../conformance/auth/fixtures.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { openBrowser } from '../browser.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { files, fill, rowsOf, submit, toStep } from '../share/form.ts';
import { openSite, signIn } from '../site.ts';
import { expectLoaded, follow, press } from '../steps.ts';

const site = openSite({ demo: true });
const { solutions } = rowsOf(site);
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
    .locator('[data-strip] img')
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

/** Ten times a second so many bytes are 64 kbit/s. */
const TENTH_BYTES = 800;
const TITLE = 'Sent over a line of the last century';
const PHOTOGRAPH = 'supabase/seed/pictures/full/child-hand/b74a795af678e519.webp';

/**
 * What is between a phone and the site, which counts the bytes of each upload that pass. What the browser can be told of a slow line
 * slows its downloads alone: it writes an upload at once, and says so later.
 */
async function openMast() {
  const uploads: number[] = [];
  const state = { isSlow: false, isCut: false };
  let line = Promise.resolve();
  /** All that passes in one direction or the other shares the line. */
  async function* passing(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += TENTH_BYTES) {
        if (state.isSlow) {
          line = line.then(() => pause(100));
          await line;
        }
        yield chunk.subarray(at, at + TENTH_BYTES);
      }
  }
  const server = createServer((incoming, response) => {
    const { method, headers, url = '' } = incoming;
    const broken = () => response.destroy();
    const outgoing = request(url, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, passing, response).catch(broken);
    });
    const place = url.includes('process-media-upload') ? uploads.push(0) - 1 : undefined;
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (place !== undefined) uploads[place] = (uploads[place] ?? 0) + chunk.length;
        yield chunk;
      }
    };
    pipeline(incoming, passing, counted, outgoing).catch(broken);
  });
  server.on('connection', (socket) => state.isCut && socket.destroy());
  const address = await listening(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    server: `http://${address}`,
    uploads,
    slow: () => {
      state.isSlow = true;
    },
    cut: () => {
      state.isCut = true;
      server.closeAllConnections();
    },
    mend: () => {
      state.isCut = false;
    },
  };
}

describe('a phone on a line of 64 kbit/s', () => {
  it('shares a case whole, though the line is cut while its photograph is sent', async () => {
    const { id, email } = await site.member('Slow');
    const mast = await openMast();
    const browser = await openBrowser();
    const context = await browser.newContext({
      baseURL: site.url(),
      viewport: { width: 360, height: 800 },
      proxy: { server: mast.server },
      serviceWorkers: 'block',
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await signIn(page, email);
    await page.goto('/upload');
    const buffer = await sharp(readFileSync(PHOTOGRAPH)).resize({ width: 1200 }).jpeg().toBuffer();
    await files(page).setInputFiles([{ name: 'bench.jpg', mimeType: 'image/jpeg', buffer }]);
    await fill(page, TITLE);
    await toStep(page, 3);
    mast.slow();
    await submit(page);

    await expect.poll(() => mast.uploads[0] ?? 0, { timeout: TIMEOUT_MS }).toBeGreaterThan(buffer.length / 5);
    mast.cut();
    await context.setOffline(true);
    await page.getByRole('heading', { name: 'Waiting to be sent' }).waitFor();
    await page.getByText(`“${TITLE}” and 1 file are saved on this device.`).waitFor();
    expect(mast.uploads).toEqual([expect.any(Number)]);
    expect(mast.uploads[0]).toBeLessThan(buffer.length);
    expect(await solutions(TITLE)).toEqual([]);

    mast.mend();
    await context.setOffline(false);
    await expect.poll(() => solutions(TITLE), { timeout: TIMEOUT_MS }).toHaveLength(1);
    expect(mast.uploads).toHaveLength(2);
    expect(mast.uploads[1]).toBeGreaterThan(buffer.length);
    const [solution] = await solutions(TITLE);
    expect(solution).toMatchObject({ user_id: id, status: 'pending', solution_media: [{}] });

    const { page: moderator } = await site.joins('Queue', {
      role: 'moderator',
      at: `/admin?tab=queue&item=${solution?.id}`,
    });
    await moderator.getByRole('heading', { name: TITLE }).waitFor();
    await moderator.getByText('A printed gripper that opens').first().waitFor();
    await expectLoaded(moderator.getByRole('main').locator('img[src*="/object/sign/"]').first());
  });
});

it('any other device is shown the same case with its images', async () => {
  const page = await site.person();
  await page.goto(pictured);
  await expect.poll(() => isDrawn(page)).toBe(true);
  expect(await page.getByRole('link', { name: 'Show the images' }).count()).toBe(0);
});
