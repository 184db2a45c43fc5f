import { expect, it } from 'vitest';
import type { CpdEntry } from './data.ts';
import { durationText, recordCsv } from './record.ts';

const entry = (fields: Partial<CpdEntry>): CpdEntry => ({
  id: '1',
  activity: 'read',
  subject: 'A hook that holds a bow',
  solution_id: null,
  topic_id: null,
  day: '2026-11-12',
  minutes: 30,
  reflection: null,
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

it('writes a CSV table that no spreadsheet calculates with', () => {
  const table = recordCsv(
    [
      entry({ solution_id: 'a', reflection: '=HYPERLINK("x")' }),
      entry({ topic_id: 'b', activity: 'discussed', subject: 'Straps, "webbing"' }),
    ],
    'https://limb.example',
  );
  expect(table).toBe(
    [
      'date,activity,about,minutes,reflection,address',
      `2026-11-12,Read,A hook that holds a bow,30,"'=HYPERLINK(""x"")",https://limb.example/solutions/a`,
      '2026-11-12,Discussed,"Straps, ""webbing""",30,,https://limb.example/forum/b',
      '',
    ].join('\r\n'),
  );
});
