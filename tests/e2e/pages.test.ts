// @module-tag whole

import pg from 'pg';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './every-page/page-checks.ts';
import { openSite } from './site.ts';
import { fillIn, follow, open, press, says, sendSignIn } from './steps.ts';

const site = openSite({
  settings: { SUPPORT_EMAIL: 'support@clinic.example', LEGAL_EMAIL: 'legal@clinic.example' },
});
let people: Record<'amara' | 'cleo', { id: string; email: string }>;

const paths = [
  '/resources',
  '/about',
  '/contact',
  '/privacy-policy',
  '/terms-of-service',
  '/cookie-policy',
  '/compliance',
  '/developers',
  '/status',
];
const read = async (path: string) => {
  const response = await fetch(site.url() + path);
  return { status: response.status, text: await response.text(), headers: response.headers };
};
const toastIn = (page: Page, text: string) =>
  page.getByRole('region', { name: /Messages/ }).getByText(text, { exact: true });
const banner = (page: Page) => page.getByRole('region', { name: 'Cookies and page statistics' });

beforeAll(async () => {
  people = { amara: await site.member('Amara'), cleo: await site.member('Cleo', 'moderator') };
  await site.insert('resource_suggestions', {
    user_id: people.amara.id,
    resource_name: 'Orthotics Prosthetics Canada',
    resource_url: 'https://opcanada.ca/',
    description: 'The Canadian credentialing body and its education standards.',
    category: 'Professional Organizations',
    status: 'approved',
  });
});

describe('resources', () => {
  it('are in six categories, with what was approved, each link safe to follow, and chosen by the address', async () => {
    const page = await site.visit('/resources', { javaScriptEnabled: false });
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    expect(await headings.allTextContents()).toEqual([
      'Professional Organizations',
      'Educational Resources',
      'Research & Publications',
      'Design & Manufacturing Tools',
      'Standards & Guidelines',
      'Patient Resources',
    ]);
    const suggested = page.getByRole('listitem').filter({ hasText: 'Orthotics Prosthetics Canada' });
    await suggested.getByText('Suggested by a member').waitFor();
    const link = page.getByRole('link', { name: /^International Society .* \(opens in a new tab\)$/ });
    expect(await link.getAttribute('href')).toBe('https://www.ispoint.org/');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await follow(page, 'Patient Resources', { url: /category=patients$/ });
    expect(await headings.allTextContents()).toEqual(['Patient Resources']);
  });

  it('are suggested after signing in, with what is missing in words, nothing lost, and listed once approved', {
    tags: ['system/resources', 'system/suggestions'],
  }, async () => {
    const page = await site.visit('/resources?category=tools', { width: 360, colorScheme: 'dark' });
    const suggest = page.getByRole('button', { name: 'Suggest a resource' });
    await suggest.click();
    await toastIn(page, 'Please sign in to suggest a resource').waitFor();
    await page.waitForURL(/\/auth$/);
    await sendSignIn(page, people.amara.email);
    await page.waitForURL(/\/resources\?category=tools$/);
    await suggest.click();
    const dialog = page.getByRole('dialog', { name: 'Suggest a resource' });
    const submit = dialog.getByRole('button', { name: 'Submit suggestion' });
    expect(await dialog.getByLabel('Category').inputValue()).toBe('Design & Manufacturing Tools');
    await dialog.getByLabel('Category').selectOption('');
    const problem = async (text: string) => {
      await submit.click();
      await toastIn(page, 'Validation error').first().waitFor();
      await toastIn(page, text).waitFor();
      await dialog.getByText(text, { exact: true }).waitFor();
    };
    await problem('Resource name is required');
    await fillIn(dialog, { 'Resource name': 'Blender', URL: 'https://www.blender.org/' });
    await dialog.getByLabel('Description').fill('Free software for modelling.');
    await problem('Please select a category');
    await dialog.getByLabel('Category').selectOption('Design & Manufacturing Tools');
    await dialog.getByText('28 / 1000').waitFor();
    await expectAccessible(page, 'suggestion');

    await page.context().setOffline(true);
    await submit.click();
    await toastIn(page, 'Failed to submit suggestion. Please try again.').waitFor();
    await press(dialog, 'Close');
    await page.context().setOffline(false);
    await page.reload();
    await suggest.click();
    expect(await dialog.getByLabel('Resource name').inputValue()).toBe('Blender');
    await submit.click();
    await toastIn(page, 'Suggestion submitted').waitFor();
    await says(page.getByRole('region', { name: 'Your suggestions waiting for review' }), 'Blender');
    const visitor = await site.visit('/resources');
    expect(await visitor.getByRole('link', { name: /^Blender/ }).count()).toBe(0);

    await site.change('resource_suggestions', { resource_name: 'Blender' }, { status: 'approved' });
    await visitor.reload();
    await visitor.getByRole('link', { name: /^Blender/ }).waitFor();
  });
});

