import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/runner/sequencer.ts';
import { TAGS } from './tests/runner/tiers.ts';
import { TEST_TIMEOUT_MS, TIMEOUT_MS } from './tests/timeouts.ts';

// A test that waits for a browser, a database or another process leaves a core idle.
const maxWorkers = Math.ceil(1.5 * availableParallelism());

const common = {
  maxWorkers,
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  expect: { poll: { timeout: TIMEOUT_MS } },
  setupFiles: ['tests/runner/evidence.ts', 'tests/runner/measure-file.ts'],
};

/**
 * Policies whose tests depend most on what a Supabase project brings: who may do what with each table, accounts, and stored files.
 * That its objects are the same is what tests/portability/catalogue.test.ts shows.
 */
const ON_A_PROJECT = ['access/matrix', 'accounts', 'solutions/media'].map(
  (name) => `tests/policies/${name}.test.ts`,
);

export default defineConfig({
  test: {
    maxWorkers,
    tags: TAGS,
    // A thousand rows that differ would crowd all other output out of a readable length.
    diff: { truncateThreshold: 60 },
    sequence: { sequencer: LongestFirst },
    // The stand-in for other sign-in providers is not for production, and says so; a client whose server is killed under it
    // says what it could not do.
    onConsoleLog: (text) => !/oidc-provider WARNING|^(report not closed|author not )/.test(text),
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          isolate: false,
          include: ['{app,backend,scripts,server,media,supabase,texts,tests}/**/*.unit.test.{ts,tsx}'],
        },
      },
      {
        test: {
          ...common,
          name: 'policies',
          isolate: false,
          include: ['tests/policies/**/*.test.ts'],
          globalSetup: ['tests/cluster.ts'],
        },
      },
      {
        // The same policies, on the tables of Supabase itself instead of those of our own services.
        test: {
          ...common,
          name: 'portability',
          isolate: false,
          include: ['tests/portability/*.test.ts', ...ON_A_PROJECT],
          globalSetup: ['tests/portability/cluster.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'backend',
          isolate: false,
          include: ['tests/{conformance,media,fuzz,scale}/**/!(*.unit).test.ts'],
          globalSetup: ['tests/cluster.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'e2e',
          isolate: false,
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/browser.ts', 'tests/operation/first-start.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'operation',
          include: ['tests/{operation,upgrade}/**/*.test.ts'],
          globalSetup: ['tests/operation/first-start.ts'],
        },
      },
    ],
  },
});
