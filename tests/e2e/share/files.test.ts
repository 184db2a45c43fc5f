// @module-tag whole

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { phoneFilm, phonePicture } from '../../media/files.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { intercept, openSite } from '../site.ts';
import { expectLoaded, open, press, says } from '../steps.ts';
import { choose, fileNames, files, fill, jpeg, rowsOf, titleOf, toStep } from './form.ts';

const site = openSite();
const { solutions } = rowsOf(site);

const MB = 1024 * 1024;
/** Three pieces of 6 MB and less, most of it a box that players skip. */
const largeClip = async (name: string) => {
  const box = Buffer.alloc(13 * MB, Buffer.from('gait'));
  box.writeUInt32BE(box.length);
  box.write('free', 4, 'latin1');
  return { name, mimeType: 'video/mp4', buffer: Buffer.concat([await phoneFilm(), box]) };
};

/** Reads the darkest and the brightest sample of a square of a picture; place and size are parts of its width and height. */
async function shades(picture: Buffer) {
  const { width, height } = await sharp(picture).metadata();
  return async (x: number, y: number, size: number) => {
    const part = sharp(picture).extract({
      left: Math.round(x * width),
      top: Math.round(y * height),
      width: Math.round(size * width),
      height: Math.round(size * height),
    });
    const samples = await part.greyscale().raw().toBuffer();
    return { darkest: Math.min(...samples), brightest: Math.max(...samples) };
  };
}

