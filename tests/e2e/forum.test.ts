// @module-tag whole

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './every-page/page-checks.ts';
import { blockRealtime, hearing, intercept, openSite, signIn, waitForHydration } from './site.ts';
import { expectFocus, fillAndPress, follow, open, press, says, sendSignIn } from './steps.ts';

const site = openSite();
let people: Record<'amara' | 'ben' | 'cleo', { id: string; email: string }>;
let ben: Page;
let amara: Page;

const topic = (title: string, changes: Record<string, unknown> = {}) =>
  site.insert('forum_topics', { title, description: 'What works?', user_id: people.amara.id, ...changes });
const reply = (topic_id: string, user_id: string, content: string) =>
  site.insert('forum_posts', { topic_id, user_id, content });
const stored = async (table: string, id: string) => await site.row(table, '*', { id });
const box = (page: Page) => page.getByLabel('Your reply', { exact: true });
const toastIn = (page: Page, text: string) =>
  page.getByRole('region', { name: /Messages/ }).getByText(text, { exact: true });
beforeAll(async () => {
  people = {
    amara: await site.member('Amara'),
    ben: await site.member('Ben'),
    cleo: await site.member('Cleo', 'moderator'),
  };
  ben = await site.signedIn(people.ben.email);
  amara = await site.signedIn(people.amara.email, { width: 360, colorScheme: 'dark' });
});

