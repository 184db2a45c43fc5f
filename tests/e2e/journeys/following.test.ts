import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { chooseMore, press, toast } from '../steps.ts';

const site = openSite();

it('a member follows an author and a search, finds what is new in one place, and ends it there', async () => {
  const { id: user_id } = await site.member('Grace');
  const { email } = await site.member('Amara');
  const bow = await site.publish(user_id, 'A hook that holds a bow');
  const page = await site.visit(`/solutions/${bow}`, { as: email });
  await chooseMore(page, 'Follow solution, author or tags');
  const dialog = page.getByRole('dialog', { name: 'Follow' });
  await dialog.getByRole('checkbox', { name: 'Solutions by Grace' }).click();
  await dialog.getByRole('checkbox', { name: 'Solutions by Grace', checked: true }).waitFor();
  await expectAccessible(page, '/solutions, following');
  await press(dialog, 'Done');
  await page.goto('/browse?q=cello');
  await press(page, 'Save search', { toast: 'You follow this' });
  const cello = await site.publish(user_id, 'A joint for the cello bow');
  await site.change('solutions', { id: cello }, { approved_at: new Date().toISOString() });
  await page.goto('/following');
  const search = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Search: “cello”' }) });
  await search.getByRole('link', { name: 'A joint for the cello bow' }).waitFor();
  const author = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Grace' }) });
  await author.getByRole('link', { name: 'A joint for the cello bow' }).waitFor();
  await page.getByRole('switch', { name: 'Weekly digest' }).click();
  await toast(page, 'Settings saved successfully');
  await expectAccessible(page, '/following');
  await press(search, /Unfollow/);
  await search.waitFor({ state: 'detached' });
  expect(await author.count()).toBe(1);
});
