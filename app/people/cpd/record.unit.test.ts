import { expect, it } from 'vitest';
import type { CpdEntry } from './data.ts';
import { daysOf } from './period.ts';
import { durationText, gapText, recordCsv } from './record.ts';

const entry = (fields: Partial<CpdEntry>): CpdEntry => ({
  id: '1',
  activity: 'read',
  subject: 'A hook that holds a bow',
  solution_id: null,
  topic_id: null,
  day: '2026-11-12',
  kind: null,
  minutes: 30,
  reflection: null,
  benefit: null,
  in_detail: false,
  gap_reason: null,
  ...fields,
});

it('adds minutes up to hours in words', () => {
  expect([0, 1, 45, 60, 61, 125, 72_000].map(durationText)).toEqual([
    '0 minutes',
    '1 minute',
    '45 minutes',
    '1 hour',
    '1 hour 1 minute',
    '2 hours 5 minutes',
    '1,200 hours',
  ]);
});

it('writes a CSV table, the earliest day first, that no spreadsheet calculates with', () => {
  const table = recordCsv(
    [
      entry({ solution_id: 'a', reflection: '=HYPERLINK("x")', kind: 'self_directed', in_detail: true }),
      entry({
        topic_id: 'b',
        activity: 'discussed',
        subject: 'Straps, "webbing"',
        day: '2026-01-02',
        benefit: '-1 visit',
        gap_reason: 'Parental leave',
      }),
    ],
    'https://limb.example',
  );
  expect(table.split('\r\n')).toEqual([
    [
      'date,activity,about,minutes,reflection,address,type of learning,benefit to service users',
      'told in detail,explanation of the gap after it',
    ].join(),
    `2026-01-02,Discussed,"Straps, ""webbing""",30,,https://limb.example/forum/b,,'-1 visit,,Parental leave`,
    [
      `2026-11-12,Read,A hook that holds a bow,30,"'=HYPERLINK(""x"")",https://limb.example/solutions/a`,
      'Self-directed learning,,yes,',
    ].join(),
    '',
  ]);
});

it('says from when to when a gap is', () => {
  const gap = { id: '1', since: '2026-01-02', reason: null };
  expect(gapText({ ...gap, until: '2026-11-12' })).toBe('Jan\u00a02,\u00a02026 to Nov\u00a012,\u00a02026');
  expect(gapText({ ...gap, until: null })).toBe('Since Jan\u00a02,\u00a02026');
});

it('knows the days of a year, of the last two years and of all', () => {
  expect(daysOf('2025', '2026-11-28')).toEqual({ since: '2025-01-01', until: '2025-12-31' });
  expect(daysOf('last-two-years', '2026-11-28')).toEqual({ since: '2024-11-28' });
  expect(daysOf('last-two-years', '2028-02-29')).toEqual({ since: '2026-02-28' });
  expect(daysOf('', '2026-11-28')).toEqual({});
});
