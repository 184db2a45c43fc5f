// @module-tag whole

import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { chooseMore, expectLoaded, press, toast } from '../steps.ts';

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
  await press(page, 'Save search', { toast: 'Search saved' });
  const cello = await site.publish(user_id, 'A joint for the cello bow');
  const approve = (id: string, msAgo: number) =>
    site.change('solutions', { id }, { approved_at: new Date(Date.now() - msAgo).toISOString() });
  await approve(bow, 60_000);
  await approve(cello, 0);
  await page.goto('/following');
  // Found by its author and by the search, it is in the feed once, above what was shared before it, with both reasons.
  const news = page.getByRole('list', { name: 'News' }).getByRole('listitem');
  await news.first().getByRole('link', { name: 'A joint for the cello bow' }).waitFor();
  await news.first().getByText('You follow your search for “cello” and Grace').waitFor();
  await expectLoaded(news.first().locator('img'));
  expect(await news.getByRole('link').allInnerTexts()).toEqual([
    'A joint for the cello bow',
    'A hook that holds a bow',
  ]);
  await expectAccessible(page, '/following');
  await page.getByText('Manage').click();
  await page.getByRole('switch', { name: 'Weekly digest' }).click();
  await toast(page, 'Settings saved successfully');
  const followed = page.getByRole('list', { name: 'What you follow' }).getByRole('listitem');
  await expectAccessible(page, '/following, managing');
  await press(page, 'Unfollow Search: “cello”', { toast: 'You no longer follow this' });
  await expect.poll(() => followed.allInnerTexts()).toEqual([expect.stringContaining('Grace')]);
  await news.first().getByText('You follow Grace').waitFor();
});
