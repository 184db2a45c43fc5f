// @module-tag whole

import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, tickAll } from '../site.ts';
import { chooseMore, fillAndPress, follow, open, press } from '../steps.ts';
import { titleOf, toStep } from './form.ts';

const site = openSite();

it('a published case is changed, compared, cited and withdrawn, and readers have the approved version all the while', async () => {
  const author = await site.member('Vera');
  const id = await shareSolution(site.service(), { user_id: author.id, status: 'approved' });
  const share = (title: string) => site.publish(author.id, title);
  const [hook, clamp] = [await share('A hook for bows'), await share('A clamp for bows')];
  await site.insert('solution_sources', { solution_id: clamp, source_id: hook });
  const page = await site.visit(`/upload?solution=${id}`, { as: author.email, width: 360 });
  await page.getByText('Readers see the published version until').waitFor();
  await titleOf(page).fill('Printed socket for a cello bow');
  await toStep(page, 2);
  await page.locator('summary', { hasText: 'Based on other solutions' }).click();
  await fillAndPress(page, { 'Find a solution': 'clamp' }, 'A clamp for bows');
  await toStep(page, 3);
  await page.getByLabel('What changed in this version?').fill('It holds a cello bow as well.');
  await page.getByLabel('No person is shown or recognisable').check();
  await press(page, 'Submit for review', 'Solution Submitted!');

  await open(page, `/solutions/${id}`, 'Your new version is pending review.');
  await page.getByRole('heading', { level: 1, name: 'Printed socket for a violin bow' }).waitFor();
  await expectAccessible(page, 'a published solution with a new version');

  const revision = await site.row('solutions', 'id', { revises: id });
  const { page: moderator } = await site.joins('Mona', {
    role: 'moderator',
    at: `/solutions/${revision.id}`,
  });
  await tickAll(moderator);
  await press(moderator, 'Approve', { toast: 'Solution Approved' });
  await moderator.waitForURL(`/solutions/${id}`);
  await moderator.getByRole('heading', { level: 1, name: 'Printed socket for a cello bow' }).waitFor();

  await open(moderator, `/solutions/${id}/versions/1`, { title: 'Printed socket for a violin bow' });
  await follow(moderator, 'See version 2', { title: 'Printed socket for a cello bow' });
  await moderator.getByText('Versions, family and review history').click();
  await moderator.getByText('It holds a cello bow as well.').waitFor();
  await chooseMore(moderator, 'Cite this', `/solutions/${id}/versions/2`);
  await moderator.getByText('BibTeX').click();
  await moderator.getByText('version = {2}').waitFor();
  await moderator.goto(`/solutions/${id}/versions/2`);
  await moderator.getByRole('heading', { name: 'Changed from version 1 to version 2' }).waitFor();
  await moderator.locator('ins', { hasText: 'cello' }).waitFor();
  await moderator.getByText('New: A clamp for bows').waitFor();
  await expectAccessible(moderator, 'a version');

  // Its family is on every side, over generations.
  const family = (title: string) =>
    page.locator('section > h3', { hasText: title }).locator('..').locator('a').allTextContents();
  await page.goto(`/solutions/${hook}`);
  await expect
    .poll(() => family('Adaptations'))
    .toEqual(['A clamp for bows', 'Printed socket for a cello bow']);
  await page.goto(`/solutions/${id}`);
  await expect.poll(() => family('Based on')).toEqual(['A clamp for bows', 'A hook for bows']);
  await chooseMore(page, 'Delete solution');
  await page.getByLabel('Reason').selectOption('It contains an error');
  await press(page, /^Delete$/, { url: '/browse' });
  for (const path of [`/solutions/${id}`, `/solutions/${id}/versions/1`]) {
    expect((await moderator.goto(path))?.status()).toBe(410);
    await moderator.getByText('because it contained an error').waitFor();
  }
});

it('a name that a new version removes is read in no version after its approval', async () => {
  const author = await site.member('Nora');
  const title = 'A clamp that Winifred Hale wears';
  const id = await site.publish(author.id, title);
  const page = await site.visit(`/upload?solution=${id}`, { as: author.email });
  await titleOf(page).fill('A clamp that one person wears');
  await page.getByRole('checkbox', { name: /^Yes: remove the texts of all earlier versions/ }).check();
  await page.getByLabel('No person is shown or recognisable').check();
  await press(page, 'Submit for review', 'Solution Submitted!');
  const revision = await site.row('solutions', 'id', { revises: id });
  const visitor = await site.visit(`/solutions/${id}/versions/1`);
  await visitor.getByRole('heading', { level: 1, name: title }).waitFor();

  const { page: moderator } = await site.joins('Mette', {
    role: 'moderator',
    at: `/solutions/${revision.id}`,
  });
  const asked = moderator.getByRole('group', { name: 'Does this version remove details about a person?' });
  expect(await asked.getByRole('checkbox').isChecked()).toBe(true);
  await tickAll(moderator);
  await press(moderator, 'Approve', { toast: 'Solution Approved' });
  for (const path of [`/solutions/${id}`, `/solutions/${id}/versions/1`, `/solutions/${id}/versions/2`]) {
    await visitor.goto(path);
    await visitor.getByRole('heading', { level: 1 }).waitFor();
    expect(await visitor.content(), path).not.toContain('Winifred');
  }
});
