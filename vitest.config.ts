import { defineConfig } from 'vitest/config';

const common = { testTimeout: 30_000, hookTimeout: 60_000 };

// One layer after the other: browsers and whole sites need the machine to themselves.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: [
            '{app,backend,media,supabase,tests}/**/*.unit.test.{ts,tsx}',
            'tests/architecture.test.ts',
          ],
        },
      },
      {
        test: {
          ...common,
          name: 'policies',
          sequence: { groupOrder: 1 },
          include: ['tests/policies/**/*.test.ts'],
          globalSetup: ['tests/cluster.ts'],
        },
      },
      {
        // The same policies, on what Supabase itself provides instead of our own services' tables.
        test: {
          ...common,
          name: 'portability',
          sequence: { groupOrder: 2 },
          include: ['tests/policies/**/*.test.ts'],
          globalSetup: ['tests/portability/cluster.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'backend',
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
          include: ['tests/{conformance,media,fuzz}/**/*.test.ts'],
          globalSetup: ['tests/cluster.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'e2e',
          sequence: { groupOrder: 4 },
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 15_000 } },
          // A browser waits more than it works: three of them share what one would leave idle.
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...common,
          name: 'operation',
          sequence: { groupOrder: 5 },
          include: ['tests/operation/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
