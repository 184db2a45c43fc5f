import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, signInByForm, toast } from '../site.ts';

const site = openSite();

it('a member saves cases with notes, shares the collection by its link, and takes the link back', async () => {
  const { id: user_id } = await site.member('Grace');
  const { email } = await site.member('Amara');
  const share = (title: string) => shareSolution(site.service(), { user_id, title, status: 'approved' });
  const bow = await share('A hook that holds a bow');
  const cello = await share('A joint for the cello bow');
  const page = await site.signedIn(email);
  await page.goto(`/solutions/${bow}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog');
  // The name is offered once it is known that there is no collection yet.
  await expect.poll(() => dialog.getByLabel('New collection').inputValue()).toBe('Reading list');
  await dialog.getByRole('button', { name: 'Create and save' }).click();
  await dialog.getByRole('checkbox', { name: 'Reading list', checked: true }).waitFor();
  await expectAccessible(page, '/solutions, saving');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  await page.goto(`/solutions/${cello}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'Reading list' }).click();
  await dialog.getByRole('checkbox', { name: 'Reading list', checked: true }).waitFor();
  await dialog.getByRole('link', { name: 'View saved' }).click();
  await page.getByText('2 solutions').waitFor();
  await page.getByRole('link', { name: 'Reading list' }).click();
  await page.getByLabel('Your note on A hook that holds a bow').fill('Ask about the spring');
  await page.getByRole('button', { name: 'Save note' }).click();
  await toast(page, 'Note saved');

  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Bows in clinic');
  await page.route('**/rest/v1/collections*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await toast(page, 'Failed to rename the collection');
  expect(await page.getByRole('dialog').getByLabel('Title').inputValue()).toBe('Bows in clinic');
  await page.unroute('**/rest/v1/collections*');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Bows in clinic' }).waitFor();

  const address = page.url();
  const reader = await site.person();
  await reader.goto(address);
  await reader.getByRole('heading', { name: 'Oops! Page not found' }).waitFor();
  await page.getByRole('switch', { name: 'Share by link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  await expectAccessible(page, '/collections/{id}');
  await reader.reload();
  await reader.getByRole('heading', { name: 'Bows in clinic' }).waitFor();
  await reader.getByText('Ask about the spring').locator('visible=true').waitFor();
  expect(await reader.getByRole('button', { name: /Remove|Delete/ }).count()).toBe(0);
  // What is taken back by moderators is taken out of every collection.
  await site.service().from('solutions').update({ status: 'pending' }).eq('id', bow).throwOnError();
  await reader.reload();
  await reader.getByRole('link', { name: 'A joint for the cello bow' }).waitFor();
  expect(await reader.getByText(/holds a bow|Ask about the spring/).count()).toBe(0);
  await page.getByRole('switch', { name: 'Share by link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor({ state: 'detached' });
  await reader.reload();
  await reader.getByRole('heading', { name: 'Oops! Page not found' }).waitFor();
});

it('a card saves its solution by one press, with one request for all cards, and takes back what failed', async () => {
  const { id: user_id } = await site.member('Nadia');
  const { email } = await site.member('Ines');
  const share = (title: string) => shareSolution(site.service(), { user_id, title, status: 'approved' });
  await share('A liner for swimming');
  await share('A strap for rowing');
  const visitor = await site.person();
  await visitor.goto('/browse');
  await visitor.getByRole('button', { name: 'Save A strap for rowing' }).click();
  await toast(visitor, 'Sign in required');
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
  await page.route('**/rest/v1/collection_items*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await liner.click();
  await toast(page, 'Failed to save');
  await expect.poll(() => liner.getAttribute('aria-pressed')).toBe('false');
  await page.unroute('**/rest/v1/collection_items*');
  await strap.press('Enter');
  await toast(page, 'Saved in “Reading list”');
  expect(await strap.getAttribute('aria-pressed')).toBe('true');
  expect(page.url()).toMatch(/browse$/);
  await liner.click();
  await expect.poll(() => liner.getAttribute('aria-pressed')).toBe('true');
  await page.goto('/saved');
  await page.getByText('2 solutions').waitFor();
  expect(await page.getByRole('link', { name: 'Reading list' }).count()).toBe(1);
  await page.getByRole('link', { name: 'Reading list' }).click();
  await page.getByLabel('Your note on A liner for swimming').fill('Salt water');
  await page.getByRole('button', { name: 'Save note' }).click();
  await toast(page, 'Note saved');
  // One press takes back what one press made, and asks before a note is lost.
  await strap.click();
  await strap.waitFor({ state: 'detached' });
  await liner.click();
  await page.getByRole('dialog', { name: 'Save to a collection' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await liner.getAttribute('aria-pressed')).toBe('true');
});

it('“Used in clinic” is made by one press and prints as a reading list', async () => {
  const { id: user_id } = await site.member('Bilal');
  const { email } = await site.member('Chiara');
  const id = await shareSolution(site.service(), {
    user_id,
    title: 'A knee for the potter’s wheel',
    status: 'approved',
  });
  const page = await site.signedIn(email);
  await page.goto(`/solutions/${id}`);
  const used = page.getByRole('button', { name: 'Used in clinic' });
  await used.click();
  await expect.poll(() => used.getAttribute('aria-pressed')).toBe('true');
  await page.goto('/saved');
  await page.getByRole('link', { name: 'Used in clinic' }).click();
  await page.getByLabel('Your note on A knee').fill('Worked on a low stool');
  await page.getByRole('button', { name: 'Save note' }).click();
  await toast(page, 'Note saved');
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
  await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('navigation').count()).toBe(0);

  await page.emulateMedia({ media: 'screen' });
  // A note is not thrown away by one press; without one, the press is taken back.
  await page.goto(`/solutions/${id}`);
  await used.click();
  await page.getByRole('dialog', { name: 'Save to a collection' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await site.service().from('collection_items').update({ note: null }).eq('solution_id', id).throwOnError();
  await page.reload();
  await expect.poll(() => used.getAttribute('aria-pressed')).toBe('true');
  await used.click();
  await expect.poll(() => used.getAttribute('aria-pressed')).toBe('false');
});

it('a shared collection is reported, and a moderator reads it, stops sharing it and says why', async () => {
  const { id: user_id } = await site.member('Dario');
  const { email } = await site.member('Elin');
  const { email: moderatorEmail } = await site.member('Farah', 'moderator');
  const solution_id = await shareSolution(site.service(), {
    user_id,
    title: 'A foot for wet floors',
    status: 'approved',
  });
  const { data: collection } = await site
    .service()
    .from('collections')
    .insert({ user_id, title: 'Feet', is_shared: true })
    .select('id')
    .single()
    .throwOnError();
  const id: string = collection?.id;
  await site
    .service()
    .from('collection_items')
    .insert({ user_id, collection_id: id, solution_id, note: 'For Mr Berg in room four' })
    .throwOnError();
  const reader = await site.signedIn(email);
  await reader.goto(`/collections/${id}`);
  await reader.getByRole('button', { name: 'Report' }).click();
  await reader.getByLabel('Reason').fill('A note names a patient');
  await reader.getByRole('button', { name: 'Submit Report' }).click();
  await toast(reader, 'Report submitted');

  const moderator = await site.signedIn(moderatorEmail);
  await moderator.goto('/admin?tab=reports');
  await moderator.getByText('For Mr Berg in room four').waitFor();
  await moderator.getByRole('button', { name: /^Stop sharing/ }).click();
  const dialog = moderator.getByRole('dialog', { name: 'Stop sharing' });
  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await dialog.getByText('Please give the owner a reason').waitFor();
  await dialog.getByLabel('Reason').fill('Please leave out the name.');
  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await toast(moderator, 'Collection no longer shared');
  await reader.goto(`/collections/${id}`);
  await reader.getByRole('heading', { name: 'Oops! Page not found' }).waitFor();
  const owner = await site.signedIn('dario@clinic.example');
  await owner.goto(`/collections/${id}`);
  await owner.getByText('A moderator removed the link of this collection').waitFor();
  expect(await owner.getByRole('switch').count()).toBe(0);
  await owner.getByRole('link', { name: 'message', exact: true }).click();
  await owner.getByText('Please leave out the name.').locator('visible=true').first().waitFor();
});