describe('pages about the site', () => {
  it('come whole from the server with title, description, canonical address and preview', {
    tags: ['system/about', 'system/contact', 'system/legal-pages'],
  }, async () => {
    for (const path of paths) {
      const { status, text } = await read(path);
      expect(status, path).toBe(200);
      expect(text, path).toMatch(/<title>[^<]+ · Limb Commons<\/title>/);
      expect(text, path).toContain('<meta name="description"');
      expect(text, path).toContain(`<link rel="canonical" href="${site.url()}${path}"`);
      expect(text, path).toContain('og:image');
    }
  });

  it('tell how much of the time the site worked: a restart is seen, and nothing is claimed of the time before', async () => {
    const database = new pg.Client({ connectionString: site.instance().databaseUrl });
    await database.connect();
    // Since noon two days ago, but for seven minutes of yesterday.
    await database.query(`insert into private.uptime (day, minutes)
      select (d.start at time zone 'UTC')::date, case d.ago
        when 2 then tstzmultirange(tstzrange(d.start + interval '12 hours', d.start + interval '1 day'))
        when 1 then tstzmultirange(tstzrange(d.start, d.start + interval '1 day')) - tstzmultirange(tstzrange(d.start + interval '3 hours', d.start + interval '187 minutes'))
        else tstzmultirange(tstzrange(d.start, date_trunc('minute', now()) + interval '1 minute'))
      end
      from (select a as ago, (date_trunc('day', now() at time zone 'UTC') - a * interval '1 day') at time zone 'UTC' as start from generate_series(0, 2) a) d
      on conflict (day) do update set minutes = uptime.minutes + excluded.minutes`);
    await database.end();
    for (const view of [{ width: 360 }, { width: 1440, colorScheme: 'dark' }] as const) {
      const page = await site.person(view);
      await page.goto('/contact');
      const footer = page.getByRole('contentinfo');
      // On a phone its parts are folded.
      if (view.width === 360) await footer.locator('summary', { hasText: 'Contact Us' }).click();
      await follow(footer, /^Status$/, { title: 'Status' });
      await says(page, 'All systems operational.', /Measuring began on/);
      await page.locator('summary', { hasText: 'Days as a table' }).click();
      const rows = page.getByRole('row').filter({ hasText: '%' });
      expect(await rows.filter({ hasText: '7 min' }).allTextContents()).toEqual([
        expect.stringContaining('99.51%'),
      ]);
      expect(await rows.filter({ hasText: '100%' }).count()).toBe(2);
      await page.getByRole('img', { name: /^Uptime on each of the last/ }).waitFor();
      await expectAccessible(page, '/status');
    }
  });

  it('answer ten questions without JavaScript and lead to the forum and the support contact', async () => {
    const page = await site.visit('/contact', { javaScriptEnabled: false });
    expect(await page.locator('main details').count()).toBe(10);
    await page.getByText('Which files can I upload?').click();
    await page.getByText('Images: JPEG (JPG), PNG and WebP').waitFor();
    await page.getByText('Videos: MP4 and WebM').waitFor();
    await page
      .getByText('Build files: PDF documents, STL, 3MF and STEP models, SVG and DXF drawings')
      .waitFor();
    await page.getByText('Are submissions reviewed?').click();
    await says(page, 'all submissions are reviewed by moderators before going public', /within 24 hours/);
    const main = page.getByRole('main');
    expect(await main.getByRole('link', { name: 'Go to the forum' }).getAttribute('href')).toBe('/forum');
    expect(
      await main.getByRole('link', { name: 'support@clinic.example' }).first().getAttribute('href'),
    ).toBe('mailto:support@clinic.example');
  });

  it('explain points, and the profile every badge of the catalogue', {
    tags: 'system/points-and-badges',
  }, async () => {
    const page = await site.visit('/about', { javaScriptEnabled: false });
    for (const points of ['50 points', '20 points', '10 points', '5 points'])
      await page.getByText(points, { exact: true }).first().waitFor();
    const { page: own } = await site.joins('Earner', { at: '/profile' });
    await own.getByText('How badges are earned').click();
    for (const { name, description } of await site.rows('badges', 'name,description'))
      await own.getByRole('listitem').filter({ hasText: name }).getByText(description).waitFor();
  });

  it('hold every statement the law and the specification ask for', async () => {
    const page = await site.person({ javaScriptEnabled: false });
    const statements = async (path: string, title: string, texts: (string | RegExp)[]) => {
      await open(page, path, { title: title });
      await page.getByText('Last updated: 21 November 2026').waitFor();
      const text = (await page.getByRole('main').textContent()) ?? '';
      for (const statement of texts) expect(text, path).toMatch(statement);
    };
    await statements('/terms-of-service', 'Terms of Service', [
      /13\. Assignment to successors/,
      /14\. Entire agreement/,
      /15\. Contact/,
      /minimum age is 18/,
      /30 days’ notice of material changes/,
      /legal@clinic\.example/,
      /support@clinic\.example/,
    ]);
    await statements('/privacy-policy', 'Privacy Policy', [
      /7 years after account deletion/,
      /7 years at the minimum/,
    ]);
    expect(await page.getByRole('main').getByRole('link', { name: 'Cookie Policy' }).count()).toBeGreaterThan(
      0,
    );
    await statements('/cookie-policy', 'Cookie Policy', [
      /24 hours/,
      /2 years/,
      /cookie consent cookie1 year|cookie consent cookie.*1 year/,
      /cannot be disabled/,
    ]);
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'On this page',
      '1. What cookies are',
      '2. Why we use them',
      '3. Types of cookies we use',
      '4. Third-party services',
      '5. How to manage cookies',
      '6. How long cookies last',
      '7. Do Not Track',
      '8. Updates to this policy',
      '9. Contact',
    ]);
    expect(await page.getByRole('main').getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Strictly necessary',
      'Functional',
      'Analytics',
      'Performance',
      'Your rights',
    ]);
    const rights = page.getByRole('complementary', { name: 'Your rights' });
    expect(await rights.getByRole('link').getAttribute('href')).toBe('/privacy-policy');
    await statements('/compliance', 'NHS Compliance', [
      /Within 1 hour/,
      /Within 72 hours/,
      /99\.9%/,
      /Anonymise/,
      /Obtain consent/,
      /professional standards/,
      /Report breaches/,
    ]);
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'On this page',
      'Our commitment',
      'UK GDPR',
      'Security measures',
      'Information governance',
      'Patient confidentiality: your duties',
      'Incident response',
      'Training',
      'Suppliers',
      'Continuous improvement',
      'Contacts',
    ]);
  });
});