describe('the list', () => {
  it('is filtered by category and searched, live, with all of it in the address', {
    tags: 'system/forum-list',
  }, async () => {
    await topic('Read first', { is_pinned: true, created_at: '2026-01-01' });
    await topic('Thread lock on titanium', { category: 'technical' });
    const visitor = await site.person();
    const subscribed = hearing(visitor, 'forum');
    await visitor.goto('/forum');
    expect(await visitor.getByRole('article').first().textContent()).toContain('Read first');
    await subscribed;
    const id = await topic('Socket windows', { category: 'research' });
    await visitor.getByRole('link', { name: 'Socket windows' }).waitFor();
    expect(await visitor.getByRole('article').nth(1).textContent()).toContain('Socket windows');
    await reply(id, people.ben.id, 'Œdème at the edge, once.');
    await visitor.getByRole('article').filter({ hasText: 'Socket windows' }).getByText('1 reply').waitFor();

    for (const name of [
      'All',
      'General Discussion',
      'Success Stories',
      'Materials & Methods',
      'Research & Innovation',
    ])
      await visitor.getByRole('button', { name, exact: true }).waitFor();
    await press(visitor, 'Technical Questions', { url: /category=technical$/ });
    await visitor.getByRole('link', { name: 'Socket windows' }).waitFor({ state: 'detached' });
    await press(visitor, /^All$/);
    // A search before that would be one in the category.
    await visitor.waitForURL(/\/forum$/);
    await visitor.getByRole('searchbox', { name: 'Search the forum' }).fill('oedeme WINDOWS');
    await press(visitor, /^Search$/, { url: /q=oedeme/ });
    await visitor.getByText('1 topic found').waitFor();
    await expectAccessible(visitor, 'search');
    await visitor.getByText('In a reply:').waitFor();
    await follow(visitor, 'Socket windows', { url: /post=/ });
    await visitor.goBack();
    await visitor.getByRole('searchbox', { name: 'Search the forum' }).fill('nothing-like-this');
    await visitor.keyboard.press('Enter');
    await visitor.getByText('No topics match “nothing-like-this”.').waitFor();
    await visitor.getByRole('searchbox', { name: 'Search the forum' }).fill('a b c d e f g h i');
    await visitor.keyboard.press('Enter');
    await visitor.getByText('This search is too broad, so some older topics may be missing.').waitFor();
  });

  it('comes from the server, also page by page without JavaScript', async () => {
    await site.insert(
      'forum_topics',
      Array.from({ length: 24 }, (_, n) => ({
        title: `Old topic ${n}`,
        user_id: people.ben.id,
        category: 'materials',
        created_at: new Date(Date.UTC(2026, 0, 2, 0, n)).toISOString(),
      })),
    );
    const page = await site.visit('/forum?category=materials', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Old topic 23' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(20);
    await press(page, 'Load more');
    await page.getByRole('link', { name: 'Old topic 3', exact: true }).waitFor();
    expect(await page.getByRole('article').count()).toBe(4);
    await follow(page, /^Old topic 3$/, { title: 'Old topic 3' });

    await amara.goto('/forum?category=materials');
    await press(amara, 'Load more');
    await amara.getByRole('link', { name: 'Old topic 0', exact: true }).waitFor();
    await expectAccessible(amara, 'list');
  });

  it('says when it cannot be loaded', async () => {
    const page = await site.person();
    await blockRealtime(page);
    await page.goto('/forum');
    await waitForHydration(page);
    const calls = /forum\.data|rpc\/browse_forum/;
    const restore = await intercept(page, calls, (route) => route.abort());
    await press(page, 'Research & Innovation');
    await toastIn(page, 'Failed to load forum topics').waitFor();
    restore();
    await press(page, 'Try again');
    await page.getByRole('link', { name: 'Socket windows' }).waitFor();
  });
});

describe('a new topic', () => {
  it('needs sign-in, then a title, keeps what was typed, and leads to itself', async () => {
    const page = await site.visit('/forum?category=success-stories');
    await page.getByRole('button', { name: 'New Topic' }).first().click();
    await page.getByText('Authentication required').waitFor();
    await page.waitForURL(/\/auth$/);
    await sendSignIn(page, people.ben.email);
    await page.waitForURL(/\/forum\?category=success-stories$/);

    await page.getByRole('button', { name: 'New Topic' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New Topic' });
    const deep = `${'> '.repeat(12)}She plays again.`;
    await fillAndPress(dialog, { Description: deep }, 'Create topic', 'Please enter a topic title');
    await dialog.getByText('Please nest lists and quotes less deeply').waitFor();
    expect(await dialog.getByLabel('Description').inputValue()).toBe(deep);
    await fillAndPress(dialog, { Description: 'She plays **again**.' }, 'Create topic');
    await dialog.getByText('Please nest lists').waitFor({ state: 'detached' });
    await dialog.getByText('Please enter a topic title').waitFor();
    await expectAccessible(page, 'dialog');
    await page.reload();
    await page.getByRole('button', { name: 'New Topic' }).first().click();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('She plays **again**.');
    await dialog.getByLabel('Title').fill('  Back at the piano  ');
    await page.context().setOffline(true);
    await press(dialog, 'Create topic', { page: 'Failed to create topic' });
    await page.context().setOffline(false);
    await press(dialog, 'Create topic', { page: 'Topic created successfully' });
    await page.getByRole('heading', { level: 1, name: 'Back at the piano' }).waitFor();
    await page.getByRole('main').locator('strong', { hasText: 'again' }).waitFor();
    expect(await stored('forum_topics', page.url().split('/').pop() ?? '')).toMatchObject({
      title: 'Back at the piano',
      category: 'success-stories',
      user_id: people.ben.id,
    });
    expect(await page.evaluate(() => localStorage.getItem('draft:new-topic'))).toBeNull();

    await press(page, 'Edit topic');
    const title = 'Back at the grand piano';
    await fillAndPress(page.getByRole('dialog', { name: 'Edit topic' }), { Title: title }, 'Save', { title });
    await page.getByText('edited').waitFor();
  });
});

describe('a topic', () => {
  it('is answered, quoted and edited, live for both, with a mention that notifies', {
    tags: 'system/topic',
  }, async () => {
    const id = await topic('Suspension for short limbs');
    const subscribed = Promise.all([hearing(ben, 'topic'), hearing(amara, 'topic')]);
    await Promise.all([ben.goto(`/forum/${id}`), amara.goto(`/forum/${id}`)]);
    await subscribed;
    await ben.getByText('No replies yet. Yours can be the first.').waitFor();
    await box(ben).fill('A suction liner, says @cleo.');
    await press(ben, 'Post reply', 'Reply posted successfully');
    expect(await box(ben).inputValue()).toBe('');

    const liner = amara.getByRole('listitem').filter({ hasText: 'A suction liner' });
    expect(await liner.getByRole('link', { name: '@cleo' }).getAttribute('href')).toBe('/members/cleo');
    await press(liner, 'Quote');
    expect(await box(amara).inputValue()).toBe('@ben wrote:\n> A suction liner, says @cleo.\n\n');
    await box(amara).press('ControlOrMeta+End');
    await amara.keyboard.type('Which size?');
    await press(amara, 'Post reply');
    await ben.locator('blockquote').getByText('A suction liner').waitFor();

    for (const { id: user_id } of Object.values(people))
      expect(await site.rows('notifications', 'type', { user_id, forum_topic_id: id })).toEqual([
        { type: 'forum_reply' },
      ]);

    await press(ben, 'Edit your reply');
    await ben.getByRole('main').getByRole('textbox').first().fill('A locking liner.');
    await press(ben, 'Save');
    await says(amara, 'A locking liner.', 'edited');
    // After sending, the page stands at the reply, where the header lies over half a link.
    for (const page of [ben, amara]) await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(ben, 'topic');
    await expectAccessible(amara, 'topic on a phone');
    expect((await stored('forum_topics', id))?.views_count).toBe(2);
  });

  it('is answered and summarised by who asked, on a phone, and says so on lists, live and to those who replied', async () => {
    const id = await topic('Sweat in a silicone liner');
    const first = await reply(id, people.ben.id, 'A **perforated** liner.');
    await reply(id, people.cleo.id, 'Talc.');
    const subscribed = hearing(ben, 'topic');
    await Promise.all([amara.goto(`/forum/${id}`), ben.goto(`/forum/${id}`)]);
    await subscribed;
    expect(await ben.getByRole('button', { name: /This helped|summary/ }).count()).toBe(0);

    await press(amara, 'This helped (reply by Cleo Test)', 'Marked as the answer that helped');
    await press(amara, 'This helped (reply by Ben Test)');
    const marked = ben.getByRole('listitem').filter({ hasText: 'perforated' });
    await marked.getByText('This helped', { exact: true }).waitFor();
    const outcome = ben.getByRole('region', { name: 'Answer' });
    await says(outcome, 'A perforated liner.', 'Ben Test');
    await press(amara, 'Write a summary');
    const dialog = amara.getByRole('dialog', { name: 'Write a summary' });
    await press(dialog, 'Save', 'A summary cannot be empty');
    await fillAndPress(dialog, { Summary: 'A *perforated* liner, and talc in summer.' }, 'Save');
    await dialog.waitFor({ state: 'detached' });
    const summary = ben.getByRole('region', { name: 'Summary' });
    await says(summary, 'and talc in summer.', 'Amara Test');
    expect(await summary.locator('em').textContent()).toBe('perforated');
    await press(amara, 'Edit summary');
    const edited = amara.getByRole('dialog', { name: 'Edit summary' });
    await fillAndPress(edited, { Summary: 'A perforated liner does.' }, 'Save');
    await summary.getByText('A perforated liner does.').waitFor();
    await amara.evaluate(() => scrollTo(0, 0));
    await expectAccessible(amara, 'answered topic on a phone');
    await expectAccessible(ben, 'answered topic');
    for (const [who, types] of [
      ['ben', ['answer_marked', 'topic_summarised']],
      ['cleo', ['answer_marked', 'topic_summarised']],
    ] as const) {
      const told = await site.rows('notifications', 'type', { user_id: people[who].id, forum_topic_id: id });
      expect(
        told
          .map(({ type }) => type)
          .filter((type) => type !== 'forum_reply')
          .toSorted(),
      ).toEqual(types);
    }

    const html = await (await fetch(`${site.url()}/forum/${id}`)).text();
    for (const part of ['"acceptedAnswer"', '"Question"', `post=${first}`, 'A perforated liner does.'])
      expect(html).toContain(part);
    await ben.goto('/forum?q=silicone');
    await ben
      .getByRole('article')
      .filter({ hasText: 'Sweat in a silicone liner' })
      .getByText('Answered')
      .waitFor();
    await ben.goto('/notifications');
    await says(ben, /a summary, your reply marked as the answer by Amara Test/);
    await amara.goto(`/forum/${id}`);
    await follow(amara, 'The answer that helped', { url: new RegExp(first) });
    await press(amara, 'Take back the mark of the reply by Ben Test', 'Mark removed');
    await press(amara, 'Remove summary');
    await press(amara.getByRole('dialog'), 'Remove', { page: 'Summary removed' });
    await amara.getByRole('region', { name: /Summary|Answer/ }).waitFor({ state: 'detached' });
    expect(await (await fetch(`${site.url()}/forum/${id}`)).text()).not.toContain('acceptedAnswer');
  });

  it('opens at a reply that is linked to, and in pieces', async () => {
    const id = await topic('A long one');
    await site.insert(
      'forum_posts',
      Array.from({ length: 70 }, (_, n) => ({
        topic_id: id,
        user_id: people.ben.id,
        content: `Reply number ${n}.`,
        created_at: new Date(Date.UTC(2026, 0, 2, 0, n)).toISOString(),
      })),
    );
    const linked = await site.row('forum_posts', 'id', { topic_id: id, content: 'Reply number 50.' });
    const page = await site.visit(`/forum/${id}#post-${linked.id}`);
    await page.getByText('Reply number 50.').waitFor();
    expect(await page.getByText('Reply number 46.').count()).toBe(0);
    await press(page, 'Show earlier replies', 'Reply number 46.');
    await follow(page, 'From the start', 'Reply number 0.');
    await press(page, 'Show more replies', 'Reply number 31.');
    await follow(page, 'Latest replies', 'Reply number 69.');
    expect(await page.getByText('Reply number 31.').count()).toBe(0);
  });

  it('keeps a reply through sign-in, a lost connection and an ended session', async () => {
    const id = await topic('Nothing is lost');
    const page = await site.visit(`/forum/${id}`);
    await box(page).fill('  ');
    await press(page, 'Post reply', 'A reply cannot be empty');
    await box(page).fill('Typed as a visitor.');
    await press(page, 'Post reply', 'Please sign in to reply');
    await page.waitForURL(/\/auth$/);
    await sendSignIn(page, people.ben.email);
    await page.waitForURL(new RegExp(`/forum/${id}$`));
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Typed as a visitor.');
    await page.context().setOffline(true);
    await press(page, 'Post reply', 'Failed to post reply');
    await page.context().setOffline(false);
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('sb-')) localStorage.removeItem(key);
    });
    await press(page, 'Post reply');
    await page
      .getByText(/Failed to post reply|Please sign in to reply/)
      .last()
      .waitFor();
    await signIn(page, people.ben.email);
    await page.goto(`/forum/${id}`);
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Typed as a visitor.');
    await press(page, 'Post reply', 'Reply posted successfully');
  });

  it('is reported, with the reason required', { tags: 'system/report' }, async () => {
    const id = await topic('Reported');
    const visitor = await site.visit(`/forum/${id}`);
    await press(visitor, 'Report topic', 'Authentication required');
    await visitor.waitForURL(/\/auth$/);
    await ben.goto(`/forum/${id}`);
    await press(ben, 'Report topic', 'Was someone hurt, or could they have been?');
    await ben.getByLabel('Yes').check();
    await press(ben, 'Submit report', 'Please provide a reason for the report');
    await expectFocus(ben.getByLabel('Reason'));
    await fillAndPress(ben, { Reason: 'The wearer fell.' }, 'Submit report', 'Report submitted');
    expect(await site.rows('content_reports', 'content_type,tells_of_harm', { content_id: id })).toEqual([
      { content_type: 'topic', tells_of_harm: true },
    ]);
    await press(ben, 'Report topic', { heading: 'Already reported' });
    await follow(ben, 'My reports', { title: 'My reports and suggestions' });
  });

  it('is pinned, locked while someone writes, cleared and deleted by a moderator', {
    tags: 'system/lock',
  }, async () => {
    const id = await topic('Under moderation');
    await reply(id, people.amara.id, 'Buy cheap legs');
    const cleo = await site.signedIn(people.cleo.email);
    const subscribed = hearing(ben, 'topic');
    await Promise.all([cleo.goto(`/forum/${id}`), ben.goto(`/forum/${id}`)]);
    await subscribed;
    await box(ben).fill('Half a thought');
    await press(cleo, 'Delete reply by Amara Test');
    await press(cleo.getByRole('dialog'), 'Delete');
    await ben.getByText('This reply has been removed').waitFor();
    await press(cleo, /^Pin$/);
    await ben.getByText('Pinned').waitFor();
    await press(cleo, /^Lock$/);
    await ben.getByText('This topic is locked.').waitFor();
    expect(await ben.getByLabel('Your unsent reply').inputValue()).toBe('Half a thought');
    await press(ben, 'Post reply');
    await ben.getByText('This topic is locked', { exact: true }).waitFor();
    await expectAccessible(cleo, 'moderation');
    await press(cleo, 'Delete topic');
    await press(cleo.getByRole('dialog'), 'Delete', { url: /\/forum$/ });
    await ben.waitForURL(/\/forum$/);
    await toastIn(ben, 'Topic Not Found').waitFor();
    // Who deletes it knows why it is gone.
    await toastIn(cleo, 'Content Deleted').waitFor();
    expect(await cleo.getByText('Topic Not Found').count()).toBe(0);
    const told = { user_id: people.amara.id, type: 'content_deleted' };
    expect(await site.rows('notifications', 'id', told)).toHaveLength(1);
  });

  it('that is missing says so and leads back', async () => {
    const response = await fetch(`${site.url()}/forum/${people.ben.id}`);
    expect(response.status).toBe(404);
    const page = await site.visit(`/forum/${people.ben.id}`);
    await page.waitForURL(/\/forum$/);
    await toastIn(page, 'Topic not found or has been deleted').waitFor();
  });

  it('comes whole from the server, and loads nothing from elsewhere before a video is played', async () => {
    const id = await topic('The cord', {
      description:
        'Look:\nhttps://www.youtube.com/watch?v=aaaaaaaaaaa&t=42\nhttps://www.instagram.com/p/Cabc123/',
    });
    const html = await (await fetch(`${site.url()}/forum/${id}`)).text();
    expect(html).toContain(`<link rel="canonical" href="${site.url()}/forum/${id}"`);
    expect(html).toContain('DiscussionForumPosting');
    expect(html).toContain('Play video');
    const page = await site.person();
    const outside: string[] = [];
    await page.route(/^https:/, (route) => {
      outside.push(route.request().url());
      return route.fulfill({ contentType: 'text/html', body: 'The player' });
    });
    const pressed = Promise.withResolvers<void>();
    const asksForPlayer = page.waitForRequest('**/assets/rich-text-body-*.js');
    await page.route('**/assets/rich-text-body-*.js', async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await open(page, `/forum/${id}`, 'Instagram post');
    await Promise.all([waitForHydration(page), asksForPlayer]);
    expect(outside).toEqual([]);
    // The press is kept until the player's code is there.
    await press(page, 'Play video');
    expect(outside).toEqual([]);
    pressed.resolve();
    await page.frameLocator('iframe').getByText('The player').waitFor();
    expect(outside).toEqual(['https://www.youtube-nocookie.com/embed/aaaaaaaaaaa?autoplay=1&rel=0&start=42']);
  });
});

describe('the field of a reply', () => {
  it('formats by toolbar, shows a preview, and offers the members whom an @ may mean', async () => {
    const id = await topic('Liners for runners', { user_id: people.ben.id });
    const page = await site.visit(`/forum/${id}`, { as: people.amara.email });
    const field = box(page);
    await field.fill('Use silicone');
    await field.evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(4, 12));
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
    await press(toolbar, 'Bold');
    await expect.poll(() => field.inputValue()).toBe('Use **silicone**');
    await page.keyboard.press('Control+z');
    await expect.poll(() => field.inputValue()).toBe('Use silicone');

    await field.fill('');
    await field.pressSequentially('Thanks @be');
    const option = page.getByRole('option', { name: /@ben/ });
    await option.waitFor();
    await expectAccessible(page, 'the members to mention');
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('Thanks @ben ');
    await option.waitFor({ state: 'detached' });

    const preview = toolbar.getByRole('button', { name: 'Preview' });
    await field.fill('Use **silicone**');
    await preview.click();
    await page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'silicone' }).waitFor();
    await preview.click();
    await press(page, 'Post reply');
    await page.getByRole('listitem').locator('strong', { hasText: 'silicone' }).waitFor();
    await expectFocus(field);
  });
});

