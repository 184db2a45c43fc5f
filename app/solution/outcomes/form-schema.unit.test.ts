import { describe, expect, it } from 'vitest';
import { emptyOutcome, type OutcomeForm, outcomeRows, outcomesSchema } from './form-schema.ts';
import { measures } from './measures.ts';

const tug = { ...emptyOutcome, measure: 'TUG', before: '18,2', after: '12.4', weeks: '12' };
const problems = (...rows: Partial<OutcomeForm>[]) =>
  outcomesSchema
    .safeParse(rows.map((row) => ({ ...tug, ...row })))
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('outcomes in the form', () => {
  it('are sent as numbers, typed with a point or a comma, without rows that are blank', () => {
    expect(problems({}, emptyOutcome)).toBeUndefined();
    expect(outcomeRows([tug, emptyOutcome])).toEqual([
      {
        measure: 'TUG',
        score_before: 18.2,
        score_after: 12.4,
        people_before: null,
        people: 1,
        follow_up_weeks: 12,
        device_before: '',
      },
    ]);
  });

  it.each([
    [{ measure: '' }, '0.measure: Please choose a measure'],
    [{ measure: 'Vibes' }, '0.measure: Please choose a measure'],
    [{ after: ' ' }, '0.after: Please enter the TUG after the fitting'],
    [{ before: '601' }, '0.before: TUG must be between 0 and 600'],
    [{ after: '-1' }, '0.after: TUG must be between 0 and 600'],
    [{ after: '1e3' }, '0.after: TUG must be a number, such as 12'],
    [{ after: '12.44' }, '0.after: Use at most 1 decimal place for TUG'],
    [{ measure: 'SCS', before: '4', after: '7.5' }, '0.after: The SCS score of one person is a whole number'],
    [{ people: '0' }, '0.people: Enter people as a whole number from 1 to 10,000'],
    [{ people: '1.5', after: '12' }, '0.people: Enter people as a whole number from 1 to 10,000'],
    [{ people: '' }, '0.people: Please say how many people were measured'],
    [{ people: '3', peopleBefore: '2' }, '0.people: There cannot be more people after than before'],
    [
      { before: '', peopleBefore: '2' },
      '0.peopleBefore: Please enter the score before too, or remove people before',
    ],
    [{ weeks: '-1' }, '0.weeks: Enter weeks after the fitting as a whole number from 0 to 1,040'],
    [{ weeks: '1041' }, '0.weeks: Enter weeks after the fitting as a whole number from 0 to 1,040'],
    [{ deviceBefore: 'x'.repeat(201) }, '0.deviceBefore: Use at most 200 characters'],
  ])('%o is refused', (change, problem) => {
    expect(problems(change)).toContain(problem);
  });

  it('are at most 20, and the mean of several people has one more decimal', () => {
    expect(problems(...Array.from({ length: 20 }, () => ({ people: '4', after: '12.44' })))).toBeUndefined();
    expect(problems(...Array.from({ length: 21 }, () => ({})))).toEqual([
      ': Please give at most 20 measured outcomes',
    ]);
  });
});

it('a facet of browse never has the name of a measure twice', () => {
  const names = measures.map(({ abbreviation }) => abbreviation);
  expect(new Set(names).size).toBe(names.length);
});