describe('the choice about statistics (PV4)', () => {
  const views = async () => (await site.rows('page_views', 'id')).length;
  const keys = (page: Page) => page.evaluate(() => Object.keys(localStorage).sort());

  it('is asked for above the page, first for the keyboard; before it and after a refusal nothing is kept or logged', {
    tags: 'system/page-views',
  }, async () => {
    const page = await site.person();
    // In the first frame that is drawn: content that came later would move the page, as a late font does.
    await page.addInitScript(() => {
      const measure = () => {
        const header = document.querySelector('header');
        if (!header) return void requestAnimationFrame(measure);
        const bannerBox = document.querySelector('#cookie-settings')?.getBoundingClientRect();
        const { top } = header.getBoundingClientRect();
        Object.assign(window, { firstFrame: bannerBox && bannerBox.height > 0 && bannerBox.bottom <= top });
      };
      requestAnimationFrame(measure);
    });
    await page.goto('/about');
    // A page can have loaded before its first frame is drawn.
    const frame = await page.waitForFunction(() => 'firstFrame' in window && [window.firstFrame]);
    expect(await frame.jsonValue()).toEqual([true]);
    const below = await page.getByRole('banner').boundingBox();
    const bannerBox = await banner(page).boundingBox();
    expect((bannerBox?.y ?? 0) + (bannerBox?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    for (const name of ['Skip to main content', 'Cookie Policy', 'Reject statistics', 'Accept statistics']) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    }
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('header') !== null)).toBe(true);
    const sizes = await Promise.all(
      ['Reject statistics', 'Accept statistics'].map((name) =>
        page.getByRole('button', { name }).evaluate((button) => button.className),
      ),
    );
    expect(sizes[0]).toBe(sizes[1]);

    for (const path of ['/', ...paths.slice(0, 4)]) await page.goto(path);
    expect(await keys(page)).toEqual([]);
    await press(page, 'Reject statistics');
    await banner(page).waitFor({ state: 'hidden' });
    for (const path of ['/', ...paths.slice(0, 4)]) {
      await page.goto(path);
      expect(await banner(page).isVisible()).toBe(false);
    }
    await page.waitForLoadState('networkidle');
    expect(await keys(page)).toEqual(['cookie-choice']);
    expect(await page.context().cookies()).toEqual([]);
    expect(await views()).toBe(0);
  });

  it('is kept for a year, changed from the footer, and the number for a day', async () => {
    const page = await site.person();
    await page.clock.install({ time: new Date('2026-11-21T12:00:00Z') });
    await page.goto('/about');
    await press(page, 'Accept statistics');
    await expect.poll(() => keys(page)).toEqual(['cookie-choice', 'page-view-session']);
    const number = () => page.evaluate(() => localStorage.getItem('page-view-session')?.split('@')[0]);
    const first = await number();
    await expect.poll(views).toBe(1);
    await page.clock.setFixedTime(new Date('2026-11-22T13:00:00Z'));
    await page.goto('/contact');
    await expect.poll(views).toBe(2);
    expect(await number()).not.toBe(first);

    await page.clock.setFixedTime(new Date('2027-11-20T12:00:00Z'));
    await page.goto('/terms-of-service');
    expect(await banner(page).isVisible()).toBe(false);
    await page.clock.setFixedTime(new Date('2027-11-22T12:00:00Z'));
    await page.goto('/terms-of-service');
    await banner(page).waitFor();
    await press(page, 'Accept statistics');
    await banner(page).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Cookie settings' }).click();
    await banner(page).getByText('You currently agree.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Cookies and page statistics',
    );
    await press(page, 'Reject statistics');
    expect(await keys(page)).toEqual(['cookie-choice']);
    await page.goto('/cookie-policy');
    expect(await page.getByRole('main').getByRole('radio', { name: 'Reject' }).isChecked()).toBe(true);
  });

  it.each(['doNotTrack', 'globalPrivacyControl'])(
    'is not asked for where the browser has refused by %s',
    async (signal) => {
      const before = await views();
      const page = await site.person();
      await page.addInitScript((name) => {
        Object.defineProperty(navigator, name, { value: name === 'doNotTrack' ? '1' : true });
        // Even an earlier agreement has no effect now.
        localStorage.setItem('cookie-choice', `statistics@${Date.now()}`);
      }, signal);
      await page.goto('/');
      await page.goto('/cookie-policy');
      await page.waitForLoadState('networkidle');
      expect(await banner(page).isVisible()).toBe(false);
      await page
        .getByRole('main')
        .getByText(/Your browser asks not to be tracked/)
        .waitFor();
      await page.getByRole('link', { name: 'Cookie settings' }).click();
      await banner(page)
        .getByText(/There is nothing to choose/)
        .waitFor();
      await press(banner(page), 'Close');
      expect(await keys(page)).toEqual(['cookie-choice']);
      expect(await views()).toBe(before);
    },
  );
});

