// @module-tag whole

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { hearing, openSite, signInByForm, waitForHydration } from '../site.ts';
import { chooseMore, press, says } from '../steps.ts';
import { expectAccessible } from './page-checks.ts';

const site = openSite();
let people: Record<'amara' | 'ben' | 'cleo', { id: string; email: string }>;
let ben: Page;

const solution = (title: string, changes: Record<string, unknown> = {}) =>
  shareSolution(site.service(), {
    title,
    materials: ['Silicone', 'Titanium', 'Aluminum'],
    custom_tags: ['trail'],
    user_id: people.amara.id,
    status: 'approved',
    ...changes,
  });
const comment = (solution_id: string, content: string, parent_comment_id?: string) =>
  site.insert('comments', { solution_id, user_id: people.amara.id, content, parent_comment_id });
const likes = async (id: string) => (await site.row('solutions', 'likes_count', { id })).likes_count;
const likeButton = (page: Page) => page.getByRole('button', { name: /like this solution/ });
const like = (page: Page, pressed: boolean, count: number) =>
  page.getByRole('button', { name: new RegExp(`^${count} likes?, like this solution`), pressed }).waitFor();
beforeAll(async () => {
  people = {
    amara: await site.member('Amara'),
    ben: await site.member('Ben'),
    cleo: await site.member('Cleo', 'moderator'),
  };
  ben = await site.signedIn(people.ben.email);
});

describe('a like', () => {
  it('counts once under a double click and with two devices at work, and can be taken back', async () => {
    const id = await solution('A liner for long days on trails');
    const other = await site.signedIn(people.ben.email);
    for (const page of [ben, other]) {
      await page.goto(`/solutions/${id}`);
      await page.waitForLoadState('networkidle');
      await like(page, false, 0);
    }
    await likeButton(ben).dblclick();
    await like(ben, true, 1);
    // The other session receives the count, not the member of the like; a click there requests the present
    // state.
    await like(other, false, 1);
    await likeButton(other).click();
    await like(other, true, 1);
    expect(await likes(id)).toBe(1);
    await likeButton(other).click();
    await like(other, false, 0);
    await like(ben, true, 0);
    await likeButton(ben).click();
    await like(ben, false, 0);
    expect(await likes(id)).toBe(0);
  });

  it('is taken back with a message when it does not reach the server', async () => {
    const id = await solution('A cover that keeps sand out of a knee');
    const page = await ben.context().newPage();
    // The code of the toasts was not loaded before the connection was lost.
    await page.route('**/assets/toast-*.js', (route) => route.abort());
    await page.goto(`/solutions/${id}`);
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await likeButton(page).click();
    await page.getByRole('region', { name: 'Messages' }).getByText('Failed to update like').waitFor();
    await like(page, false, 0);
    await page.context().setOffline(false);
    await likeButton(page).click();
    await like(page, true, 1);
    await expect.poll(() => likes(id)).toBe(1);
    await page.getByText('Failed to update like').waitFor({ state: 'detached' });
    await page.close();
  });
});

