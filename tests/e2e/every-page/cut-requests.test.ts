// @module-tag whole

import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../site.ts';
import { press } from '../steps.ts';

const site = openSite();
const ids = { author: '', solution: '', topic: '' };

/** What browsers, client libraries, the database, proxies and mistakes in code say, and no reader should read. */
const TECHNICAL =
  /TypeError|Failed to fetch|NetworkError|Load failed|<html|bad gateway|\bJWT\b|PGRST|permission denied|violates|\bundefined\b|\bNaN\b|\[object|Unexpected token|not valid JSON|status code|\bHTTP\b|syntax/i;

const isService = ({ pathname }: URL) => /^\/(rest|auth|storage|functions)\/v1\//.test(pathname);

/** Pages whose content comes after the page itself. */
const OWN = [
  '/messages',
  '/notifications',
  '/profile',
  '/settings',
  '/saved',
  '/following',
  '/cpd',
  '/admin',
];

/** The ways in which a request comes to nothing. */
const CUTS: Record<string, (route: Route) => Promise<void>> = {
  'the line is down': (route) => route.abort('internetdisconnected'),
  'a proxy answers': (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<html><h1>502 bad gateway</h1></html>' }),
  'a right is missing': (route) =>
    route.fulfill({
      status: 403,
      json: { code: '42501', message: 'permission denied for table comments', details: null, hint: null },
    }),
};

const seen = (page: Page) => page.locator('body').ariaSnapshot();

async function unlucky(name: string): Promise<Page> {
  const { page } = await site.joins(name);
  page.removeAllListeners('pageerror');
  return page;
}

beforeAll(async () => {
  ids.author = (await site.member('Grace')).id;
  ids.solution = await site.publish(ids.author, 'A strap that holds');
  ids.topic = await site.insert('forum_topics', { title: 'Straps that last', user_id: ids.author });
});

describe('no technical text is shown', () => {
  it.each(['the line is down', 'a proxy answers'])('while pages load and %s', async (cut) => {
    const page = await unlucky(`Reads${cut.length}`);
    const asked = new Map<string, number>();
    await page.route(isService, (route) => {
      const { pathname, search } = new URL(route.request().url());
      if (pathname.startsWith('/rest/') && route.request().method() === 'GET')
        asked.set(pathname + search, (asked.get(pathname + search) ?? 0) + 1);
      return CUTS[cut]?.(route);
    });
    for (const path of ['/browse?q=strap', '/forum', '/resources', '/upload', ...OWN]) {
      await page.goto(path);
      await page.getByRole('main').waitFor();
      await page.waitForLoadState('networkidle');
      // What a member alone can read says what is missing, and offers to try again.
      if (OWN.includes(path))
        await page
          .getByRole('main')
          .getByText(/^Failed to load/)
          .first()
          .waitFor();
      expect(await seen(page), path).not.toMatch(TECHNICAL);
      expect(await seen(page), path).not.toContain('All caught up!');
      // One more try and no third: further ones, each after a longer pause, leave the page grey for a quarter of a minute.
      if (path !== '/admin') expect(Math.max(...asked.values()), path).toBeLessThanOrEqual(2);
      asked.clear();
    }
  });

  it.each([
    ['/notifications', '/notifications'],
    ['/following', '/rpc/following_news'],
  ])('while %s waits for an answer of %s that never comes', async (path, asked) => {
    const page = await unlucky(`Waits${path.length}`);
    await page.clock.install();
    await page.route(isService, (route) => {
      if (!new URL(route.request().url()).pathname.endsWith(asked)) return route.fallback();
    });
    const asks = () => page.waitForRequest((request) => request.url().includes(`/rest/v1${asked}`));
    const first = asks();
    await page.goto(path);
    await first;
    const second = asks();
    await page.clock.fastForward('00:15');
    await second;
    await page.clock.fastForward('00:15');
    const failed = page.getByRole('main').getByText(/^Failed to load/);
    await failed.first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  });

  const actions: Record<string, { write: (page: Page) => Promise<void>; button: string }> = {
    'a comment is posted': {
      write: async (page) => {
        await page.goto(`/solutions/${ids.solution}`);
        await page.getByRole('textbox', { name: 'Comment' }).fill('It held for us as well.');
      },
      button: 'Post comment',
    },
    'a reply is posted': {
      write: async (page) => {
        await page.goto(`/forum/${ids.topic}`);
        await page.getByLabel('Your reply', { exact: true }).fill('Webbing does.');
      },
      button: 'Post reply',
    },
  };
  it.each(Object.entries(actions))('when %s, and what was typed stays', async (action, { write, button }) => {
    const page = await unlucky(`Writes${action.length}`);
    let respond = (route: Route) => route.fallback();
    await page.route(isService, (route) =>
      route.request().method() === 'POST' ? respond(route) : route.fallback(),
    );
    for (const [cut, answer] of Object.entries(CUTS)) {
      respond = (route) => route.fallback();
      await write(page);
      await page.waitForLoadState('networkidle');
      const typed = await page.getByRole('textbox').last().inputValue();
      respond = answer;
      await press(page, button);
      await page
        .getByRole('region', { name: /Messages/ })
        .getByRole('listitem')
        .first()
        .waitFor();
      expect(await seen(page), cut).not.toMatch(TECHNICAL);
      expect(await page.getByRole('textbox').last().inputValue(), cut).toBe(typed);
    }
  });
});
