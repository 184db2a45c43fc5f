// @module-tag whole

import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { TIMEOUT_MS } from '../timeouts.ts';
import { expectAccessible } from './every-page/page-checks.ts';
import { blockRealtime, hearing, openSite, refuse, signIn, signInByForm } from './site.ts';
import { expectFocus, fillAndPress, fillIn, follow, open, press, signOut } from './steps.ts';

const site = openSite();
const amara = { id: '', email: '' };
const ben = { id: '', email: '' };
let atAmaras: Page;
let atBens: Page;
let solutionId: string;

/** A page whose connection for live changes can be cut and kept from coming back. */
async function withLine(page: Page) {
  const line: { down: boolean; cut: () => void } = { down: false, cut: () => undefined };
  await page.routeWebSocket(/realtime/, (socket) => {
    if (line.down) return void socket.close();
    socket.connectToServer();
    line.cut = () => {
      line.down = true;
      void socket.close();
    };
  });
  return line;
}

/** On a page that receives no change, so that only the press causes another read. */
async function failsAndTriesAgain(
  what: 'messages' | 'notifications',
  [path, method]: [string, string],
  first: (page: Page) => Locator,
) {
  const page = await atAmaras.context().newPage();
  await blockRealtime(page);
  const restore = await refuse(page, path, method);
  await page.goto(`/${what}`);
  await page.getByText(`Failed to load ${what}`).first().waitFor();
  restore();
  await press(page, 'Try again');
  await first(page).waitFor();
  await page.close();
}

/** Unread notifications and messages of the member, as the database has them. */
const notRead = async (member: string) => {
  const db = site.service();
  const [notices, letters] = await Promise.all([
    // A notification of a message is counted with the messages.
    db.from('notifications').select('id').eq('user_id', member).eq('is_read', false).is('message_id', null),
    db.from('messages').select('id').eq('recipient_id', member).eq('read', false),
  ]);
  return (notices.data?.length ?? 0) + (letters.data?.length ?? 0);
};
const send = (
  from: string,
  to: string,
  letters: { subject?: string; content: string; created_at?: string }[],
) =>
  site.insert(
    'messages',
    letters.map((letter) => ({ sender_id: from, recipient_id: to, ...letter })),
  );
const clear = async () => {
  await site.service().from('messages').delete().not('id', 'is', null);
  await site.service().from('notifications').delete().not('id', 'is', null);
};
const unread = (page: Page, count: number) =>
  page
    .getByText(
      count === 0 ? 'All caught up!' : `You have ${count} unread ${count === 1 ? 'message' : 'messages'}`,
    )
    .waitFor();
const account = (page: Page, count: number) =>
  page
    .getByRole('button', { name: count ? `Your account, ${count} unread` : 'Your account', exact: true })
    .waitFor();
const mailAbout = (page: Page, subject: string) => page.getByRole('article', { name: subject });
/** The link to a conversation in the list. */
const conversation = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });

beforeAll(async () => {
  Object.assign(amara, await site.member('Amara'));
  Object.assign(ben, await site.member('Ben'));
  solutionId = await site.publish(amara.id, 'A strap that does not chafe');
  atAmaras = await site.person({ width: 360, colorScheme: 'dark' });
  atBens = await site.person();
  await signIn(atAmaras, amara.email);
  await signIn(atBens, ben.email);
});

