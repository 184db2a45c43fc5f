import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSite, signIn } from './site.ts';

const site = openSite({ demo: true });
const DEMO_PASSWORD = 'limb-commons-demo';
let solutionId: string;
let pendingId: string;

beforeAll(async () => {
  const first = async (status: string) =>
    (
      await site
        .service()
        .from('solutions')
        .select('id')
        .eq('status', status)
        .order('created_at', { ascending: false })
        .limit(1)
        .single()
    ).data?.id;
  solutionId = await first('approved');
  pendingId = await first('pending');
});

async function expectAccessible(page: Page, path: string) {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    path,
  ).toEqual([]);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
}

const views = [
  { width: 360, colorScheme: 'light' },
  { width: 768, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
] as const;

describe.each(views)('at $width px, $colorScheme', (view) => {
  it('every page of a visitor is accessible', async () => {
    const page = await site.person(view);
    for (const path of [
      '/',
      '/browse',
      '/browse?q=nothing-like-this',
      '/browse?view=list',
      `/solutions/${solutionId}`,
      '/auth',
      '/no-such-page',
    ]) {
      await expectAccessible(page, path);
    }
  });

  it('every page of a member and of a moderator is accessible', async () => {
    const member = await site.person(view);
    await signIn(member, 'member@example.org', DEMO_PASSWORD);
    for (const path of ['/', '/upload', '/complete-profile', `/solutions/${solutionId}`])
      await expectAccessible(member, path);
    const moderator = await site.person(view);
    await signIn(moderator, 'moderator@example.org', DEMO_PASSWORD);
    for (const path of ['/admin', `/solutions/${pendingId}`]) await expectAccessible(moderator, path);
    await moderator.goto('/admin');
    await moderator.getByRole('button', { name: 'Reject' }).click();
    await moderator.getByRole('dialog', { name: 'Reject Solution' }).waitFor();
    const { violations } = await new AxeBuilder({ page: moderator }).include('[role=dialog]').analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});

describe('with JavaScript off', () => {
  it('home, browse with search and filters, and a solution can be read and navigated', async () => {
    const page = await site.person({ javaScriptEnabled: false });
    await page.goto('/');
    await page
      .getByRole('heading', { level: 1, name: 'Advancing prosthetics through collaborative innovation' })
      .waitFor();
    await page.getByRole('main').getByRole('searchbox').fill('bow');
    await page.getByRole('button', { name: 'Explore Solutions' }).click();
    await page.waitForURL(/\/browse\?q=bow/);
    const found = await page.getByText(/^\d+ solutions found$/).textContent();
    await page.goto('/browse');
    await page.getByText('24 solutions found').waitFor();
    expect(found).not.toContain('24');
    await page.getByLabel(/Myoelectric/).check();
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.getByText('2 solutions found').waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /Myoelectric hand training/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: /Myoelectric hand training/ }).waitFor();
    await page.getByText('Would you share raw envelopes?').waitFor();
  });
});

describe('a public page', () => {
  it('comes complete from the server, the same for everybody, with its preview and a policy against foreign scripts', async () => {
    const response = await fetch(`${site.url()}/solutions/${solutionId}`);
    const html = await response.text();
    expect(html).toContain('<link rel="canonical"');
    expect(html).toContain('og:title');
    expect(html).toContain('application/ld+json');
    expect(html).toMatch(/<html[^>]* lang="en-GB"/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src [^;]*'nonce-/);
    expect(policy).not.toMatch(/script-src [^;]*'unsafe-inline'/);
    for (const header of [
      'x-content-type-options',
      'referrer-policy',
      'permissions-policy',
      'cross-origin-opener-policy',
    ]) {
      expect(response.headers.get(header), header).toBeTruthy();
    }
    const again = await (
      await fetch(`${site.url()}/solutions/${solutionId}`, {
        headers: { authorization: `Bearer ${site.key('SERVICE_ROLE_KEY')}` },
      })
    ).text();
    // The data for the browser says when it was read.
    const body = (text: string) =>
      text.replaceAll(/<script[^>]*>.*?<\/script>/gs, '').replaceAll(/nonce="[^"]*"/g, '');
    expect(body(again)).toBe(body(html));
    expect(html).not.toContain(site.key('SERVICE_ROLE_KEY'));
  });

  it('loads neither the client library nor anything foreign for a visitor', async () => {
    const page = await site.person();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const scripts: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.text());
    });
    await page.goto('/browse');
    await page.waitForLoadState('networkidle');
    expect(requests.filter((url) => !url.startsWith(site.url()) && !url.startsWith('data:'))).toEqual([]);
    const code = await Promise.all(scripts);
    expect(code.length).toBeGreaterThan(0);
    expect(
      code.some((text) => text.includes('GoTrueClient') || text.includes('x-supabase-api-version')),
    ).toBe(false);
  });

  it('keeps theme and nothing else on the device before a choice', async () => {
    const page = await site.person();
    await page.goto('/');
    await page.goto('/browse');
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key !== 'theme'))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  });
});

describe('the theme', () => {
  it('is chosen by hand, kept under the key theme, and follows the system otherwise', async () => {
    const page = await site.person({ colorScheme: 'dark' });
    await page.goto('/');
    const dark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
    expect(await dark()).toBe(true);
    await page.getByRole('contentinfo').getByText('Light', { exact: true }).click();
    expect(await dark()).toBe(false);
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
    await page.reload();
    expect(await dark()).toBe(false);
  });
});
