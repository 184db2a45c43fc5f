// @module-tag whole

import pg from 'pg';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSite, signIn } from '../site.ts';
import { chooseMore, expectFocus, expectFocusWithin, follow, open, press } from '../steps.ts';
import { shiftsOf } from './layout-shifts.ts';
import { atTwiceTheSize, expectAccessible, isDark } from './page-checks.ts';

const site = openSite({ demo: true });
const DEMO_PASSWORD = 'limb-commons-demo';
const ids: Record<string, string> = {};
const people = {} as Record<'visitor' | 'member' | 'moderator', Page>;

beforeAll(async () => {
  for (const who of ['visitor', 'member', 'moderator'] as const) {
    people[who] = await site.person();
    if (who !== 'visitor') await signIn(people[who], `${who}@example.org`, DEMO_PASSWORD);
  }
  const newest = async (table: string, match?: Record<string, unknown>) =>
    (await site.rows(table, '*', match)).toSorted((one, other) =>
      String(other.created_at).localeCompare(String(one.created_at)),
    )[0].id;
  ids.solution = await newest('solutions', { status: 'approved' });
  ids.pending = await newest('solutions', { status: 'pending' });
  ids.withdrawn = await newest('withdrawn_solutions');
  ids.collection = await newest('collections');
  await site.insert('solution_translations', {
    solution_id: ids.solution,
    version: 1,
    language: 'es',
    status: 'approved',
    texts: { title: 'Un zócalo ligero', description: 'Dos piezas que se ajustan solas.' },
  });
});

const VIEWS = [
  { width: 360, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
] as const;
type View = (typeof VIEWS)[number];

async function change(page: Page, { width, colorScheme }: View) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/** On a phone by day and on a desktop at night. */
async function expectAccessibleIn(views: readonly View[], page: Page, what: string, within?: string) {
  for (const view of views) {
    await change(page, view);
    await expect.poll(() => isDark(page)).toBe(view.colorScheme === 'dark');
    await expectAccessible(page, `${what} at ${view.width} px, ${view.colorScheme}`, within);
    if (view === VIEWS[0])
      expect(await atTwiceTheSize(page), `${what} with letters of twice the size on a phone`).toEqual([]);
  }
}

/** The half of the pages whose data is slow in the narrow view; the other half in the wide one, and the other way round in another run. */
const narrowFirst = Math.floor(Math.random() * 2);

describe('nothing moves while data is slow, and it is accessible in a narrow and a wide view, in both themes:', () => {
  it.each(
    (
      [
        ['visitor', '/'],
        ['visitor', '/browse'],
        ['visitor', '/browse?q=nothing-like-this'],
        ['visitor', '/browse?view=list'],
        ['visitor', '/evidence'],
        ['visitor', '/evidence?measure=TUG'],
        ['visitor', '/solutions/{solution}'],
        ['visitor', '/solutions/{solution}/versions/1'],
        ['visitor', '/solutions/{solution}/workshop-sheet'],
        ['visitor', '/solutions/{solution}/translations/es'],
        ['visitor', '/solutions/{withdrawn}'],
        ['visitor', '/members/amara.osei'],
        ['visitor', '/forum'],
        ['visitor', '/resources'],
        ['visitor', '/status'],
        ['visitor', '/about'],
        ['visitor', '/contact'],
        ['visitor', '/privacy-policy'],
        ['visitor', '/cookie-policy'],
        ['visitor', '/compliance'],
        ['visitor', '/developers'],
        ['visitor', '/auth'],
        ['visitor', '/no-such-page'],
        ['member', '/'],
        ['member', '/upload'],
        ['member', '/complete-profile'],
        ['member', '/solutions/{solution}'],
        ['member', '/solutions/{solution}/translate?language=de'],
        ['member', '/profile'],
        ['member', '/settings'],
        ['member', '/messages'],
        ['member', '/notifications'],
        ['member', '/saved'],
        ['member', '/collections/{collection}'],
        ['member', '/following'],
        ['member', '/cpd'],
        ['moderator', '/'],
        ['moderator', '/admin?tab=queue'],
        ['moderator', '/admin?tab=storage'],
        ['moderator', '/admin?tab=solutions'],
        ['moderator', '/admin?tab=reports'],
        ['moderator', '/solutions/{pending}'],
      ] as const
    ).map(([who, address], place) => [who, address, place] as const),
  )('to a %s, %s', async (who, address, place) => {
    const page = people[who];
    const path = address.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? '');
    const views = place % 2 === narrowFirst ? VIEWS : VIEWS.toReversed();
    await change(page, views[0] ?? VIEWS[0]);
    expect(await shiftsOf(page, path)).toEqual([]);
    // Header and footer are the same to a person on every page.
    await expectAccessibleIn(views, page, path, path === '/' ? 'html' : undefined);
  });

  it('is the dialog of a rejection', async () => {
    const page = people.moderator;
    await change(page, VIEWS[1]);
    await page.goto('/admin?tab=solutions');
    await press(page, /^Reject$/);
    await page.getByRole('dialog', { name: 'Reject Solution' }).waitFor();
    await expectAccessibleIn(VIEWS, page, 'the dialog of a rejection');
  });
});

