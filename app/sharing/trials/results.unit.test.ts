import { expect, it } from 'vitest';
import { tallySentence } from './results.ts';

const trial = (id: string, user: string | null, result: string, version = 1) => ({
  id,
  user_id: user,
  version,
  result,
});

it('counts each kind of result that there is', () => {
  expect(
    tallySentence([
      trial('a', 'maren', 'worked'),
      trial('b', 'olu', 'did_not_work'),
      trial('c', 'ines', 'worked'),
      trial('d', 'tom', 'worked_with_changes'),
    ]),
  ).toBe('Tried by 4: 2\u00a0worked, 1\u00a0worked with changes, 1\u00a0did not work');
  expect(tallySentence([trial('a', 'maren', 'did_not_work')])).toBe('Tried by 1: did not work');
});

it('counts a member once, by the latest version that they tried, and each report of a former member', () => {
  expect(
    tallySentence([
      trial('a', 'maren', 'worked', 2),
      trial('b', 'maren', 'did_not_work', 1),
      trial('c', null, 'worked'),
      trial('d', null, 'worked'),
    ]),
  ).toBe('Tried by 3: 3\u00a0worked');
});