describe('what is not there', () => {
  it('is said with status 404 and a way home', { tags: 'system/not-found' }, async () => {
    const nobody = people.cleo.id;
    for (const path of [
      '/no-such-page',
      '/about/us',
      `/solutions/${nobody}`,
      `/solution/${nobody}`,
      '/forum/x',
      '/members/nobody',
      '/messages/nonsense',
    ]) {
      const { status, text } = await read(path);
      expect(status, path).toBe(404);
      expect(text, path).toMatch(/<title>[^<]+ · Limb Commons<\/title>/);
    }
    const page = await site.visit('/no-such-page', { javaScriptEnabled: false });
    await page.getByRole('heading', { name: 'Oops! Page not found' }).waitFor();
    await follow(page, 'Return to Home', { url: `${site.url()}/` });
    // Addresses that the browser's router cannot read either.
    const alive = await site.person();
    for (const path of ['/forum/%ff', '/browse?q=%00']) {
      await alive.goto(path);
      await expect.poll(() => alive.evaluate(() => '__reactRouterDataRouter' in window)).toBe(true);
      await follow(alive, 'Return to Home', { url: `${site.url()}/` });
    }
  });
});

describe('search engines', () => {
  it('are told what to read and what to leave alone', async () => {
    const robots = await read('/robots.txt');
    expect(robots.text).toContain('Disallow: /messages');
    expect(robots.text).toContain(`Sitemap: ${site.url()}/sitemap.xml`);
    const topic = await site.insert('forum_topics', { title: 'Suspension', user_id: people.amara.id });
    await expect.poll(async () => (await read('/sitemap.xml')).text).toContain('/sitemap/topics-1.xml');
    const index = await read('/sitemap.xml');
    expect(index.headers.get('content-type')).toContain('xml');
    expect(index.headers.get('cache-control')).toBe('public, max-age=3600');
    expect((await read('/sitemap/topics-1.xml')).text).toContain(
      `<loc>${site.url()}/forum/${topic}</loc><lastmod>`,
    );
    const pages = (await read('/sitemap/pages.xml')).text;
    for (const path of paths) expect(pages).toContain(`<loc>${site.url()}${path}</loc>`);
    expect((await read('/sitemap/topics-2.xml')).status).toBe(404);
    expect((await read('/sitemap/messages-1.xml')).status).toBe(404);
  });

  it('and members find a page of every route', async () => {
    for (const path of ['/', '/browse', '/forum', '/auth', ...paths]) {
      const { status, text } = await read(path);
      expect(status, path).toBe(200);
      expect(text, path).toContain('<h1');
    }
    const page = await site.signedIn(people.cleo.email);
    for (const path of [
      '/upload',
      '/complete-profile',
      '/profile',
      '/messages',
      '/notifications',
      '/saved',
      '/following',
      '/cpd',
      '/settings',
      '/admin',
    ]) {
      await page.goto(path);
      await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor();
      expect(new URL(page.url()).pathname, path).toBe(path);
    }
  });
});
