// @module-tag whole

import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import {
  chooseMore,
  expectFocus,
  expectLoaded,
  fillAndPress,
  fillIn,
  follow,
  press,
  reload,
  says,
} from '../steps.ts';
import { files, fill, jpeg, rowsOf, submit, toLaterParts, toStep } from './form.ts';

const site = openSite();
const { drafts, solutions } = rowsOf(site);

it('how a solution is built is shared on a phone, kept in the draft, shown with its images, and printed as a workshop sheet', async () => {
  const { id: owner, page: author } = await site.joins('Builder', { at: '/upload', width: 360 });
  await fill(author, 'Gripper with a parts list');
  await files(author).setInputFiles([await jpeg('bench.jpg')]);
  await toLaterParts(author);
  expect(await author.getByRole('button', { name: 'Add a part' }).isVisible()).toBe(false);
  await author.locator('summary', { hasText: 'How to build it' }).click();
  await fillAndPress(author, { 'Hours of work': '6,5', Tools: 'Heat gun\nAlignment jig' }, 'Add a part');
  await fillIn(author, {
    'Part 1': 'Pyramid adapter',
    Maker: 'Ottobock',
    'Part number': '4R54',
    Quantity: '2',
    'Cost of one': '85.10',
  });
  await author.getByLabel('Link optional', { exact: true }).fill('maker.example/4r54');
  await press(author, 'Add a step');
  await author.getByLabel('Step 1', { exact: true }).fill('Cut the webbing.');
  await press(author, 'Add another step');
  await author.getByLabel('Step 2', { exact: true }).fill('Warm the sheet to 165 °C.');
  await author.getByLabel('Image of step 2').selectOption('bench.jpg');
  await press(author, 'Move up step 2');
  expect(await author.getByLabel('Step 1', { exact: true }).inputValue()).toBe('Warm the sheet to 165 °C.');
  await expectAccessible(author, 'fabrication in the form');
  await press(author, 'Continue', 'Please choose the currency of the costs');
  await author.getByText('A link must begin with https:// or http://').waitFor();
  const link = author.getByLabel('Link optional', { exact: true });
  await expectFocus(link);
  await link.fill('https://maker.example/4r54');
  await author.getByLabel('Currency of the costs').selectOption('EUR');

  // A draft keeps it.
  await expect.poll(async () => JSON.stringify(await drafts(owner))).toContain('https://maker.example/4r54');
  await reload(author, 'Draft restored.');
  expect(await author.getByLabel('Part number').inputValue()).toBe('4R54');
  await toStep(author, 3);
  await author.getByLabel('A parent or guardian has consented in writing').check();
  await submit(author);
  await author.waitForURL('/');
  const [shared] = await solutions('Gripper with a parts list');
  const id = shared?.id ?? '';
  // Who decides reads it first.
  const { page: moderator } = await site.joins('Reviewer', { role: 'moderator', at: '/admin?tab=queue' });
  const reviewed = moderator.getByRole('region', { name: 'How to build it' });
  await reviewed.getByText('Warm the sheet to 165 °C.').waitFor();
  await expectLoaded(reviewed.getByRole('img', { name: 'Step 1' }));
  await site.change('solutions', { id }, { status: 'approved' });

  const visitor = await site.visit(`/solutions/${id}#build-this`, { width: 360 });
  const section = visitor.getByRole('region', { name: 'How to build it' });
  await says(section, '6.5 hours', 'Heat gun, Alignment jig');
  await section.getByText('170.20 EUR').first().waitFor();
  expect(await section.getByRole('link', { name: 'Link to Pyramid adapter' }).getAttribute('rel')).toContain(
    'nofollow',
  );
  await expectLoaded(section.getByRole('img', { name: 'Step 1' }));
  await expectAccessible(visitor, 'fabrication on the page');
  await follow(section, 'Workshop sheet', { url: `/solutions/${id}/workshop-sheet` });
  await visitor.getByRole('heading', { level: 1, name: 'Gripper with a parts list' }).waitFor();
  await visitor.getByText(/, version 1, \w{3}\s\d{1,2},\s\d{4}$/).waitFor();
  await expectAccessible(visitor, 'the workshop sheet');
  await visitor.emulateMedia({ media: 'print' });
  await visitor.getByText('https://maker.example/4r54').waitFor();
  expect(await visitor.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect((await visitor.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');

  // A moderator warns of the part, which each who saved a solution with it is told of.
  const { id: reader, page: told } = await site.joins('Saver', { width: 360 });
  const collection = await site.insert('collections', { user_id: reader, title: 'Grippers' });
  await site.insert('collection_items', { collection_id: collection, user_id: reader, solution_id: id });
  await moderator.goto(`/browse?q=${encodeURIComponent('otto bock 4 R 54')}`);
  await moderator.getByRole('article').getByText('Gripper with a parts list').click();
  await chooseMore(moderator, 'Safety notice on a part');
  const dialog = moderator.getByRole('dialog');
  await press(dialog, 'Publish notice', 'Please say what readers need to know');
  await dialog.getByLabel('Do not use').check();
  await dialog.getByLabel('What do readers need to know?').fill('The clamping screw shears.');
  await expectAccessible(moderator, 'the dialog of a notice on a part');
  await press(dialog, 'Publish notice', { toast: 'Safety notice published' });
  const notice = { name: 'Safety notices on parts' };
  await visitor.emulateMedia({ media: 'screen' });
  await reload(visitor, 'Do not use: Ottobock 4R54.');
  await expectAccessible(visitor, 'the workshop sheet with a notice');
  await visitor.goto(`/solutions/${id}`);
  await says(visitor.getByRole('region', notice), 'The clamping screw shears.');
  await expectAccessible(visitor, 'a solution with a notice on a part');
  await told.goto('/notifications');
  const warning = told.getByRole('listitem').filter({ hasText: 'Do not use: Ottobock 4R54' });
  await says(warning, 'The clamping screw shears.', 'Safety notice on a part you shared, tried or saved');
  await expectAccessible(told, 'the notification of a notice on a part');
  await warning.getByRole('link', { name: /^View the solutions/ }).click();
  await told.waitForURL('/browse?q=Ottobock%204R54');
  await says(told.getByRole('article'), 'Do not use a part', 'Gripper with a parts list');
  await chooseMore(moderator, 'Safety notice on a part');
  // Enter in the first field ends nothing, and what ends the notice says how far it reaches.
  await expectFocus(dialog.getByLabel('Part'));
  await press(dialog, /^Withdraw/);
  await dialog.getByText('This withdraws the notice from 1 solution.').waitFor();
  await press(dialog, 'Withdraw notice', { toast: 'Safety notice withdrawn' });
  await visitor.reload();
  await visitor.getByRole('heading', { level: 1, name: 'Gripper with a parts list' }).waitFor();
  expect(await visitor.getByRole('region', notice).count()).toBe(0);

  // A solution without parts and steps has no sheet.
  await site.remove('solution_fabrication', { solution_id: id });
  expect((await visitor.goto(`/solutions/${id}/workshop-sheet`))?.status()).toBe(404);
});
