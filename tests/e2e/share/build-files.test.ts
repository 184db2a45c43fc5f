// @module-tag whole

import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { officePdf } from '../../media/build-files.ts';
import { SECRET } from '../../media/files.ts';
import { binaryCube } from '../../media/models.ts';
import { BACKGROUND_TIMEOUT_MS } from '../../timeouts.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, tickAll } from '../site.ts';
import { expectFocus, expectFocusWithin, expectLoaded, press, reload, says } from '../steps.ts';
import { files, fill, jpeg, rowsOf, submit, toLaterParts, toStep } from './form.ts';

const site = openSite();
const { drafts, solutions } = rowsOf(site);

it('a PDF is shared on a phone, kept in the draft, read by the moderator page by page, and downloaded without its author’s data', async () => {
  const { id: owner, page: author } = await site.joins('Drafter', { at: '/upload', width: 360 });
  await fill(author, 'Clamp with a cutting plan');
  await toLaterParts(author);
  const picker = author.getByLabel('Add build files');
  expect(await picker.count()).toBe(0);
  // One that is chosen among the images is led to its place, which unfolds.
  await toStep(author, 1);
  const stl = { name: 'clamp.stl', mimeType: 'model/stl', buffer: binaryCube() };
  await files(author)
    .first()
    .setInputFiles([await jpeg('clamp.jpg'), stl]);
  await says(
    author.getByRole('listitem').filter({ hasText: 'clamp.stl' }),
    'clamp.stl: Only JPEG, PNG, and WebP images are accepted. Add it under “Build files”.',
    'Invalid Image Format',
  );
  await expectAccessible(author, 'a build file among the images');
  await press(author, 'Add clamp.stl to build files');
  await author.getByText('You’ll find it in the next step.').waitFor();
  await toStep(author, 2);
  await author.getByText(/STL model · \d+\sbytes · uploaded/).waitFor();
  await press(author, 'Remove clamp.stl');
  const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });
  await picker.setInputFiles([
    pdf('notes.pdf', Buffer.from('No PDF at all')),
    pdf('plan.pdf', await officePdf()),
  ]);
  await author.getByText('Only PDF, STL, 3MF, STEP, SVG and DXF files are accepted.').waitFor();
  await author.getByText(/PDF document · [\d.]+\sKB · uploaded/).waitFor();
  // The header that stays in view would lie over one of the answers.
  await author.evaluate(() => scrollTo(0, 0));
  await expectAccessible(author, 'build files in the form');

  // A file that was refused is named, and everything else stays.
  await press(author, 'Remove notes.pdf');
  const file = author.getByRole('group', { name: 'Build file 1' });
  await file.getByLabel('Licence').selectOption('CC BY-SA 4.0');
  await file.getByLabel('What it is for').fill('Cutting plan at full size');
  await expect.poll(async () => JSON.stringify(await drafts(owner))).toContain('Cutting plan at full size');
  await reload(author, 'Draft restored.');
  expect(await file.getByLabel('Licence').inputValue()).toBe('CC BY-SA 4.0');
  await toStep(author, 3);
  await author.getByLabel('A parent or guardian has consented in writing').check();
  await submit(author);
  await author.waitForURL('/');
  const [shared] = await solutions('Clamp with a cutting plan');
  const id = shared?.id ?? '';

  const { page: moderator } = await site.joins('Reader', { role: 'moderator', at: '/admin?tab=queue' });
  const read = moderator.getByRole('button', { name: 'Read pages of plan.pdf' });
  await read.focus();
  await moderator.keyboard.press('Enter');
  const viewer = moderator.getByRole('dialog');
  await expectLoaded(viewer.getByRole('img', { name: /^Page 1 of 2\. Cutting plan, page 1/ }));
  await expectFocusWithin(viewer);
  await moderator.keyboard.press('ArrowRight');
  await expectLoaded(viewer.getByRole('img', { name: /^Page 2 of 2\. Cutting plan, page 2/ }));
  await moderator.keyboard.press('Escape');
  await expectFocus(read);
  await tickAll(moderator);
  // The files stay in the private bucket until a visitor has opened the page, and move while it is read.
  const database = new pg.Client({ connectionString: site.instance().databaseUrl });
  await database.connect();
  await database.query(
    `create function private.hold_job() returns trigger language plpgsql as 'begin new.claimed_at := now(); return new; end';
     create trigger hold before insert on media_jobs for each row execute function private.hold_job()`,
  );
  await press(moderator, 'Approve', { toast: 'Solution approved' });

  const visitor = await site.visit('/browse?filter=Has+build+files', { width: 360 });
  const card = visitor.locator('.solution-card', { hasText: 'Clamp with a cutting plan' });
  await card.getByText('Build files', { exact: true }).waitFor();
  await visitor.goto(`/solutions/${id}#build-this`);
  const section = visitor.getByRole('region', { name: 'Build files' });
  await says(section, 'Cutting plan at full size', /PDF document · 2 pages · [\d.]+\sKB/);
  expect(await section.getByRole('link', { name: 'CC BY-SA 4.0' }).getAttribute('href')).toBe(
    'https://creativecommons.org/licenses/by-sa/4.0/',
  );
  await expectAccessible(visitor, 'build files on the page');
  await database.query('drop trigger hold on media_jobs; update media_jobs set claimed_at = null');
  await expect
    .poll(async () => (await database.query('select file_url from solution_files')).rows[0].file_url, {
      timeout: BACKGROUND_TIMEOUT_MS,
    })
    .toContain('/solution-media/');
  await database.end();
  await press(section, 'Read pages of plan.pdf');
  await expectLoaded(visitor.getByRole('dialog').getByRole('img', { name: /^Page 1 of 2/ }));
  await expectAccessible(visitor, 'the pages of a build file');
  await visitor.keyboard.press('Escape');

  const link = section.getByRole('link', { name: 'Download plan.pdf' });
  const [download] = await Promise.all([visitor.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('plan.pdf');
  const content = await readFile(await download.path());
  expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  expect(content.includes(SECRET)).toBe(false);
  const answer = await fetch(new URL((await link.getAttribute('href')) ?? '', visitor.url()));
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const row = async () => await site.row('solution_files', 'downloads', { solution_id: id });
  await expect.poll(row).toEqual({ downloads: 1 });

  // A person whom a page names can ask for its removal.
  await visitor.goto(`/solutions/${id}/removal-request`);
  await visitor.getByLabel('plan.pdf').check();
  await visitor.getByLabel('I’m in the image', { exact: true }).check();
  await press(visitor, 'Send request', 'About one image');
  await moderator.goto('/admin?tab=queue');
  await moderator.getByRole('img', { name: '1 of 1 in the request, opens in a new tab' }).waitFor();
  await press(moderator, 'Hide the image now');
  await visitor.goto(`/solutions/${id}#build-this`);
  await visitor.getByRole('heading', { level: 1 }).waitFor();
  await expect
    .poll(async () => {
      await visitor.reload();
      return section.getByRole('link', { name: 'Download plan.pdf' }).count();
    })
    .toBe(0);
  // Its place says so, as that of an image does.
  await section.getByText('A build file is not shown, at the request of a person it concerns.').waitFor();
  // The file follows its row.
  await expect
    .poll(async () => (await fetch(answer.url)).status, { timeout: BACKGROUND_TIMEOUT_MS })
    .toBe(400);
});
