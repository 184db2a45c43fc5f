// @module-tag whole

import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { TRIAL } from '../rows.ts';
import { openSite } from '../site.ts';
import { follow, open, press, says, toast } from '../steps.ts';

const site = openSite();

const DAY_MS = 86_400_000;

/** Reports a trial, which was approved so many days ago. */
const report = (solution_id: string, user_id: string, days: number) =>
  site.insert('solution_trials', {
    ...TRIAL,
    solution_id,
    user_id,
    status: 'approved',
    approved_at: new Date(Date.now() - days * DAY_MS),
  });

it('who tried a case is asked 3 months later, answers by the email’s link, corrects it signed in, and readers see the sum', async () => {
  const author = await site.member('Avery');
  const id = await site.publish(author.id, 'A strap that is asked about');
  const other = await site.publish(author.id, 'Another case that no one has tried');
  const tova = await site.member('Tova');
  const rio = await site.member('Rio');
  await site.change('profiles', { id: tova.id }, { email_notifications: true });
  await report(id, rio.id, 91);
  await report(id, tova.id, 91);

  const mail = await site.mailTo(tova.email);
  expect(mail.subject).toBe('Still in use? A strap that is asked about');
  const [link = ''] = /https?:\S+\/still-in-use\/\S+\?token=\S+/.exec(mail.text) ?? [];
  const answers = async () =>
    (await site.rows('use_questions', 'answer,reason', { user_id: tova.id, months: 3 })) as unknown[];

  // Opening the page, as mail scanners do, answers nothing; it works without a session and without a script.
  const page = await site.person({ javaScriptEnabled: false, width: 360 });
  await open(page, link, { title: 'Still in use?' });
  await says(page, 'A strap that is asked about');
  expect(await answers()).toEqual([{ answer: null, reason: null }]);
  await press(page, 'Send answer', 'Please choose one of the four answers');
  await page.getByLabel('No longer', { exact: true }).check();
  await page.getByLabel('Why is it no longer used?').selectOption('It broke or wore out');
  await press(page, 'Send answer', 'Thank you. Your answer is counted.');
  expect(await answers()).toEqual([{ answer: 'no_longer', reason: 'broke' }]);
  // A page may be a second old.
  await expect
    .poll(async () => {
      await page.goto(link);
      return page.getByText('You’ve already answered.').count();
    })
    .toBe(1);
  await open(page, `${link.split('?')[0]}?token=forged`, 'This link doesn’t work.');

  const visitor = await site.visit(`/solutions/${id}`, { width: 360 });
  await says(visitor, /2 fitted, 1 answered at 3\smonths: 1\sno longer/, /1\sdid not answer/);
  await says(visitor, /Why it is no longer used: 1\sbroke or wore out/);
  await expectAccessible(visitor, 'the sums of a solution');

  // It is corrected where the member finds it again, and its words are reviewed.
  const member = await site.visit('/profile', { as: tova.email });
  await follow(member, /A strap that is asked about ?, 3 months on/, 'About your trial of');
  expect(await member.getByLabel('No longer', { exact: true }).isChecked()).toBe(true);
  await member.getByLabel('Yes, sometimes').check();
  await member.getByLabel('Anything to add?').fill('Only at the weekend.');
  await expectAccessible(member, 'the form of an answer');
  await press(member, 'Save answer', { toast: 'Answer saved' });
  await visitor.reload();
  await says(visitor, /2 fitted, 1 answered at 3\smonths: 1\ssometimes/);
  expect(await visitor.getByText('Only at the weekend.').count()).toBe(0);
  const { page: moderator } = await site.joins('Mona', { role: 'moderator', at: '/admin?tab=posts' });
  await says(moderator, 'Only at the weekend.');
  await press(moderator, 'Approve');
  await moderator.getByText('Only at the weekend.').waitFor({ state: 'detached' });
  await visitor.reload();
  await says(visitor, /Still in use after 3 months\? Yes, sometimes/);

  // The other finds the notification.
  const reader = await site.visit('/notifications', { as: rio.email });
  await reader.getByRole('link', { name: /still in use: A strap that is asked about/ }).click();
  await reader.getByLabel('Yes, every day').check();
  await press(reader, 'Save answer', { toast: 'Answer saved' });
  await open(reader, '/evidence', /2 fitted, 2 answered at 3\smonths: 1\severy day, 1\ssometimes/);
  await expectAccessible(reader, 'the sums of all solutions');
  await follow(reader, 'Browse solutions that were asked again', { url: '/browse?filter=Asked+again' });
  await reader.locator(`a[href="/solutions/${id}"]`).waitFor();
  expect(await reader.locator(`a[href="/solutions/${other}"]`).count()).toBe(0);

  // All questions end by one press, which the settings take back.
  const [stop = ''] = /https?:\S+\/unsubscribe\?token=\S+still-in-use\.\S+/.exec(mail.text) ?? [];
  await open(page, stop, 'Do you want to stop all “Still in use?” questions?');
  await press(page, 'Stop all these questions', 'We won’t ask “Still in use?” again.');
  await member.goto('/settings');
  const questions = member.getByLabel('“Still in use?” questions');
  expect(await questions.isChecked()).toBe(false);
  await questions.check();
  await press(member, 'Save Changes');
  await toast(member, 'Settings saved successfully');
  expect(await site.row('profiles', 'asks_still_in_use', { id: tova.id })).toEqual({
    asks_still_in_use: true,
  });
});

