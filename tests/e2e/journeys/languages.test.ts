// @module-tag whole

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { fill, submit, titleOf, toStep } from '../share/form.ts';
import { openSite, tickAll } from '../site.ts';
import { chooseMore, open, press, says } from '../steps.ts';

const site = openSite();

const TITLE = 'طرف صناعي خفيف للمشي في الحقول الرطبة';
const TEXT =
  'صنعنا تجويفًا خفيفًا من البلاستيك المعاد تدويره ليرتديه المزارعون في الحقول الرطبة طوال اليوم دون ألم.';
const NOTICE = 'برای وزن بیش از شصت کیلوگرم استفاده نشود.';
const COMMENT = 'Wie breit ist der Schaft am oberen Rand?';

/** What a screen reader is told of the text: its language and the side on which it begins. */
const spokenAs = (page: Page, text: string) =>
  page
    .getByRole('main')
    .getByText(text)
    .first()
    .evaluate((element) => {
      const said = element.closest('[lang]');
      return [said?.getAttribute('lang'), said && getComputedStyle(said).direction];
    });

it('a case in Arabic and a comment in German say so from the form to the page, the card and the search, on a phone', async () => {
  const author = await site.member('Layla');
  const page = await site.visit('/upload', { as: author.email, width: 360 });
  await titleOf(page).waitFor();
  expect(await page.getByText('Language:').count()).toBe(0);
  await fill(page, TITLE, TEXT);
  await toStep(page, 1);
  await says(page, 'Language: Arabic');
  await expectAccessible(page, 'the form of a case in Arabic');
  // Persian has the same letters: it can be said, and is kept with the draft.
  await press(page, 'Change the language of this text');
  const choice = page.getByLabel('Language of this text');
  await choice.selectOption({ label: 'Persian' });
  await expectAccessible(page, 'the choice of a language');
  await choice.selectOption('ar');
  await submit(page);
  await page.waitForURL('/');
  const [sent] = await site.rows('solutions', 'id, language');
  expect(sent.language).toBe('ar');

  const { page: moderator } = await site.joins('Henrik', { role: 'moderator', at: '/admin?tab=solutions' });
  await moderator.getByRole('heading', { name: TITLE }).waitFor();
  expect(await spokenAs(moderator, TEXT)).toEqual(['ar', 'rtl']);
  await says(moderator, 'Arabic');
  await tickAll(moderator);
  await press(moderator, 'Approve', 'Solution Approved');

  const { page: colleague } = await site.joins('Jonas', { at: `/solutions/${sent.id}` });
  await colleague.getByRole('textbox', { name: 'Comment' }).fill(COMMENT);
  await says(colleague, 'Language: German');
  await press(colleague, 'Post comment', { toast: 'Comment posted successfully' });

  // Persian has the letters of Arabic too, and is right here: the notice says what its writer chose.
  await open(page, `/solutions/${sent.id}`, { title: TITLE });
  await chooseMore(page, 'Add a safety notice');
  const dialog = page.getByRole('dialog', { name: 'Safety notice' });
  await dialog.getByLabel('What do readers need to know?').fill(NOTICE);
  await press(dialog, 'Change the language of this text');
  await expectAccessible(page, 'the form of a notice');
  await dialog.getByLabel('Language of this text').selectOption({ label: 'Persian' });
  await press(dialog, 'Publish notice', { toast: 'Safety notice published' });

  // A visitor reads what the server has made, without scripts.
  const reader = await site.visit(`/solutions/${sent.id}`, { width: 360, javaScriptEnabled: false });
  expect(await spokenAs(reader, TITLE)).toEqual(['ar', 'rtl']);
  expect(
    await reader
      .getByText(TEXT)
      .first()
      .evaluate((text) => getComputedStyle(text).hyphens),
  ).toBe('auto');
  expect(await spokenAs(reader, TEXT)).toEqual(['ar', 'rtl']);
  expect(await spokenAs(reader, COMMENT)).toEqual(['de', 'ltr']);
  expect(await spokenAs(reader, NOTICE)).toEqual(['fa', 'rtl']);
  expect(await reader.locator('meta[property="og:locale"]').getAttribute('content')).toBe('ar_EG');
  const data = await reader.locator('script[type="application/ld+json"]').textContent();
  expect(JSON.parse(data ?? '')).toMatchObject({ inLanguage: 'ar' });
  const feed = await (await fetch(`${site.url()}/browse.atom`)).text();
  expect(feed).toContain('<entry xml:lang="ar">');

  // With one language there is nothing to choose.
  const browser = await site.visit('/browse', { width: 1440 });
  await browser.getByRole('link', { name: TITLE }).waitFor();
  expect(await browser.getByText('Language', { exact: true }).count()).toBe(0);
  await site.publish(author.id, 'A hook that holds a bow');
  await open(browser, '/browse', { heading: 'A hook that holds a bow' });
  await browser.getByLabel('Arabic').check();
  await browser.waitForURL('/browse?filter=language%3Aar');
  await says(browser, '1 solutions found');
  expect(await spokenAs(browser, TITLE)).toEqual(['ar', 'rtl']);
  // The choice is far down; the bar of the results would lie over a part of the first one.
  await browser.evaluate(() => scrollTo(0, 0));
  await expectAccessible(browser, 'the filter of a language');

  // Found by a word as it is typed without its vowel signs, and marked.
  await open(browser, `/browse?q=${encodeURIComponent('تجويف')}`, '1 solutions found');
  await expect.poll(() => browser.locator('mark').allTextContents()).toContain('تجويفً');
  expect(await spokenAs(browser, TITLE)).toEqual(['ar', 'rtl']);
});

