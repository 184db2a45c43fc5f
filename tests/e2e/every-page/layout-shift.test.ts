// @module-tag whole

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openSite, signIn } from '../site.ts';

const site = openSite({ demo: true });
const DEMO_PASSWORD = 'limb-commons-demo';
/** https://web.dev/articles/cls calls 0.1 good; a reader sees movement well below that. */
const MAX_SHIFT = 0.02;
/** The delay of each answer: long enough that a page is painted before its data arrives. */
const DELAY_MS = 700;

interface Shifts {
  score: number;
  moved: string[];
}

/** What moves in a page whose data is slow, without anything having been pressed. */
async function shiftsOf(page: Page, path: string): Promise<Shifts> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts);
}

async function watch(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shifts = { score: 0, moved: [] };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node?: Node }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        shifts.score += entry.value;
        shifts.moved.push(
          ...entry.sources.map(({ node }) => `${node?.nodeName}: ${node?.textContent?.slice(0, 40)}`),
        );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // An interception would cost each page the scripts that the browser has kept of the last one.
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  // The site's font would come before or after the first paint, by chance.
  await network.send('Network.setBlockedURLs', { urls: ['*.woff2'] });
  const line = { offline: false, latency: DELAY_MS, downloadThroughput: -1, uploadThroughput: -1 };
  await network.send('Network.emulateNetworkConditions', line);
}

const people: Record<string, string[]> = {
  '': ['/', '/browse', '/forum', '/resources', '/status', '/evidence', '/members/amara.osei'],
  'member@example.org': [
    '/profile',
    '/settings',
    '/messages',
    '/notifications',
    '/saved',
    '/following',
    '/cpd',
    '/upload',
  ],
  'moderator@example.org': ['/admin', '/admin?tab=reports', '/admin?tab=solutions', '/admin?tab=storage'],
};

describe('nothing moves while data is slow', () => {
  it.each([360, 1440])('at %i pixels', async (width) => {
    // What only its author and moderators can read comes after the page.
    const pending = await site.rows('solutions', 'id', { status: 'pending' });
    const waiting = pending.slice(0, 2).map(({ id }) => `/solutions/${id}`);
    await Promise.all(
      Object.entries(people).map(async ([email, paths]) => {
        const page = await site.person({ width });
        if (email) await signIn(page, email, DEMO_PASSWORD);
        await watch(page);
        for (const path of email.startsWith('moderator') ? [...paths, ...waiting] : paths) {
          const { score, moved } = await shiftsOf(page, path);
          expect(score, `${path} as ${email || 'a visitor'}: ${moved.join(', ')}`).toBeLessThanOrEqual(
            MAX_SHIFT,
          );
        }
      }),
    );
  });
});