it('a solution that waits is named in the tab of its moderator, and not discussed', async () => {
  const page = people.moderator;
  await open(page, `/solutions/${ids.pending}`, 'Pending Review.');
  // The server answers visitors, to whom it is not found.
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  await expect.poll(() => page.title()).toContain(heading);
  expect(await page.getByRole('region', { name: /^Discussion/ }).count()).toBe(0);
});

describe('with JavaScript off', () => {
  it('home, browse with search and filters, and a solution can be read and navigated', async () => {
    const page = await site.visit('/', { javaScriptEnabled: false });
    await page
      .getByRole('heading', { level: 1, name: 'Advancing prosthetics through collaborative innovation' })
      .waitFor();
    await page.getByRole('main').getByRole('searchbox').fill('bow');
    await press(page, 'Explore Solutions', { url: /\/browse\?q=bow/ });
    const found = await page.getByText(/^\d+ solutions found$/).textContent();
    await open(page, '/browse', '22 solutions found');
    expect(found).not.toContain('22');
    await page.getByRole('checkbox', { name: /Myoelectric/ }).check();
    await press(page, 'Apply filters', '2 solutions found');
    await page
      .getByRole('main')
      .getByRole('link', { name: /Myoelectric hand training/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: /Myoelectric hand training/ }).waitFor();
    await page.getByText('Would you share raw envelopes?').waitFor();
  });
});

describe('Google, which no one has set up', () => {
  it('is not offered, to sign in or in the settings', async () => {
    const page = await site.person();
    const asked = page.waitForResponse((response) => response.url().endsWith('/auth/v1/settings'));
    await page.goto('/auth');
    await asked;
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    expect(await page.getByText(/Google/).count()).toBe(0);
  });
});

describe('a public page', () => {
  it('comes complete from the server, the same for everyone, with its preview and a policy against foreign scripts', async () => {
    const response = await fetch(`${site.url()}/solutions/${ids.solution}`);
    const html = await response.text();
    expect(html).toContain('<link rel="canonical"');
    expect(html).toContain('og:title');
    expect(html).toContain('application/ld+json');
    expect(html).toMatch(/<html[^>]* lang="en-GB"/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src [^;]*'sha256-/);
    expect(policy).not.toMatch(/script-src [^;]*'unsafe-inline'/);
    for (const header of [
      'x-content-type-options',
      'referrer-policy',
      'permissions-policy',
      'cross-origin-opener-policy',
    ]) {
      expect(response.headers.get(header), header).toBeTruthy();
    }
    expect(response.headers.get('cache-control')).toBe('no-cache');
    for (const path of [
      ...[
        '/admin',
        '/messages',
        '/messages/x',
        '/profile',
        '/removal-request/x',
        '/cpd',
        '/solutions/x/tried',
      ],
      ...[
        '/still-in-use/x?token=y',
        '/still-in-use/x.data?token=y',
        '/unsubscribe?token=y',
        '/collections/x',
      ],
    ])
      expect((await fetch(site.url() + path)).headers.get('cache-control'), path).toBe('no-store');
    const again = await (
      await fetch(`${site.url()}/solutions/${ids.solution}`, {
        headers: { authorization: `Bearer ${site.instance().serviceRoleKey}` },
      })
    ).text();
    // The data for the browser contains the time of reading.
    const body = (text: string) => text.replaceAll(/<script[^>]*>.*?<\/script>/gs, '');
    expect(body(again)).toBe(body(html));
    expect(html).not.toContain(site.instance().serviceRoleKey);
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
    const page = await site.visit('/');
    await page.goto('/browse');
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key !== 'theme'))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  });
});