it('messages, collections with their notes, and biographies say their language as their writers chose it', async () => {
  const [hanna, author] = [await site.member('Hanna'), await site.member('Ben')];
  const solution = await site.publish(author.id, 'A hook that holds a bow');
  const page = await site.visit(`/messages/${author.id}`, { as: hanna.email, width: 360 });
  const message = 'Wie breit ist der Schaft?';
  await page.getByLabel('Message to Ben').fill(message);
  await says(page, 'Language: German');
  await expectAccessible(page, 'a message and its language');
  await press(page, 'Send message', { toast: 'Message sent' });
  expect(await spokenAs(page, message)).toEqual(['de', 'ltr']);

  await open(page, '/saved', { title: 'Saved' });
  await press(page, 'New collection');
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await dialog.getByLabel('Title').fill('Armschäfte');
  await press(dialog, 'Change the language of this text');
  await dialog.getByLabel('Language of this text').selectOption({ label: 'German' });
  await press(dialog, 'Create');
  await page.getByRole('link', { name: 'Armschäfte' }).waitFor();
  expect(await spokenAs(page, 'Armschäfte')).toEqual(['de', 'ltr']);
  const [collection] = await site.rows('collections', 'id');
  await site.insert('collection_items', {
    collection_id: collection.id,
    user_id: hanna.id,
    solution_id: solution,
  });
  await open(page, `/collections/${collection.id}`, { title: 'Armschäfte' });
  await page.getByLabel(/^Your note/).fill('Demander la largeur');
  await press(page, 'Change the language of this text');
  await page.getByLabel('Language of this text').selectOption({ label: 'French' });
  await press(page, 'Save note', { toast: 'Note saved' });
  await page.getByRole('switch', { name: 'Share by link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  const reader = await site.visit(`/collections/${collection.id}`, { width: 1440 });
  await reader.getByText('Demander la largeur').locator('visible=true').waitFor();
  expect(await spokenAs(reader, 'Demander la largeur')).toEqual(['fr', 'ltr']);
  expect(await spokenAs(reader, 'Armschäfte')).toEqual(['de', 'ltr']);

  await open(page, '/profile', { title: 'Profile' });
  await press(page, 'Edit profile');
  await page.getByLabel('Bio').fill('Zwanzig Jahre an der Werkbank');
  await press(page, 'Change the language of this text');
  await page.getByLabel('Language of this text').selectOption({ label: 'German' });
  await press(page, 'Save Changes', { toast: 'Profile updated successfully' });
  expect(await spokenAs(page, 'Zwanzig Jahre an der Werkbank')).toEqual(['de', 'ltr']);
});
