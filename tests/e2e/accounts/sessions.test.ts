// @module-tag whole

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { blockRealtime, hearing, openSite, PASSWORD } from '../site.ts';
import { fillAndPress, open, press, reload, sendSignIn, signOut } from '../steps.ts';

const site = openSite();

describe('a session', () => {
  const stored = (page: Page) =>
    page.evaluate(() => {
      const [key] = Object.keys(localStorage).filter((name) => name.endsWith('-auth-token'));
      return key ? { key, session: JSON.parse(localStorage.getItem(key) ?? '{}') } : null;
    });
  /**
   * From its next document on, before any script of it: the present document would renew the session itself.
   */
  const expire = (page: Page) =>
    page.addInitScript(() => {
      const [key] = Object.keys(localStorage).filter((name) => name.endsWith('-auth-token'));
      if (!key) return;
      const session = JSON.parse(localStorage.getItem(key) ?? '{}');
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }));
    });

  it('is renewed with growing pauses while the line is down, and ends in every tab when it cannot be', async () => {
    const { page } = await site.joins('Renewer', { at: '/profile' });
    const before = (await stored(page))?.session.refresh_token;
    // The page's own clock records the time of the request; this process may receive it late.
    await page.addInitScript(() => {
      const { fetch } = window;
      const requestTimes: number[] = [];
      Object.assign(window, { requestTimes });
      window.fetch = async (input, init) => {
        if (`${input instanceof Request ? input.url : input}`.includes('grant_type=refresh_token')) {
          requestTimes.push(performance.now());
          if (requestTimes.length < 4) throw new TypeError('Failed to fetch');
        }
        return fetch(input, init);
      };
    });
    await expire(page);
    await page.reload();
    await expect.poll(async () => (await stored(page))?.session.refresh_token).not.toBe(before);
    const requestTimes: number[] = await page.evaluate('requestTimes');
    const pauses = requestTimes.slice(1).map((at, index) => at - (requestTimes[index] ?? at));
    for (const [index, least] of [200, 400, 800].entries())
      expect(pauses[index], `pause ${index + 1} of ${pauses}`).toBeGreaterThanOrEqual(least - 1);
    await page.getByText('total points').waitFor();

    const tab = await page.context().newPage();
    await open(tab, '/profile', 'total points');
    await site.service().auth.admin.signOut((await stored(page))?.session.access_token, 'global');
    await page.reload();
    // A page that is opened now leads to sign in; one that was open keeps what is on it.
    await page.waitForURL('/auth');
    await tab.getByRole('dialog', { name: 'You’ve been signed out' }).waitFor();
    for (const one of [page, tab]) expect(await stored(one)).toBeNull();
  });

  it('is not replaced in silence by a link with the tokens of another account', async () => {
    const { page } = await site.joins('Keeper');
    const { email } = await site.member('Lurer');
    const { data } = await (await site.client(email)).auth.getSession();
    const link = `/browse#access_token=${data.session?.access_token}&refresh_token=${data.session?.refresh_token}&expires_in=3600&token_type=bearer&type=magiclink`;
    const messages: string[] = [];
    const openLink = async (answer: 'accept' | 'dismiss') => {
      page.once('dialog', (dialog) => {
        messages.push(dialog.message());
        return dialog[answer]();
      });
      await page.goto('/');
      await page.goto(link);
      await expect.poll(() => page.url()).toMatch(/\/browse#?$/);
    };
    await openLink('dismiss');
    expect((await stored(page))?.session.user.email).toBe('keeper@clinic.example');
    await openLink('accept');
    await expect.poll(async () => (await stored(page))?.session.user.email).toBe(email);
    expect(messages).toEqual(
      Array(2).fill(
        `You’re signed in as keeper@clinic.example. This link will sign you in as ${email} instead. Continue?`,
      ),
    );
  });

  it.each([401, 403, 404])('ends here also when the server answers sign-out with %i', async (status) => {
    const { page } = await site.joins(`Quitter${status}`);
    await page.route('**/auth/v1/logout*', (route) =>
      route.fulfill({ status, json: { code: 'session_not_found', message: 'Gone' } }),
    );
    await page.goto('/upload');
    await signOut(page);
    await page.getByText('You have been signed out successfully').waitFor();
    expect(await stored(page)).toBeNull();
    expect(await page.getByText('Please log in to submit a solution').count()).toBe(0);
  });

  it('that ends under a page is begun again there, with everything typed', {
    tags: 'system/sessions',
  }, async () => {
    const { email, page } = await site.joins('Typist', { width: 360 });
    const following = hearing(page, 'viewer');
    await page.goto('/profile');
    await press(page, 'Edit profile');
    await page.getByLabel('Bio').fill('Forty years of sockets.');
    await following;
    // From another device.
    const other = await site.visit('/', { as: email });
    await press(other, /Your account/);
    await other.getByRole('menuitem', { name: 'Sign out of all devices' }).click();
    await other.getByText('You have been signed out on all devices').waitFor();

    const dialog = page.getByRole('dialog', { name: 'You’ve been signed out' });
    await dialog.waitFor();
    await expectAccessible(page, 'an ended session');
    // Another person who sits down here sees nothing of it.
    expect(await page.getByLabel('Bio').isVisible()).toBe(false);
    expect(await dialog.getByLabel('Email').inputValue()).toBe(email);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(dialog, /^Sign In$/);
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Bio').inputValue()).toBe('Forty years of sockets.');
    await press(page, 'Save Changes', 'Profile updated successfully');
  });

  it('that has ended when a comment is sent is begun again there, and the comment goes on by itself', async () => {
    const { id, email, page } = await site.joins('Interrupted');
    const solution = await site.publish(id, 'A clamp for a cello');
    // A channel ends with its session, and would notice before the member does anything.
    await blockRealtime(page);
    await page.goto(`/solutions/${solution}`);
    await page.getByRole('textbox', { name: 'Comment' }).fill('Does it hold in the rain?');
    await (await site.client(email)).auth.signOut({ scope: 'global' });
    await press(page, 'Post comment');
    const dialog = page.getByRole('dialog', { name: 'You’ve been signed out' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(dialog, /^Sign In$/);
    await page.getByText('Comment posted successfully').waitFor();
    expect(await site.rows('comments', 'content', { solution_id: solution })).toEqual([
      { content: 'Does it hold in the rain?' },
    ]);
  });

  it('that is signed out here goes on on other devices', async () => {
    const { email } = await site.member('Homecomer');
    const [page, other] = [await site.signedIn(email), await site.signedIn(email)];
    await other.goto('/profile');
    await page.goto('/');
    await signOut(page);
    await page.getByText('You have been signed out successfully').waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'Edit profile' }).waitFor();
  });

  it('that is begun from the header leads back to the same place', { tags: 'system/sign-in' }, async () => {
    const { email } = await site.member('Reader');
    const page = await site.visit('/about');
    await page.evaluate(() => window.scrollTo(0, 600));
    // A click of Playwright's own would scroll the page first.
    const { x = 0, y = 0 } = (await page.getByRole('link', { name: 'Sign In' }).boundingBox()) ?? {};
    await page.mouse.click(x + 10, y + 10);
    await page.waitForURL('/auth');
    await sendSignIn(page, email);
    await page.waitForURL('/about');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(600);
  });

  it('of recovery still asks for the new password when the page is loaded again', {
    tags: 'system/recovery',
  }, async () => {
    const { email } = await site.member('Forgetter');
    const page = await site.visit('/auth?reset', { width: 360 });
    await fillAndPress(page, { Email: email }, 'Send reset link', 'If there’s an account for');
    const code = /^\d{6}$/m.exec((await site.mailTo(email)).text)?.[0] ?? '';
    await page.getByLabel('Code from the email').fill(code);
    await press(page, 'Continue', { heading: 'Set a new password' });
    await reload(page, { heading: 'Set a new password' });
    await page.getByLabel('New password', { exact: true }).fill('quite another walk');
    await page.getByLabel('Confirm new password').fill('quite another walk');
    await press(page, 'Update password', 'Password updated!');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('of a suspended member says so at once, and no longer when it is lifted', async () => {
    const moderator = await site.member('Lifter', 'moderator');
    const { id, page } = await site.joins('Held');
    const following = hearing(page, 'viewer');
    await page.goto('/');
    await following;
    const sanction = await site.insert('sanctions', {
      user_id: id,
      kind: 'suspension',
      reason: 'Advertising',
      until: new Date(Date.now() + 86_400_000),
      created_by: moderator.id,
    });
    await page.getByText(/^You are suspended until/).waitFor();
    await site.change('sanctions', { id: sanction }, { lifted_at: new Date() });
    await page.getByText(/^You are suspended until/).waitFor({ state: 'hidden' });
  });
});
