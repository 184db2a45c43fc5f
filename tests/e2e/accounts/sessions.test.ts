import { createClient } from '@supabase/supabase-js';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { hearing, openSite, PASSWORD } from '../site.ts';

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
    const { email } = await site.member('Renewer');
    const page = await site.signedIn(email);
    await page.goto('/profile');
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
    await tab.goto('/profile');
    await tab.getByText('total points').waitFor();
    await site.service().auth.admin.signOut((await stored(page))?.session.access_token, 'global');
    await page.reload();
    // A page that is opened now leads to sign in; one that was open keeps what is on it.
    await page.waitForURL('/auth');
    await tab.getByRole('dialog', { name: 'You’ve been signed out' }).waitFor();
    for (const one of [page, tab]) expect(await stored(one)).toBeNull();
  });

  it('is not replaced in silence by a link with the tokens of another account', async () => {
    const page = await site.signedIn((await site.member('Keeper')).email);
    const { email } = await site.member('Lurer');
    const lurer = createClient(site.url(), site.instance().anonKey, { auth: { persistSession: false } });
    const { data } = await lurer.auth.signInWithPassword({ email, password: PASSWORD });
    const link = `/browse#access_token=${data.session?.access_token}&refresh_token=${data.session?.refresh_token}&expires_in=3600&token_type=bearer&type=magiclink`;
    const messages: string[] = [];
    const follow = async (answer: 'accept' | 'dismiss') => {
      page.once('dialog', (dialog) => {
        messages.push(dialog.message());
        return dialog[answer]();
      });
      await page.goto('/');
      await page.goto(link);
      await expect.poll(() => page.url()).toMatch(/\/browse#?$/);
    };
    await follow('dismiss');
    expect((await stored(page))?.session.user.email).toBe('keeper@clinic.example');
    await follow('accept');
    await expect.poll(async () => (await stored(page))?.session.user.email).toBe(email);
    expect(messages).toEqual(
      Array(2).fill(
        `You’re signed in as keeper@clinic.example. This link will sign you in as ${email} instead. Continue?`,
      ),
    );
  });

  it.each([401, 403, 404])('ends here also when the server answers sign-out with %i', async (status) => {
    const { email } = await site.member(`Quitter${status}`);
    const page = await site.signedIn(email);
    await page.route('**/auth/v1/logout*', (route) =>
      route.fulfill({ status, json: { code: 'session_not_found', message: 'Gone' } }),
    );
    await page.goto('/');
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByText('You have been signed out successfully').waitFor();
    expect(await stored(page)).toBeNull();
  });

  it('that ends under a page is begun again there, with everything typed', async () => {
    const { email } = await site.member('Typist');
    const page = await site.signedIn(email, { width: 360 });
    const following = hearing(page, 'viewer');
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('Bio').fill('Forty years of sockets.');
    await following;
    // From another device.
    const other = await site.signedIn(email);
    await other.goto('/');
    await other.getByRole('button', { name: /Your account/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out of all devices' }).click();
    await other.getByText('You have been signed out on all devices').waitFor();

    const dialog = page.getByRole('dialog', { name: 'You’ve been signed out' });
    await dialog.waitFor();
    await expectAccessible(page, 'an ended session');
    // Another person who sits down here sees nothing of it.
    expect(await page.getByLabel('Bio').isVisible()).toBe(false);
    expect(await dialog.getByLabel('Email').inputValue()).toBe(email);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign In' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Bio').inputValue()).toBe('Forty years of sockets.');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Profile updated successfully').waitFor();
  });

  it('that is signed out here goes on on other devices', async () => {
    const { email } = await site.member('Homecomer');
    const [page, other] = [await site.signedIn(email), await site.signedIn(email)];
    await other.goto('/profile');
    await page.goto('/');
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByText('You have been signed out successfully').waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'Edit profile' }).waitFor();
  });

  it('that is begun from the header leads back to the same place', async () => {
    const { email } = await site.member('Reader');
    const page = await site.person();
    await page.goto('/about');
    await page.evaluate(() => window.scrollTo(0, 600));
    // A click of Playwright's own would scroll the page first.
    const { x = 0, y = 0 } = (await page.getByRole('link', { name: 'Sign In' }).boundingBox()) ?? {};
    await page.mouse.click(x + 10, y + 10);
    await page.waitForURL('/auth');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL('/about');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(600);
  });

  it('of recovery still asks for the new password when the page is loaded again', async () => {
    const { email } = await site.member('Forgetter');
    const page = await site.person({ width: 360 });
    await page.goto('/auth?reset');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await page.getByText('If there’s an account for').waitFor();
    const code = /^\d{6}$/m.exec((await site.mailTo(email)).text)?.[0] ?? '';
    await page.getByLabel('Code from the email').fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await page.getByLabel('New password', { exact: true }).fill('quite another walk');
    await page.getByLabel('Confirm new password').fill('quite another walk');
    await page.getByRole('button', { name: 'Update Password' }).click();
    await page.getByText('Password updated!').waitFor();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('of a suspended member says so at once, and no longer when it is lifted', async () => {
    const moderator = await site.member('Lifter', 'moderator');
    const { id, email } = await site.member('Held');
    const page = await site.signedIn(email);
    const following = hearing(page, 'viewer');
    await page.goto('/');
    await following;
    const { data } = await site
      .service()
      .from('sanctions')
      .insert({
        user_id: id,
        kind: 'suspension',
        reason: 'Advertising',
        until: new Date(Date.now() + 86_400_000).toISOString(),
        created_by: moderator.id,
      })
      .select('id')
      .single()
      .throwOnError();
    await page.getByText(/^You are suspended until/).waitFor();
    await site
      .service()
      .from('sanctions')
      .update({ lifted_at: new Date().toISOString() })
      .eq('id', data.id)
      .throwOnError();
    await page.getByText(/^You are suspended until/).waitFor({ state: 'hidden' });
  });
});