describe('home', () => {
  it('features the three best of the six most liked, counts the community and keeps each card in its bounds', async () => {
    const { data: liked } = await site
      .service()
      .from('solutions')
      .select('title,likes_count,...comment_counts(comments_count),created_at')
      .eq('status', 'approved')
      .eq('audience', 'public')
      .order('likes_count', { ascending: false })
      .order('created_at', { ascending: false })
      .limit(6);
    const weight = (row: { likes_count: number; comments_count: number | null }) =>
      row.likes_count + 2 * (row.comments_count ?? 0);
    const best = [...(liked ?? [])].sort((a, b) => weight(b) - weight(a)).slice(0, 3);
    const page = await site.visit('/', { width: 360 });
    const featured = page.getByRole('region', { name: 'Featured Solutions' });
    expect(await featured.getByRole('heading', { level: 3 }).allTextContents()).toEqual(
      best.map(({ title }) => title),
    );
    for (const card of await featured.getByRole('article').all()) {
      const description = card.locator('p').nth(1);
      expect((await description.boundingBox())?.height).toBeLessThanOrEqual(48);
    }
    const stories = await site.rows('forum_topics', 'id', { category: 'success-stories' });
    const figure = (label: string) =>
      page
        .getByRole('region', { name: 'The community in numbers' })
        .locator('div')
        .filter({ has: page.getByText(label, { exact: true }) })
        .getByRole('definition')
        .textContent();
    const listed = await site.rows('solutions', 'id', { status: 'approved', audience: 'public' });
    expect(await figure('Approved solutions')).toBe(String(listed.length));
    expect(await figure('Success Stories in the forum')).toBe(String(stories.length));
    const leadsTo = (name: string, place = page.getByRole('main')) =>
      place.getByRole('link', { name, exact: true }).getAttribute('href');
    expect(await leadsTo('Join Community')).toBe('/auth?tab=sign-up');
    expect(await leadsTo('Share Your Solution')).toBe('/upload');
    expect(await leadsTo('View All Solutions')).toBe('/browse');
    const footer = page.getByRole('contentinfo');
    for (const part of ['Legal', 'Contact Us']) await footer.locator('summary', { hasText: part }).click();
    expect(await leadsTo('Privacy Policy', footer)).toBe('/privacy-policy');
    expect(await leadsTo('Terms of Service', footer)).toBe('/terms-of-service');
    expect(await leadsTo('Cookie Policy', footer)).toBe('/cookie-policy');
    expect(await leadsTo('NHS Compliance', footer)).toBe('/compliance');
    expect(await footer.getByRole('link', { name: /@/ }).getAttribute('href')).toMatch(/^mailto:/);
    await featured.getByRole('article').first().click();
    await page.getByRole('heading', { level: 1, name: best[0]?.title }).waitFor();
  });
});

