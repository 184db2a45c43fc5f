// @module-tag whole

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { phonePicture } from '../../media/files.ts';
import { holdScripts, intercept, openSite, PASSWORD } from '../site.ts';
import { expectFocus, follow, open, press } from '../steps.ts';
import { expectAccessible } from './page-checks.ts';

const site = openSite();
const ids = { author: '', solution: '' };
const broken = 'This part of the page couldn’t be shown.';
const code = (url: URL) => /^\/assets\/.*\.(js|css)$/.test(url.pathname);

/** A browser on whose pages errors are meant to happen; React reports each from which it recovers. */
async function unlucky(name: string, view: { width?: number; role?: 'admin' } = {}): Promise<Page> {
  const page = await site.signedIn((await site.member(name, view.role)).email, view);
  page.removeAllListeners('pageerror');
  return page;
}

/** Until the returned function is called, responses from there lack the form that the page expects. */
async function mangle(page: Page, path: string, answer: unknown): Promise<() => void> {
  return intercept(
    page,
    (url) => url.pathname === path,
    (route) =>
      ['GET', 'POST'].includes(route.request().method()) ? route.fulfill({ json: answer }) : route.fallback(),
  );
}

beforeAll(async () => {
  ids.author = (await site.member('Grace')).id;
  ids.solution = await site.publish(ids.author, 'A strap that holds');
  await site.insert('comments', { solution_id: ids.solution, user_id: ids.author, content: 'It did hold.' });
});

describe('code that does not come', () => {
  it('costs the dialog alone, and comes at the next try', async () => {
    const { page } = await site.joins('Offline', {
      at: `/solutions/${ids.solution}`,
      colorScheme: 'dark',
      width: 360,
    });
    await page.getByText('It did hold.').waitFor();
    await page.waitForLoadState('networkidle');
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.fill('Half a thought');
    const share = page.getByRole('button', { name: 'Share', exact: true });
    const failed = page.getByRole('alertdialog', { name: 'This couldn’t be opened' });

    // The menu is loaded by the first press, the dialogs behind it by theirs.
    const more = page.getByRole('button', { name: 'More', exact: true });
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Report solution' }).waitFor();
    await page.keyboard.press('Escape');
    // A menu gives the focus back a moment after it has closed, and would take it from what is pressed next.
    await expectFocus(more);
    const restore = await intercept(page, code, (route) => route.abort('internetdisconnected'));
    await share.press('Enter');
    await failed.waitFor();
    await expectAccessible(page, 'a dialog that could not be opened');
    await page.keyboard.press('Escape');
    await failed.waitFor({ state: 'detached' });
    await expectFocus(share);
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Report solution' }).press('Enter');
    await failed.waitFor();
    await expectFocus(failed);
    await failed.getByRole('button', { name: 'Try again' }).press('Enter');
    await failed.getByRole('button', { name: 'Try again' }).waitFor();

    restore();
    await failed.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByRole('dialog', { name: /Report/ }).waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(more);
    await share.press('Enter');
    await page.getByRole('dialog', { name: 'Share this solution' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await comment.inputValue()).toBe('Half a thought');
  });

  it('costs the menu of one’s account alone', async () => {
    const { page } = await site.joins('Menuless');
    const menu = (url: URL) => /\/user-menu-[^/]+\.js$/.test(url.pathname);
    const restore = await intercept(page, menu, (route) => route.abort());
    await page.goto('/about');
    await press(page, /^Your account$/);
    const again = page.getByRole('button', { name: 'Your account couldn’t be loaded. Try again' });
    await again.waitFor();
    await expectAccessible(page, 'a header without its menu', 'body > header');
    await follow(page.getByRole('navigation', { name: 'Main' }), 'Browse', { title: 'Browse Solutions' });
    restore();
    // The next page may have tried again by itself in the meantime.
    const account = page.getByRole('button', { name: 'Your account', exact: true });
    await expect
      .poll(async () => {
        if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => undefined);
        return account.isVisible();
      })
      .toBe(true);
  });
});

