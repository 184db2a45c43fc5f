import { describe, expect, it } from 'vitest';
import {
  daysRemaining,
  formatDays,
  kindOf,
  levelOf,
  storageFigures,
  uploadsByDay,
  usageByDay,
} from './storage-figures.ts';

const MB = 1024 ** 2;
const now = Date.parse('2026-11-21T12:00:00Z');
const file = (path: string, size: number, daysAgo: number) => ({
  path,
  size,
  createdAt: new Date(now - daysAgo * 86_400_000).toISOString(),
});

describe('days remaining', () => {
  it('follow from the uploads of the last seven days', () => {
    expect(daysRemaining(758 * MB, 1024 * MB, 204 * MB)).toBe(9);
    expect(daysRemaining(0, 700 * MB, 7 * MB)).toBe(700);
  });

  it('are 999 without growth and never negative', () => {
    expect(daysRemaining(10, 100, 0)).toBe(999);
    expect(daysRemaining(200, 100, 7)).toBe(0);
  });

  it('read 365+ above a year', () => {
    expect([0, 9, 365, 366, 999].map(formatDays)).toEqual(['0', '9', '365', '365+', '365+']);
  });
});

it('warns from 70 % on and is critical from 90 % on', () => {
  expect([69.9, 70, 89.9, 90, 120].map((used) => levelOf(used, 100))).toEqual([
    'fine',
    'warning',
    'warning',
    'critical',
    'critical',
  ]);
  expect(levelOf(0, 0)).toBe('critical');
});

it.each([
  ['u/1/full.webp', 'Full size'],
  ['u/1/card.webp', 'Compressed'],
  ['u/1/thumb.webp', 'Thumbnails'],
  ['u/1/poster.webp', 'Thumbnails'],
  ['u/1/video.mp4', 'Videos'],
  ['stray', 'Full size'],
])('%s counts as %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});

describe('figures', () => {
  const files = [
    file('a/1/full.webp', 4 * MB, 0.1),
    file('a/1/card.webp', MB, 6.9),
    file('b/1/video.mp4', 20 * MB, 7.1),
    file('b/1/poster.webp', MB, 40),
  ];

  it('add up by kind, and take in exactly seven days', () => {
    expect(storageFigures(files, 100 * MB, now)).toMatchObject({
      used: 26 * MB,
      sizes: { 'Full size': 4 * MB, Compressed: MB, Videos: 20 * MB, Thumbnails: MB },
      recent: { bytes: 5 * MB, files: 2 },
      share: 0.26,
      level: 'fine',
      days: 103,
      largest: [{ path: 'b/1/video.mp4' }, { path: 'a/1/full.webp' }, {}, {}],
    });
  });

  it('by day lose nothing of what is older', () => {
    const uploads = uploadsByDay(files, 14, now);
    expect(uploads).toHaveLength(14);
    expect(uploads.at(-1)).toEqual({
      date: '2026-11-21T00:00:00.000Z',
      sizes: { 'Full size': 4 * MB, Compressed: 0, Videos: 0, Thumbnails: 0 },
    });
    const usage = usageByDay(files, 30, now);
    expect(usage[0]?.total).toBe(MB);
    expect(usage.at(-1)?.total).toBe(26 * MB);
  });
});
