import type { Counts } from './data.ts';

/** The number of people measured, with n = 1 where it is one. */
export const peopleText = (people: number) =>
  people === 1 ? '1 person (n = 1)' : `${people.toLocaleString('en-GB')} people`;

/** The number of cases that report a measure. The people of several are not added up: each case says its own. */
export const casesText = ({
  cases,
  outcomes,
  people,
}: Pick<Counts[number], 'cases' | 'outcomes' | 'people'>) => {
  if (cases > 1) return `${cases.toLocaleString('en-GB')} cases`;
  if (outcomes > 1) return '1 case';
  return people === 1 ? '1 case, n = 1' : `1 case, ${peopleText(people)}`;
};

/** Those that may not be shown beside their author. */
export const APART_TITLE = 'Shown without level, type or case';