describe('the gallery', () => {
  it('opens full size, where one goes on by button and key, with a counter and films', async () => {
    const [film] = await site.rows('solution_media', 'solution_id,solutions!inner(status)', {
      media_type: 'video',
      position: 3,
      'solutions.status': 'approved',
    });
    const page = await site.visit(`/solutions/${film.solution_id}`);
    const gallery = page.getByRole('region', { name: 'Images and videos' });
    await gallery.getByText('1 / 4').waitFor();
    const image = (index: number) =>
      gallery.getByRole('link', { name: /^(Show full size|Play video): / }).nth(index);
    const announced = gallery.getByRole('status');
    expect(await announced.textContent(), 'what is announced before a press').toBe('');
    await press(gallery, 'Next', '2 / 4');
    expect(await announced.textContent()).toContain('2 of 4');
    await gallery.getByRole('listitem').nth(2).getByRole('link').click();
    await gallery.getByText('3 / 4').waitFor();
    // By key the images and their row are one stop each, in which arrows go on.
    await gallery.getByRole('listitem').nth(2).getByRole('link').press('ArrowLeft');
    await gallery.getByText('2 / 4').waitFor();
    await page.keyboard.press('Shift+Tab');
    await expectFocus(image(1));
    await page.keyboard.press('ArrowRight');
    await expectFocus(image(2));
    await gallery.getByText('3 / 4').waitFor();
    await page.keyboard.press('Enter');
    const viewer = page.locator('.yarl__root');
    await viewer.getByText('3 / 4').waitFor();
    await expectAccessible(page, 'a picture at full size', '.yarl__root');
    await page.keyboard.press('ArrowLeft');
    await viewer.getByText('2 / 4').waitFor();
    await page.keyboard.press('Tab');
    expect(
      await viewer.locator(':focus').evaluate((focused) => getComputedStyle(focused).outlineStyle),
      'the ring of what has the focus in the viewer',
    ).toBe('solid');
    await press(viewer, 'Next', '3 / 4');
    await press(viewer, 'Next', '4 / 4');
    expect(await viewer.locator('video').first().getAttribute('poster')).toContain('/storage/v1/');
    await press(viewer, 'Next', '1 / 4');
    await press(viewer, 'Previous', '4 / 4');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });

    // Each opens by a press as well, a video in the viewer and at its poster.
    await gallery.getByRole('listitem').nth(3).getByRole('link').click();
    await gallery.getByText('4 / 4').waitFor();
    await image(3).click();
    await viewer.getByText('4 / 4').waitFor();
    await viewer.locator('video').first().waitFor();
    await expectFocusWithin(viewer);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    expect(await image(3).textContent()).toBe('Play video: ');
  });

  it('says that an image could not be loaded at full size', async () => {
    const page = await site.visit(`/solutions/${ids.solution}`);
    const gallery = page.getByRole('region', { name: 'Images and videos' });
    const full = await gallery.getByRole('link').first().getAttribute('href');
    await page.route(`**${full}`, (route) => route.abort('connectionreset'));
    await page.reload();
    await gallery
      .getByRole('link', { name: /^Show full size/ })
      .first()
      .click();
    await page.locator('.yarl__root').getByText('This image couldn’t be loaded.').waitFor();
  });

  it('comes with a page that asks visitors to sign in before they like or comment, leads there and keeps what they typed', async () => {
    const page = await site.visit(`/solutions/${ids.solution}`);
    await press(page, /like this solution/, 'Please sign in to like solutions');
    await page.waitForURL('/auth');
    await page.goBack();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Half a thought');
    await press(page, 'Post comment', 'Please sign in to comment');
    // The one before went with its page.
    await expect.poll(() => page.getByText('Sign in required').count()).toBe(1);
    await page.waitForURL('/auth');
    await page.goBack();
    expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Half a thought');
  });
});

