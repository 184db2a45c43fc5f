import { expect, it } from 'vitest';
import { formatRelativeTime } from './relative-time.ts';

it.each([
  ['2026-03-01T12:00:01Z', 'less than a minute ago'],
  ['2026-03-01T11:59:00Z', '1 minute ago'],
  ['2026-03-01T11:00:01Z', '60 minutes ago'],
  ['2026-03-01T11:00:00Z', '1 hour ago'],
  ['2026-02-28T00:00:00Z', '2 days ago'],
  ['2026-01-30T12:00:00Z', '1 month ago'],
  ['2025-03-02T12:00:00Z', '12 months ago'],
  ['2024-03-01T12:00:00Z', '2 years ago'],
])('at noon on the first of March, %s is %s', (timestamp, text) => {
  expect(formatRelativeTime(timestamp, Date.parse('2026-03-01T12:00:00Z'))).toBe(text);
});

it('what is no time is an error, which the part of the page around it shows', () => {
  expect(() => formatRelativeTime('x')).toThrow(RangeError);
});
