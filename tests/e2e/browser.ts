import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { TIMEOUT_MS } from '../timeouts.ts';
import { findBrowser, type Program } from './find-browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser of the run. */
    browser: Program;
  }
}

/** Finds the browser before the first test, so that a run without one ends at once. */
export default async function setUp(project: TestProject) {
  project.provide('browser', await findBrowser());
}

/**
 * No page of a test lives long enough to gain by optimised code what it costs to make it: the accessibility checks
 * take half the processor time without. Helping threads only compete with the other processes of the run.
 */
const WITHOUT_OPTIMISING = '--js-flags=--no-opt --no-maglev --single-threaded';

let launched: Promise<Browser> | undefined;

/** The browser of the files that this process runs; each person in it has a context to themselves while their test runs. */
export async function openBrowser(): Promise<Browser> {
  if (!(await launched)?.isConnected()) launched = launch(inject('browser'));
  return launched as Promise<Browser>;
}

const launch = ({ args, ...program }: Program) =>
  chromium.launch({ ...program, args: [...args, WITHOUT_OPTIMISING], timeout: TIMEOUT_MS });

/** The contexts that wait for another person, by what they were opened with. */
const waiting = new Map<string, BrowserContext[]>();
/** More are never needed again. */
const MAX_WAITING = 4;

/**
 * A context without a session or stored data: where there is one, that of an earlier person of the same site and screen. It still has
 * the site's scripts, ready to run, whose loading is most of what the first pages of a new one cost.
 */
export async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const browser = await openBrowser();
  const context = waiting.get(JSON.stringify(options))?.pop();
  return context && !context.isClosed() ? context : browser.newContext(options);
}

/** Takes a context back, empty, for the next person. @throws when something that was stored is still there */
export async function leaveContext(context: BrowserContext, options: BrowserContextOptions): Promise<void> {
  const key = JSON.stringify(options);
  const others = waiting.get(key) ?? [];
  if (context.isClosed()) return;
  if (others.length >= MAX_WAITING) return context.close();
  await empty(context, options.baseURL ?? '');
  waiting.set(key, [...others, context]);
}

/** Closes those that wait for people of a site that ends. */
export async function closeContexts(origin: string): Promise<void> {
  for (const [key, contexts] of waiting)
    if (key.includes(`"${origin}"`)) for (const context of contexts.splice(0)) await context.close();
}

async function empty(context: BrowserContext, origin: string): Promise<void> {
  context.removeAllListeners();
  for (const page of context.pages()) await page.close();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.setExtraHTTPHeaders({});
  await context.clearPermissions();
  await context.clearCookies();
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await page.goto('/robots.txt');
  const left = await page.evaluate(async () => [
    document.cookie,
    ...Object.keys(localStorage),
    ...(await indexedDB.databases()).map(({ name }) => name),
    ...(await caches.keys()),
    ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  ]);
  await page.close();
  if (left.join('') !== '') throw new Error(`The browser still has of an earlier person: ${left.join(', ')}`);
}
