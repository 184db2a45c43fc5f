// @module-tag whole

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHECKED_REGISTRATION } from '../rows.ts';
import { hearing, openSite } from '../site.ts';
import { expectLoaded, follow, open, press } from '../steps.ts';

const site = openSite({ demo: true });
const TITLE = 'Violin bow adapter with a free wrist joint';
const COMMENT = 'Is the clamp solid infill or gyroid?';

const [NAME, OTHER_NAME] = ['Petra', 'Paula'];

const checkRegistration = (user_id: string, number: string) =>
  site.insert('member_registrations', { user_id, ...CHECKED_REGISTRATION, number });

/** The demo case with comments, trials, versions, files and a way to build it. */
describe('to a checked professional, a case for checked professionals', () => {
  let page: Page;
  let path: string;
  let id: string;
  let other: string;
  const like = () => page.getByRole('button', { name: /like this solution/ });
  const likes = async () => Number.parseInt((await like().textContent()) ?? '', 10);
  /** The page is asked for as a whole, which the server does not find for a visitor. */
  async function openCase(address: string) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).and(page.getByText(TITLE)).waitFor();
  }

  beforeAll(async () => {
    await site.change('solutions', { title: TITLE }, { audience: 'checked' });
    ({ id } = await site.row('solutions', 'id', { title: TITLE }));
    path = `/solutions/${id}`;
    const reader = await site.member(NAME);
    other = (await site.member(OTHER_NAME)).id;
    await checkRegistration(reader.id, 'PO 12345');
    await checkRegistration(other, 'PO 12346');
    page = await site.signedIn(reader.email);
  });

  it('has its discussion, in which nothing old is offered as new; comments and replies go there', async () => {
    const heard = Promise.all([hearing(page, 'comments:'), hearing(page, 'solution:')]);
    await openCase(path);
    await page.getByText(COMMENT).waitFor();
    await heard;
    await page.waitForLoadState('networkidle');
    const news = page.getByRole('button', { name: /new comments?$/ });
    expect(await news.count()).toBe(0);
    const count = page.getByRole('heading', { name: /^Discussion/ }).locator('span');
    const before = Number(await count.textContent());
    await page.getByRole('textbox', { name: 'Comment' }).fill(`Solid, says ${NAME}.`);
    await press(page, 'Post comment');
    await page
      .getByRole('listitem')
      .filter({ hasText: `Solid, says ${NAME}.` })
      .first()
      .waitFor();
    await expect.poll(() => count.textContent()).toBe(String(before + 1));
    const thread = page.locator('li', { hasText: COMMENT }).last();
    await thread.getByRole('button', { name: 'Reply' }).first().click();
    await page.getByRole('textbox', { name: /^Reply to/ }).fill(`Gyroid creeps, says ${NAME}.`);
    await page.getByRole('button', { name: 'Reply', exact: true }).last().click();
    await thread.getByText(`Gyroid creeps, says ${NAME}.`).waitFor();
    await expect.poll(() => count.textContent()).toBe(String(before + 2));
    await site.insert('comments', {
      solution_id: id,
      user_id: other,
      content: `Neither, says ${OTHER_NAME}.`,
    });
    await press(page, '1 new comment', `Neither, says ${OTHER_NAME}.`);
    await expect.poll(() => count.textContent()).toBe(String(before + 3));
  });

  it('counts likes as they are given, from the number that is shown, and those of others live', async () => {
    const heard = hearing(page, 'solution:');
    await openCase(path);
    await heard;
    const before = await likes();
    for (const [pressed, count] of [
      ['true', before + 1],
      ['false', before],
      ['true', before + 1],
    ] as const) {
      const sent = page.waitForResponse((response) => response.url().includes('/rest/v1/likes'));
      await like().click();
      await expect.poll(() => like().getAttribute('aria-pressed')).toBe(pressed);
      await expect.poll(likes).toBe(count);
      await sent;
      await page.waitForLoadState('networkidle');
      expect(await likes()).toBe(count);
    }
    await site.insert('likes', { solution_id: id, user_id: other });
    await expect.poll(likes).toBe(before + 2);
  });

  it('says how it went for others, and is reported on', async () => {
    await openCase(path);
    await page.getByRole('link', { name: /^Tried by 3 ?: 1 worked/ }).waitFor();
    await page.getByText('Printed in PETG. Nothing else was changed.').waitFor();
    await openCase(path);
    await page.goto(`${path}/tried`);
    await page.getByLabel('It worked', { exact: true }).check();
    await page.getByRole('radio', { name: 'Transradial (Below Elbow)' }).check();
    await page.getByRole('radio', { name: 'Passive' }).check();
    await page.getByLabel('Adults').check();
    await press(page, 'Submit for review', { toast: 'Trial report submitted' });
    await page.waitForURL(path);
    await page.getByText('Your trial report is pending review').waitFor();
    // By its link too, from the page of the case.
    await follow(page, 'Edit your trial report', 'Your trial report is pending review.');
  });

  it('has its workshop sheet, its versions with what changed, and its files', async () => {
    await openCase(`${path}/workshop-sheet`);
    await page.getByText('Ream the seat of the joint').waitFor();
    await expect.poll(() => page.title()).toContain(TITLE);
    await open(page, `${path}/versions/1`, { title: 'Violin bow adapter with a wrist joint' });
    await page.getByText('This is an earlier version.').waitFor();
    await openCase(`${path}/versions/3?compare=1`);
    await page.getByRole('heading', { name: 'Changed from version 1 to version 3' }).waitFor();
    await page.locator('ins', { hasText: 'free' }).first().waitFor();
    await expect.poll(() => page.title()).toContain(TITLE);
    // The same by the links of the page, to which answers for visitors come as well.
    await openCase(path);
    await follow(page, 'Workshop sheet', 'Ream the seat of the joint');
    await page.getByRole('link', { name: 'Solution', exact: true }).click();
    await page.getByText('Versions and family').click();
    await follow(page, /^Version 2$/, { heading: 'Changed from version 1 to version 2' });
    await page.getByRole('link', { name: 'Back to the solution' }).click();
    const files = page.getByRole('region', { name: 'Build files' });
    const address = await files
      .getByRole('link', { name: /^Download/ })
      .first()
      .getAttribute('href');
    expect((await page.request.get(address ?? '')).status()).toBe(200);
    const picture = page.getByRole('region', { name: 'Images and videos' }).locator('img').first();
    await expectLoaded(picture);
  });

  it('is found, saved, kept in a collection, and printed', async () => {
    await page.goto('/browse?q=violin');
    await page.getByRole('article').filter({ hasText: TITLE }).getByText('Tried by 3').waitFor();
    await openCase(path);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Used in clinic' }).click();
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await page.goto('/saved');
    await page.getByRole('link', { name: 'Used in clinic' }).click();
    await page.getByRole('article').filter({ hasText: TITLE }).waitFor();
    await page.reload();
    await page.getByRole('article').filter({ hasText: TITLE }).waitFor();
    await page.getByRole('link', { name: TITLE }).first().click();
    await page.getByText(COMMENT).waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const part of [TITLE, COMMENT, 'Printed in PETG.', 'Ream the seat of the joint'])
      await page.getByRole('main').getByText(part).locator('visible=true').first().waitFor();
    await page.emulateMedia({ media: 'screen' });
  });

  it('is out of sight once they have signed out, on the page that was open and on the way back to it', async () => {
    await openCase(path);
    await page.getByText(COMMENT).waitFor();
    await press(page, 'Your account');
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('/auth');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'For checked professionals' }).waitFor();
    for (const secret of [TITLE, COMMENT, 'Printed in PETG'])
      expect(await page.content()).not.toContain(secret);
  });
});
