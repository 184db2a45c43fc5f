import { type Browser, chromium } from 'playwright-core';
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

/** The browser of the files that this process runs; each person in it has a context of their own. */
export async function openBrowser(): Promise<Browser> {
  if (!(await launched)?.isConnected()) launched = launch(inject('browser'));
  return launched as Promise<Browser>;
}

async function launch({ args, ...program }: Program): Promise<Browser> {
  const browser = await chromium.launch({
    ...program,
    args: [...args, WITHOUT_OPTIMISING],
    timeout: TIMEOUT_MS,
  });
  // Also what waits in a further tab of the same person has this long.
  browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT_MS));
  return browser;
}
