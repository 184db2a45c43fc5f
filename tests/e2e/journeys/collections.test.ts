// @module-tag whole

import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { intercept, openSite, signInByForm } from '../site.ts';
import { expectLoaded, follow, open, press, reload, toast } from '../steps.ts';

const site = openSite();

it('a member saves cases with notes, shares the collection by its link, and takes the link back', async () => {
  const { id: user_id } = await site.member('Grace');
  const { email } = await site.member('Amara');
  const share = (title: string) => site.publish(user_id, title);
  const bow = await share('A hook that holds a bow');
  const cello = await share('A joint for the cello bow');
  const page = await site.visit(`/solutions/${bow}`, { as: email });
  await press(page, /^Save$/);
  const dialog = page.getByRole('dialog');
  // The name is offered once it is known that there is no collection yet.
  await expect.poll(() => dialog.getByLabel('New collection').inputValue()).toBe('Reading list');
  await press(dialog, 'Create and save');
  await dialog.getByRole('checkbox', { name: 'Reading list', checked: true }).waitFor();
  await expectAccessible(page, '/solutions, saving');
  await press(dialog, 'Done');
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  await page.goto(`/solutions/${cello}`);
  await press(page, /^Save$/);
  await dialog.getByRole('checkbox', { name: 'Reading list' }).click();
  await dialog.getByRole('checkbox', { name: 'Reading list', checked: true }).waitFor();
  await follow(dialog, 'View saved', { page: '2 solutions' });
  const reading = page.getByRole('listitem').filter({ hasText: 'Reading list' });
  expect(await reading.locator('img').count()).toBe(2);
  await expectLoaded(reading.locator('img').first());
  await press(page, 'New collection');
  await page.getByRole('dialog', { name: 'New collection' }).getByLabel('Title').fill('To try');
  await press(page, 'Create', { heading: 'To try' });
  await expectAccessible(page, '/saved');
  await page.getByRole('link', { name: 'Reading list' }).click();
  await page.getByLabel('Your note on A hook that holds a bow').fill('Ask about the spring');
  await press(page, 'Save note', { toast: 'Note saved' });

  await press(page, 'Rename');
  await page.getByRole('dialog').getByLabel('Title').fill('Bows in clinic');
  const restore = await intercept(page, '**/rest/v1/collections*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await press(page.getByRole('dialog'), 'Rename', { toast: 'Failed to rename the collection' });
  expect(await page.getByRole('dialog').getByLabel('Title').inputValue()).toBe('Bows in clinic');
  restore();
  await press(page.getByRole('dialog'), 'Rename', { heading: 'Bows in clinic' });

  const address = page.url();
  const reader = await site.visit(address);
  await reader.getByRole('heading', { name: 'Oops! Page not found' }).waitFor();
  await page.getByRole('switch', { name: 'Share by link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  await expectAccessible(page, '/collections/{id}');
  await reload(reader, { heading: 'Bows in clinic' });
  await reader.getByText('Ask about the spring').locator('visible=true').waitFor();
  expect(await reader.getByRole('button', { name: /Remove|Delete/ }).count()).toBe(0);
  // What is taken back by moderators is taken out of every collection.
  await site.change('solutions', { id: bow }, { status: 'pending' });
  await reader.reload();
  await reader.getByRole('link', { name: 'A joint for the cello bow' }).waitFor();
  expect(await reader.getByText(/holds a bow|Ask about the spring/).count()).toBe(0);
  await page.getByRole('switch', { name: 'Share by link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor({ state: 'detached' });
  await reload(reader, { heading: 'Oops! Page not found' });
});

it('a card saves its solution by one press, with one request for all cards, and takes back what failed', async () => {
  const { id: user_id } = await site.member('Nadia');
  const { email } = await site.member('Ines');
  const share = (title: string) => site.publish(user_id, title);
  await share('A liner for swimming');
  await share('A strap for rowing');
  const visitor = await site.visit('/browse');
  await press(visitor, 'Save A strap for rowing', { toast: 'Sign in required' });
  await visitor.waitForURL('**/auth');
  await signInByForm(visitor, email);
  await visitor.waitForURL('**/browse');

  const page = await site.signedIn(email, { width: 360 });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/collection/.test(request.url()))
      asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.goto('/browse');
  const strap = page.getByRole('button', { name: 'Save A strap for rowing' });
  const liner = page.getByRole('button', { name: 'Save A liner for swimming' });
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual(['GET /rest/v1/collection_items']);
  const target = await strap.boundingBox();
  expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(40);
  const restore = await intercept(page, '**/rest/v1/collection_items*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await liner.click();
  await toast(page, 'Failed to save');
  await expect.poll(() => liner.getAttribute('aria-pressed')).toBe('false');
  restore();
  await strap.press('Enter');
  await toast(page, 'Saved in “Reading list”');
  expect(await strap.getAttribute('aria-pressed')).toBe('true');
  expect(page.url()).toMatch(/browse$/);
  await liner.click();
  await expect.poll(() => liner.getAttribute('aria-pressed')).toBe('true');
  await open(page, '/saved', '2 solutions');
  expect(await page.getByRole('link', { name: 'Reading list' }).count()).toBe(1);
  await page.getByRole('link', { name: 'Reading list' }).click();
  await page.getByLabel('Your note on A liner for swimming').fill('Salt water');
  await press(page, 'Save note', { toast: 'Note saved' });
  // One press takes back what one press made, and asks before a note is lost.
  await strap.click();
  await strap.waitFor({ state: 'detached' });
  await liner.click();
  await page.getByRole('dialog', { name: 'Save to a collection' }).waitFor();
  await press(page, 'Done');
  expect(await liner.getAttribute('aria-pressed')).toBe('true');
});

it('“Used in clinic” is made by one press and prints as a reading list', async () => {
  const { id: user_id } = await site.member('Bilal');
  const { email } = await site.member('Chiara');
  const id = await site.publish(user_id, 'A knee for the potter’s wheel');
  const page = await site.visit(`/solutions/${id}`, { as: email });
  const more = page.getByRole('button', { name: 'More', exact: true });
  const used = page.getByRole('menuitemcheckbox', { name: 'Used in clinic' });
  await more.click();
  await used.click();
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  await more.click();
  expect(await used.getAttribute('aria-checked')).toBe('true');
  await page.goto('/saved');
  await page.getByRole('link', { name: 'Used in clinic' }).click();
  await page.getByLabel('Your note on A knee').fill('Worked on a low stool');
  await press(page, 'Save note', { toast: 'Note saved' });
  await page.getByRole('switch', { name: 'Share by link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  const main = page.getByRole('main');
  const address = new URL(page.url());
  for (const part of [
    address.href,
    'Used in clinic',
    'A knee for the potter’s wheel',
    'Bilal Test, Prosthetist. Version 1, ',
    `${address.origin}/solutions/${id}/versions/1`,
    'Worked on a low stool',
  ])
    await main.getByText(part).locator('visible=true').first().waitFor();
  const code = page.getByRole('img', { name: 'QR code that opens this page' });
  await expectLoaded(code);
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('navigation').count()).toBe(0);

  await page.emulateMedia({ media: 'screen' });
  // A note is not thrown away by one press; without one, the press is taken back.
  await page.goto(`/solutions/${id}`);
  await more.click();
  await used.click();
  await page.getByRole('dialog', { name: 'Save to a collection' }).waitFor();
  await press(page, 'Done');
  await site.change('collection_items', { solution_id: id }, { note: null });
  await page.reload();
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  await more.click();
  await used.click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
});

it('a shared collection is reported, and a moderator reads it, stops sharing it and says why', async () => {
  const { id: user_id } = await site.member('Dario');
  const { email } = await site.member('Elin');
  const { email: moderatorEmail } = await site.member('Farah', 'moderator');
  const solution_id = await site.publish(user_id, 'A foot for wet floors');
  const id = await site.insert('collections', { user_id, title: 'Feet', is_shared: true });
  await site.insert('collection_items', {
    user_id,
    collection_id: id,
    solution_id,
    note: 'For Mr Berg in room four',
  });
  const reader = await site.visit(`/collections/${id}`, { as: email });
  await press(reader, 'Report');
  await reader.getByLabel('Reason').fill('A note names a patient');
  await press(reader, 'Submit report', { toast: 'Report submitted' });

  const moderator = await site.visit('/admin?tab=reports', { as: moderatorEmail });
  await moderator.getByText('For Mr Berg in room four').waitFor();
  await press(moderator, 'More');
  await moderator.getByRole('menuitem', { name: /^Stop sharing/ }).click();
  const dialog = moderator.getByRole('dialog', { name: 'Stop sharing' });
  await press(dialog, 'Stop sharing', 'Please give the owner a reason');
  await dialog.getByLabel('Reason').fill('Please leave out the name.');
  await press(dialog, 'Stop sharing', { toast: 'Collection no longer shared' });
  await open(reader, `/collections/${id}`, { heading: 'Oops! Page not found' });
  const owner = await site.visit(`/collections/${id}`, { as: 'dario@clinic.example' });
  await owner.getByText('A moderator removed the link of this collection').waitFor();
  expect(await owner.getByRole('switch').count()).toBe(0);
  await owner.getByRole('link', { name: 'message', exact: true }).click();
  await owner.getByText('Please leave out the name.').locator('visible=true').first().waitFor();
});
