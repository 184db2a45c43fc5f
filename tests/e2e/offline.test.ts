import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './every-page/page-checks.ts';
import { openSite } from './site.ts';

const site = openSite({ demo: true });

/** Opens a page and waits until the service worker has kept it. */
async function keep(page: Page, path: string) {
  await page.goto(path);
  await expect.poll(() => page.evaluate(async () => Boolean(await caches.match(location.href)))).toBe(true);
}

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
    await page.getByText('You’re offline. You can read pages that you opened before').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.goto('/browse');
    await page.getByRole('link', { name: title }).first().waitFor();
    await page.goto(solution);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.goto('/resources');
    await page.getByRole('heading', { level: 1, name: 'You’re offline' }).waitFor();
    expect(page.url()).toContain('/resources');
    await expectAccessible(page, 'a page that is not on the device');

    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Resources' }).waitFor();
  });

  it('nothing of a member is kept, nor a page for one person alone', async () => {
    const { email } = await site.member('Keeps');
    const page = await site.signedIn(email, { serviceWorkers: 'allow' });
    await keep(page, '/browse');
    await page.goto('/messages');
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    const kept = await page.evaluate(async () => {
      const addresses: string[] = [];
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys())
          addresses.push(new URL(request.url).pathname);
      return addresses;
    });
    expect(kept).toContain('/browse');
    expect(kept.filter((path) => /^\/(messages|rest|auth|profile|settings)/.test(path))).toEqual([]);
  });

  it('the site can be installed: name, icons and start address', async () => {
    const page = await site.person();
    await page.goto('/');
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