describe('the discussion', () => {
  it('tells of new comments as they come and leaves what one reads in its place', async () => {
    const id = await solution('A printed cuff for a body-powered hook');
    const first = await comment(id, 'How does it hold in the rain?');
    const subscribed = hearing(ben, 'comments');
    await ben.goto(`/solutions/${id}`);
    await subscribed;
    const reading = ben.getByText('How does it hold in the rain?');
    await reading.scrollIntoViewIfNeeded();
    const before = await reading.boundingBox();
    await comment(id, 'Mine is from 2024.');
    await ben.getByRole('button', { name: '1 new comment' }).waitFor();
    await comment(id, 'Wax the strap.', first);
    await ben.getByRole('button', { name: '2 new comments' }).waitFor();
    expect(await ben.getByText('Mine is from 2024.').count()).toBe(0);
    expect(Math.abs(((await reading.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(80);
    await expectAccessible(ben, 'a discussion with news');
    await press(ben, '2 new comments', 'Mine is from 2024.');
    await ben.getByText('Wax the strap.').waitFor();
    await ben.getByRole('heading', { name: 'Discussion 3' }).waitFor();
  });

  it('takes no blank comment', async () => {
    const id = await solution('A clip for the strap of a bag');
    await ben.goto(`/solutions/${id}`);
    for (const text of ['   ', 'A real one']) {
      await ben.getByRole('textbox', { name: 'Comment' }).fill(text);
      await press(ben, 'Post comment');
    }
    await ben.getByText('Comment posted successfully').waitFor();
    expect(await site.rows('comments', 'content', { solution_id: id })).toEqual([{ content: 'A real one' }]);
  });

  it('has one reply form at a time, cancels it, posts a reply and hides the replies again', async () => {
    const id = await solution('A socket trim for sitting on the floor');
    await comment(id, 'First question');
    await comment(id, 'Second question');
    await ben.goto(`/solutions/${id}`);
    const replyButton = (text: string) =>
      ben.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Reply to' });
    await replyButton('First question').click();
    await ben.getByLabel('Reply to Amara Test').fill('Half a thought');
    await replyButton('Second question').click();
    expect(await ben.getByLabel('Reply to Amara Test').count()).toBe(1);
    await press(ben, 'Cancel');
    expect(await ben.getByLabel('Reply to Amara Test').count()).toBe(0);
    await replyButton('First question').click();
    // What was typed for one comment waits there, however often another is answered.
    expect(await ben.getByLabel('Reply to Amara Test').inputValue()).toBe('Half a thought');
    await ben.getByLabel('Reply to Amara Test').fill('A whole thought');
    await press(ben, /^Reply$/, 'Reply posted successfully');
    await ben.getByText('A whole thought').waitFor();
    await press(ben, 'Hide replies');
    await ben.getByRole('button', { name: 'Show 1 reply' }).waitFor();
  });

  it('stays usable when live changes cannot be had or the line is cut, and keeps what was typed', async () => {
    const id = await solution('A wrist that locks for push-ups');
    const page = await ben.context().newPage();
    await page.routeWebSocket(/realtime/, (socket) => socket.close());
    await page.goto(`/solutions/${id}`);
    await page.getByRole('textbox', { name: 'Comment' }).fill('Typed on a train');
    await page.context().setOffline(true);
    await press(page, 'Post comment');
    await page
      .getByText(/Failed to post comment|The site can’t be reached/)
      .first()
      .waitFor();
    expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Typed on a train');
    await page.context().setOffline(false);
    await press(page, 'Post comment', 'Comment posted successfully');
    await page.getByRole('list').getByText('Typed on a train').waitFor();
    await page.close();
  });

  it('is edited in its place, sorted, and found by a link that leads to one comment', async () => {
    const id = await solution('A thumb that folds away under a glove');
    const first = await comment(id, 'The first of all remarks');
    const rows = Array.from({ length: 24 }, (_, place) => ({
      solution_id: id,
      user_id: people.amara.id,
      content: `Remark ${place + 1}, see https://standards.example/gloves.`,
    }));
    await site.insert('comments', rows);
    const answer = await comment(id, 'Ben’s own answer, with a typo', first);
    await site.change('comments', { id: answer }, { user_id: people.ben.id });

    await ben.goto(`/solutions/${id}#comment-${answer}`);
    const own = ben.locator(`#comment-${answer}`);
    await own.getByText('Ben’s own answer, with a typo').waitFor();
    await expect.poll(() => own.evaluate((item) => item.getBoundingClientRect().top)).toBeLessThan(900);
    expect(
      await ben.getByRole('link', { name: 'https://standards.example/gloves' }).first().getAttribute('rel'),
    ).toContain('nofollow');

    await press(own, 'Edit your comment');
    await ben.getByLabel('Edit comment').fill('Ben’s own answer, without one');
    await expectAccessible(ben, 'a comment that is edited');
    await press(ben, 'Save changes');
    await says(own, 'Ben’s own answer, without one', 'edited');
    expect(
      await own
        .getByRole('button', { name: 'Edit your comment' })
        .evaluate((now) => now === document.activeElement),
    ).toBe(true);
    expect(await ben.getByRole('button', { name: 'Edit your comment' }).count()).toBe(1);

    // When the time is over the database refuses, and what was typed stays.
    await press(own, 'Edit your comment');
    await ben.getByLabel('Edit comment').fill('Too late');
    const past = new Date(Date.now() - 16 * 60_000).toISOString();
    await site.change('comments', { id: answer }, { created_at: past });
    await press(ben, 'Save changes', 'A comment can be edited for 15 minutes.');
    expect(await ben.getByLabel('Edit comment').inputValue()).toBe('Too late');

    await ben.getByLabel('Sort comments').selectOption('oldest');
    await ben.getByRole('button', { name: 'Show newer comments' }).waitFor();
    expect(
      await ben
        .getByRole('listitem')
        .filter({ hasText: /remark/i })
        .first()
        .textContent(),
    ).toContain('The first of all remarks');

    // Of a case for members the discussion comes after the page, and maybe after the comment.
    await site.change('solutions', { id }, { audience: 'members' });
    await ben.goto('/about');
    await ben.goto(`/solutions/${id}#comment-${answer}`);
    await own.getByText('Ben’s own answer, without one').waitFor();
  });

  it('comes in pieces, newest first, and a deep thread fits a narrow phone', async () => {
    const id = await solution('A foot shell for barefoot climbing');
    let parent = await comment(id, 'The oldest, with many answers');
    for (let depth = 1; depth <= 45; depth++) parent = await comment(id, `Answer ${depth}`, parent);
    const rows = Array.from({ length: 24 }, (_, place) => ({
      solution_id: id,
      user_id: people.amara.id,
      content: `Remark ${place + 1}`,
    }));
    await site.insert('comments', rows);
    const phone = await site.visit(`/solutions/${id}`, { width: 320 });
    await phone.getByRole('heading', { name: 'Discussion 70' }).waitFor();
    expect(await phone.getByText('The oldest, with many answers').count()).toBe(0);
    await press(phone, 'Show older comments', 'The oldest, with many answers');
    await phone.getByText('Answer 40', { exact: true }).waitFor();
    await press(phone, 'Show more replies');
    const deepest = phone.getByText('Answer 45', { exact: true });
    await deepest.scrollIntoViewIfNeeded();
    expect((await deepest.boundingBox())?.width).toBeGreaterThan(150);
    await expectAccessible(phone, 'a deep thread');
  });

  it('says what it could not do, and leaves everything as it was', async () => {
    const id = await solution('A pylon that can be read from across the room');
    const rows = Array.from({ length: 24 }, (_, place) => ({
      solution_id: id,
      user_id: people.ben.id,
      content: `Reading ${place}`,
    }));
    await site.insert('comments', rows);
    const page = await ben.context().newPage();
    await page.goto(`/solutions/${id}`);
    await waitForHydration(page);
    await page.route(/rpc\/comment_threads/, (route) => route.abort());
    await press(page, 'Show older comments', 'Failed to load comments');
    await page.route(/rest\/v1\/comments/, (route) => route.abort());
    await page.getByRole('button', { name: 'Delete comment by Ben Test' }).first().click();
    await press(page.getByRole('dialog'), 'Delete', { page: 'Failed to delete comment' });
    expect(await page.getByText(/^Reading \d+$/).count()).toBe(20);
    await page.close();
  });

  it('is moderated after a question, and the place of what was removed stays', async () => {
    const id = await solution('A silicone sleeve for a partial foot');
    const first = await comment(id, 'Rude words');
    await comment(id, 'A calm answer', first);
    const cleo = await site.visit(`/solutions/${id}`, { as: people.cleo.email });
    const subscribed = hearing(ben, 'comments');
    await ben.goto(`/solutions/${id}`);
    await subscribed;
    await cleo.getByRole('button', { name: 'Delete comment by Amara Test' }).first().click();
    await cleo.getByText('Are you sure you want to delete this comment?').waitFor();
    await expectAccessible(cleo, 'the question before a comment is deleted');
    await press(cleo.getByRole('dialog'), 'Delete', { page: 'Comment deleted successfully' });
    for (const page of [cleo, ben]) {
      await says(page, 'This comment has been removed', 'A calm answer');
    }
    // Ben is reading when the whole solution is deleted.
    await chooseMore(cleo, 'Delete solution', 'Are you sure you want to delete this solution?');
    await press(cleo.getByRole('dialog'), 'Delete', { url: /\/browse/ });
    await ben.getByRole('heading', { name: 'Solution withdrawn' }).waitFor();
    expect((await fetch(`${site.url()}/solution/${id}`)).status).toBe(410);
  });
});

describe('a visitor', () => {
  it('reads without the client library, and hears of comments once they have scrolled to them', async () => {
    const id = await solution('A hook insert for a kitchen knife', {
      durability_testing: 'Tested for a year.\n\n'.repeat(20),
    });
    await comment(id, 'Which steel?');
    const page = await site.person();
    let sockets = 0;
    page.on('websocket', () => sockets++);
    await page.goto(`/solutions/${id}`);
    await page.waitForLoadState('networkidle');
    expect(sockets).toBe(0);
    const subscribed = hearing(page, 'comments');
    await page.getByText('Which steel?').scrollIntoViewIfNeeded();
    await subscribed;
    await comment(id, 'Spring steel.');
    await press(page, '1 new comment', 'Spring steel.');
  });

  it('finds the page through its preview, its code on paper and what is like it', async () => {
    const id = await solution('A running blade for a growing child', {
      cost_range: 'Mid-range ($500-$5000)',
    });
    const other = await solution('A second running blade for a growing child');
    const read = async (path: string) => (await fetch(site.url() + path)).text();
    const html = await read(`/solution/${id}`);
    expect(html).toContain(`<link rel="canonical" href="${site.url()}/solutions/${id}"/>`);
    expect(html).toContain(`<meta property="og:image" content="${site.url()}/solutions/${id}/card.png"/>`);
    expect(html).toContain('<meta property="og:image:width" content="1200"/>');
    expect(html).toContain('<meta property="og:image:alt" content="A running blade for a growing child"/>');
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
    const pending = await solution('A blade that nobody has reviewed', { status: 'pending' });
    const long = await solution(`${'Łódź <b>&amp; '.repeat(9)} 🦿`);
    for (const path of [`/solutions/${id}/card.png`, `/solutions/${long}/card.png`, '/preview.png']) {
      const card = await fetch(site.url() + path);
      expect([card.status, card.headers.get('content-type')], path).toEqual([200, 'image/png']);
      const bytes = Buffer.from(await card.arrayBuffer());
      expect(bytes.subarray(1, 4).toString(), path).toBe('PNG');
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], path).toEqual([1200, 630]);
      const conditional = { headers: { 'if-none-match': card.headers.get('etag') ?? '' } };
      expect((await fetch(site.url() + path, conditional)).status, path).toBe(304);
    }
    for (const path of [pending, 'nothing', crypto.randomUUID()])
      expect((await fetch(`${site.url()}/solutions/${path}/card.png`)).status, path).toBe(404);
    const code = await fetch(`${site.url()}/solutions/${id}/qr.svg`);
    expect(code.headers.get('content-type')).toContain('image/svg+xml');
    expect((await fetch(`${site.url()}/solutions/nothing/qr.svg`)).status).toBe(404);
    expect((await fetch(`${site.url()}/solutions/nothing`)).status).toBe(404);

    const page = await site.visit(`/solutions/${id}`, { javaScriptEnabled: false });
    await page
      .getByRole('region', { name: 'Solution Details' })
      .getByText('Mid-range', { exact: true })
      .waitFor();
    expect(await page.getByText('$500').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('img', { name: 'QR code that opens this page' }).waitFor();
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    const related = page.getByRole('region', { name: 'Related solutions' });
    expect(await related.getByRole('article').count()).toBe(3);
    expect(await related.getByRole('link').first().getAttribute('href')).not.toContain(id);
    expect(other).not.toBe(id);
  });
});

describe('the dialogs of a solution', () => {
  it.each([360, 1280])(
    'share, message and report at %i px',
    { tags: 'system/share-and-message-dialogs' },
    async (width) => {
      const id = await solution('A liner for very hot days at work');
      await ben.setViewportSize({ width, height: 800 });
      await ben.goto(`/solutions/${id}`);
      await press(ben, /^Share$/);
      const dialog = ben.getByRole('dialog');
      expect(await dialog.getByLabel('Link').inputValue()).toBe(`${site.url()}/solutions/${id}`);
      await expectAccessible(ben, 'the share dialog');
      await ben.keyboard.press('Escape');

      await press(ben, 'Message Author');
      expect(await dialog.getByLabel('Subject').inputValue()).toBe('A liner for very hot days at work');
      await dialog.getByLabel('Message', { exact: true }).fill('Which gel did you use?');
      await expectAccessible(ben, 'the message dialog');
      await press(dialog, 'Send message');
      await ben.getByText('Message sent').first().waitFor();

      await chooseMore(ben, 'Report solution');
      await press(dialog, 'Submit report', 'Please provide a reason for the report');
      await expectAccessible(ben, 'the report dialog');
      await ben.keyboard.press('Escape');
      await ben.setViewportSize({ width: 1280, height: 900 });
    },
  );
});

describe('the header', () => {
  it('counts live what is unread and who moderates, shows 9+, and forgets it all on sign-out', {
    tags: 'system/header',
  }, async () => {
    const page = await site.person();
    const subscribed = hearing(page, 'viewer');
    await signInByForm(page, people.amara.email);
    await subscribed;
    const account = (unread: string) =>
      page.getByRole('button', { name: new RegExp(`^Your account${unread}`) });
    await site.insert(
      'messages',
      Array.from({ length: 12 }, (_, place) => ({
        sender_id: people.ben.id,
        recipient_id: people.amara.id,
        content: `Message ${place}`,
      })),
    );
    await page.getByRole('banner').getByText('9+').waitFor({ state: 'attached' });
    await account('').click();
    await page
      .getByRole('menuitem', { name: /^Messages/ })
      .getByText('9+')
      .waitFor();
    expect(await page.getByRole('menuitem', { name: 'Admin Dashboard' }).count()).toBe(0);
    await site.insert('user_roles', { user_id: people.amara.id, role: 'moderator' });
    await page.getByRole('menuitem', { name: 'Admin Dashboard' }).waitFor();
    await site.remove('user_roles', { user_id: people.amara.id });
    await page.getByRole('menuitem', { name: 'Admin Dashboard' }).waitFor({ state: 'detached' });
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByText('You have been signed out successfully').waitFor();
    await page.waitForURL(/\/auth/);
    expect(await account('').count()).toBe(0);
  });

  it('asks a few times for a burst of news, not once for each', async () => {
    const nora = await site.member('Nora');
    const page = await site.person();
    let requests = 0;
    page.on('request', (request) => {
      if (/\/rest\/v1\/profiles\?.*notifications/.test(request.url())) requests++;
    });
    const subscribed = hearing(page, 'viewer');
    await signInByForm(page, nora.email);
    await subscribed;
    await site.insert(
      'notifications',
      Array.from({ length: 40 }, () => ({ user_id: nora.id, type: 'like' })),
    );
    await page.getByRole('button', { name: 'Your account, 40 unread', exact: true }).waitFor();
    expect(requests).toBeLessThan(15);
  });
});

describe('page views', () => {
  it('are written only for those who agreed, and name no query', async () => {
    const page = await site.person();
    const views = async () => await site.rows('page_views', 'page_path,user_id,session_id');
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    expect(await views()).toEqual([]);
    await press(page, 'Accept statistics');
    await expect.poll(async () => (await views())?.length).toBe(1);
    await page.goto('/browse?q=knee');
    await expect.poll(async () => (await views())?.map((view) => view.page_path)).toEqual(['/', '/browse']);
    expect((await views())?.every((view) => view.session_id && view.user_id === null)).toBe(true);
    await page.getByRole('link', { name: 'Cookie settings' }).click();
    await press(page, 'Reject statistics');
    expect(await page.evaluate(() => localStorage.getItem('page-view-session'))).toBeNull();
  });
});
