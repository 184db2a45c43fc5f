import { describe, expect, it } from 'vitest';
import { changeOf, outcomeSentence, verdictOf } from './change.ts';
import { directionText, scaleOf, withUnit } from './measure.ts';
import type { Outcome } from './outcome.ts';

const outcome = (changes: Partial<Outcome> = {}, measure: Partial<Outcome['measure']> = {}): Outcome => ({
  id: '1',
  score_before: 18.2,
  score_after: 12.4,
  people_before: null,
  people: 1,
  follow_up_weeks: 12,
  device_before: null,
  ...changes,
  measure: {
    abbreviation: 'TUG',
    name: 'Timed Up and Go',
    unit: 's',
    minimum: 0,
    maximum: 600,
    is_open: true,
    direction: 'lower',
    reference: '',
    reference_url: '',
    error_size: 3.6,
    error_kind: 'MDC90',
    error_population: 'adults with unilateral lower limb amputation',
    error_reference: '',
    error_url: '',
    ...measure,
  },
});
const said = (changes?: Partial<Outcome>, measure?: Partial<Outcome['measure']>) =>
  outcomeSentence(outcome(changes, measure)).replaceAll('\u00A0', ' ');

describe('the sentence of an outcome', () => {
  it('says what changed and that it is more than the error', () => {
    expect(said()).toBe(
      'TUG fell from 18.2 s to 12.4 s for 1 person after 12 weeks: better, and more than the measurement error of 3.6 s (MDC90, adults with unilateral lower limb amputation).',
    );
  });

  it.each([
    ['a change within the error', { score_after: 15 }, 'better, but within the measurement error of 3.6 s'],
    ['a change as large as the error', { score_after: 14.6 }, 'better, but within'],
    [
      'a worse score',
      { score_after: 25 },
      'rose from 18.2 s to 25 s for 1 person after 12 weeks: worse, and more',
    ],
    ['the same score', { score_after: 18.2 }, 'TUG stayed at 18.2 s for 1 person after 12 weeks.'],
    [
      'no score before',
      { score_before: null },
      'TUG was 12.4 s for 1 person after 12 weeks. No score before was given.',
    ],
    [
      'several people',
      { people: 4, people_before: 5 },
      'Mean TUG fell from 18.2 s to 12.4 s for 4 of the 5 people measured before after 12 weeks',
    ],
    ['no follow-up time', { follow_up_weeks: null }, 'for 1 person: better'],
    ['the day of the fitting', { follow_up_weeks: 0 }, 'for 1 person on the day of the fitting: better'],
    ['one week', { follow_up_weeks: 1, people: 1200 }, 'for 1,200 people after 1 week'],
  ])('names %s', (_what, changes, words) => {
    expect(said(changes)).toContain(words);
  });

  it('says so where no error is published', () => {
    expect(said({}, { error_size: null })).toBe(
      'TUG fell from 18.2 s to 12.4 s for 1 person after 12 weeks: better. We know of no published measurement error for people with limb loss.',
    );
    expect(changeOf(outcome({}, { error_size: null }))?.isBeyondError).toBeNull();
  });

  it('judges no change where neither more nor less is better', () => {
    expect(
      said(
        { score_before: 6, score_after: 10 },
        { abbreviation: 'Wearing time', unit: 'h/day', direction: 'none', error_size: null },
      ),
    ).toBe(
      'Wearing time rose from 6 h/day to 10 h/day for 1 person after 12 weeks. We know of no published measurement error for people with limb loss.',
    );
    expect(directionText('none')).toBe('More is not better by itself');
  });

  it('is said to be beyond the measurement error or within it, and nothing where there is no error or no change', () => {
    const verdict = (before: number | null, after: number, error_size: number | null = 2) =>
      verdictOf(outcome({ score_before: before, score_after: after }, { error_size }));
    expect(verdict(3, 7)).toBe('Beyond measurement error');
    expect(verdict(7, 3)).toBe('Beyond measurement error');
    expect(verdict(3, 5)).toBe('Within measurement error');
    expect([verdict(3, 3), verdict(null, 7), verdict(3, 7, null)]).toEqual([undefined, undefined, undefined]);
  });

  it('is not misled by the arithmetic of decimals', () => {
    // 0.3 - 0.1 is 0.19999999999999998 in floating point.
    expect(changeOf(outcome({ score_before: 0.3, score_after: 0.1 }, { error_size: 0.2 }))).toEqual({
      size: -0.2,
      kind: 'better',
      isBeyondError: false,
    });
  });
});

it('a score is named with its unit', () => {
  expect([1, 2].map((score) => withUnit(score, 'points').replace('\u00A0', ' '))).toEqual([
    '1 point',
    '2 points',
  ]);
  expect(withUnit(1, 'm/s').replace('\u00A0', ' ')).toBe('1 m/s');
  expect(withUnit(52.1, 'T-score')).toBe('52.1');
});

it('a scale without ends is drawn as far as its scores go, and one with ends whole', () => {
  const open = { minimum: 0, maximum: 600, isOpen: true };
  expect(scaleOf(open, [12.4, 21.8])).toEqual([0, 25]);
  expect(scaleOf(open, [600])).toEqual([0, 600]);
  expect(scaleOf(open, [0])).toEqual([0, 0.1]);
  expect(scaleOf({ minimum: 0, maximum: 10, isOpen: false }, [4])).toEqual([0, 10]);
});
