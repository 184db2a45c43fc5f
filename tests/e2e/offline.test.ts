// @module-tag whole

import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { binaryCube } from '../media/models.ts';
import { SOLUTION } from '../solution.ts';
import { expectAccessible } from './every-page/page-checks.ts';
import { files, fill, jpeg, rowsOf, submit, titleOf, toLaterParts, toStep } from './share/form.ts';
import { intercept, openSite, PASSWORD, signIn, signInByForm, waitForHydration } from './site.ts';
import { expectFocus, follow, open, press, reload, signOut, toast } from './steps.ts';

const site = openSite({ demo: true });
const { drafts, solutions } = rowsOf(site);

/** Opens a page and waits until the service worker has control of it, and has kept it with all that it has loaded. */
async function keep(page: Page, path: string) {
  await page.goto(path);
  await waitForHydration(page);
  await expect
    .poll(() =>
      page.evaluate(async () => {
        if (!navigator.serviceWorker.controller) return ['no worker'];
        const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
        const assets = loaded.filter(({ pathname }) => pathname.startsWith('/assets/'));
        const lacking: string[] = [];
        for (const address of [location.href, ...assets.map(({ href }) => href)])
          if (!(await caches.match(address))) lacking.push(address);
        return lacking;
      }),
    )
    .toEqual([]);
}

const STL = { name: 'jaw.stl', mimeType: 'model/stl', buffer: binaryCube() };

const title = 'Violin bow adapter with a free wrist joint';

describe('without a connection', () => {
  it('pages opened before can be read, by link, by address and after a reload; others say why they cannot', async () => {
    const page = await site.person({ serviceWorkers: 'allow' });
    await keep(page, '/browse');
    await page.getByRole('link', { name: title }).first().click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await keep(page, page.url());
    const solution = page.url();

    await page.context().setOffline(true);
    await page.getByText('You’re offline. You can read public pages that you opened before').waitFor();
    await reload(page, { title: title });
    await page.goto('/browse');
    await page.getByRole('link', { name: title }).first().waitFor();
    await open(page, solution, { title: title });
    await open(page, '/resources', { title: 'You’re offline' });
    expect(page.url()).toContain('/resources');
    await expectAccessible(page, 'a page that is not on the device', 'html');

    await page.context().setOffline(false);
    await follow(page, 'Try again', { title: 'Resources' });
  });

  it('a member sees their portrait and menu, which says what could not be loaded, until they sign out', async () => {
    const page = await site.person({ serviceWorkers: 'allow' });
    await signIn(page, 'member@example.org', 'limb-commons-demo');
    await keep(page, '/');
    // The menu is kept once it has been loaded, which it is while its member stays.
    const account = page.getByRole('button', { name: /^Your account/ });
    await account.press('Enter');
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Escape');

    const menu = page.getByRole('menu');
    const again = menu.getByRole('menuitem', { name: 'Try again' });
    const openOffline = async () => {
      await page.context().setOffline(true);
      await page.reload();
      await account.press('Enter');
      await menu.getByText('Amara Osei').waitFor();
      await menu.getByText('Your messages and notifications couldn’t be loaded.').waitFor();
      await page.context().setOffline(false);
    };
    await openOffline();
    await again.click();
    await page.getByRole('button', { name: /^Your account.*unread$/ }).waitFor();

    // An answer that is still on its way when they sign out leaves nothing of theirs on the device either.
    await openOffline();
    const { promise: signedOut, resolve: release } = Promise.withResolvers<void>();
    const isViewer = ({ pathname }: URL) => pathname === '/rest/v1/profiles';
    await page.route(isViewer, async (route) => {
      const response = await route.fetch();
      await signedOut;
      await route.fulfill({ response });
    });
    const asked = page.waitForRequest((request) => isViewer(new URL(request.url())));
    await again.click();
    const request = await asked;
    await signOut(page);
    await toast(page, 'Signed out');
    release();
    await (await request.response())?.finished();
    expect(await page.evaluate(() => localStorage.getItem('account'))).toBe(null);
  });

  it('a case that is closed to its reader is forgotten once its page says so, with the pages below it', async () => {
    const author = await site.member('Closes');
    const id = await site.publish(author.id, 'Sorrel clamp for oars');
    const page = await site.person({ serviceWorkers: 'allow' });
    await keep(page, `/solutions/${id}`);
    await keep(page, `/solutions/${id}/versions/1`);
    // What the router fetches for a link.
    await page.goto('/browse?q=sorrel');
    await page.getByRole('link', { name: 'Sorrel clamp for oars' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Sorrel clamp for oars' }).waitFor();
    const kept = () =>
      page.evaluate(async (path) => {
        const found: string[] = [];
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys())
            if (url.includes(path)) found.push(new URL(url).pathname);
        return found.toSorted();
      }, `/solutions/${id}`);
    await expect.poll(kept).toEqual(['', '.data', '/versions/1'].map((end) => `/solutions/${id}${end}`));
    await site.change('solutions', { id }, { audience: 'checked' });
    await expect.poll(async () => (await page.goto(`/solutions/${id}`))?.status()).toBe(403);
    await expect.poll(kept).toEqual([]);
  });

  it('nothing of a member is kept, nor a page for one person alone', async () => {
    const { page } = await site.joins('Keeps', { serviceWorkers: 'allow' });
    await keep(page, '/browse');
    await open(page, '/messages', { title: 'Messages' });
    const kept = await page.evaluate(async () => {
      const addresses: string[] = [];
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys())
          addresses.push(new URL(request.url).pathname);
      return addresses;
    });
    expect(kept).toContain('/browse');
    expect(kept.filter((path) => /^\/(messages|rest|auth|profile|settings)/.test(path))).toEqual([]);
    // Its address says what is the matter, where the browser would show a page of its own.
    await page.context().setOffline(true);
    await open(page, '/messages', { title: 'You’re offline' });
  });

  it('the site can be installed: name, icons and start address', async () => {
    const page = await site.visit('/');
    const address = await page.locator('link[rel=manifest]').getAttribute('href');
    const response = await page.request.get(address ?? '');
    expect(response.headers()['content-type']).toContain('application/manifest+json');
    const manifest = await response.json();
    expect(manifest).toMatchObject({ name: 'Limb Commons', display: 'standalone', start_url: '/' });
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (path) => {
        const image = new Image();
        image.src = path;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(size).toBe(sizes);
    }
  });
});

