import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './every-page/page-checks.ts';
import { blockRealtime, hearing, openSite, PASSWORD, signIn, waitForHydration } from './site.ts';

const site = openSite();
const people: Record<'amara' | 'ben' | 'cleo', { id: string; email: string }> = {
  amara: { id: '', email: '' },
  ben: { id: '', email: '' },
  cleo: { id: '', email: '' },
};
let ben: Page;
let amara: Page;

const insertRows = async (table: string, rows: Record<string, unknown> | Record<string, unknown>[]) => {
  const { data, error } = await site.service().from(table).insert(rows).select('id');
  if (error) throw error;
  return data.map(({ id }) => String(id));
};
const topic = async (title: string, changes: Record<string, unknown> = {}) =>
  (
    await insertRows('forum_topics', {
      title,
      description: 'What works?',
      user_id: people.amara.id,
      ...changes,
    })
  )[0] ?? '';
const stored = async (table: string, id: string) =>
  (await site.service().from(table).select('*').eq('id', id).single()).data;
const box = (page: Page) => page.getByLabel('Your reply', { exact: true });
const toastIn = (page: Page, text: string) =>
  page.getByRole('region', { name: /Messages/ }).getByText(text, { exact: true });
beforeAll(async () => {
  people.amara = await site.member('Amara');
  people.ben = await site.member('Ben');
  people.cleo = await site.member('Cleo', 'moderator');
  ben = await site.person();
  amara = await site.person({ width: 360, colorScheme: 'dark' });
  await Promise.all([signIn(ben, people.ben.email), signIn(amara, people.amara.email)]);
});

