import { defineConfig } from 'vitest/config';

const common = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
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
          include: ['tests/policies/**/*.test.ts'],
          globalSetup: ['tests/cluster.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'backend',
          include: ['tests/conformance/**/*.test.ts', 'tests/media/**/*.test.ts'],
          globalSetup: ['tests/cluster.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          globalSetup: ['tests/cluster.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'operation',
          include: ['tests/operation/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
