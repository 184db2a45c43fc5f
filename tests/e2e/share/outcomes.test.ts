// @module-tag whole

import { describe, expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { expectFocus, fillIn, follow, press, reload } from '../steps.ts';
import { fill, rowsOf, submit, toLaterParts, toStep } from './form.ts';

const site = openSite();
const { drafts, solutions } = rowsOf(site);

describe('measured outcomes', () => {
  it('are shared on a phone, shown as a picture, found by filter and listed as evidence', async () => {
    const { id: owner, page: author } = await site.joins('Measurer', { at: '/upload', width: 360 });
    await fill(author, 'Gripper with two settings');
    await toLaterParts(author);
    await author.locator('summary', { hasText: 'Outcomes' }).first().click();
    expect(await author.getByRole('button', { name: 'Add a measured outcome' }).isVisible()).toBe(false);
    await author.locator('summary', { hasText: 'Measured outcomes' }).click();
    await press(author, 'Add a measured outcome');
    const measure = author.getByLabel('Measure', { exact: true });
    await expectFocus(measure);
    // Those of the chosen level's limb come first.
    expect(await measure.locator('optgroup').first().getAttribute('label')).toBe('Upper limb');
    await measure.selectOption('BBT');
    await author.getByText('Gross manual dexterity. In blocks/min. Higher is better.').waitFor();
    await fillIn(author, { 'Score before': '11', 'Score after': '1900', 'Follow-up': '6' });
    await expectAccessible(author, 'outcomes in the form');
    await press(author, 'Continue', 'BBT must be between 0 and 150');
    const after = author.getByLabel('Score after');
    await expectFocus(after);
    await after.fill('19');

    // A draft keeps them.
    await expect.poll(async () => JSON.stringify(await drafts(owner))).toContain('"after":"19"');
    await reload(author, 'Draft restored.');
    expect(await author.getByLabel('Score after').inputValue()).toBe('19');
    await toStep(author, 3);
    await author.getByLabel('A parent or guardian has consented in writing').check();
    await submit(author);
    await author.waitForURL('/');
    const [shared] = await solutions('Gripper with two settings');

    // What it has is not asked for again; a card leads to its part of the form, unfolded.
    await author.goto(`/solutions/${shared?.id}`);
    const later = author.getByRole('region', { name: 'Add more while you wait' });
    await later.getByRole('link', { name: 'Build files' }).waitFor();
    expect(await later.getByRole('link').allTextContents()).not.toContainEqual(
      expect.stringMatching(/^Outcomes/),
    );
    await later.getByRole('link', { name: 'How to build it' }).click();
    await author.waitForURL(/\/upload\?solution=/);
    await author.getByRole('button', { name: 'Add a part' }).waitFor();
    await author.getByLabel('Hours of work').fill('2');
    await toStep(author, 3);
    await author.getByLabel('A parent or guardian has consented in writing').check();
    await press(author, 'Submit for review', { toast: 'Added to your solution' });
    await author.waitForURL(`/solutions/${shared?.id}`);
    // What only confirms goes from the foot of a phone with the next press.
    await author.getByRole('main').click({ position: { x: 4, y: 4 } });
    await author.getByText('Added to your solution').waitFor({ state: 'detached' });
    await site.change('solutions', { id: shared?.id }, { status: 'approved' });

    const visitor = await site.visit('/browse?filter=BBT&filter=Better+by+more+than+error', { width: 360 });
    await visitor.getByText('Outcomes', { exact: true }).waitFor();
    await follow(visitor, 'Gripper with two settings', { heading: 'Measured outcomes' });
    const sentence = visitor.getByText(
      /^BBT rose from 11\sblocks\/min to 19\sblocks\/min for 1 person after 6 weeks/,
    );
    expect(await sentence.textContent()).toContain('better, and more than the measurement error of 6.5');
    await visitor.getByText('n = 1', { exact: true }).waitFor();
    expect(await visitor.locator('svg', { hasText: 'After 19' }).first().isVisible()).toBe(true);
    await visitor.getByText('Show as a table, with sources').click();
    await visitor.getByRole('cell', { name: '+8' }).waitFor();
    await expectAccessible(visitor, 'outcomes of a solution');

    await follow(visitor, 'What you can’t conclude', { url: '/evidence#limits' });
    // On a phone the limits unfold for who asks for them, and the filters are a dialog.
    await visitor.getByText('A case has no control group.').waitFor();
    await press(visitor, 'Filter: all levels, all types');
    const filters = visitor.getByRole('dialog', { name: 'Filters' });
    await filters.getByLabel('Measure', { exact: true }).selectOption('BBT');
    await expectAccessible(visitor, 'the filters of evidence');
    await press(filters, 'Show outcomes', { url: '/evidence?measure=BBT' });
    await filters.waitFor({ state: 'hidden' });
    await visitor.getByRole('heading', { level: 1, name: 'Box and Block Test' }).waitFor();
    await visitor.getByText('1 case, n = 1').waitFor();
    await visitor.getByText('Beyond measurement error', { exact: true }).waitFor();
    await expectAccessible(visitor, 'evidence on a measure');
    const file = await visitor.request.get(
      (await visitor.getByRole('link', { name: 'Download CSV' }).getAttribute('href')) ?? '',
    );
    expect(file.headers()['content-type']).toContain('text/csv');
    // Lines that begin with # are comments to programs for statistics, and are so only without quotes.
    expect(await file.text()).toMatch(
      /^\uFEFF?# citation: .*\/evidence\?measure=BBT\r\n(# \w+: .*\r\n){5}measure,before,[\s\S]*BBT,11,19,,1,6,Transradial/,
    );
    await visitor.getByText('11\u00a0blocks/min before, 19\u00a0blocks/min after').waitFor();
    await visitor.getByText('How to read this').click();
    await visitor.getByText('A case has no control group.').waitFor();
    await expectAccessible(visitor, 'how to read evidence');
    // A row that is reached by key fills its point, and no other way leads to it by key than the row.
    expect(await visitor.locator('svg a').count()).toBe(0);
    await visitor.getByRole('link', { name: 'Gripper with two settings' }).focus();
    await visitor.locator('circle.fill-warm').waitFor();
    await follow(visitor, 'Gripper with two settings', { url: `/solutions/${shared?.id}` });
  });

  it('of cases without written consent stand apart from their authors, on the page and in its files, once ten are there', async () => {
    const { id: user_id } = await site.member('Quiet');
    const report = async (count: number) => {
      const id = await shareSolution(site.service(), {
        user_id,
        title: `A quiet case of ours, number ${count}`,
      });
      await site.change('solution_consents', { solution_id: id }, { basis: 'no_identifiable_person' });
      await site.insert('solution_outcomes', {
        solution_id: id,
        position: 0,
        measure: 'Wearing time',
        score_before: 4,
        score_after: 10 + count / 10,
        people: 1,
      });
      await site.change('solutions', { id }, { status: 'approved' });
    };
    for (let count = 1; count < 10; count += 1) await report(count);
    const visitor = await site.visit('/evidence?measure=Wearing+time', { width: 360 });
    await visitor.getByText('0 to 24 hours a day. More is not better by itself.').waitFor();
    await visitor.getByText('No case with these filters reports Wearing time yet.').waitFor();
    await report(10);
    await reload(visitor, { heading: 'Shown without level, type or case' });
    await visitor.getByText('10 cases').waitFor();
    await press(visitor, /^Show all/);
    await visitor.getByText('4\u00a0h/day before, 10.1\u00a0h/day after').waitFor();
    expect(await visitor.getByText('A quiet case').count()).toBe(0);
    expect(await visitor.getByText('Better', { exact: true }).count()).toBe(0);
    await expectAccessible(visitor, 'evidence without cases');
    for (const format of ['csv', 'json']) {
      const file = await (
        await visitor.request.get(`/evidence/outcomes.${format}?measure=Wearing+time`)
      ).text();
      expect(file).toMatch(format === 'csv' ? /Wearing time,4,10\.1,,1,,,,,,,,\r\n/ : /"case": null/);
      expect(file).not.toMatch(/quiet|solutions\/|Transtibial|author"|"\d{4}-\d\d-\d\dT/);
    }
    await visitor.goto('/evidence');
    await visitor.getByText('Wearing time · type not shown').waitFor();
  });
});