describe('a topic that a member follows', () => {
  it('is followed and no longer followed; who follows it is notified of replies', async () => {
    const id = await topic('Feet for sand', { user_id: people.ben.id });
    const page = await site.signedIn(people.amara.email, { width: 360 });
    // The first answer, of before the press, comes after it.
    const late = Promise.withResolvers<void>();
    let isFirst = true;
    await page.route('**/rest/v1/follows?*topic_id=eq.*', async (route) => {
      if (!isFirst || route.request().method() !== 'GET') return route.fallback();
      isFirst = false;
      const response = await route.fetch();
      await late.promise;
      // The page may no longer want it.
      await route.fulfill({ response }).catch(() => undefined);
    });
    await page.goto(`/forum/${id}`);
    await press(page, 'Follow this topic', { toast: 'You follow this topic' });
    late.resolve();
    const following = page.getByRole('button', { name: 'Following this topic' });
    await following.waitFor();
    await reply(id, people.ben.id, 'Wide ones.');
    await page.goto('/notifications');
    await page.getByRole('link', { name: /Ben Test\s*replied in\s*Feet for sand/ }).click();
    await following.click();
    await page.getByRole('button', { name: 'Follow this topic' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Follow this topic' }).waitFor();
    await expectAccessible(page, 'a topic on a phone');
  });
});