describe('before the code has come', () => {
  it('what a member presses is done as soon as it has', async () => {
    const { page } = await site.joins('Ada');
    const releaseScripts = await holdScripts(page);
    await page.goto('/members/grace', { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Message' }).press('Enter');
    releaseScripts();
    await page.getByRole('dialog', { name: 'Message Grace Test' }).waitFor();
  });

  it('a form that is sent puts nothing into the address, keeps what was typed, and is sent then', async () => {
    const page = await site.person();
    const releaseScripts = await holdScripts(page);
    await page.goto('/auth', { waitUntil: 'commit' });
    await page.getByLabel('Email').fill('ada@clinic.example');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill(PASSWORD);
    await password.press('Enter');
    expect(new URL(page.url()).search).toBe('');
    releaseScripts();
    await page.getByText('Welcome back!').waitFor();
  });

  it('what is typed takes nothing from a draft that comes back', async () => {
    const { email } = await site.member('Doro');
    const topic = await site.insert('forum_topics', { title: 'Straps that last', user_id: ids.author });
    const page = await site.visit(`/forum/${topic}`, { as: email });
    const reply = page.getByLabel('Your reply', { exact: true });
    await reply.fill('Webbing does, for two years now.');
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Webbing does');
    const releaseScripts = await holdScripts(page);
    await page.reload({ waitUntil: 'commit' });
    await reply.fill('W');
    await page.getByRole('button', { name: 'Report topic' }).press('Enter');
    releaseScripts();
    await page.getByRole('dialog', { name: /Report/ }).waitFor();
    expect(await reply.inputValue()).toBe('Webbing does, for two years now.');
  });

  it('what is typed into a search, or chosen, holds', async () => {
    const page = await site.person();
    const releaseScripts = await holdScripts(page);
    await page.goto('/browse', { waitUntil: 'commit' });
    await page.getByRole('combobox', { name: 'Search solutions' }).fill('strap');
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    releaseScripts();
    await page.waitForURL((url) => url.searchParams.get('q') === 'strap');
    await page.locator('html.dark').waitFor();
  });
});

describe('data that cannot be drawn', () => {
  it('costs the discussion and not the comment that is being written', async () => {
    const page = await unlucky('Commenter', { width: 360 });
    // The page brings the comments with it, here without the list of replies that each of them has.
    const address = (url: URL) => url.pathname === `/solutions/${ids.solution}`;
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('\\"replies\\"', '\\"lost\\"');
      // The policy has the hash of the data as the site sends it.
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, headers, body });
    });
    await page.goto(`/solutions/${ids.solution}`);
    const discussion = page.getByRole('region', { name: /^Discussion/ });
    await discussion.getByText(broken).waitFor();
    await expectAccessible(page, 'a discussion that could not be shown');
    expect(await page.getByText(broken).count()).toBe(1);
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.fill('Half a thought');
    await press(discussion, 'Try again', 'It did hold.');
    expect(await comment.inputValue()).toBe('Half a thought');
  });

  it.each([
    ['/messages/unknown', '/rest/v1/messages', [{ id: 'x' }], 'No messages yet'],
    ['/notifications', '/rest/v1/notifications', [{ id: 'x' }], 'No notifications yet'],
    ['/admin?tab=audit', '/rest/v1/audit_events', [{ id: 'x' }], 'by System'],
  ] as const)('costs one part of %s', async (address, path, answer, mended) => {
    const name = `Reader${address.replace(/\W/g, '')}`;
    const page = await unlucky(name, { role: 'admin' });
    const restore = await mangle(page, path, answer);
    await open(page, address, broken);
    await expectAccessible(page, `${address} with a part that could not be shown`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Your account/ }).waitFor();
    restore();
    await press(page, 'Try again');
    await page.getByText(broken).waitFor({ state: 'detached' });
    await page.getByRole('main').getByText(mended).first().waitFor();
  });

  it('is left behind with the page it was on', async () => {
    const page = await unlucky('Leaver', { role: 'admin' });
    await mangle(page, '/rest/v1/audit_events', [{ id: 'x' }]);
    await open(page, '/admin?tab=audit', broken);
    await page.getByRole('tab', { name: 'Review queue' }).click();
    await page.getByText('Nothing to review here').waitFor();
    expect(await page.getByText(broken).count()).toBe(0);
  });
});

describe('the form for solutions', () => {
  /** Makes each rendering of the form fail over a text with this word in it, while the trap is on. */
  const trap = (page: Page, on: boolean) =>
    page.evaluate((set) => {
      const page = globalThis as { trim?: (this: string) => string };
      page.trim ??= String.prototype.trim;
      const { trim } = page;
      String.prototype.trim = set
        ? function (this: string) {
            if (this.includes('tripwire')) throw new TypeError('tripped');
            return trim.call(this);
          }
        : trim;
    }, on);

  it('comes back as a whole after an error in it, last letter and chosen files and all', async () => {
    const page = await unlucky('Tripper');
    await page.goto('/upload');
    const title = page.getByLabel('Title', { exact: true });
    const description = page.getByLabel('Description', { exact: true });
    await title.fill('Written before the error');
    await page.getByLabel('Low-cost (<$500)').check();
    await page.getByLabel('Children').check();
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles([
        { name: 'bench.jpg', mimeType: 'image/jpeg', buffer: await phonePicture('jpeg', 120, 80) },
      ]);
    await trap(page, true);
    await description.fill('The last words were tripwire');
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
    await expectAccessible(page, 'a page that could not be shown');
    await page.getByRole('button', { name: /^Your account/ }).waitFor();
    await trap(page, false);
    await press(page, 'Try again');
    await description.waitFor();
    expect(await description.inputValue()).toBe('The last words were tripwire');
    expect(await title.inputValue()).toBe('Written before the error');
    expect(await page.getByLabel('Low-cost (<$500)').isChecked()).toBe(true);
    expect(await page.getByLabel('Children').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Options for bench.jpg' }).waitFor();
  });
});
