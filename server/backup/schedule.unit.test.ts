import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newestFirst } from './retention.ts';
import { isDue } from './schedule.ts';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00Z') }));
afterEach(() => vi.useRealTimers());

it('is when the last backup is so old, or there is none', () => {
  expect(isDue(undefined, 24)).toBe(true);
  expect(isDue('2026-11-20T10:00:00Z', 24)).toBe(true);
  expect(isDue('2026-11-20T10:00:01Z', 24)).toBe(false);
});

it('does not wait for a day that a wrong clock named', () => {
  expect(isDue('2031-01-01T00:00:00Z', 24)).toBe(true);
});

it('waits when one was made after that', () => {
  const [newest] = newestFirst(
    ['2031-01-01T00:00:00Z', '2026-11-21T09:00:00Z'].map((at) => ({ at: new Date(at) })),
  );
  expect(isDue(newest?.at.toISOString(), 24)).toBe(false);
});
