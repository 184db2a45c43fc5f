import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, toast } from '../site.ts';

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
  expect(await dialog.getByLabel('New collection').inputValue()).toBe('Reading list');
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
  await reader.getByText('Ask about the spring').waitFor();
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