describe('two members', () => {
  it('miss nothing that is sent after the channel is open and before changes are heard', async () => {
    await clear();
    const page = await site.signedIn(amara.email);
    const sent = new Set<string>();
    await page.routeWebSocket(/realtime/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage(async (frame) => {
        const text = frame.toString();
        const topic = /realtime:messages:[0-9a-f:-]+/.exec(text)?.[0];
        // A message sent in that moment is not delivered.
        if (topic && text.includes('"data":{')) return;
        if (topic && text.includes('Subscribed to PostgreSQL') && !sent.has(topic)) {
          sent.add(topic);
          await send(ben.id, amara.id, [{ subject: 'Sent in between', content: 'Did you get this?' }]);
        }
        socket.send(frame);
      });
    });
    await page.goto('/messages');
    await mailAbout(page, 'New: Sent in between, from Ben Test').waitFor();
  });

  it('write to each other, are told at once, reply, and see what they wrote', {
    tags: 'system/messages',
  }, async () => {
    await clear();
    await open(atAmaras, '/messages', 'No messages yet');
    await unread(atAmaras, 0);
    await expectAccessible(atAmaras, 'an empty inbox');

    await atBens.goto(`/solutions/${solutionId}`);
    await press(atBens, 'Message Author');
    await atBens.getByLabel('Message', { exact: true }).fill('Which leather did you use?');
    await press(atBens, 'Send message', 'Message sent');

    await unread(atAmaras, 1);
    // One event, one number: the notification of a message is not counted beside it.
    await account(atAmaras, 1);
    await conversation(atAmaras, 'Ben Test').getByText('New', { exact: true }).waitFor();
    await conversation(atAmaras, 'Ben Test')
      .getByText('A strap that does not chafe: Which leather')
      .waitFor();
    await expectAccessible(atAmaras, 'the list of conversations');
    await conversation(atAmaras, 'Ben Test').click();
    const received = mailAbout(atAmaras, 'A strap that does not chafe, from Ben Test');
    await received.getByRole('link', { name: 'Re: A strap that does not chafe' }).waitFor();
    await received.getByText('Which leather did you use?').waitFor();
    // A conversation that is open counts as read.
    await account(atAmaras, 0);

    await press(atAmaras, 'Reply to Ben Test');
    const reply = atAmaras.getByRole('dialog', { name: 'Reply to Ben Test' });
    const text = reply.getByRole('textbox');
    expect(await text.getAttribute('rows')).toBe('6');
    expect(await reply.getByRole('button', { name: 'Send Reply' }).isDisabled()).toBe(true);
    await text.fill('   ');
    expect(await reply.getByRole('button', { name: 'Send Reply' }).isDisabled()).toBe(true);
    await text.fill('Bridle leather, 2 mm.');
    await expectAccessible(atAmaras, 'the reply dialog');
    await atAmaras.context().setOffline(true);
    await press(reply, 'Send Reply', { page: 'Failed to send reply' });
    await atAmaras.keyboard.press('Escape');
    await atAmaras.context().setOffline(false);
    // What was typed is kept on the device, through closed dialogs and pages.
    await atAmaras.reload();
    await press(atAmaras, 'Reply to Ben Test');
    expect(await text.inputValue()).toBe('Bridle leather, 2 mm.');
    await press(reply, 'Send Reply', { page: 'Reply sent' });

    await atBens.goto('/notifications');
    await follow(atBens, /Amara Test sent you a message/, { url: /\/messages$/ });
    await mailAbout(atBens, 'New: Re: A strap that does not chafe, from Amara Test').waitFor();
    await mailAbout(atBens, 'A strap that does not chafe, to Amara Test').waitFor();
    await account(atBens, 1);
    await conversation(atBens, 'Amara Test').click();
    await atBens.getByRole('heading', { level: 1, name: 'Conversation with Amara Test' }).waitFor();
    await account(atBens, 0);
    await expectAccessible(atBens, 'a conversation');

    await fillAndPress(atBens, { 'Reply to Amara Test': 'Thank you!' }, 'Send Reply');
    // The reply to a reply has the same subject.
    await atAmaras
      .getByRole('article', { name: 'Re: A strap that does not chafe, from Ben Test' })
      .getByText('Thank you!')
      .waitFor();
    const box = atBens.getByLabel('Reply to Amara Test');
    await expect.poll(() => box.inputValue()).toBe('');
    await expectFocus(box);
    await expectAccessible(atAmaras, 'a conversation on a phone');
  });

  it('begin a conversation by searching for each other, unless one of them accepts no messages', async () => {
    await clear();
    const closed = await site.member('Closed');
    await site.change('profiles', { id: closed.id }, { allow_messages: false });
    await atBens.goto('/messages');
    await press(atBens, 'New message');
    const search = atBens.getByRole('combobox', { name: 'To' });
    await search.fill('zzz');
    await atBens.getByText('No members match “zzz”.').waitFor();
    await search.fill('ama');
    await atBens.getByRole('option', { name: /Amara Test/ }).waitFor();
    await expectAccessible(atBens, 'the search for a member');
    await search.press('Enter');
    await atBens.waitForURL(`/messages/${amara.id}`);
    // One writes on without another press.
    await expect.poll(() => atBens.evaluate(() => document.activeElement?.id)).toBe('message');
    await fillIn(atBens, { Subject: 'Straps', 'Message to Amara Test': 'Where do you buy them?' });
    await atBens.reload();
    expect(await atBens.getByLabel('Message to Amara Test').inputValue()).toBe('Where do you buy them?');
    await press(atBens, 'Send message');
    await mailAbout(atBens, 'Straps, to Amara Test').getByText('Where do you buy them?').waitFor();

    await press(atBens, 'New message');
    await search.fill('closed');
    await atBens.getByRole('option', { name: /Closed Test\s*Does not accept messages/ }).click();
    await atBens.getByText('This member does not accept messages').waitFor();
    expect(await atBens.getByRole('textbox', { name: /Message|Subject/ }).count()).toBe(0);
  });

  it('and no one else: not themselves, and no address that is no member', async () => {
    await open(atBens, `/messages/${ben.id}`, { url: '/messages' });
    for (const address of ['nonsense', '11111111-1111-4111-8111-111111111111']) {
      const response = await atBens.goto(`/messages/${address}`);
      expect(response?.status(), address).toBe(404);
      await atBens.getByRole('heading', { name: 'Oops! Page not found' }).waitFor();
    }
  });

  it('report and block each other', async () => {
    await clear();
    await atAmaras.goto('/messages');
    await send(ben.id, amara.id, [{ subject: 'Buy my liners', content: 'Cheap, cheap, cheap.' }]);
    await conversation(atAmaras, 'Ben Test').click();
    await press(atAmaras, 'Report message from Ben Test');
    await fillAndPress(atAmaras, { Reason: 'Advertising' }, 'Submit report', 'Report submitted');
    const reports = await site.rows('content_reports', 'content_type,reason,reporter_id');
    expect(reports).toEqual([{ content_type: 'message', reason: 'Advertising', reporter_id: amara.id }]);

    await press(atAmaras, 'More about the conversation with Ben Test');
    await atAmaras.getByRole('menuitem', { name: 'View profile' }).waitFor();
    await atAmaras.getByRole('menuitem', { name: 'Block Ben Test' }).click();
    await press(atAmaras.getByRole('dialog'), 'Block', { page: 'Ben Test is blocked' });
    await atAmaras.getByText('You have blocked Ben Test.').waitFor();
    expect(await atAmaras.getByLabel('Reply to Ben Test').count()).toBe(0);
    await expectAccessible(atAmaras, 'a conversation with a blocked member');

    await atBens.goto(`/solutions/${solutionId}`);
    await press(atBens, 'Message Author');
    await atBens.getByLabel('Message', { exact: true }).fill('Last chance!');
    await press(atBens, 'Send message', 'This member does not accept messages');
    expect(await atBens.getByLabel('Message', { exact: true }).inputValue()).toBe('Last chance!');

    await press(atAmaras, 'Unblock');
    await atAmaras.getByLabel('Reply to Ben Test').waitFor();
    await press(atBens, 'Send message', 'Message sent');
  });

  it('are told of a suspension while they write, and keep what they typed', async () => {
    const writer = await site.member('Writer');
    const page = await site.signedIn(writer.email);
    const subscribed = hearing(page, 'viewer');
    await page.goto(`/messages/${amara.id}`);
    await page.getByLabel('Message to Amara Test').fill('Half a thought');
    await subscribed;
    // By a moderator's own hand, which announces it to the member.
    const { email, id } = await site.member('Henrik', 'moderator');
    const hand = await site.client(email);
    const until = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const row = { user_id: writer.id, kind: 'suspension', reason: 'Advertising', until };
    await hand.from('sanctions').insert(row).throwOnError();
    await page.getByText('You can’t send messages.').waitFor();
    expect(await page.getByLabel('Message to Amara Test').count()).toBe(0);
    await follow(page, 'Reply to the moderator', { url: `/messages/${id}` });
    await page.getByLabel('Reply to Henrik Test').waitFor();
    await hand.from('sanctions').update({ lifted_at: new Date().toISOString() }).eq('user_id', writer.id);
    await page.getByText('You can read everything').waitFor({ state: 'detached' });
    await page.goto(`/messages/${amara.id}`);
    await expect.poll(() => page.getByLabel('Message to Amara Test').inputValue()).toBe('Half a thought');
  });
});

