import { describe, expect, it } from 'vitest';
import { summarySentence } from './summary-sentence.ts';

const now = Date.parse('2026-12-01T12:00:00Z');
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
const request = (hours: number) => ({ kind: 'removal_request' as const, id: 'a', due_at: inHours(hours) });
const first = (kind: 'report' | 'solution', hours: number | null) => ({
  kind,
  id: 'b',
  due_at: hours === null ? null : inHours(hours),
  submitted_at: inHours(-72),
});
const sentence = (summary: Parameters<typeof summarySentence>[0]) => {
  const { atRisk, rest } = summarySentence(summary, now);
  return [atRisk, rest].filter(Boolean).join(' ');
};

describe('the line of what waits', () => {
  it('names each case where a patient may be recognised, and the first of the others', () => {
    expect(
      sentence({
        counts: { removal_request: 2, report: 4, solution: 12 },
        at_risk: [request(-1.5), request(4.5)],
        first: first('report', -24.5),
      }),
    ).toBe(
      '2 removal requests: one 1 hour overdue, one 4 hours left. 16 more: the oldest report is 24 hours overdue.',
    );
  });

  it('says the same time once', () => {
    const report = { kind: 'report' as const, id: 'c', due_at: inHours(23.6) };
    const counts = { removal_request: 1, report: 1 };
    expect(sentence({ counts, at_risk: [request(23.5), report], first: null })).toBe(
      '1 removal request and 1 report: 23 hours left each.',
    );
  });

  it('says of many how many are overdue, and counts those that the list has cut off', () => {
    const many = [-30.5, -2.5, 3, 5].map(request);
    const counts = { removal_request: 250, report: 1 };
    const report = { kind: 'report' as const, id: 'c', due_at: inHours(20) };
    expect(sentence({ counts, at_risk: [...many, report], first: null })).toBe(
      '250 removal requests and 1 report: 2 overdue, the first 30 hours overdue.',
    );
    expect(
      sentence({ counts: { removal_request: 4 }, at_risk: [3.5, 4, 5, 6].map(request), first: null }),
    ).toBe('4 removal requests: the first has 3 hours left.');
  });

  it.each([
    [{ report: 2, solution: 1 }, first('report', 23.5), '3 waiting: the oldest report has 23 hours left.'],
    [{ solution: 5 }, first('solution', null), '5 waiting: the oldest solution was submitted 3 days ago.'],
    [{ report: 1 }, first('report', -1.5), '1 report: 1 hour overdue.'],
    [{ solution: 1 }, first('solution', null), '1 solution: submitted 3 days ago.'],
    [{}, null, ''],
  ])('is true where no patient is at risk: %j', (counts, next, said) => {
    expect(sentence({ counts, at_risk: [], first: next })).toBe(said);
  });

  it('says of one other what it is', () => {
    expect(
      sentence({
        counts: { removal_request: 1, solution: 1 },
        at_risk: [request(0.5)],
        first: first('solution', null),
      }),
    ).toBe('1 removal request: less than an hour left. 1 more: 1 solution, submitted 3 days ago.');
  });
});
