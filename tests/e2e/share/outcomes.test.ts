import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { fill, rowsOf, submit } from './form.ts';

const site = openSite();
const { drafts, solutions } = rowsOf(site);

describe('measured outcomes', () => {
  it('are shared on a phone, shown as a picture, found by filter and listed as evidence', async () => {
    const { id: owner, email } = await site.member('Measurer');
    const author = await site.signedIn(email, { width: 360 });
    await author.goto('/upload');
    await fill(author, 'Gripper with two settings');
    expect(await author.getByRole('button', { name: 'Add a measured outcome' }).isVisible()).toBe(false);
    await author.locator('summary', { hasText: 'Measured outcomes' }).click();
    await author.getByRole('button', { name: 'Add a measured outcome' }).click();
    const measure = author.getByLabel('Measure', { exact: true });
    await expect.poll(() => measure.evaluate((select) => select === document.activeElement)).toBe(true);
    // Those of the chosen level's limb come first.
    expect(await measure.locator('optgroup').first().getAttribute('label')).toBe('Upper limb');
    await measure.selectOption('BBT');
    await author.getByText('Gross manual dexterity. In blocks/min. Higher is better.').waitFor();
    await author.getByLabel('Score before').fill('11');
    await author.getByLabel('Score after').fill('1900');
    await author.getByLabel('Follow-up').fill('6');
    await expectAccessible(author, 'outcomes in the form');
    await submit(author);
    const problem = author.getByRole('alert').getByRole('link', { name: 'BBT must be between 0 and 150' });
    await problem.click();
    const after = author.getByLabel('Score after');
    await expect.poll(() => after.evaluate((input) => input === document.activeElement)).toBe(true);
    await after.fill('19');

    // A draft keeps them.
    await expect.poll(async () => JSON.stringify(await drafts(owner))).toContain('"after":"19"');
    await author.reload();
    await author.getByText('Draft restored.').waitFor();
    expect(await author.getByLabel('Score after').inputValue()).toBe('19');
    await author.getByLabel('A parent or guardian has consented in writing').check();
    await submit(author);
    await author.waitForURL('/');
    const [shared] = await solutions('Gripper with two settings');
    await site.service().from('solutions').update({ status: 'approved' }).eq('id', shared?.id).throwOnError();

    const visitor = await site.person({ width: 360 });
    await visitor.goto('/browse?filter=BBT&filter=Improved+beyond+error');
    await visitor.getByText('Outcomes measured').waitFor();
    await visitor.getByRole('link', { name: 'Gripper with two settings' }).click();
    await visitor.getByRole('heading', { name: 'Measured Outcomes' }).waitFor();
    const sentence = visitor.getByText(
      /^BBT rose from 11\sblocks\/min to 19\sblocks\/min for 1 person after 6 weeks/,
    );
    expect(await sentence.textContent()).toContain('better, and more than the measurement error of 6.5');
    await visitor.getByText('n = 1', { exact: true }).waitFor();
    expect(await visitor.locator('svg', { hasText: 'After 19' }).first().isVisible()).toBe(true);
    await visitor.getByText('Show as a table, with sources').click();
    await visitor.getByRole('cell', { name: '+8' }).waitFor();
    await expectAccessible(visitor, 'outcomes of a solution');

    await visitor.getByRole('link', { name: 'What you can’t conclude' }).click();
    await visitor.waitForURL('/evidence#limits');
    await visitor.getByLabel('Measure', { exact: true }).selectOption('BBT');
    await visitor.getByRole('button', { name: 'Show outcomes' }).click();
    await visitor.waitForURL('/evidence?measure=BBT');
    await visitor.getByText('1 case, 1 person (n = 1)').waitFor();
    await expectAccessible(visitor, 'evidence on a measure');
    const file = await visitor.request.get(
      (await visitor.getByRole('link', { name: 'Download CSV' }).getAttribute('href')) ?? '',
    );
    expect(file.headers()['content-type']).toContain('text/csv');
    expect(await file.text()).toMatch(
      /# citation: .*\/evidence\?measure=BBT[\s\S]*BBT,11,19,,1,6,Transradial/,
    );
    await visitor.getByText('Show the cases as a table').click();
    await visitor.getByRole('link', { name: 'Gripper with two settings' }).click();
    await visitor.waitForURL(`/solutions/${shared?.id}`);
  });
});
