import { expect, it } from 'vitest';
import { sumSentences } from './sums.ts';

const plain = (sums: Parameters<typeof sumSentences>[0]) =>
  sumSentences(sums).map((one) =>
    Object.fromEntries(
      Object.entries(one).map(([key, text]) => [key, String(text).replaceAll('\u00a0', ' ')]),
    ),
  );

it('says how many were fitted, how many answered and what, why it ended, and how many did not answer', () => {
  expect(
    plain([
      { months: 3, answer: null, reason: null, questions: 1 },
      { months: 6, answer: null, reason: null, questions: 3 },
      { months: 6, answer: 'no_longer', reason: 'fit', questions: 1 },
      { months: 6, answer: 'no_longer', reason: 'broke', questions: 1 },
      { months: 6, answer: 'sometimes', reason: null, questions: 1 },
      { months: 6, answer: 'every_day', reason: null, questions: 6 },
    ]),
  ).toEqual([
    { months: '3', sum: '1 fitted, 0 answered at 3 months', silent: '1 did not answer', reasons: '' },
    {
      months: '6',
      sum: '12 fitted, 9 answered at 6 months: 6 every day, 1 sometimes, 2 no longer',
      silent: '3 did not answer',
      reasons: '1 broke or wore out, 1 did not fit or hurt',
    },
  ]);
});

it('says that none was silent, too', () => {
  expect(plain([{ months: 12, answer: 'dont_know', reason: null, questions: 1 }])).toEqual([
    {
      months: '12',
      sum: '1 fitted, 1 answered at 12 months: 1 not known',
      silent: '0 did not answer',
      reasons: '',
    },
  ]);
});
