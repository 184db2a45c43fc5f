// @module-tag whole

import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { chooseMore, download, fillAndPress, fillIn, press, says } from '../steps.ts';

const site = openSite();

it('a member records what they read and discussed, hands it in as CSV and PDF, and no one else sees it', async () => {
  const { id: user_id } = await site.member('Grace');
  const { id: memberId, email } = await site.member('Amara');
  const title = 'A hook that holds a bow';
  const bow = await site.publish(user_id, title);
  const cello = await site.publish(user_id, 'A joint for the cello bow');
  await site.insert('comments', {
    solution_id: cello,
    user_id: memberId,
    content: 'Which spring do you use?',
  });

  const page = await site.visit(`/solutions/${bow}`, { as: email });
  await chooseMore(page, 'Add to CPD record');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Add entry' }).waitFor();
  expect(await dialog.getByLabel('About').inputValue()).toBe(title);
  await fillAndPress(dialog, { Minutes: 'half' }, 'Save entry', 'Please enter 1 to 1,440 whole minutes');
  await expectAccessible(page, '/cpd, with an error');
  await fillIn(dialog, { Minutes: '40', Reflection: '=Ask about the spring' });
  await press(dialog, 'Save entry', { toast: 'CPD record saved' });
  await page.getByText('1 entry, 40 minutes').waitFor();

  await page.getByText('1 activity you can add').click();
  await press(page, 'Add A joint for the cello bow');
  expect(await dialog.getByLabel('Activity').inputValue()).toBe('discussed');
  await fillIn(dialog, { Minutes: '25', Date: '2025-03-02' });
  await press(dialog, 'Save entry', { page: '2 entries, 1 hour 5 minutes' });
  await page.getByText('you can add').waitFor({ state: 'detached' });
  await expectAccessible(page, '/cpd');

  await press(page, `Edit ${title}`);
  await fillAndPress(dialog, { Minutes: '35' }, 'Save entry');
  await page.getByText('2 entries, 1 hour', { exact: true }).waitFor();

  const lines = (await download(page, 'Download CSV')).toString().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/^2025-03-02,Discussed,A joint for the cello bow,25,,/);
  expect(lines[2]).toMatch(
    new RegExp(`,Read,${title},35,'=Ask about the spring,http.+/solutions/${bow},,,,$`),
  );

  await page.getByLabel('Period').selectOption('2025');
  await page.getByText('1 entry, 25 minutes').waitFor();
  // The entries of the other years are shown until those of this one have come.
  await expect.poll(() => page.getByText(title).count()).toBe(0);
  await page.emulateMedia({ media: 'print' });
  await page.getByText('Amara Test, Prosthetist. 2025. As recorded by the member on Limb Commons.').waitFor();
  expect(await page.getByRole('button', { name: 'Download CSV' }).isVisible()).toBe(false);
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: null });

  await press(page, 'Delete A joint for the cello bow');
  await press(page.getByRole('dialog'), 'Delete entry', { page: '1 entry, 35 minutes' });

  const { page: other } = await site.joins('Mwenda', { role: 'admin', at: '/cpd' });
  await other.getByText('Your record is empty.').waitFor();
});

it('a member shapes their record for an audit: types, a gap that they explain, and six told in detail', async () => {
  const { id: user_id, email } = await site.member('Nomsa');
  const entry = { user_id, activity: 'read', minutes: 30, kind: null, reflection: null, in_detail: false };
  await site.insert('cpd_entries', [
    { ...entry, subject: 'Liners that breathe', day: '2025-01-10', reflection: 'Skin stays dry.' },
    { ...entry, subject: 'A course on gait', day: '2025-06-20', activity: 'tried' },
    ...['one', 'two', 'three', 'four', 'five'].map((n) => ({
      ...entry,
      subject: `Case ${n}`,
      day: '2025-07-01',
      kind: 'work_based',
      in_detail: true,
    })),
  ]);
  const page = await site.visit('/cpd', { as: email });
  await page.getByText('7 entries, 3 hours 30 minutes').waitFor();
  await page.getByLabel('Period').selectOption('2025');
  const audit = page.locator('main details');
  await audit.getByText('For an audit', { exact: true }).click();
  await says(
    audit,
    'Work-based learning: 5 entries',
    'No type chosen: 2 entries',
    'Described in detail: 5 of four to six',
  );
  await expectAccessible(page, '/cpd, for an audit');

  const dialog = page.getByRole('dialog');
  await press(page, 'Edit Liners that breathe');
  await dialog.getByLabel('Type of learning').selectOption('Self-directed learning');
  await dialog.getByText('For an audit').click();
  await dialog.getByLabel('Tell in detail').check();
  await fillAndPress(dialog, { 'Benefit to service users': 'Fewer sores.' }, 'Save entry');
  await says(audit, 'Self-directed learning: 1 entry', 'Described in detail: 6 of four to six');
  await press(page, 'Edit A course on gait');
  await dialog.getByText('For an audit').click();
  expect(await dialog.getByLabel('Tell in detail: six entries are chosen already').isDisabled()).toBe(true);
  await expectAccessible(page, '/cpd, with six told in detail');
  await press(dialog, 'Cancel');

  await press(page, 'Explain the gap: Jan 10, 2025 to Jun 20, 2025');
  await fillAndPress(dialog, { Explanation: 'Parental leave' }, 'Save explanation');
  await audit.getByText('Parental leave').waitFor();
  await press(page, 'Edit explanation of the gap: Jan 10, 2025 to Jun 20, 2025');
  expect(await dialog.getByLabel('Explanation').inputValue()).toBe('Parental leave');
  await press(dialog, 'Cancel');

  expect((await download(page, 'Download CSV')).toString().split('\r\n')[1]).toMatch(
    /^2025-01-10,Read,Liners that breathe,30,Skin stays dry\.,,Self-directed learning,Fewer sores\.,yes,Parental leave$/,
  );
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { name: 'In detail' }).waitFor();
  const paper = ((await page.locator('div:has(> table)').textContent()) ?? '').replaceAll('\u00a0', ' ');
  const order = [
    'Work-based learning: 5 entries. Self-directed learning: 1 entry.',
    'Jan 10, 2025',
    'Read: Liners that breathe',
    'Jul 1, 2025',
    'Gaps of three months or more',
    'Parental leave',
    'In detail',
    'Skin stays dry.',
    'Benefit to service users',
    'Fewer sores.',
  ].map((text) => paper.indexOf(text));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: null });

  await press(page, 'Delete Liners that breathe');
  await says(dialog, /and your explanation of the gap after it/);
  await press(dialog, 'Delete entry', { page: '6 entries, 3 hours' });
  await page.getByText('Described in detail: 5 of four to six').waitFor();
});

it('a long record is shown in pages and downloaded whole', async () => {
  const { id: user_id, email } = await site.member('Henrik');
  await site.insert(
    'cpd_entries',
    Array.from({ length: 101 }, (_, n) => {
      const day = new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10);
      return { user_id, activity: 'read', subject: `Day ${day}`, day, minutes: 30 };
    }),
  );
  const page = await site.visit('/cpd', { as: email, width: 360 });
  await page.getByText('101 entries, 50 hours 30 minutes').waitFor();
  const first = page.getByRole('heading', { name: 'Day 2025-01-01' });
  expect(await first.count()).toBe(0);
  expect((await download(page, 'Download CSV')).toString().trim().split('\r\n')).toHaveLength(102);
  await first.waitFor();
  await page.reload();
  await press(page, 'Load more');
  await first.waitFor();
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
});
