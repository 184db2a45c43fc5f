// @module-tag whole

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { SECRET } from '../../media/files.ts';
import { binaryCube, cube3mf, svg } from '../../media/models.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, tickAll } from '../site.ts';
import { expectFocusWithin, expectLoaded, press } from '../steps.ts';
import { files, fill, jpeg, rowsOf, submit, toLaterParts } from './form.ts';

const site = openSite();
const { solutions } = rowsOf(site);

/** The part of the view that the model covers, in thousandths: pixels whose colour is not the corner's. */
async function drawn(page: Page): Promise<number> {
  const shot = await page.locator('canvas').screenshot();
  const { data, info } = await sharp(shot)
    .resize(200, 200)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const corner = 3 * (5 * info.width + 5);
  const differs = (at: number) =>
    [0, 1, 2].some((channel) => Math.abs((data[at + channel] ?? 0) - (data[corner + channel] ?? 0)) > 12);
  const pixels = Array.from({ length: data.length / 3 }, (_, index) => index * 3);
  return Math.round((pixels.filter(differs).length / pixels.length) * 1000);
}

it('a model and a drawing are shared, turned and cut by the moderator by key, and looked at by a visitor with and without 3D', async () => {
  const { page: author } = await site.joins('Modeller', { at: '/upload', width: 360 });
  await fill(author, 'Cube that holds a pen');
  await files(author)
    .first()
    .setInputFiles([await jpeg('cube.jpg')]);
  await toLaterParts(author);
  await author.locator('summary', { hasText: 'Build files' }).click();
  const sent = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });
  await author
    .getByLabel('Add build files')
    .setInputFiles([
      sent('cube.stl', binaryCube()),
      sent('cube.3mf', Buffer.from(cube3mf())),
      sent('pattern.svg', Buffer.from(svg(''))),
      sent('empty.stl', Buffer.alloc(84)),
    ]);
  for (const kind of ['STL model', '3MF model', 'SVG drawing'])
    await author.getByText(new RegExp(`^${kind} · [\\d.]+\\s(KB|bytes) · uploaded$`)).waitFor();
  await press(author, 'Remove empty.stl');
  await submit(author);
  await author.waitForURL('/');
  const [shared] = await solutions('Cube that holds a pen');
  const id = shared?.id ?? '';

  const { page: moderator } = await site.joins('Turner', { role: 'moderator', at: '/admin?tab=queue' });
  await press(moderator, 'Open 3D view of cube.3mf');
  const view = moderator.getByRole('application', {
    name: /^3D view\. cube\.3mf, 3MF model, 20 × 20 × 20 mm, 12 triangles/,
  });
  await view.waitFor();
  await view.focus();
  await expect.poll(() => drawn(moderator)).toBeGreaterThan(50);
  const before = await drawn(moderator);
  for (const key of ['+', '+', '+']) await moderator.keyboard.press(key);
  await expect.poll(() => drawn(moderator)).toBeGreaterThan(before);
  await moderator.keyboard.press('Home');
  await expect.poll(() => drawn(moderator)).toBe(before);
  await expectAccessible(moderator, 'the 3D view');
  await moderator.getByRole('switch', { name: 'Section plane' }).click();
  const slider = moderator.getByRole('slider', { name: 'Position of the cut' });
  await slider.focus();
  await moderator.keyboard.press('Home');
  expect(await slider.getAttribute('aria-valuetext')).toBe('0.0 mm of 20 mm');
  await expect.poll(() => drawn(moderator)).toBeLessThan(before);
  await moderator.keyboard.press('Escape');
  await tickAll(moderator);
  await press(moderator, 'Approve', { toast: 'Solution approved' });

  const visitor = await site.visit(`/solutions/${id}#build-this`, { width: 360 });
  const section = visitor.getByRole('region', { name: 'Build files' });
  await section.getByText(/^STL model · 20 × 20 × 20 mm · [\d.]+\s(KB|bytes)$/).waitFor();
  expect(
    await visitor.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => /model-stage/.test(name)),
    ),
  ).toBe(false);
  await press(section, 'Open 3D view of cube.stl');
  await expect.poll(() => drawn(visitor)).toBeGreaterThan(50);
  await press(visitor, 'Close');
  await press(section, 'Enlarge drawing of pattern.svg');
  const drawing = visitor.getByRole('dialog');
  await expectLoaded(drawing.getByRole('img', { name: /^pattern\.svg, SVG drawing/ }));
  await expectFocusWithin(drawing);
  await visitor.keyboard.press('Escape');
  const href = await section.getByRole('link', { name: 'Download cube.stl' }).getAttribute('href');
  const content = Buffer.from(await (await fetch(new URL(href ?? '', visitor.url()))).arrayBuffer());
  expect(content.length).toBe(84 + 12 * 50);
  expect(content.includes(SECRET)).toBe(false);

  // A browser without WebGL shows the still picture and says so.
  const plain = await site.person();
  await plain.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (
      this: HTMLCanvasElement,
      kind: string,
      ...rest: unknown[]
    ) {
      return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...rest]);
    } as typeof getContext;
  });
  await plain.goto(`/solutions/${id}`);
  await press(plain, 'Open 3D view of cube.stl', 'Your browser can’t show 3D here');
  await expectLoaded(plain.getByRole('img', { name: /^Still image\. cube\.stl, STL model/ }));
});