describe('the page of a solution', () => {
  const violin = async () => {
    const title = 'Violin bow adapter with a free wrist joint';
    return `/solutions/${(await site.row('solutions', 'id', { title })).id}`;
  };

  it('has its first sentence on the first screen of a phone, few buttons, a menu by key, and sections in reach', async () => {
    const page = await site.person({ width: 360 });
    await page.setViewportSize({ width: 360, height: 780 });
    await signIn(page, 'member@example.org', DEMO_PASSWORD);
    const path = await violin();
    await page.goto(path);
    await press(page, 'Reject statistics');
    const more = page.getByRole('button', { name: 'More', exact: true });
    await page.getByText('Versions, family and review history').waitFor();
    const sentence = page.getByText(/^A short terminal device/);
    expect(await sentence.evaluate((one) => one.getBoundingClientRect().top + scrollY)).toBeLessThan(700);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(8 * 780);
    const pressed = page.getByRole('main').locator('button, a.button, summary').locator('visible=true');
    expect(await pressed.count()).toBeLessThanOrEqual(14);

    await more.press('Enter');
    const entries = page.getByRole('menu').locator('[role^=menuitem]');
    await entries.first().waitFor();
    expect(await entries.allTextContents()).toContain('Delete solution');
    await page.keyboard.press('Home');
    for (const entry of await entries.all()) {
      await expectFocus(entry);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Escape');
    await expectFocus(more);

    const links = page.getByRole('navigation', { name: 'On this page' });
    await follow(links, 'Build this', { heading: 'How to build it' });
    await expect.poll(() => links.locator('[aria-current]').textContent()).toBe('Build this');
    expect((await links.boundingBox())?.y).toBeLessThan(100);
    // Where a notification leads, its report is unfolded.
    await page.goto('/about');
    await open(page, `${path}#tried`, 'The clamp has not slipped.');
  });

  it('stays where Back closes what lies over it', async () => {
    const page = await site.visit('/browse', { width: 360 });
    const path = await violin();
    await page.goto(`${path}#build-this`);
    const covers = [
      ['Menu', 'dialog', 'Menu'],
      ['More', 'menu', 'More'],
      ['Share', 'dialog', 'Share this solution'],
      [/^Show full size/, 'dialog', 'Violin bow adapter with a free wrist joint'],
      ['Open 3D view of bow-clamp-bush.stl', 'dialog', 'bow-clamp-bush.stl'],
      ['Enlarge drawing of neoprene-lining.svg', 'dialog', 'neoprene-lining.svg'],
    ] as const;
    for (const [opener, role, name] of covers) {
      await (opener instanceof RegExp
        ? page.getByRole('link', { name: opener }).first()
        : page.getByRole('button', { name: opener, exact: true })
      ).click();
      const cover = page.getByRole(role, { name });
      await cover.waitFor();
      await page.goBack();
      await cover.waitFor({ state: 'hidden' });
      expect(new URL(page.url()).pathname).toBe(path);
    }
    // An entry leads where it should, and Back from there to the page without what covered it.
    await chooseMore(page, 'Request removal of an image', { title: /removal/ });
    await page.goBack();
    await page
      .getByRole('heading', { level: 1, name: 'Violin bow adapter with a free wrist joint' })
      .waitFor();
    expect(await page.getByRole('menu').count()).toBe(0);
    // One that was closed by key is passed over.
    await page
      .getByRole('link', { name: /^Show full size/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await page.waitForURL('/browse');
  });
});

describe('what cannot be read', () => {
  it('is in the log, under the id the reader is shown; home shows samples instead and says nothing', async () => {
    const database = new pg.Client({ connectionString: site.instance().databaseUrl });
    await database.connect();
    try {
      await database.query('revoke select on public.solutions from anon');
      await database.query(
        'revoke execute on function public.browse_solutions(text, text[], text, text, text, integer), public.featured_solutions(integer) from anon',
      );
      const page = await site.person();
      // A page that was kept before the last write is not shown instead; this one removes nothing.
      await site.remove('likes', { user_id: ids.solution });
      await page.goto('/');
      const featured = page.getByRole('region', { name: 'Featured Solutions' });
      expect(await featured.getByRole('article').count()).toBe(3);
      for (const word of ['Athlete', 'Chef', 'Student', 'Rehabilitation Doctor'])
        await featured.getByText(word).first().waitFor();
      expect(await featured.getByText('Example', { exact: true }).count()).toBe(3);
      expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0);
      await expect.poll(site.log).toContain('"msg":"home page"');

      await open(page, `/solutions/${ids.solution}`, { title: 'Failed to load solution' });
      await page.getByRole('button', { name: 'Close' }).waitFor();
      const [, reference = ''] =
        /quote (\S+)\./.exec((await page.getByText(/If you contact us, quote/).textContent()) ?? '') ?? [];
      expect(reference).toMatch(/^[0-9a-f-]{36}$/);
      await expect.poll(site.log).toContain(`"requestId":"${reference}"`);

      await page.goto('/browse');
      await page.getByText('Failed to load solutions').first().waitFor();
      await expect.poll(site.log).toContain('"msg":"browse page"');
    } finally {
      await database.query('grant select on public.solutions to anon');
      await database.query(
        'grant execute on function public.browse_solutions(text, text[], text, text, text, integer), public.featured_solutions(integer) to anon',
      );
      await database.end();
    }
  });
});