describe('a solution that is submitted without a connection', () => {
  const waiting = (page: Page) => page.getByRole('heading', { name: 'Waiting to be sent' });
  const notice = (page: Page) => page.getByText('1 solution is waiting to be sent.');

  it('waits with its files, visibly and through a reload, and is sent once by one of two tabs', async () => {
    const { id, page } = await site.joins('Train', { width: 360, serviceWorkers: 'allow' });
    await keep(page, '/');
    await keep(page, '/upload');
    await files(page).setInputFiles([await jpeg('bench.jpg'), await jpeg('side.jpg')]);
    await fill(page, 'Written in the tunnel');
    await page.context().setOffline(true);
    await toLaterParts(page);
    await page.locator('summary', { hasText: 'Build files' }).click();
    await page.getByLabel('Add build files').setInputFiles([STL]);
    await page.getByLabel('What it is for').fill('The jaw, at full size');
    await submit(page);
    await waiting(page).waitFor();
    await expectFocus(waiting(page));
    await page.getByText('3 files are saved on this device').waitFor();
    await expectAccessible(page, 'a solution that waits');

    await press(page, 'Edit');
    expect(await titleOf(page).inputValue()).toBe('Written in the tunnel');
    await toStep(page, 1);
    await titleOf(page).fill('Written in the long tunnel');
    await submit(page);
    await page.getByText('“Written in the long tunnel” and 3 files are saved on this device.').waitFor();
    await page.reload();
    await waiting(page).waitFor();
    await page.goto('/');
    await notice(page).waitFor();
    await expectAccessible(page, 'the notice of what waits');
    const other = await page.context().newPage();
    await other.goto('/upload');
    await waiting(other).waitFor();

    await page.context().setOffline(false);
    await expect
      .poll(
        async () =>
          (await page.getByText('View solution').count()) + (await other.getByText('View solution').count()),
      )
      .toBe(1);
    await notice(page).waitFor({ state: 'hidden' });
    await waiting(other).waitFor({ state: 'hidden' });
    const [solution, ...more] = await solutions('Written in the long tunnel');
    expect(more).toEqual([]);
    expect(solution).toMatchObject({ user_id: id, status: 'pending' });
    expect(solution?.solution_media).toHaveLength(2);
    expect(await site.rows('solution_files', 'file_name,description', { solution_id: solution?.id })).toEqual(
      [{ file_name: 'jaw.stl', description: 'The jaw, at full size' }],
    );
    expect(await drafts(id)).toEqual([]);
    await other.reload();
    await titleOf(other).waitFor();
    expect(await titleOf(other).inputValue()).toBe('');
    expect(await other.getByRole('button', { name: /^Options for/ }).count()).toBe(0);
  });

  it('is one solution when the answer to it was lost, new or changed', async () => {
    const { page } = await site.joins('Answerless');
    let calls = 0;
    await page.route(/rpc\/(re)?submit_solution/, async (route) => {
      calls += 1;
      if (calls > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.goto('/upload');
    await files(page).setInputFiles([await jpeg('bench.jpg')]);
    await fill(page, 'Its answer was lost');
    await submit(page);
    await page.getByRole('link', { name: 'View solution' }).waitFor();
    expect(calls).toBe(2);
    const [solution, ...more] = await solutions('Its answer was lost');
    expect(more).toEqual([]);
    expect(solution?.solution_media).toHaveLength(1);

    calls = 0;
    await page.goto(`/upload?solution=${solution?.id}`);
    await fill(page, 'Its second answer was lost');
    await submit(page);
    await page.getByRole('link', { name: 'View solution' }).waitFor();
    expect(calls).toBe(1);
    await follow(page, 'View solution', { title: 'Its second answer was lost' });
  });

  it('is a draft again when the site refuses it, with the reason', async () => {
    const { id, page } = await site.joins('Refused', { at: '/upload' });
    await files(page).setInputFiles([await jpeg('bench.jpg')]);
    await fill(page, 'The sixth of its day');
    await page.context().setOffline(true);
    await submit(page);
    await waiting(page).waitFor();
    const others = Array.from({ length: 5 }, () => ({ ...SOLUTION, user_id: id }));
    await site.insert('solutions', others);
    await page.context().setOffline(false);
    const reason = 'On your first day you can add 5 solutions. Please wait until tomorrow to add more.';
    await page.getByRole('main').getByText(reason).first().waitFor();
    expect(await titleOf(page).inputValue()).toBe('The sixth of its day');
    await page.getByRole('button', { name: 'Options for bench.jpg' }).waitFor();
    await expectAccessible(page, 'a solution that was refused');
    await page.goto('/');
    await page.getByRole('link', { name: 'Open draft' }).waitFor();
    await open(page, '/profile#drafts', 'New solution · not accepted');
    await page.getByRole('link', { name: 'The sixth of its day' }).click();
    await titleOf(page).waitFor();
    // One banner says it, not two.
    expect(await page.getByRole('main').getByText(reason).count()).toBe(1);

    await site.remove('solutions', { user_id: id });
    await submit(page);
    await page.waitForURL('/');
    expect(await solutions('The sixth of its day')).toHaveLength(1);
    expect(await page.getByText(reason).count()).toBe(0);
  });

  it('is removed from a device that others use with the sign-out, unless its author keeps it', async () => {
    const { email, page } = await site.joins('Wardround');
    await page.route('**/process-media-upload', (route) => route.abort('internetdisconnected'));
    await page.goto('/upload');
    await titleOf(page).fill('Typed on the computer of the ward');
    await files(page).setInputFiles([await jpeg('bench.jpg')]);
    const keeps = () =>
      page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('solution-draft-')));
    await expect.poll(keeps).toBe(true);
    await signOut(page);
    const dialog = page.getByRole('dialog', { name: 'Sign out' });
    await dialog.getByText('This device keeps a draft and an image, video or file of yours').waitFor();
    await expectAccessible(page, 'the question before a sign-out');
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(true);
    await press(dialog, 'Sign out', { toast: 'Signed out' });
    expect(await keeps()).toBe(false);

    await signInByForm(page, email);
    await page.goto('/upload');
    await titleOf(page).waitFor();
    expect(await page.getByText('bench.jpg').count()).toBe(0);
  });

  it('is neither shown to the next member of the device nor sent as theirs', async () => {
    const first = await site.member('Firstshift');
    const second = await site.member('Secondshift');
    const page = await site.visit('/upload', { as: first.email });
    await files(page).setInputFiles([await jpeg('bench.jpg')]);
    await fill(page, 'Left on the shared tablet');
    const restore = await intercept(page, '**/process-media-upload', (route) =>
      route.abort('internetdisconnected'),
    );
    await submit(page);
    await waiting(page).waitFor();
    await signOut(page);
    // What was submitted is not given up by a second press.
    const dialog = page.getByRole('dialog', { name: 'Sign out' });
    await dialog.getByText('A solution you submitted is sent when you sign in again.').waitFor();
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(false);
    await press(dialog, 'Sign out', { toast: 'A solution wasn’t sent yet' });
    restore();

    await signInByForm(page, second.email);
    await page.goto('/upload');
    await titleOf(page).waitFor();
    expect(await titleOf(page).inputValue()).toBe('');
    expect(await page.getByText('waiting to be sent').count()).toBe(0);
    await files(page).setInputFiles([await jpeg('another.jpg')]);
    await fill(page, 'Of the second shift');
    await submit(page);
    await page.waitForURL('/');
    expect(await solutions('Left on the shared tablet')).toEqual([]);

    await signIn(page, first.email);
    await page.goto('/');
    await page.getByRole('link', { name: 'View solution' }).waitFor();
    const [solution, ...more] = await solutions('Left on the shared tablet');
    expect(more).toEqual([]);
    expect(solution?.user_id).toBe(first.id);
    expect(solution?.solution_media).toHaveLength(1);
  });

  it('waits on while the site is updated or the session is over, and is the author’s again as soon as they ask', async () => {
    const { page } = await site.joins('Patient');
    const upload = '**/process-media-upload';
    await page.goto('/upload');
    await files(page).setInputFiles([await jpeg('bench.jpg')]);
    await fill(page, 'Sent at the fourth try');
    let respond = (route: Route) => route.abort('internetdisconnected');
    let answered = 0;
    const restore = await intercept(page, upload, async (route) => {
      await respond(route);
      answered += 1;
    });
    await submit(page);
    await waiting(page).waitFor();
    for (const answer of [
      { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' },
      { status: 401, json: { message: 'Please sign in to upload files.' } },
    ]) {
      respond = (route) => route.fulfill(answer);
      const before = answered;
      await page.reload();
      await expect.poll(() => answered).toBeGreaterThan(before);
      await page.getByText('We couldn’t reach the site.').waitFor();
    }
    expect(await page.getByText('Submission Failed').count()).toBe(0);

    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/solution_drafts/, async (route) => {
      await held;
      await route.continue();
    });
    restore();
    await Promise.all([page.waitForRequest(/solution_drafts/), page.reload()]);
    await press(page, 'Edit');
    release();
    await expect.poll(() => titleOf(page).inputValue()).toBe('Sent at the fourth try');
    expect(await solutions('Sent at the fourth try')).toEqual([]);
    await submit(page);
    await page.waitForURL('/');
    expect(await solutions('Sent at the fourth try')).toHaveLength(1);
  });

  it('leaves nothing on the device when its author deletes their account', async () => {
    const { id, page } = await site.joins('Leaving');
    const kept = () =>
      page.evaluate(async () => {
        const database = await new Promise<IDBDatabase>((resolve) => {
          const request = indexedDB.open('solution-draft-files');
          request.onsuccess = () => resolve(request.result);
        });
        const counts = ['uploads', 'files'].map(
          (store) =>
            new Promise<number>((resolve) => {
              const request = database.transaction(store).objectStore(store).count();
              request.onsuccess = () => resolve(request.result);
            }),
        );
        return { counts: await Promise.all(counts), texts: JSON.stringify(localStorage) };
      });
    await page.goto('/browse');
    await page.getByRole('link', { name: title }).first().click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Half a thought');
    await page.goto('/upload');
    await files(page).setInputFiles([await jpeg('bench.jpg')]);
    await fill(page, 'Never sent');
    await page.route('**/process-media-upload', (route) => route.abort('internetdisconnected'));
    await submit(page);
    await waiting(page).waitFor();
    const before = await kept();
    expect(before.counts).toEqual([1, 1]);
    expect(before.texts).toContain('Never sent');
    expect(before.texts).toContain('Half a thought');

    await page.goto('/settings');
    await press(page, 'Delete my account');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Delete it with my account').check();
    await dialog.getByLabel('Password').fill(PASSWORD);
    await press(dialog, 'Delete account', { toast: 'Your account was deleted' });
    const { counts, texts } = await kept();
    expect(counts).toEqual([0, 0]);
    for (const text of [id, 'Never sent', 'Half a thought']) expect(texts).not.toContain(text);
    expect(await page.getByText('A solution wasn’t sent yet').count()).toBe(0);
  });
});
