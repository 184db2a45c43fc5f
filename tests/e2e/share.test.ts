import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { phonePicture } from '../media/files.ts';
import { openSite, signIn } from './site.ts';

const site = openSite();
const description = 'A printed gripper that opens under the child’s own pull and lets go in a fall.';

const jpeg = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await phonePicture('jpeg'),
});
const files = (page: Page) => page.locator('input[type=file][multiple]');
const titleOf = (page: Page) => page.getByLabel('Title', { exact: true });

async function fill(page: Page, title: string, text = description) {
  await titleOf(page).fill(title);
  await page.getByLabel('Description', { exact: true }).fill(text);
  await page.getByLabel('Function in mind').selectOption('Sports & Athletics');
  await page.getByLabel('Amputation level').selectOption('Transradial (Below Elbow)');
  await page.getByLabel('Prosthesis type').selectOption('Body-Powered');
  await page.getByLabel('Cost range').selectOption('Low-cost (<$500)');
  await page.getByLabel('Children').check();
  await page.getByLabel('A parent or guardian has consented in writing').check();
}

async function accessible(page: Page, state: string) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    state,
  ).toEqual([]);
}

const soon = { timeout: 10_000 };
const solutions = async (title: string) =>
  (
    await site
      .service()
      .from('solutions')
      .select('id, identifiers, solution_media(media_url)')
      .eq('title', title)
  ).data ?? [];

describe('sharing a solution', () => {
  it.each([
    ['phone', 360],
    ['desk', 1280],
  ])('covers details, warns, and is one solution when sent twice, on a %s', async (name, width) => {
    const page = await site.person({ width });
    await signIn(page, (await site.member(`Cover${name}`)).email);
    await page.goto('/upload');
    let uploads = 0;
    page.on('request', (request) => {
      if (request.url().includes('process-media-upload')) uploads += 1;
    });
    await files(page).setInputFiles([await jpeg('bench.jpg'), await jpeg('side.jpg')]);
    await accessible(page, 'held files');
    expect(uploads).toBe(0);

    await page.getByRole('button', { name: 'Cover details in bench.jpg' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a box' }).click();
    await dialog.getByRole('button', { name: 'Add a box' }).click();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    const box = dialog.getByRole('button', { name: /^Box 1/ });
    await box.press('Shift+ArrowRight');
    await box.press('ArrowLeft');
    const picture = await dialog.locator('img').boundingBox();
    if (!picture) throw new Error('no picture');
    await page.mouse.move(picture.x + 2, picture.y + 2);
    await page.mouse.down();
    await page.mouse.move(picture.x + picture.width / 4, picture.y + picture.height / 4);
    await page.mouse.up();
    await dialog.getByText('2 boxes').waitFor();
    await accessible(page, 'the covering dialog');
    await dialog.getByRole('button', { name: 'Cover for good' }).click();
    await dialog.waitFor({ state: 'hidden' });

    expect(uploads).toBe(0);
    await page.getByRole('button', { name: 'Move side.jpg up' }).click();
    const title = `Handlebar gripper, ${name}`;
    await fill(page, title, `${description} DOB 1/2/2015.`);
    await page.getByText('It seems to hold: date of birth.').waitFor();
    await accessible(page, 'the warning');
    await page.getByRole('button', { name: 'Submit for review' }).dblclick();
    await page.getByText('Solution Submitted!').waitFor();
    await page.waitForURL('/');

    const [solution, ...others] = await solutions(title);
    expect(others).toEqual([]);
    expect(solution?.identifiers).toEqual(['date of birth']);
    expect(solution?.solution_media).toHaveLength(2);
    // What the server was given is black where the box was drawn, in one picture of the two.
    const corners = await Promise.all(
      (solution?.solution_media ?? []).map(async ({ media_url }) => {
        const answer = await fetch(site.url() + media_url, {
          headers: { authorization: `Bearer ${site.key('SERVICE_ROLE_KEY')}` },
        });
        const corner = sharp(Buffer.from(await answer.arrayBuffer())).extract({
          left: 40,
          top: 40,
          width: 20,
          height: 20,
        });
        return Math.max(...(await corner.removeAlpha().raw().toBuffer()));
      }),
    );
    expect(corners.filter((brightest) => brightest < 8)).toHaveLength(1);
  });

  it('keeps a draft for another device and forgets it everywhere', async () => {
    const { email, id } = await site.member('Drafter');
    const page = await site.person();
    await signIn(page, email);
    await page.goto('/upload');
    await titleOf(page).fill('Begun at the bench');
    await expect
      .poll(
        async () => (await site.service().from('solution_drafts').select('user_id').eq('user_id', id)).data,
        soon,
      )
      .toHaveLength(1);
    await page.context().setOffline(true);
    await titleOf(page).fill('Begun at the bench, and on the train');
    await page.context().setOffline(false);
    const other = await site.person({ width: 360 });
    await signIn(other, email);
    await expect
      .poll(
        async () =>
          JSON.stringify(
            (await site.service().from('solution_drafts').select('content').eq('user_id', id)).data,
          ),
        soon,
      )
      .toContain('on the train');
    await other.goto('/upload');
    await other.getByText('Your draft is back.').waitFor();
    expect(await titleOf(other).inputValue()).toBe('Begun at the bench, and on the train');
    await accessible(other, 'a draft that is back');
    await other.getByRole('button', { name: 'Discard it' }).click();
    await expect
      .poll(
        async () => (await site.service().from('solution_drafts').select('user_id').eq('user_id', id)).data,
        soon,
      )
      .toEqual([]);
    await page.reload();
    await expect.poll(() => titleOf(page).inputValue(), soon).toBe('');
  });

  it('says what failed and loses nothing: refused files, a lost line, a failed function', async () => {
    const page = await site.person({ width: 360 });
    await signIn(page, (await site.member('Unlucky')).email);
    await page.goto('/upload');
    await files(page).setInputFiles([
      { name: 'IMG_1.HEIC', mimeType: '', buffer: Buffer.from('x') },
      { name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024) },
      await jpeg('good.jpg'),
    ]);
    await page
      .getByText(/IMG_1\.HEIC: Only JPEG, PNG, and WebP images are accepted\./)
      .first()
      .waitFor();
    await page.getByText('big.png: Images must be under 10MB.').first().waitFor();
    await accessible(page, 'refused files');
    await fill(page, 'Sent on the third try');

    const submit = page.getByRole('button', { name: 'Submit for review' });
    await page.route('**/process-media-upload', (route) => route.abort('internetdisconnected'));
    await submit.click();
    await page.getByText('good.jpg: The connection was lost. Please try again.').first().waitFor();
    await page.unroute('**/process-media-upload');
    await page.route('**/process-media-upload', (route) =>
      route.fulfill({ status: 500, json: { message: 'good.jpg could not be read.' } }),
    );
    await page.getByRole('button', { name: 'Retry good.jpg' }).click();
    await page.getByText('good.jpg could not be read.').first().waitFor();
    await page.unroute('**/process-media-upload');
    expect(await titleOf(page).inputValue()).toBe('Sent on the third try');
    await page.getByRole('button', { name: 'Retry good.jpg' }).click();
    await submit.click();
    await page.waitForURL('/');
    expect(await solutions('Sent on the third try')).toHaveLength(1);
  });

  it('sends visitors to sign in', async () => {
    const page = await site.person();
    await page.goto('/upload');
    await page.getByText('Please log in to submit a solution').waitFor();
    await page.waitForURL('/auth');
  });
});
