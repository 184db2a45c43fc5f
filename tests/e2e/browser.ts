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

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ ...inject('browser'), timeout: TIMEOUT_MS });