describe('the files of a solution', () => {
  it.each([
    ['phone', 360],
    ['desk', 1280],
  ])('covers details, warns, and is one solution when sent twice, on a %s', async (name, width) => {
    const { page } = await site.joins(`Cover${name}`, { at: '/upload', width });
    let uploads = 0;
    page.on('request', (request) => {
      if (request.url().includes('process-media-upload')) uploads += 1;
    });
    await files(page).setInputFiles([await jpeg('bench.jpg'), await jpeg('side.jpg')]);
    await expectAccessible(page, 'held files');
    expect(uploads).toBe(0);

    await press(page, 'Hide details in bench.jpg');
    const dialog = page.getByRole('dialog');
    await press(dialog, 'Add a box');
    await press(dialog, 'Add a box');
    await press(dialog, 'Undo');
    const box = dialog.getByRole('button', { name: /^Box 1/ });
    await box.press('Shift+ArrowRight');
    await box.press('ArrowLeft');
    await expectLoaded(dialog.locator('img'));
    const picture = await dialog.locator('img').boundingBox();
    if (!picture) throw new Error('no picture');
    await page.mouse.move(picture.x + 2, picture.y + 2);
    await page.mouse.down();
    await page.mouse.move(picture.x + picture.width / 4, picture.y + picture.height / 4);
    await page.mouse.up();
    await dialog.getByText('2 boxes').waitFor();
    // The box that was drawn is chosen: dragged by its corner it grows, and by itself it moves.
    const drawn = dialog.getByRole('button', { name: /^Box 2/ });
    const size = async () => (await drawn.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const drag = async (from: { x: number; y: number }, by: number) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + by, from.y + by, { steps: 3 });
      await page.mouse.up();
    };
    const small = await size();
    await drag({ x: small.x + small.width, y: small.y + small.height }, 12);
    await expect.poll(async () => (await size()).width).toBeCloseTo(small.width + 12, 0);
    await drag({ x: small.x + 10, y: small.y + 10 }, 8);
    await expect.poll(async () => (await size()).x).toBeCloseTo(small.x + 8, 0);
    for (const _ of ['moved', 'resized']) await dialog.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await size()).width).toBeCloseTo(small.width, 0);
    await press(dialog, 'Zoom in');
    await expect.poll(async () => (await size()).width).toBeCloseTo(small.width * 1.5, 0);
    await press(dialog, 'Zoom out');
    await expectAccessible(page, 'the covering dialog');
    // The preview shows the sent picture: every pixel of a box is black, and the picture beside it is not.
    const seen = await shades(await dialog.locator('img').screenshot());
    expect(await seen(0.1, 0.1, 0.05)).toEqual({ darkest: 0, brightest: 0 });
    expect(await seen(0.45, 0.45, 0.05)).toEqual({ darkest: 0, brightest: 0 });
    expect((await seen(0.8, 0.8, 0.05)).darkest).toBeGreaterThan(40);
    await press(dialog, 'Apply permanently');
    await dialog.waitFor({ state: 'hidden' });

    expect(uploads).toBe(0);
    await choose(page, 'side.jpg', 'Move up');
    expect(await fileNames(page)).toEqual(['side.jpg', 'bench.jpg']);
    const title = `Handlebar gripper, ${name}`;
    await fill(page, title, `A printed gripper that opens under the child’s own pull. DOB 1/2/2015.`);
    await toStep(page, 1);
    // The header covers a part of what stands at the upper edge of the window.
    await page.getByText('This looks like it contains a date of birth.').scrollIntoViewIfNeeded();
    await expectAccessible(page, 'the warning');
    await toStep(page, 3);
    await page.getByRole('button', { name: 'Submit for review' }).dblclick();
    await page.getByText('Solution Submitted!').waitFor();
    await page.waitForURL('/');

    const [solution, ...others] = await solutions(title);
    expect(others).toEqual([]);
    expect(solution?.solution_media).toHaveLength(2);
    // The file on the server is black where the box was drawn, in one picture of the two.
    const corners = await Promise.all(
      solution.solution_media.map(async ({ media_url }: { media_url: string }) => {
        const answer = await fetch(site.url() + media_url, {
          headers: { authorization: `Bearer ${site.instance().serviceRoleKey}` },
        });
        const place = { left: 40, top: 40, width: 20, height: 20 };
        const corner = sharp(Buffer.from(await answer.arrayBuffer())).extract(place);
        return Math.max(...(await corner.removeAlpha().raw().toBuffer()));
      }),
    );
    expect(corners.filter((brightest) => brightest < 8)).toHaveLength(1);
  });

  it.each([
    ['light', 360],
    ['dark', 1280],
  ] as const)(
    'shows a box solid while it is drawn and when it is there, in %s',
    async (colorScheme, width) => {
      const { page } = await site.joins(`Coverer${colorScheme}`, {
        at: '/upload',
        width,
        colorScheme,
      });
      await files(page).setInputFiles([await jpeg('bench.jpg')]);
      await press(page, 'Hide details in bench.jpg');
      const picture = page.getByRole('dialog').locator('img');
      await expectLoaded(picture);
      const bare = await (await shades(await picture.screenshot()))(0.1, 0.1, 0.3);
      expect(bare.darkest).toBeGreaterThan(20);
      const area = await picture.boundingBox();
      if (!area) throw new Error('no picture');
      await page.mouse.move(area.x + 1, area.y + 1);
      await page.mouse.down();
      await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2, { steps: 4 });
      // While it is drawn, the picture below still shines through, so that the covered part is visible.
      const brightest = async () =>
        (await (await shades(await picture.screenshot()))(0.1, 0.1, 0.3)).brightest;
      await expect.poll(brightest).toBeLessThan(bare.brightest / 3);
      await page.mouse.up();
      await page.getByText('1 box', { exact: true }).waitFor();
      expect(await (await shades(await picture.screenshot()))(0.1, 0.1, 0.3)).toEqual({
        darkest: 0,
        brightest: 0,
      });
    },
  );

  it('goes on with a large clip where a lost line has stopped it, and sends no piece twice', async () => {
    const { page } = await site.joins('Lostline', { width: 360 });
    const sent: [number, 'arrived' | 'lost'][] = [];
    await page.route('**/upload/resumable/sign/*', (route) => {
      const request = route.request();
      if (request.method() !== 'PATCH') return route.continue();
      const isLost = sent.length === 1;
      sent.push([Number(request.headers()['upload-offset']) / MB, isLost ? 'lost' : 'arrived']);
      return isLost ? route.abort('connectionreset') : route.continue();
    });
    // Once all pieces have arrived, only the response of the processing is missing.
    const restore = await intercept(page, '**/process-media-upload', (route) =>
      route.abort('connectionreset'),
    );
    await page.goto('/upload');
    await files(page).setInputFiles([await largeClip('gait.mp4')]);
    await page.getByText('gait.mp4: The connection was lost. Please try again.').first().waitFor();
    expect(sent).toEqual([
      [0, 'arrived'],
      [6, 'lost'],
      [6, 'arrived'],
      [12, 'arrived'],
    ]);
    await expectAccessible(page, 'a clip that waits to be tried again');
    restore();
    await press(page, 'Retry gait.mp4', 'location data removed');
    expect(sent).toHaveLength(4);
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tus'))),
    ).toEqual([]);
    await fill(page, 'Gait on a slow line');
    await press(page, 'Submit for review', { url: '/' });
    const [solution] = await solutions('Gait on a slow line');
    expect(solution?.solution_media).toMatchObject([{ media_url: expect.stringMatching(/\.mp4$/) }]);
    const remaining = await site.service().storage.from('incoming-media').list('', { limit: 10 });
    expect(remaining.data).toEqual([]);
  });

  it('stops a large clip that is removed, and leaves nothing of it', async () => {
    const { page } = await site.joins('Remover');
    let pieces = 0;
    await page.route('**/upload/resumable/sign/*', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      pieces += 1;
      // The second piece never arrives, so that there is time to cancel.
      if (pieces === 1) return route.continue();
    });
    await page.goto('/upload');
    await files(page).setInputFiles([await largeClip('gait.mp4')]);
    await expect.poll(() => pieces).toBe(2);
    const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await choose(page, 'gait.mp4', 'Remove');
    expect((await ended).status()).toBe(204);
    expect(await page.getByText('gait.mp4').count()).toBe(0);
  });

  it('takes files that are dropped or pasted, stops one on its way, and goes on with the rest', async () => {
    const { page } = await site.joins('Dropper', { at: '/upload' });
    const picture = [...(await phonePicture('jpeg', 120, 80))];
    const dispatchFile = (name: string, type: string, how: 'drop' | 'paste') =>
      page.getByText('JPEG, PNG or WebP, each under 10MB').evaluate(
        (target, file) => {
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(file.bytes)], file.name, { type: file.type }));
          target.dispatchEvent(
            file.how === 'drop'
              ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
              : new ClipboardEvent('paste', { clipboardData: data, bubbles: true }),
          );
        },
        { name, type, how, bytes: picture },
      );
    await dispatchFile('dropped.jpg', 'image/jpeg', 'drop');
    await page.getByRole('button', { name: 'Options for dropped.jpg' }).waitFor();
    await dispatchFile('pasted.jpg', 'image/jpeg', 'paste');
    await page.getByRole('button', { name: 'Options for pasted.jpg' }).waitFor();

    // The first file never gets a response, so that there is time to cancel.
    let requests = 0;
    await page.route('**/process-media-upload', (route) => {
      requests += 1;
      if (requests > 1) return route.continue();
    });
    await choose(page, 'dropped.jpg', 'Upload now');
    await choose(page, 'pasted.jpg', 'Upload now');
    await expect.poll(() => requests).toBe(1);
    const stopped = page.waitForEvent('requestfailed', (one) => one.url().includes('process-media-upload'));
    await choose(page, 'dropped.jpg', 'Remove');
    await stopped;
    await page.getByText('location data removed').waitFor();
    expect(await page.getByText('dropped.jpg').count()).toBe(0);
  });

  it('keeps chosen files through a reload and into the other tab, in their order and with their words', async () => {
    const { page } = await site.joins('Keeper', { at: '/upload', width: 320 });
    await files(page).setInputFiles([await jpeg('first.jpg'), await jpeg('second.jpg')]);
    await page.getByLabel('Image description of second.jpg').fill('The strap from the side');
    const handle = page.getByRole('button', { name: /^Move second.jpg, 2 of 2/ });
    await handle.press('ArrowUp');
    await page.getByText('second.jpg is now 1 of 2').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(
      'second.jpg, 1 of 2',
    );
    await titleOf(page).fill('Photos that stay');
    await expectAccessible(page, 'chosen files at 320');

    const isKept = async (where: Page) => {
      await where.getByText('Draft restored.').waitFor();
      expect(await fileNames(where)).toEqual(['second.jpg', 'first.jpg']);
      expect(await where.getByLabel('Image description of second.jpg').inputValue()).toBe(
        'The strap from the side',
      );
    };
    await page.reload();
    await isKept(page);
    const other = await page.context().newPage();
    await other.goto('/upload');
    await press(other, 'Continue here');
    await isKept(other);

    // By hand as well: the first row is dragged below the second.
    await other.getByLabel('Image description of first.jpg').scrollIntoViewIfNeeded();
    const [grip, last] = await Promise.all([
      other.getByRole('button', { name: /^Move second.jpg/ }).boundingBox(),
      other.getByRole('button', { name: /^Move first.jpg/ }).boundingBox(),
    ]);
    if (!grip || !last) throw new Error('no rows');
    await other.mouse.move(grip.x + 20, grip.y + 20);
    await other.mouse.down();
    await other.mouse.move(last.x + 20, last.y + 160, { steps: 8 });
    await other.mouse.up();
    await expect.poll(() => fileNames(other)).toEqual(['first.jpg', 'second.jpg']);

    await fill(other, 'Photos that stay');
    await press(other, 'Submit for review', { url: '/' });
    const [solution] = await solutions('Photos that stay');
    expect(solution?.solution_media).toHaveLength(2);
    await other.close();
    await page.reload();
    await titleOf(page).waitFor();
    expect(await page.getByRole('button', { name: /^Options for/ }).count()).toBe(0);
  });

  it('keeps a video that became ready after its author had left the form', async () => {
    const { page } = await site.joins('Leaver');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const restore = await intercept(page, '**/process-media-upload', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/upload');
    await files(page).setInputFiles([{ name: 'gait.mp4', mimeType: 'video/mp4', buffer: await phoneFilm() }]);
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('link', { name: 'Browse' }).first().click();
    await page.waitForURL('/browse');
    const done = page.waitForResponse('**/process-media-upload');
    answer();
    await done;
    await expect
      .poll(() =>
        page.evaluate(
          () =>
            new Promise((resolve) => {
              const request = indexedDB.open('solution-draft-files');
              request.onsuccess = () => {
                const all = request.result.transaction('uploads').objectStore('uploads').getAll();
                all.onsuccess = () => {
                  request.result.close();
                  resolve(all.result.map(({ upload }) => upload.state));
                };
              };
            }),
        ),
      )
      .toEqual(['ready']);
    restore();
    await open(page, '/upload', 'location data removed');
    expect(await fileNames(page)).toEqual(['gait.mp4']);
  });

  it('names what is wrong with a file’s bytes, and offers no retry that would not help', async () => {
    const { page } = await site.joins('Wrongbytes', { at: '/upload' });
    await files(page).setInputFiles([
      { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo') },
    ]);
    // What its first bytes show is said when it is chosen.
    const row = page.getByRole('listitem').filter({ hasText: 'notes.jpg' });
    await says(row, 'notes.jpg: Only JPEG, PNG, and WebP images are accepted.', 'Invalid Image Format');
    expect(await page.getByRole('button', { name: 'Retry notes.jpg' }).count()).toBe(0);
  });

  it('keeps a file that the server was too slow for, and sends it again on request', async () => {
    const { page } = await site.joins('Slowserver');
    const message =
      'gait.mp4: This video takes too long to process. Please try again, or choose a shorter one.';
    await page.route(
      '**/process-media-upload',
      (route) => route.fulfill({ status: 503, json: { message } }),
      {
        times: 1,
      },
    );
    await page.goto('/upload');
    await files(page).setInputFiles([{ name: 'gait.mp4', mimeType: 'video/mp4', buffer: await phoneFilm() }]);
    await page.getByText(message).waitFor();
    await press(page, 'Retry gait.mp4', 'location data removed');
  });
});