describe('the counters', () => {
  it('are right through a lost connection, sign-out and sign-in, and in two tabs', async () => {
    await clear();
    // Signing out ends all sessions of a member.
    const cara = await site.member('Cara');
    const page = await site.person();
    const line = await withLine(page);
    await signIn(page, cara.email);
    await page.goto('/messages');
    await unread(page, 0);
    const tab = await page.context().newPage();
    await tab.goto('/messages');
    line.cut();
    await send(ben.id, cara.id, [
      { subject: 'One', content: 'x' },
      { subject: 'Two', content: 'x' },
    ]);
    line.down = false;
    await unread(tab, 2);
    // The client library waits longer each time before it tries again.
    page.setDefaultTimeout(2 * TIMEOUT_MS);
    await unread(page, 2);
    await mailAbout(page, 'New: One').getByText('x').click();
    await unread(page, 1);
    await unread(tab, 1);
    await account(tab, 1);
    await signOut(page);
    await page.waitForURL(/\/auth/);
    await send(ben.id, cara.id, [{ subject: 'Three', content: 'x' }]);
    await signInByForm(page, cara.email);
    await account(page, 2);
    await page.context().close();
  });
});

describe('the inbox', () => {
  it('is for members, says what fails, and deletes after the question', async () => {
    await clear();
    const visitor = await site.visit('/messages');
    await visitor.waitForURL(/\/auth/);
    expect(await (await fetch(`${site.url()}/messages`)).text()).not.toContain('@clinic.example');

    // A conversation that is still open would show the message, and so mark it read.
    await atAmaras.goto('/about');
    await send(ben.id, amara.id, [{ content: 'Nobody needs this' }]);
    await failsAndTriesAgain('messages', ['/rest/v1/rpc/conversations', 'POST'], (page) =>
      conversation(page, 'Ben Test'),
    );
    await atAmaras.goto(`/messages/${ben.id}`);
    const otherDevice = await site.signedIn(amara.email);
    const live = hearing(otherDevice, 'messages');
    await otherDevice.goto(`/messages/${ben.id}`);
    await otherDevice.getByRole('article').waitFor();
    await live;

    const remove = atAmaras.getByRole('button', { name: 'Delete message from Ben Test' });
    await remove.click();
    await atAmaras
      .getByText('Are you sure you want to delete this message? This action cannot be undone.')
      .waitFor();
    await atAmaras.context().setOffline(true);
    await press(atAmaras.getByRole('dialog'), 'Delete', { page: 'Failed to delete message' });
    await atAmaras.context().setOffline(false);
    await press(atAmaras.getByRole('dialog'), 'Delete', { page: 'Message deleted' });
    await atAmaras.getByText('No messages yet').last().waitFor();
    await atAmaras.getByRole('link', { name: 'All conversations' }).click();
    await unread(atAmaras, 0);
    // It leaves the member's other devices as well, and stays with its sender.
    await otherDevice.getByRole('article').waitFor({ state: 'detached' });
    await conversation(otherDevice, 'Ben Test').waitFor({ state: 'detached' });
    await atBens.goto(`/messages/${amara.id}`);
    await atBens.getByRole('article').getByText('Nobody needs this').waitFor();
  });

  it('comes in pieces, from the newest back, with "Unknown" for members who have left', async () => {
    await clear();
    const leaver = await site.member('Leaver');
    const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 12, minute)).toISOString();
    await send(
      leaver.id,
      amara.id,
      // Two of each minute, so that pages must be cut within one.
      Array.from({ length: 45 }, (_, box) => ({ content: `Letter ${box}.`, created_at: at(box >> 1) })),
    );
    await site.service().auth.admin.deleteUser(leaver.id);
    await atAmaras.goto('/messages');
    await unread(atAmaras, 45);
    await conversation(atAmaras, 'Unknown').getByText('45 New').waitFor();
    await conversation(atAmaras, 'Unknown').click();
    const letters = atAmaras.getByRole('article', { name: /from Unknown/ });
    await letters.last().getByText('Letter 44.').waitFor();
    expect(await letters.count()).toBe(20);
    expect(await atAmaras.getByRole('button', { name: /^Reply/ }).count()).toBe(0);
    const older = atAmaras.getByRole('button', { name: 'Show earlier messages' });
    await older.click();
    await letters.nth(39).waitFor();
    await older.click();
    await letters.nth(44).waitFor();
    await older.waitFor({ state: 'detached' });
    const texts = await letters.getByText(/^Letter \d+\.$/).allTextContents();
    expect(new Set(texts).size).toBe(45);
    // By the minute of their sending.
    expect(texts.map((text) => Number(/\d+/.exec(text)?.[0]) >> 1)).toEqual(
      Array.from({ length: 45 }, (_, box) => box >> 1),
    );
    await account(atAmaras, 0);
  });
});

