// @module-tag whole

import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, tickAll } from '../site.ts';
import { expectLoaded, fillIn, follow, open, press, reload, says } from '../steps.ts';
import { files, jpeg } from './form.ts';

const site = openSite();

it('a member reports that a case worked with changes, with an image; it is reviewed, counted, answered and warned of', async () => {
  const author = await site.member('Avery');
  const id = await shareSolution(site.service(), { user_id: author.id, status: 'approved' });
  const other = await site.publish(author.id, 'Another case that no one has tried');
  const tried = await site.member('Tova');
  const member = await site.visit(`/solutions/${id}`, { as: tried.email, width: 360 });
  await member.getByText('No one has reported on it yet.').waitFor();
  await follow(member, 'I tried this', { url: `/solutions/${id}/tried` });
  await member.getByText('“It did not work”').waitFor();
  await expectAccessible(member, 'the form of a trial');

  // What is missing is said, and nothing that was typed is lost.
  await press(member, 'Submit for review');
  await member.getByRole('alert').getByRole('link', { name: 'Please say how it went' }).waitFor();
  await member.getByLabel('It did not work', { exact: true }).check();
  await press(member, 'Submit for review');
  await member.getByRole('alert').getByRole('link', { name: 'Please say why it did not work' }).waitFor();
  await member.getByLabel('It worked with changes').check();
  await member.getByLabel('What did you change?').fill('A softer liner below the brim.');
  await member.getByLabel('What happened?').fill('Worn all day for six weeks.');
  await reload(member, 'Draft restored.');
  expect(await member.getByLabel('What did you change?').inputValue()).toBe('A softer liner below the brim.');
  await member.locator('summary', { hasText: 'Measured outcomes' }).click();
  await press(member, 'Add a measured outcome');
  await member.getByLabel('Measure', { exact: true }).selectOption('TUG');
  await fillIn(member, { 'Score before': '18.2', 'Score after': '12.4' });
  await files(member).setInputFiles(await jpeg('liner.jpg'));
  await press(member, 'Submit for review');
  // Who it was tried with is not taken from the case.
  const missing = member.getByRole('alert');
  await missing.getByRole('link', { name: 'Please choose a consent statement' }).waitFor();
  await missing.getByRole('link', { name: 'Please select amputation level' }).waitFor();
  await member.getByRole('radio', { name: 'Transtibial (Below Knee)' }).check();
  await member.getByRole('radio', { name: 'Passive' }).check();
  await member.getByLabel('Adults').check();
  await member.getByLabel('The patient has consented in writing to everyone seeing it').check();
  await press(member, 'Submit for review', { toast: 'Trial report submitted' });
  await member.waitForURL(`/solutions/${id}`);
  await member.getByText('Your trial report is pending review').waitFor();

  const visitor = await site.visit(`/solutions/${id}`, { width: 360 });
  await visitor.getByText('No one has reported on it yet.').waitFor();

  const { page: moderator } = await site.joins('Mona', { role: 'moderator', at: '/admin?tab=trials' });
  await moderator.getByText('A softer liner below the brim.').waitFor();
  await expectLoaded(moderator.locator('article').getByRole('img', { name: /^Show Image 1 of 1/ }));
  await moderator.getByText('TUG fell from').waitFor();
  await expectAccessible(moderator, 'the review of a trial');
  await tickAll(moderator);
  await press(moderator, 'Approve', { toast: 'Trial report approved' });
  await moderator.getByText('No trial reports to review').waitFor();

  await visitor.reload();
  await follow(visitor, /^Tried by 1 ?: worked with changes/, 'Worn all day for six weeks.');
  const picture = visitor.getByRole('img', { name: /^Show Image 1 of 1/ });
  await picture.scrollIntoViewIfNeeded();
  await expectLoaded(picture);
  await expectAccessible(visitor, 'trials of a solution');
  await picture.click();
  await press(visitor, 'Close');
  await visitor.getByRole('dialog').waitFor({ state: 'detached' });

  await visitor.goto('/browse?sort=tried');
  const first = visitor.locator('.solution-list .solution-card').first();
  await first.getByText('Tried by 1').waitFor();
  expect(await first.getByRole('link').getAttribute('href')).toBe(`/solutions/${id}`);
  await visitor.goto('/browse?filter=Tried+by+others');
  await visitor.locator(`a[href="/solutions/${id}"]`).waitFor();
  expect(await visitor.locator(`a[href="/solutions/${other}"]`).count()).toBe(0);
  await visitor.goto('/evidence?measure=TUG');
  await visitor.getByText(/Tried by another member/).waitFor();
  const outcomes = await visitor.request.get('/evidence/outcomes.csv');
  expect(await outcomes.text()).toMatch(/,"http[^"]+#trial-[^"]+",\d{4}-/);

  const answering = await site.visit('/notifications', { as: author.email });
  await answering.getByText('tried your solution').click();
  await answering.waitForURL(`/solutions/${id}#tried`);
  await press(answering, 'Answer');
  await answering.getByLabel('Your answer').fill('Thank you, I’ll try that liner.');
  await press(answering, 'Save answer', { toast: 'Answer saved' });
  await answering.getByText('Thank you, I’ll try that liner.').waitFor();
  await site.insert('safety_notices', {
    solution_id: id,
    user_id: author.id,
    kind: 'recall',
    content: 'The brim may crack.',
  });

  await open(member, '/notifications', 'your trial report approved, an answer to your trial report');
  await says(member, 'Safety notice by');
  await open(member, `/solutions/${id}#tried`, 'Thank you, I’ll try that liner.');

  // An edit takes it off the page until it is approved again.
  await follow(member, 'Edit your trial report', 'Your trial report is public.');
  await member.getByLabel('What happened?').fill('It broke after nine weeks.');
  await member.getByLabel('It did not work', { exact: true }).check();
  await member.getByLabel('Why did it not work?').fill('It broke after nine weeks.');
  // Whether someone was hurt is asked, and leads to the authority; nothing of the answer leaves the page.
  const written: string[] = [];
  member.on('request', (request) => {
    if (request.method() !== 'GET') written.push(`${request.url()} ${request.postData()}`);
  });
  const harm = member.getByRole('radiogroup', { name: 'Was someone hurt, or could they have been?' });
  await harm.getByLabel('Yes').check();
  await member.getByLabel('Country').selectOption('United States');
  await member.getByLabel('Country').selectOption('United Kingdom');
  const authority = member.getByRole('link', { name: /Yellow Card/ });
  expect(await authority.getAttribute('href')).toBe('https://yellowcard.mhra.gov.uk/medical-devices');
  // The header lies over what is scrolled under it.
  await member.evaluate(() => scrollTo(0, 0));
  await expectAccessible(member, 'where to report that someone was hurt');
  expect(written).toEqual([]);
  await press(member, 'Submit for review', { toast: 'Trial report submitted' });
  expect(written.join()).not.toMatch(/harm|hurt|yellow|United/i);
  await open(visitor, `/solutions/${id}`, 'No one has reported on it yet.');
  await open(moderator, '/admin?tab=trials', { heading: 'What readers saw before' });
  await press(moderator, /^Decline$/);
  await moderator.getByLabel('Reason').fill('Please say where it broke.');
  await press(moderator, 'Decline trial report', { toast: 'Trial report declined' });
  await member.goto('/notifications');
  await member.getByText('Changes requested to your trial report').click();
  await member.waitForURL(`/solutions/${id}/tried`);
  await member.getByText('Please say where it broke.').waitFor();
});
