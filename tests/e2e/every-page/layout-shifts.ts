import type { CDPSession, Page } from 'playwright-core';

/** https://web.dev/articles/cls calls 0.1 good; a reader sees movement well below that. */
const MAX_SHIFT = 0.02;
/** The delay of each answer: long enough that a page is painted before its data arrives. */
const DELAY_MS = 700;

interface Shifts {
  score: number;
  moved: string[];
}

/** The connection to the network of each page that is watched. */
const watched = new WeakMap<Page, CDPSession>();

async function watch(page: Page): Promise<CDPSession> {
  const before = watched.get(page);
  if (before) return before;
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
  watched.set(page, network);
  return network;
}

/**
 * Opens a page over a slow line.
 *
 * @returns what moved in it without anything having been pressed, where it is more than a reader may see
 */
export async function shiftsOf(page: Page, path: string): Promise<string[]> {
  const network = await watch(page);
  const delay = (latency: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  await delay(DELAY_MS);
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await delay(0);
  const { score, moved } = await page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts);
  return score > MAX_SHIFT ? [`moves by ${score}`, ...moved] : [];
}
