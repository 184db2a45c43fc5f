import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, toast } from '../site.ts';

const site = openSite();

it('a member follows an author and a search, finds what is new in one place, and ends it there', async () => {
  const { id: user_id } = await site.member('Grace');
  const { email } = await site.member('Amara');
  const bow = await shareSolution(site.service(), {
    user_id,
    title: 'A hook that holds a bow',
    status: 'approved',
  });
  const page = await site.signedIn(email);
  await page.goto(`/solutions/${bow}`);
  const opener = page.getByRole('button', { name: 'Follow solution, author or tags' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Follow' });
  await dialog.getByRole('checkbox', { name: 'Solutions by Grace' }).click();
  await dialog.getByRole('checkbox', { name: 'Solutions by Grace', checked: true }).waitFor();
  await expectAccessible(page, '/solutions, following');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.goto('/browse?q=cello');
  await page.getByRole('button', { name: 'Save search' }).click();
  await toast(page, 'You follow this');
  const cello = await shareSolution(site.service(), {
    user_id,
    title: 'A joint for the cello bow',
    status: 'approved',
  });
  await site
    .service()
    .from('solutions')
    .update({ approved_at: new Date().toISOString() })
    .eq('id', cello)
    .throwOnError();
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
  await search.getByRole('button', { name: /Unfollow/ }).click();
  await search.waitFor({ state: 'detached' });
  expect(await author.count()).toBe(1);
});
