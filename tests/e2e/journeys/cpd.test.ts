import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, toast } from '../site.ts';

const site = openSite();

it('a member records what they read and discussed, hands it in as CSV and PDF, and no one else sees it', async () => {
  const { id: user_id } = await site.member('Grace');
  const { id: memberId, email } = await site.member('Amara');
  const title = 'A hook that holds a bow';
  const bow = await shareSolution(site.service(), { user_id, title, status: 'approved' });
  const cello = await shareSolution(site.service(), {
    user_id,
    title: 'A joint for the cello bow',
    status: 'approved',
  });
  await site
    .service()
    .from('comments')
    .insert({ solution_id: cello, user_id: memberId, content: 'Which spring do you use?' })
    .throwOnError();

  const page = await site.signedIn(email);
  await page.goto(`/solutions/${bow}`);
  await page.getByRole('link', { name: 'Add to CPD record' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Add entry' }).waitFor();
  expect(await dialog.getByLabel('About').inputValue()).toBe(title);
  await dialog.getByLabel('Minutes').fill('half');
  await dialog.getByRole('button', { name: 'Save entry' }).click();
  await dialog.getByText('Please enter 1 to 1,440 whole minutes').waitFor();
  await expectAccessible(page, '/cpd, with an error');
  await dialog.getByLabel('Minutes').fill('40');
  await dialog.getByLabel('Reflection').fill('=Ask about the spring');
  await dialog.getByRole('button', { name: 'Save entry' }).click();
  await toast(page, 'CPD record saved');
  await page.getByText('1 entry, 40 minutes').waitFor();

  await page.getByText('1 activity you can add').click();
  await page.getByRole('button', { name: 'Add A joint for the cello bow' }).click();
  expect(await dialog.getByLabel('Activity').inputValue()).toBe('discussed');
  await dialog.getByLabel('Minutes').fill('25');
  await dialog.getByLabel('Date').fill('2025-03-02');
  await dialog.getByRole('button', { name: 'Save entry' }).click();
  await page.getByText('2 entries, 1 hour 5 minutes').waitFor();
  await page.getByText('you can add').waitFor({ state: 'detached' });
  await expectAccessible(page, '/cpd');

  await page.getByRole('button', { name: `Edit ${title}` }).click();
  await dialog.getByLabel('Minutes').fill('35');
  await dialog.getByRole('button', { name: 'Save entry' }).click();
  await page.getByText('2 entries, 1 hour', { exact: true }).waitFor();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(new RegExp(`,Read,${title},35,'=Ask about the spring,http.+/solutions/${bow}$`));
  expect(lines[2]).toMatch(/^2025-03-02,Discussed,A joint for the cello bow,25,,/);

  await page.getByLabel('Year').selectOption('2025');
  await page.getByText('1 entry, 25 minutes').waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.getByText('Amara Test, Prosthetist. 2025. As recorded by the member on Limb Commons.').waitFor();
  expect(await page.getByRole('button', { name: 'Download CSV' }).isVisible()).toBe(false);
  expect(await page.getByText(title).count()).toBe(0);
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: null });

  await page.getByRole('button', { name: 'Delete A joint for the cello bow' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete entry' }).click();
  await page.getByText('1 entry, 35 minutes').waitFor();

  const other = await site.signedIn((await site.member('Mwenda', 'admin')).email);
  await other.goto('/cpd');
  await other.getByText('Your record is empty.').waitFor();
});
