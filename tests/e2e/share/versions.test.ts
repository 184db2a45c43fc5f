import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, tickAll, toast } from '../site.ts';
import { titleOf } from './form.ts';

const site = openSite();

it('a published case is changed, compared, cited and withdrawn, and readers have the approved version all the while', async () => {
  const author = await site.member('Vera');
  const id = await shareSolution(site.service(), { user_id: author.id, status: 'approved' });
  const share = (title: string) =>
    shareSolution(site.service(), { user_id: author.id, title, status: 'approved' });
  const [hook, clamp] = [await share('A hook for bows'), await share('A clamp for bows')];
  await site
    .service()
    .from('solution_sources')
    .insert({ solution_id: clamp, source_id: hook })
    .throwOnError();
  const page = await site.signedIn(author.email, { width: 360 });
  await page.goto(`/upload?solution=${id}`);
  await page.getByText('Readers see the published version until').waitFor();
  await titleOf(page).fill('Printed socket for a cello bow');
  await page.locator('summary', { hasText: 'Based on other solutions' }).click();
  await page.getByLabel('Find a solution').fill('clamp');
  await page.getByRole('button', { name: 'A clamp for bows' }).click();
  await page.getByLabel('What changed in this version?').fill('It holds a cello bow as well.');
  await page.getByLabel('No person is shown or recognisable').check();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByText('Solution Submitted!').waitFor();

  await page.goto(`/solutions/${id}`);
  await page.getByText('Your new version is pending review.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Printed socket for a violin bow' }).waitFor();
  await expectAccessible(page, 'a published solution with a new version');

  const { data: revision } = await site
    .service()
    .from('solutions')
    .select('id')
    .eq('revises', id)
    .single()
    .throwOnError();
  const moderator = await site.signedIn((await site.member('Mona', 'moderator')).email);
  await moderator.goto(`/solutions/${revision.id}`);
  await tickAll(moderator);
  await moderator.getByRole('button', { name: 'Approve' }).click();
  await toast(moderator, 'Solution Approved');
  await moderator.waitForURL(`/solutions/${id}`);
  await moderator.getByRole('heading', { level: 1, name: 'Printed socket for a cello bow' }).waitFor();

  await moderator.goto(`/solutions/${id}/versions/1`);
  await moderator.getByRole('heading', { level: 1, name: 'Printed socket for a violin bow' }).waitFor();
  await moderator.getByRole('link', { name: 'See version 2' }).click();
  await moderator.getByRole('heading', { level: 1, name: 'Printed socket for a cello bow' }).waitFor();
  await moderator.getByText('It holds a cello bow as well.').waitFor();
  await moderator.getByRole('button', { name: 'Cite this' }).click();
  await moderator.getByText(`/solutions/${id}/versions/2`).waitFor();
  await moderator.getByText('BibTeX').click();
  await moderator.getByText('version = {2}').waitFor();
  await moderator.goto(`/solutions/${id}/versions/2`);
  await moderator.getByRole('heading', { name: 'Changed from version 1 to version 2' }).waitFor();
  await moderator.locator('ins', { hasText: 'cello' }).waitFor();
  await moderator.getByText('New: A clamp for bows').waitFor();
  await expectAccessible(moderator, 'a version');

  // Its family is on every side, over generations.
  const family = (title: string) =>
    page
      .locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })
      .getByRole('link')
      .allTextContents();
  await page.goto(`/solutions/${hook}`);
  await expect
    .poll(() => family('Adaptations'))
    .toEqual(['A clamp for bows', 'Printed socket for a cello bow']);
  await page.goto(`/solutions/${id}`);
  await expect.poll(() => family('Based on')).toEqual(['A clamp for bows', 'A hook for bows']);
  await page.getByRole('button', { name: 'Delete solution' }).click();
  await page.getByLabel('Reason').selectOption('It contains an error');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL('/browse');
  for (const path of [`/solutions/${id}`, `/solutions/${id}/versions/1`]) {
    expect((await moderator.goto(path))?.status()).toBe(410);
    await moderator.getByText('because it contained an error').waitFor();
  }
});

it('a name that a new version removes is read in no version after its approval', async () => {
  const author = await site.member('Nora');
  const title = 'A clamp that Winifred Hale wears';
  const id = await shareSolution(site.service(), { user_id: author.id, title, status: 'approved' });
  const page = await site.signedIn(author.email);
  await page.goto(`/upload?solution=${id}`);
  await titleOf(page).fill('A clamp that one person wears');
  await page.getByRole('checkbox', { name: /^Yes: remove the texts of all earlier versions/ }).check();
  await page.getByLabel('No person is shown or recognisable').check();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByText('Solution Submitted!').waitFor();
  const { data: revision } = await site
    .service()
    .from('solutions')
    .select('id')
    .eq('revises', id)
    .single()
    .throwOnError();
  const visitor = await site.person();
  await visitor.goto(`/solutions/${id}/versions/1`);
  await visitor.getByRole('heading', { level: 1, name: title }).waitFor();

  const moderator = await site.signedIn((await site.member('Mette', 'moderator')).email);
  await moderator.goto(`/solutions/${revision.id}`);
  const asked = moderator.getByRole('group', { name: 'Does this version remove details about a person?' });
  expect(await asked.getByRole('checkbox').isChecked()).toBe(true);
  await tickAll(moderator);
  await moderator.getByRole('button', { name: 'Approve' }).click();
  await toast(moderator, 'Solution Approved');
  for (const path of [`/solutions/${id}`, `/solutions/${id}/versions/1`, `/solutions/${id}/versions/2`]) {
    await visitor.goto(path);
    await visitor.getByRole('heading', { level: 1 }).waitFor();
    expect(await visitor.content(), path).not.toContain('Winifred');
  }
});