it('after 6 and 12 months it is asked again, after 14 days once more, and readers see a sentence for each time', async () => {
  const author = await site.member('Ada');
  const id = await site.publish(author.id, 'A hook that lasts');
  const uma = await site.member('Uma');
  const page = await site.visit('/', { as: uma.email, width: 360 });
  const trial = await report(id, uma.id, 91);
  const questions = () => site.rows('use_questions', 'months,reminded_at', { trial_id: trial });
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  /** As if it were so many days since the question of so many months was asked. */
  const asked = (months: number, days: number) =>
    site.change('use_questions', { trial_id: trial, months }, { asked_at: ago(days) });
  const answer = async (months: number, choice: string) => {
    await expect.poll(async () => (await questions()).map((one) => one.months)).toContain(months);
    if (months === 6) {
      // It waits for the member on their home page too, until it is answered.
      await open(page, '/', { heading: 'Waiting for you' });
      await page.getByRole('link', { name: /^Answer.*A hook that lasts, 6 months on$/ }).click();
    } else {
      await open(page, '/notifications', { title: 'Notifications' });
      await page
        .getByRole('link', { name: /still in use: A hook that lasts/ })
        .first()
        .click();
    }
    await page.getByRole('heading', { level: 1, name: 'Still in use?' }).waitFor();
    await says(page, new RegExp(`${months}\\smonths on`));
    await page.getByLabel(choice, { exact: true }).check();
    if (choice === 'No longer')
      await page.getByLabel('Why is it no longer used?').selectOption('It broke or wore out');
    await press(page, 'Save answer', { toast: 'Answer saved' });
  };

  await answer(3, 'Yes, every day');
  await asked(3, 90);
  await site.change('solution_trials', { id: trial }, { approved_at: ago(181) });
  await expect.poll(async () => (await questions()).length).toBe(2);
  // The reminder brings back a notification that was read.
  const unread = page.getByRole('main').getByText('1 unread');
  await page.goto('/notifications');
  await unread.waitFor();
  await press(page, 'Mark all read');
  await unread.waitFor({ state: 'detached' });
  await asked(6, 15);
  await expect.poll(async () => (await questions()).filter((one) => one.reminded_at).length).toBe(1);
  await page.reload();
  await unread.waitFor();
  await answer(6, 'Yes, sometimes');
  await asked(6, 180);
  await site.change('solution_trials', { id: trial }, { approved_at: ago(366) });
  await answer(12, 'No longer');
  await open(page, '/', 'Nothing is waiting for you.');

  const sentences = (fitted: string) => [
    new RegExp(`${fitted}, .* at 3\\smonths: \\d\\severy day`),
    /1 fitted, 1 answered at 6\smonths: 1\ssometimes/,
    /1 fitted, 1 answered at 12\smonths: 1\sno longer/,
  ];
  await page.goto(`/solutions/${id}`);
  await says(page, ...sentences('1 fitted'));
  await page.goto('/evidence');
  await says(page, ...sentences('3 fitted'));
});