describe('notifications', () => {
  it('come live, are grouped and filtered, lead to their place and are marked read', {
    tags: 'system/notifications',
  }, async () => {
    await clear();
    await open(atAmaras, '/notifications', 'No notifications yet');
    await expectAccessible(atAmaras, 'no notifications');
    const list = atAmaras.getByRole('main').getByRole('list');
    const one = (name: RegExp) => list.getByRole('link', { name });

    const cleo = await site.member('Cleo');
    const dora = await site.member('Dora');
    const db = site.service();
    await db
      .from('likes')
      .insert([cleo, dora, ben].map(({ id }) => ({ user_id: id, solution_id: solutionId })));
    await db
      .from('comments')
      .insert({ user_id: ben.id, solution_id: solutionId, content: 'How long does it last?' });
    await send(ben.id, amara.id, [{ subject: 'Rig time', content: 'x' }]);
    // What came about one thing is one line.
    await one(
      /^New: About A strap that does not chafe: 1 comment, 3 likes by \S+ Test and 2 others\s*How long does it last\?/,
    ).waitFor();
    await one(/Ben Test sent you a message\s*Rig time/).waitFor();
    await account(atAmaras, await notRead(amara.id));
    await expectAccessible(atAmaras, 'notifications on a phone');

    await atAmaras.getByText('Comments', { exact: true }).click();
    await one(/Ben Test commented on A strap that does not chafe\s*How long does it last\?/).waitFor();
    expect(await list.getByRole('link').count()).toBe(1);
    await atAmaras.getByText('Messages', { exact: true }).click();
    await one(/sent you a message/).waitFor();
    await atAmaras.getByText('Likes', { exact: true }).click();
    await one(/A strap that does not chafe: 3 likes by/).click();
    await atAmaras.waitForURL(`**/solutions/${solutionId}`);
    // The likes may be marked read later than the page; a comment and a message are left.
    await account(atAmaras, 2);
    expect(await notRead(amara.id)).toBe(2);

    await atAmaras.goto('/notifications');
    await atAmaras.getByLabel('Unread only').click();
    await one(/likes/).waitFor({ state: 'detached' });
    await one(/commented/).waitFor();
    // The acting member has deleted their account.
    await db.auth.admin.deleteUser(cleo.id);
    const restore = await refuse(atAmaras, '/rest/v1/notifications', 'PATCH');
    await press(atAmaras, 'Mark all read', 'Failed to mark all as read');
    restore();
    await press(atAmaras, 'Mark all read', 'All notifications marked as read');
    await atAmaras.getByText('No unread notifications').waitFor();
    await atAmaras.getByRole('button', { name: 'Mark all read' }).waitFor({ state: 'detached' });
    expect(await notRead(amara.id)).toBe(1);
    await account(atAmaras, 1);

    await failsAndTriesAgain('notifications', ['/rest/v1/notifications', 'GET'], (page) =>
      page.getByRole('main').getByRole('link', { name: /1 comment/ }),
    );
  });

  it('stay where they are when it becomes known that some are unread', async () => {
    await site.insert('comments', { user_id: ben.id, solution_id: solutionId, content: 'And in the rain?' });
    const page = await site.signedIn(amara.email, { width: 360 });
    const profileResponse = Promise.withResolvers<void>();
    await page.route('**/rest/v1/profiles?*', async (route) => {
      await profileResponse.promise;
      await route.continue();
    });
    await page.goto('/notifications');
    await page.getByRole('link', { name: /And in the rain/ }).waitFor();
    const unreadOnly = page.getByLabel('Unread only');
    const box = await unreadOnly.boundingBox();
    profileResponse.resolve();
    await page.getByRole('button', { name: 'Mark all read' }).waitFor();
    expect(await unreadOnly.boundingBox()).toEqual(box);
  });
});