describe('the list', () => {
  it('is filtered by category and searched, live, with all of it in the address', async () => {
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
    await insertRows('forum_posts', {
      topic_id: id,
      content: 'Œdème at the edge, once.',
      user_id: people.ben.id,
    });
    await visitor.getByRole('article').filter({ hasText: 'Socket windows' }).getByText('1 reply').waitFor();

    for (const name of [
      'All',
      'General Discussion',
      'Success Stories',
      'Materials & Methods',
      'Research & Innovation',
    ])
      await visitor.getByRole('button', { name, exact: true }).waitFor();
    await visitor.getByRole('button', { name: 'Technical Questions' }).click();
    await visitor.waitForURL(/category=technical$/);
    await visitor.getByRole('link', { name: 'Socket windows' }).waitFor({ state: 'detached' });
    await visitor.getByRole('button', { name: 'All', exact: true }).click();
    // A search before that would be one in the category.
    await visitor.waitForURL(/\/forum$/);
    await visitor.getByRole('searchbox', { name: 'Search the forum' }).fill('oedeme WINDOWS');
    await visitor.getByRole('button', { name: 'Search', exact: true }).click();
    await visitor.waitForURL(/q=oedeme/);
    await visitor.getByText('1 topic found').waitFor();
    await expectAccessible(visitor, 'search');
    await visitor.getByText('In a reply:').waitFor();
    await visitor.getByRole('link', { name: 'Socket windows' }).click();
    await visitor.waitForURL(/post=/);
    await visitor.goBack();
    await visitor.getByRole('searchbox', { name: 'Search the forum' }).fill('nothing-like-this');
    await visitor.keyboard.press('Enter');
    await visitor.getByText('No topics match “nothing-like-this”.').waitFor();
    await visitor.getByRole('searchbox', { name: 'Search the forum' }).fill('a b c d e f g h i');
    await visitor.keyboard.press('Enter');
    await visitor.getByText('This search is too broad, so some older topics may be missing.').waitFor();
  });

  it('comes from the server, also page by page without JavaScript', async () => {
    await insertRows(
      'forum_topics',
      Array.from({ length: 24 }, (_, n) => ({
        title: `Old topic ${n}`,
        user_id: people.ben.id,
        category: 'materials',
        created_at: new Date(Date.UTC(2026, 0, 2, 0, n)).toISOString(),
      })),
    );
    const page = await site.person({ javaScriptEnabled: false });
    await page.goto('/forum?category=materials');
    await page.getByRole('link', { name: 'Old topic 23' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(20);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('link', { name: 'Old topic 3', exact: true }).waitFor();
    expect(await page.getByRole('article').count()).toBe(4);
    await page.getByRole('link', { name: 'Old topic 3', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Old topic 3' }).waitFor();

    await amara.goto('/forum?category=materials');
    await amara.getByRole('button', { name: 'Load more' }).click();
    await amara.getByRole('link', { name: 'Old topic 0', exact: true }).waitFor();
    await expectAccessible(amara, 'list');
  });

  it('says when it cannot be loaded', async () => {
    const page = await site.person();
    await blockRealtime(page);
    await page.goto('/forum');
    await waitForHydration(page);
    const calls = /forum\.data|rpc\/browse_forum/;
    await page.route(calls, (route) => route.abort());
    await page.getByRole('button', { name: 'Research & Innovation' }).click();
    await toastIn(page, 'Failed to load forum topics').waitFor();
    await page.unroute(calls);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Socket windows' }).waitFor();
  });
});

describe('a new topic', () => {
  it('needs sign-in, then a title, keeps what was typed, and leads to itself', async () => {
    const page = await site.person();
    await page.goto('/forum?category=success-stories');
    await page.getByRole('button', { name: 'New Topic' }).first().click();
    await page.getByText('Authentication required').waitFor();
    await page.waitForURL(/\/auth$/);
    await page.getByLabel('Email').fill(people.ben.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL(/\/forum\?category=success-stories$/);

    await page.getByRole('button', { name: 'New Topic' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New Topic' });
    const deep = `${'> '.repeat(12)}She plays again.`;
    await dialog.getByLabel('Description').fill(deep);
    await dialog.getByRole('button', { name: 'Create Topic' }).click();
    await dialog.getByText('Please enter a topic title').waitFor();
    await dialog.getByText('Please nest lists and quotes less deeply').waitFor();
    expect(await dialog.getByLabel('Description').inputValue()).toBe(deep);
    await dialog.getByLabel('Description').fill('She plays **again**.');
    await dialog.getByRole('button', { name: 'Create Topic' }).click();
    await dialog.getByText('Please nest lists').waitFor({ state: 'detached' });
    await dialog.getByText('Please enter a topic title').waitFor();
    await expectAccessible(page, 'dialog');
    await page.reload();
    await page.getByRole('button', { name: 'New Topic' }).first().click();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('She plays **again**.');
    await dialog.getByLabel('Title').fill('  Back at the piano  ');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Create Topic' }).click();
    await page.getByText('Failed to create topic').waitFor();
    await page.context().setOffline(false);
    await dialog.getByRole('button', { name: 'Create Topic' }).click();
    await page.getByText('Topic created successfully').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Back at the piano' }).waitFor();
    await page.getByRole('main').locator('strong', { hasText: 'again' }).waitFor();
    expect(await stored('forum_topics', page.url().split('/').pop() ?? '')).toMatchObject({
      title: 'Back at the piano',
      category: 'success-stories',
      user_id: people.ben.id,
    });
    expect(await page.evaluate(() => localStorage.getItem('draft:new-topic'))).toBeNull();

    await page.getByRole('button', { name: 'Edit topic' }).click();
    await page
      .getByRole('dialog', { name: 'Edit topic' })
      .getByLabel('Title')
      .fill('Back at the grand piano');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Back at the grand piano' }).waitFor();
    await page.getByText('edited').waitFor();
  });
});

describe('a topic', () => {
  it('is answered, quoted and edited, live for both, with a mention that notifies', async () => {
    const id = await topic('Suspension for short limbs');
    const subscribed = Promise.all([hearing(ben, 'topic'), hearing(amara, 'topic')]);
    await Promise.all([ben.goto(`/forum/${id}`), amara.goto(`/forum/${id}`)]);
    await subscribed;
    await ben.getByText('No replies yet. Yours can be the first.').waitFor();
    await box(ben).fill('A suction liner, says @cleo.');
    await ben.getByRole('button', { name: 'Post Reply' }).click();
    await ben.getByText('Reply posted successfully').waitFor();
    expect(await box(ben).inputValue()).toBe('');

    const reply = amara.getByRole('listitem').filter({ hasText: 'A suction liner' });
    expect(await reply.getByRole('link', { name: '@cleo' }).getAttribute('href')).toBe('/members/cleo');
    await reply.getByRole('button', { name: 'Quote' }).click();
    expect(await box(amara).inputValue()).toBe('@ben wrote:\n> A suction liner, says @cleo.\n\n');
    await box(amara).press('ControlOrMeta+End');
    await amara.keyboard.type('Which size?');
    await amara.getByRole('button', { name: 'Post Reply' }).click();
    await ben.locator('blockquote').getByText('A suction liner').waitFor();

    const notificationsOf = async (member: string) =>
      (
        await site
          .service()
          .from('notifications')
          .select('type')
          .eq('user_id', member)
          .eq('forum_topic_id', id)
      ).data;
    expect(await notificationsOf(people.cleo.id)).toEqual([{ type: 'forum_reply' }]);
    expect(await notificationsOf(people.amara.id)).toEqual([{ type: 'forum_reply' }]);
    expect(await notificationsOf(people.ben.id)).toEqual([{ type: 'forum_reply' }]);

    await ben.getByRole('button', { name: 'Edit your reply' }).click();
    await ben.getByRole('main').getByRole('textbox').first().fill('A locking liner.');
    await ben.getByRole('button', { name: 'Save' }).click();
    await amara.getByText('A locking liner.').waitFor();
    await amara.getByText('edited').waitFor();
    // After sending, the page stands at the reply, where the header lies over half a link.
    for (const page of [ben, amara]) await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(ben, 'topic');
    await expectAccessible(amara, 'topic on a phone');
    expect((await stored('forum_topics', id))?.views_count).toBe(2);
  });

  it('opens at a reply that is linked to, and in pieces', async () => {
    const id = await topic('A long one');
    const ids = await insertRows(
      'forum_posts',
      Array.from({ length: 70 }, (_, n) => ({
        topic_id: id,
        user_id: people.ben.id,
        content: `Reply number ${n}.`,
        created_at: new Date(Date.UTC(2026, 0, 2, 0, n)).toISOString(),
      })),
    );
    const page = await site.person();
    await page.goto(`/forum/${id}#post-${ids[50]}`);
    await page.getByText('Reply number 50.').waitFor();
    expect(await page.getByText('Reply number 46.').count()).toBe(0);
    await page.getByRole('button', { name: 'Show earlier replies' }).click();
    await page.getByText('Reply number 46.').waitFor();
    await page.getByRole('link', { name: 'From the start' }).click();
    await page.getByText('Reply number 0.').waitFor();
    await page.getByRole('button', { name: 'Show more replies' }).click();
    await page.getByText('Reply number 31.').waitFor();
    await page.getByRole('link', { name: 'Latest replies' }).click();
    await page.getByText('Reply number 69.').waitFor();
    expect(await page.getByText('Reply number 31.').count()).toBe(0);
  });

  it('keeps a reply through sign-in, a lost connection and an ended session', async () => {
    const id = await topic('Nothing is lost');
    const page = await site.person();
    await page.goto(`/forum/${id}`);
    await box(page).fill('  ');
    await page.getByRole('button', { name: 'Post Reply' }).click();
    await page.getByText('A reply cannot be empty').waitFor();
    await box(page).fill('Typed as a visitor.');
    await page.getByRole('button', { name: 'Post Reply' }).click();
    await page.getByText('Please sign in to reply').waitFor();
    await page.waitForURL(/\/auth$/);
    await page.getByLabel('Email').fill(people.ben.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL(new RegExp(`/forum/${id}$`));
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Typed as a visitor.');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Post Reply' }).click();
    await page.getByText('Failed to post reply').waitFor();
    await page.context().setOffline(false);
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('sb-')) localStorage.removeItem(key);
    });
    await page.getByRole('button', { name: 'Post Reply' }).click();
    await page
      .getByText(/Failed to post reply|Please sign in to reply/)
      .last()
      .waitFor();
    await signIn(page, people.ben.email);
    await page.goto(`/forum/${id}`);
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Typed as a visitor.');
    await page.getByRole('button', { name: 'Post Reply' }).click();
    await page.getByText('Reply posted successfully').waitFor();
  });

  it('is reported, with the reason required', async () => {
    const id = await topic('Reported');
    const visitor = await site.person();
    await visitor.goto(`/forum/${id}`);
    await visitor.getByRole('button', { name: 'Report topic' }).click();
    await visitor.getByText('Authentication required').waitFor();
    await visitor.waitForURL(/\/auth$/);
    await ben.goto(`/forum/${id}`);
    await ben.getByRole('button', { name: 'Report topic' }).click();
    await ben.getByRole('button', { name: 'Submit Report' }).click();
    await ben.getByText('Please provide a reason for the report').waitFor();
    await ben.getByLabel('Reason').fill('Names a patient.');
    await ben.getByRole('button', { name: 'Submit Report' }).click();
    await ben.getByText('Report submitted').waitFor();
    const { data } = await site.service().from('content_reports').select('content_type').eq('content_id', id);
    expect(data).toEqual([{ content_type: 'topic' }]);
    await ben.getByRole('button', { name: 'Report topic' }).click();
    await ben.getByLabel('Reason').fill('Names a patient, still.');
    await ben.getByRole('button', { name: 'Submit Report' }).click();
    await ben.getByText('Already reported').waitFor();
  });

  it('is pinned, locked while someone writes, cleared and deleted by a moderator', async () => {
    const id = await topic('Under moderation');
    await insertRows('forum_posts', { topic_id: id, content: 'Buy cheap legs', user_id: people.amara.id });
    const cleo = await site.signedIn(people.cleo.email);
    const subscribed = hearing(ben, 'topic');
    await Promise.all([cleo.goto(`/forum/${id}`), ben.goto(`/forum/${id}`)]);
    await subscribed;
    await box(ben).fill('Half a thought');
    await cleo.getByRole('button', { name: 'Delete reply by Amara Test' }).click();
    await cleo.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ben.getByText('This reply has been removed').waitFor();
    await cleo.getByRole('button', { name: 'Pin', exact: true }).click();
    await ben.getByText('Pinned').waitFor();
    await cleo.getByRole('button', { name: 'Lock', exact: true }).click();
    await ben.getByText('This topic is locked.').waitFor();
    expect(await ben.getByLabel('Your unsent reply').inputValue()).toBe('Half a thought');
    await ben.getByRole('button', { name: 'Post Reply' }).click();
    await ben.getByText('This topic is locked', { exact: true }).waitFor();
    await expectAccessible(cleo, 'moderation');
    await cleo.getByRole('button', { name: 'Delete topic' }).click();
    await cleo.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await cleo.waitForURL(/\/forum$/);
    await ben.waitForURL(/\/forum$/);
    await toastIn(ben, 'Topic Not Found').waitFor();
    const { data } = await site
      .service()
      .from('notifications')
      .select('id')
      .eq('user_id', people.amara.id)
      .eq('type', 'content_deleted');
    expect(data).toHaveLength(1);
  });

  it('that is missing says so and leads back', async () => {
    const response = await fetch(`${site.url()}/forum/${people.ben.id}`);
    expect(response.status).toBe(404);
    const page = await site.person();
    await page.goto(`/forum/${people.ben.id}`);
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
    await page.goto(`/forum/${id}`);
    await page.getByText('Instagram post').waitFor();
    await Promise.all([waitForHydration(page), asksForPlayer]);
    expect(outside).toEqual([]);
    // The press is kept until the player's code is there.
    await page.getByRole('button', { name: 'Play video' }).click();
    expect(outside).toEqual([]);
    pressed.resolve();
    await page.frameLocator('iframe').getByText('The player').waitFor();
    expect(outside).toEqual(['https://www.youtube-nocookie.com/embed/aaaaaaaaaaa?autoplay=1&rel=0&start=42']);
  });
});

describe('the field of a reply', () => {
  it('formats by toolbar, shows a preview, and offers the members whom an @ may mean', async () => {
    const id = await topic('Liners for runners', { user_id: people.ben.id });
    const page = await site.signedIn(people.amara.email);
    await page.goto(`/forum/${id}`);
    const reply = box(page);
    await reply.fill('Use silicone');
    await reply.evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(4, 12));
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
    await toolbar.getByRole('button', { name: 'Bold' }).click();
    await expect.poll(() => reply.inputValue()).toBe('Use **silicone**');
    await page.keyboard.press('Control+z');
    await expect.poll(() => reply.inputValue()).toBe('Use silicone');

    await reply.fill('');
    await reply.pressSequentially('Thanks @be');
    const option = page.getByRole('option', { name: /@ben/ });
    await option.waitFor();
    await expectAccessible(page, 'the members to mention');
    await page.keyboard.press('Enter');
    await expect.poll(() => reply.inputValue()).toBe('Thanks @ben ');
    await option.waitFor({ state: 'detached' });

    const preview = toolbar.getByRole('button', { name: 'Preview' });
    await reply.fill('Use **silicone**');
    await preview.click();
    await page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'silicone' }).waitFor();
    await preview.click();
    await page.getByRole('button', { name: 'Post Reply' }).click();
    await page.getByRole('listitem').locator('strong', { hasText: 'silicone' }).waitFor();
    expect(await reply.evaluate((one) => one === document.activeElement)).toBe(true);
  });
});

describe('a topic that a member follows', () => {
  it('is followed and no longer followed; who follows it is notified of replies', async () => {
    const id = await topic('Feet for sand', { user_id: people.ben.id });
    const page = await site.signedIn(people.amara.email, { width: 360 });
    await page.goto(`/forum/${id}`);
    await page.getByRole('button', { name: 'Follow this topic' }).click();
    const following = page.getByRole('button', { name: 'Following this topic' });
    await following.waitFor();
    await insertRows('forum_posts', [{ topic_id: id, user_id: people.ben.id, content: 'Wide ones.' }]);
    await page.goto('/notifications');
    await page.getByRole('link', { name: /Ben Test\s*replied in\s*Feet for sand/ }).click();
    await following.click();
    await page.getByRole('button', { name: 'Follow this topic' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Follow this topic' }).waitFor();
    await expectAccessible(page, 'a topic on a phone');
  });
});
