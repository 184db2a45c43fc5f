import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { expectLoaded, files, fill, jpeg, rowsOf, submit } from './form.ts';

const site = openSite();
const { drafts, solutions } = rowsOf(site);

it('how a solution is built is shared on a phone, kept in the draft, shown with its images, and printed as a workshop sheet', async () => {
  const { id: owner, email } = await site.member('Builder');
  const author = await site.signedIn(email, { width: 360 });
  await author.goto('/upload');
  await fill(author, 'Gripper with a parts list');
  await files(author).setInputFiles([await jpeg('bench.jpg')]);
  await author.getByRole('button', { name: 'Options for bench.jpg' }).waitFor();
  expect(await author.getByRole('button', { name: 'Add a part' }).isVisible()).toBe(false);
  await author.locator('summary', { hasText: 'How to build it' }).click();
  await author.getByLabel('Hours of work').fill('6,5');
  await author.getByLabel('Tools').fill('Heat gun\nAlignment jig');
  await author.getByRole('button', { name: 'Add a part' }).click();
  await author.getByLabel('Component 1').fill('Pyramid adapter');
  await author.getByLabel('Maker').fill('Ottobock');
  await author.getByLabel('Part number').fill('4R54');
  await author.getByLabel('Quantity').fill('2');
  await author.getByLabel('Cost of one').fill('85.10');
  await author.getByLabel('Link', { exact: true }).fill('maker.example/4r54');
  await author.getByRole('button', { name: 'Add a step' }).click();
  await author.getByLabel('Step 1', { exact: true }).fill('Cut the webbing.');
  await author.getByRole('button', { name: 'Add another step' }).click();
  await author.getByLabel('Step 2', { exact: true }).fill('Warm the sheet to 165 °C.');
  await author.getByLabel('Image of step 2').selectOption('bench.jpg');
  await author.getByRole('button', { name: 'Move up step 2' }).click();
  expect(await author.getByLabel('Step 1', { exact: true }).inputValue()).toBe('Warm the sheet to 165 °C.');
  await expectAccessible(author, 'fabrication in the form');
  await submit(author);
  const alert = author.getByRole('alert');
  await alert.getByRole('link', { name: 'Please choose the currency of the costs' }).waitFor();
  await alert.getByRole('link', { name: 'A link must begin with https:// or http://' }).click();
  const link = author.getByLabel('Link', { exact: true });
  await expect.poll(() => link.evaluate((input) => input === document.activeElement)).toBe(true);
  await link.fill('https://maker.example/4r54');
  await author.getByLabel('Currency of the costs').selectOption('EUR');

  // A draft keeps it.
  await expect.poll(async () => JSON.stringify(await drafts(owner))).toContain('https://maker.example/4r54');
  await author.reload();
  await author.getByText('Draft restored.').waitFor();
  expect(await author.getByLabel('Part number').inputValue()).toBe('4R54');
  await author.getByLabel('A parent or guardian has consented in writing').check();
  await submit(author);
  await author.waitForURL('/');
  const [shared] = await solutions('Gripper with a parts list');
  const id = shared?.id ?? '';
  // Who decides reads it first.
  const moderator = await site.signedIn((await site.member('Reviewer', 'moderator')).email);
  await moderator.goto('/admin?tab=queue');
  const reviewed = moderator.getByRole('region', { name: 'How to Build It' });
  await reviewed.getByText('Warm the sheet to 165 °C.').waitFor();
  await expectLoaded(reviewed.getByRole('img', { name: 'Step 1' }));
  await site.service().from('solutions').update({ status: 'approved' }).eq('id', id).throwOnError();

  const visitor = await site.person({ width: 360 });
  await visitor.goto(`/solutions/${id}`);
  const section = visitor.getByRole('region', { name: 'How to Build It' });
  await section.getByText('6.5 hours').waitFor();
  await section.getByText('Heat gun, Alignment jig').waitFor();
  await section.getByText('170.20 EUR').first().waitFor();
  expect(await section.getByRole('link', { name: 'Link to Pyramid adapter' }).getAttribute('rel')).toContain(
    'nofollow',
  );
  await expectLoaded(section.getByRole('img', { name: 'Step 1' }));
  await expectAccessible(visitor, 'fabrication on the page');
  await section.getByRole('link', { name: 'Workshop sheet' }).click();
  await visitor.waitForURL(`/solutions/${id}/workshop-sheet`);
  await visitor.getByRole('heading', { level: 1, name: 'Gripper with a parts list' }).waitFor();
  await visitor.getByText(/, version 1, \d+ \w+ \d{4}$/).waitFor();
  await expectAccessible(visitor, 'the workshop sheet');
  await visitor.emulateMedia({ media: 'print' });
  await visitor.getByText('https://maker.example/4r54').waitFor();
  expect(await visitor.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect((await visitor.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');

  // A solution without parts and steps has no sheet.
  await site.service().from('solution_fabrication').delete().eq('solution_id', id).throwOnError();
  expect((await visitor.goto(`/solutions/${id}/workshop-sheet`))?.status()).toBe(404);
});
