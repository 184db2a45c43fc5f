import { expect, it } from 'vitest';
import { csvTable } from '#app/ui/texts/csv.ts';
import { auditCsv } from './audit-csv.ts';

it('keeps commas and quotes in their cells, and formulas from being run', () => {
  const entry = {
    id: 1,
    created_at: '2026-11-21T12:00:00+00:00',
    actor: '=HYPERLINK("https://evil.example")',
    action: 'report_resolved',
    target_type: 'content_report',
    target_id: '7',
    before: null,
    after: { response: 'Gone, thank you' },
  };
  expect(auditCsv([entry]).split('\r\n')).toEqual([
    'time,actor,action,target type,target,before,after',
    `2026-11-21T12:00:00+00:00,"'=HYPERLINK(""https://evil.example"")",report_resolved,content_report,7,,"{""response"":""Gone, thank you""}"`,
    '',
  ]);
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠SUM(A1)'])(
  'a text that a spreadsheet would run begins with an apostrophe: %j',
  (text) => {
    expect(csvTable([[text]])).toMatch(/^"?'/);
    expect(csvTable([[`of ${text}`, -1]])).not.toMatch(/^"?'/);
  },
);
