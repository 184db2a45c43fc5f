// @module-tag whole

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SOLUTION } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { blockRealtime, intercept, openSite, PASSWORD, refuse, signInByForm } from '../site.ts';
import { expectFocus, open, press, reload } from '../steps.ts';
import { choose, classify, files, fill, jpeg, rowsOf, submit, titleOf, toStep } from './form.ts';

const site = openSite();
const { drafts, solutions } = rowsOf(site);

describe('sharing a solution', () => {
  it('takes a first case on a phone in three steps, each of which Back leads out of, and none past a wrong answer', async () => {
    const { page } = await site.joins('Stepper', { at: '/upload', width: 360 });
    const heading = (name: string) => page.getByRole('heading', { name });
    await heading('Show it Step 1 of 3').waitFor();
    await expectAccessible(page, 'the first step');
    await titleOf(page).fill('A first case on a phone');
    await press(page, 'Continue', 'Description must be at least 50 characters');
    const description = page.getByLabel('Description', { exact: true });
    await expectFocus(description);
    await description.fill('A printed gripper that opens under the child’s own pull and lets go in a fall.');
    await press(page, 'Continue');
    await expectFocus(heading('Classify it Step 2 of 3'));
    await press(page, 'Continue', 'Please select a function');
    await expectFocus(page.getByLabel('Function in mind'));
    await classify(page);
    await expectAccessible(page, 'the second step');
    await press(page, 'Continue');
    await expectFocus(heading('Consent and send Step 3 of 3'));
    await expectAccessible(page, 'the third step');
    await press(page, 'Submit for review', 'Please choose a consent statement');

    await page.goBack();
    await expectFocus(heading('Classify it Step 2 of 3'));
    await reload(page, 'Draft restored.');
    await heading('Classify it Step 2 of 3').waitFor();
    expect(await page.getByLabel('Transradial (Below Elbow)').isChecked()).toBe(true);
    await page.goForward();
    await heading('Consent and send Step 3 of 3').waitFor();
    await page.getByLabel('A parent or guardian has consented in writing').check();
    await press(page, 'Submit for review', 'Solution Submitted!');
    await page.waitForURL('/');
    expect(await solutions('A first case on a phone')).toHaveLength(1);
  });

  it('names every missing field at once, counts characters after trimming, and keeps what was typed', async () => {
    const { id, page } = await site.joins('Hasty', { at: '/upload' });
    await press(page, 'Submit for review');
    const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
    for (const message of [
      'Title must be at least 10 characters',
      'Description must be at least 50 characters',
      'Please select a function',
      'Please select amputation level',
      'Please select at least one age group',
      'Please select prosthesis type',
      'Please select cost range',
    ])
      await summary.getByText(message).waitFor();
    const description = page.getByLabel('Description', { exact: true });
    await titleOf(page).fill('  nine char      ');
    await description.fill('x'.repeat(49));
    await press(page, 'Submit for review');
    await summary.getByRole('link', { name: 'Title must be at least 10 characters' }).waitFor();
    await summary.getByRole('link', { name: 'Description must be at least 50 characters' }).waitFor();
    expect(await description.inputValue()).toBe('x'.repeat(49));
    expect(await site.rows('solutions', 'id', { user_id: id })).toEqual([]);
  });

  it('trims tags, ignores empty and repeated ones, and takes no Enter that ends the word of an input method', async () => {
    const { page } = await site.joins('Tagger', { at: '/upload' });
    const tags = page.getByLabel('Custom tags');
    for (const typed of ['  trail  ', '', '   ', 'trail', 'winter']) {
      await tags.fill(typed);
      await tags.press('Enter');
    }
    // Safari sends it when the word has ended already.
    await tags.fill('義手');
    await tags.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    expect(await tags.inputValue()).toBe('義手');
    expect(
      await page
        .getByRole('listitem')
        .getByRole('button', { name: /trail|winter|義手/ })
        .count(),
    ).toBe(2);
  });

  it('lets one pass by the question about consent, answers to which stay open', async () => {
    const { page } = await site.joins('Tabber', { at: '/upload' });
    await titleOf(page).fill('Passed by with the Tab key');
    const consent = page.getByRole('radiogroup', { name: 'Consent' }).getByRole('radio');
    await consent.first().focus();
    await page.keyboard.press('Tab');
    expect(await titleOf(page).inputValue()).toBe('Passed by with the Tab key');
    expect(await consent.evaluateAll((all: HTMLInputElement[]) => all.some(({ checked }) => checked))).toBe(
      false,
    );
    await press(page, 'Submit for review');
    await page.getByRole('alert').getByText('Please choose a consent statement').waitFor();

    // By keyboard as well as by mouse an answer counts, and stays when the group is left.
    await consent.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.getByText('Please choose a consent statement').first().waitFor({ state: 'hidden' });
    expect(await consent.nth(1).isChecked()).toBe(true);
  });

  it('brings back what can be read of a draft', async () => {
    const { id, email } = await site.member('Mangled');
    const form = { title: 'What could be read', consent: null, ageGroup: 'Adults', materials: [null] };
    await site.insert('solution_drafts', {
      user_id: id,
      content: { form, uploads: { items: [{}] }, savedAt: Date.now() },
    });
    const page = await site.visit('/upload', { as: email });
    await page.getByText('Draft restored.').waitFor();
    expect(await titleOf(page).inputValue()).toBe('What could be read');
  });

  it('keeps a draft for another device and forgets it everywhere', async () => {
    const { email, id, page } = await site.joins('Drafter', { at: '/upload' });
    await titleOf(page).fill('Begun at the bench');
    await expect.poll(() => drafts(id)).toHaveLength(1);
    await page.context().setOffline(true);
    await titleOf(page).fill('Begun at the bench, and on the train');
    await page.context().setOffline(false);
    const other = await site.signedIn(email, { width: 360 });
    await expect.poll(async () => JSON.stringify(await drafts(id))).toContain('on the train');
    await open(other, '/upload', 'Draft restored.');
    expect(await titleOf(other).inputValue()).toBe('Begun at the bench, and on the train');
    await expectAccessible(other, 'a draft that is back');
    await press(other, 'Discard draft');
    await expect.poll(() => drafts(id)).toEqual([]);
    await titleOf(page).blur();
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.reload();
    await expect.poll(() => titleOf(page).inputValue()).toBe('');
    expect(await drafts(id)).toEqual([]);
  });

  it('says what failed and loses nothing: refused files, a lost line, a failed function', async () => {
    const { page } = await site.joins('Unlucky', { at: '/upload', width: 360 });
    await files(page).setInputFiles([
      { name: 'IMG_1.HEIC', mimeType: '', buffer: Buffer.from('x') },
      { name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024) },
      await jpeg('good.jpg'),
    ]);
    await page
      .getByText(/IMG_1\.HEIC: Only JPEG, PNG, and WebP images are accepted\./)
      .first()
      .waitFor();
    await page.getByText('big.png: Images must be under 10MB.').first().waitFor();
    await page.getByText('Image Too Large').first().waitFor();
    await expectAccessible(page, 'refused files');
    await fill(page, 'Sent on the third try');
    await toStep(page, 1);

    const reconnect = await intercept(page, '**/process-media-upload', (route) =>
      route.abort('internetdisconnected'),
    );
    await choose(page, 'good.jpg', 'Upload now');
    await page.getByText('good.jpg: The connection was lost. Please try again.').first().waitFor();
    reconnect();
    const restore = await intercept(page, '**/process-media-upload', (route) =>
      route.fulfill({ status: 500, json: { message: 'good.jpg could not be read.' } }),
    );
    await press(page, 'Retry good.jpg');
    await page.getByText('good.jpg could not be read.').first().waitFor();
    restore();
    expect(await titleOf(page).inputValue()).toBe('Sent on the third try');
    await press(page, 'Retry good.jpg');
    await submit(page);
    await page.waitForURL('/');
    expect(await solutions('Sent on the third try')).toHaveLength(1);
  });

  it('is written in one tab at a time, and goes on in the other', async () => {
    const { page } = await site.joins('Twotabs', { at: '/upload' });
    await titleOf(page).fill('Begun in the first tab');
    const other = await page.context().newPage();
    await open(other, '/upload', 'This draft is open in another tab.');
    await expectAccessible(other, 'the second tab');
    await press(other, 'Continue here', 'Draft restored.');
    await page.getByText('This draft is open in another tab.').waitFor();
    await titleOf(other).fill('Gone on in the second tab');
    await other.close();
    await expect.poll(() => titleOf(page).inputValue()).toBe('Gone on in the second tab');
  });

  it.each(['sent', 'kept'])(
    'survives a session that has ended when it is %s, pictures and all',
    async (moment) => {
      const { id, email, page } = await site.joins(`Expired-${moment}`);
      const title = `Had a session until it was ${moment}`;
      // A channel ends with its session, and would notice before the member does anything.
      await blockRealtime(page);
      await page.goto('/upload');
      await files(page).setInputFiles([await jpeg('bench.jpg')]);
      await fill(page, title);
      // Otherwise the pending save of the draft would notice first, and not the press.
      await expect.poll(async () => JSON.stringify(await drafts(id))).toContain('guardian_written');
      const elsewhere = await site.client(email);
      await elsewhere.auth.signOut({ scope: 'global' });
      const written = moment === 'sent' ? title : `${title}, and a word more`;
      if (moment === 'sent') await submit(page);
      else await titleOf(page).fill(written);
      const dialog = page.getByRole('dialog', { name: 'You’ve been signed out' });
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await press(dialog, /^Sign In$/);
      // What was sent before goes on by itself.
      if (moment === 'kept') {
        await dialog.waitFor({ state: 'hidden' });
        expect(await titleOf(page).inputValue()).toBe(written);
        await press(page, 'Submit for review');
      }
      await page.getByText('Solution Submitted!').waitFor();
      await page.getByText('Submission Failed').waitFor({ state: 'detached' });
      const [solution] = await solutions(written);
      expect(solution?.solution_media).toHaveLength(1);
    },
  );

  it('says when it could not look for a draft of another device, and finds it at the next try', async () => {
    const { id, email, page: desk } = await site.joins('Traveller', { at: '/upload' });
    await titleOf(desk).fill('Begun at the desk');
    await expect.poll(async () => JSON.stringify(await drafts(id))).toContain('Begun at the desk');
    const phone = await site.signedIn(email, { width: 360 });
    const restore = await refuse(phone, '/rest/v1/solution_drafts', 'GET');
    await open(phone, '/upload', 'We couldn’t check for a draft from your other devices.');
    expect(await titleOf(phone).inputValue()).toBe('');
    restore();
    await press(phone, 'Try again');
    await expect.poll(() => titleOf(phone).inputValue()).toBe('Begun at the desk');
  });

  it('written on two devices is on each what was written there, whatever their clocks say, until its author chooses', async () => {
    const { id, email } = await site.member('Twodevices');
    const stored = (text: string) =>
      expect.poll(async () => JSON.stringify(await drafts(id))).toContain(text);
    const desk = await site.visit('/upload', { as: email });
    await titleOf(desk).fill('Begun at the desk');
    await stored('Begun at the desk');
    const phone = await site.signedIn(email, { width: 360 });
    await phone.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() - 24 * 60 * 60 * 1000;
    });
    await phone.goto('/upload');
    await expect.poll(() => titleOf(phone).inputValue()).toBe('Begun at the desk');
    await titleOf(phone).fill('Gone on with on the phone');
    await stored('Gone on with on the phone');
    await desk.reload();
    await expect.poll(() => titleOf(desk).inputValue()).toBe('Gone on with on the phone');

    const warning = (page: Page) => page.getByText('This draft was changed on another device too.');
    await phone.context().setOffline(true);
    await titleOf(phone).fill('Gone on with in the tunnel');
    await titleOf(desk).fill('Gone on with at the desk');
    await stored('Gone on with at the desk');
    await phone.context().setOffline(false);
    await warning(phone).waitFor();
    await expectAccessible(phone, 'a draft that two devices have changed');
    expect(await titleOf(phone).inputValue()).toBe('Gone on with in the tunnel');
    await stored('Gone on with at the desk');
    await press(phone, 'use the other one');
    await expect.poll(() => titleOf(phone).inputValue()).toBe('Gone on with at the desk');
    expect(await warning(phone).count()).toBe(0);

    await titleOf(phone).fill('Written over on the phone');
    await stored('Written over on the phone');
    await titleOf(desk).fill('Kept at the desk');
    await warning(desk).waitFor();
    await desk.reload();
    await warning(desk).waitFor();
    expect(await titleOf(desk).inputValue()).toBe('Kept at the desk');
    await press(desk, 'Keep this one');
    await stored('Kept at the desk');
    await titleOf(desk).fill('Kept at the desk, and gone on with');
    await stored('gone on with');
    expect(await warning(desk).count()).toBe(0);
  });

  it('is saved on the site where the device has no room, and the form goes on', async () => {
    const { id, page } = await site.joins('Fulldisk', { at: '/upload', width: 360 });
    await titleOf(page).waitFor();
    // Less room than a draft takes; with none at all the sign-in library keeps no session either.
    await page.evaluate(() => {
      for (let size = 4 * 1024 * 1024; size >= 512; size /= 2)
        try {
          for (let at = 0; ; at += 1) localStorage.setItem(`filler-${size}-${at}`, 'x'.repeat(size));
        } catch {
          // Full for this size.
        }
    });
    await titleOf(page).fill('Written on a full tablet');
    await page.getByText('This device has no room for your draft. It’s saved on the site.').waitFor();
    expect(JSON.stringify(await drafts(id))).toContain('Written on a full tablet');
    await expectAccessible(page, 'a draft without room on the device');
    await titleOf(page).fill('Written on a full tablet, to its end');
    await expect.poll(async () => JSON.stringify(await drafts(id))).toContain('to its end');
    await page.reload();
    await expect.poll(() => titleOf(page).inputValue()).toBe('Written on a full tablet, to its end');
  });

  it('says when the device does not give back its files, and has them at the next try', async () => {
    const { page } = await site.joins('Brokenstore');
    await page.addInitScript(() => {
      const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = function (...input) {
        if (sessionStorage.getItem('broken')) throw new DOMException('Internal error', 'UnknownError');
        return open.apply(this, input);
      };
    });
    await page.goto('/upload');
    await files(page).setInputFiles([await jpeg('bench.jpg')]);
    await titleOf(page).fill('Its photo stays');
    await page.evaluate(() => sessionStorage.setItem('broken', 'yes'));
    await reload(page, 'We couldn’t read the files kept on this device.');
    await page.evaluate(() => sessionStorage.removeItem('broken'));
    await press(page, 'Try again');
    await page.getByRole('button', { name: 'Options for bench.jpg' }).waitFor();
    expect(await titleOf(page).inputValue()).toBe('Its photo stays');
  });

  it('is changed after a refusal and sent again, with a draft of its own', async () => {
    const { id, page } = await site.joins('Reviser', { at: '/upload', width: 360 });
    await files(page).setInputFiles([await jpeg('bench.jpg')]);
    await fill(page, 'Gripper, first version');
    await press(page, 'Submit for review', { url: '/' });
    const [{ id: solution } = { id: '' }] = await solutions('Gripper, first version');
    await site.change(
      'solutions',
      { id: solution },
      { status: 'rejected', rejection_reason: 'The wristband can be read.' },
    );

    await open(page, `/upload?solution=${solution}`, 'The wristband can be read.');
    await expectAccessible(page, 'a refused solution');
    await choose(page, 'Image 1', 'Remove');
    await titleOf(page).fill('Gripper, second version');
    await expect.poll(async () => JSON.stringify(await drafts(id))).toContain('second version');
    expect(await drafts(id)).toMatchObject([{ solution_id: solution }]);
    await reload(page, 'Draft restored.');
    expect(await titleOf(page).inputValue()).toBe('Gripper, second version');
    expect(await page.getByRole('button', { name: /^Options for/ }).count()).toBe(0);
    await press(page, 'Discard draft');
    await expect.poll(() => titleOf(page).inputValue()).toBe('Gripper, first version');
    await page.getByRole('button', { name: 'Options for Image 1' }).waitFor();

    await titleOf(page).fill('Gripper, third version');
    await toStep(page, 3);
    await page.getByLabel('A parent or guardian has consented in writing').check();
    await press(page, 'Submit for review', 'Solution Submitted!');
    expect((await solutions('Gripper, third version')).map(({ id }) => id)).toEqual([solution]);
    expect(await drafts(id)).toEqual([]);
  });

  it('tells a member who may add no more that day so before the work, and keeps a draft', async () => {
    const { id, email } = await site.member('Prolific');
    const others = Array.from({ length: 5 }, () => ({ ...SOLUTION, user_id: id }));
    await site.insert('solutions', others);
    const page = await site.visit('/upload', { as: email, width: 360 });
    await page
      .getByText('On your first day you can add 5 solutions. Please wait until tomorrow to add more.')
      .waitFor();
    await expectAccessible(page, 'the limit of the day');
    await titleOf(page).fill('For tomorrow morning');
    await expect.poll(async () => JSON.stringify(await drafts(id))).toContain('For tomorrow morning');
  });

  it('sends visitors to sign in, and back', async () => {
    const page = await site.visit('/upload');
    await page.getByText('Please log in to submit a solution').waitFor();
    await page.waitForURL('/auth');
    await signInByForm(page, (await site.member('Returner')).email);
    await page.waitForURL('/upload');
  });
});