describe('mail', () => {
  const emailNotifications = async () =>
    (await site.row('profiles', 'email_notifications', { id: ben.id })).email_notifications;
  const linkOf = (text: string) => /https?:\S+\/unsubscribe\?token=\S+/.exec(text)?.[0] ?? '';

  it('tells who asked for it, and stops by one click without signing in', async () => {
    await site.change('profiles', { id: ben.id }, { email_notifications: true });
    // A message that is read at once causes no email.
    await atBens.goto('/about');
    await send(amara.id, ben.id, [{ subject: 'Bridle leather', content: 'Meet me at the bench.' }]);
    const mail = await site.mailTo(ben.email);
    expect(mail.subject).toBe('Amara Test sent you a message: Bridle leather');
    expect(mail.text).not.toContain('bench');
    const page = await site.person({ javaScriptEnabled: false });
    // Opening the page, as mail scanners do, unsubscribes no member.
    await page.goto(linkOf(mail.text));
    expect(await emailNotifications()).toBe(true);
    await press(page, 'Stop these emails', 'You’ve unsubscribed.');
    expect(await emailNotifications()).toBe(false);

    await site.change('profiles', { id: ben.id }, { email_notifications: true });
    const byProgram = await fetch(linkOf(mail.text), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(byProgram.status).toBe(200);
    expect(await emailNotifications()).toBe(false);
    await atBens.goto(linkOf(mail.text));
    await expectAccessible(atBens, 'the page that stops mails');
    // A link of the weekly digest says what it ends.
    await page.goto('/unsubscribe?token=forged.digest.forged');
    await page.getByRole('button', { name: 'Stop the weekly digest' }).waitFor();
    await page.goto('/unsubscribe?token=forged');
    await press(page, 'Stop these emails', 'This link doesn’t work.');
  });
});
