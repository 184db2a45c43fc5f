import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, tickAll, toast } from '../site.ts';
import { expectLoaded, files, jpeg } from './form.ts';

const site = openSite();

it('a member reports that a case worked with changes, with an image; it is reviewed, counted, answered and warned of', async () => {
  const author = await site.member('Avery');
  const id = await shareSolution(site.service(), { user_id: author.id, status: 'approved' });
  const other = await shareSolution(site.service(), {
    user_id: author.id,
    status: 'approved',
    title: 'Another case that no one has tried',
  });
  const tried = await site.member('Tova');
  const member = await site.signedIn(tried.email, { width: 360 });
  await member.goto(`/solutions/${id}`);
  await member.getByText('No one has reported on it yet.').waitFor();
  await member.getByRole('link', { name: 'I tried this' }).click();
  await member.waitForURL(`/solutions/${id}/tried`);
  await member.getByText('“It did not work”').waitFor();
  await expectAccessible(member, 'the form of a trial');

  // What is missing is said, and nothing that was typed is lost.
  await member.getByRole('button', { name: 'Submit for review' }).click();
  await member.getByRole('alert').getByRole('link', { name: 'Please say how it went' }).waitFor();
  await member.getByLabel('It did not work', { exact: true }).check();
  await member.getByRole('button', { name: 'Submit for review' }).click();
  await member.getByRole('alert').getByRole('link', { name: 'Please say why it did not work' }).waitFor();
  await member.getByLabel('It worked with changes').check();
  await member.getByLabel('What did you change?').fill('A softer liner below the brim.');
  await member.getByLabel('What happened?').fill('Worn all day for six weeks.');
  await member.reload();
  await member.getByText('Draft restored.').waitFor();
  expect(await member.getByLabel('What did you change?').inputValue()).toBe('A softer liner below the brim.');
  await member.locator('summary', { hasText: 'Measured outcomes' }).click();
  await member.getByRole('button', { name: 'Add a measured outcome' }).click();
  await member.getByLabel('Measure', { exact: true }).selectOption('TUG');
  await member.getByLabel('Score before').fill('18.2');
  await member.getByLabel('Score after').fill('12.4');
  await files(member).setInputFiles(await jpeg('liner.jpg'));
  await member.getByRole('button', { name: 'Submit for review' }).click();
  await member.getByRole('alert').getByRole('link', { name: 'Please choose a consent statement' }).waitFor();
  await member.getByLabel('No person is shown or recognisable').check();
  await member.getByRole('button', { name: 'Submit for review' }).click();
  await toast(member, 'Trial report submitted');
  await member.waitForURL(`/solutions/${id}`);
  await member.getByText('Your trial report is pending review').waitFor();

  const visitor = await site.person({ width: 360 });
  await visitor.goto(`/solutions/${id}`);
  await visitor.getByText('No one has reported on it yet.').waitFor();

  const moderator = await site.signedIn((await site.member('Mona', 'moderator')).email);
  await moderator.goto('/admin?tab=trials');
  await moderator.getByText('A softer liner below the brim.').waitFor();
  await expectLoaded(moderator.locator('article').getByRole('img', { name: /^Show Image 1 of 1/ }));
  await moderator.getByText('TUG fell from').waitFor();
  await expectAccessible(moderator, 'the review of a trial');
  await tickAll(moderator);
  await moderator.getByRole('button', { name: 'Approve' }).click();
  await toast(moderator, 'Trial report approved');
  await moderator.getByText('No trial reports to review').waitFor();

  await visitor.reload();
  await visitor.getByRole('link', { name: 'Tried by 1: worked with changes' }).click();
  await visitor.getByText('Worn all day for six weeks.').waitFor();
  const picture = visitor.getByRole('img', { name: /^Show Image 1 of 1/ });
  await picture.scrollIntoViewIfNeeded();
  await expectLoaded(picture);
  await expectAccessible(visitor, 'trials of a solution');
  await picture.click();
  await visitor.getByRole('button', { name: 'Close' }).click();

  await visitor.goto('/browse?sort=tried');
  const first = visitor.locator('.solution-list .solution-card').first();
  await first.getByText('Tried by 1').waitFor();
  expect(await first.getByRole('link').getAttribute('href')).toBe(`/solutions/${id}`);
  await visitor.goto('/browse?filter=Tried+by+others');
  await visitor.locator(`a[href="/solutions/${id}"]`).waitFor();
  expect(await visitor.locator(`a[href="/solutions/${other}"]`).count()).toBe(0);
  await visitor.goto('/evidence?measure=TUG');
  await visitor.getByText('Show the cases as a table').click();
  await visitor.getByText('Tried by another member').waitFor();

  const answering = await site.signedIn(author.email);
  await answering.goto('/notifications');
  await answering.getByText('tried your solution').click();
  await answering.waitForURL(`/solutions/${id}#tried`);
  await answering.getByRole('button', { name: 'Answer' }).click();
  await answering.getByLabel('Your answer').fill('Thank you, I’ll try that liner.');
  await answering.getByRole('button', { name: 'Save answer' }).click();
  await toast(answering, 'Answer saved');
  await answering.getByText('Thank you, I’ll try that liner.').waitFor();
  await site
    .service()
    .from('safety_notices')
    .insert({ solution_id: id, user_id: author.id, kind: 'recall', content: 'The brim may crack.' })
    .throwOnError();

  await member.goto('/notifications');
  await member.getByText('answered your trial report on').waitFor();
  await member.getByText('added a safety notice to').waitFor();
  await member.getByText('Your trial report was approved').waitFor();
  await member.goto(`/solutions/${id}`);
  await member.getByText('Thank you, I’ll try that liner.').waitFor();

  // An edit takes it off the page until it is approved again.
  await member.getByRole('link', { name: 'Edit your trial report' }).click();
  await member.getByText('Your trial report is public.').waitFor();
  await member.getByLabel('What happened?').fill('It broke after nine weeks.');
  await member.getByLabel('It did not work', { exact: true }).check();
  await member.getByLabel('Why did it not work?').fill('It broke after nine weeks.');
  await member.getByRole('button', { name: 'Submit for review' }).click();
  await toast(member, 'Trial report submitted');
  await visitor.goto(`/solutions/${id}`);
  await visitor.getByText('No one has reported on it yet.').waitFor();
  await moderator.goto('/admin?tab=trials');
  await moderator.getByRole('heading', { name: 'What readers saw before' }).waitFor();
  await moderator.getByRole('button', { name: 'Reject', exact: true }).click();
  await moderator.getByLabel('Reason').fill('Please say where it broke.');
  await moderator.getByRole('button', { name: 'Reject Trial Report' }).click();
  await toast(moderator, 'Trial report rejected');
  await member.goto('/notifications');
  await member.getByText('Changes requested to your trial report').click();
  await member.waitForURL(`/solutions/${id}/tried`);
  await member.getByText('Please say where it broke.').waitFor();
});
