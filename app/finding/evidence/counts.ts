/** The number of people measured, with n = 1 where it is one. */
export const peopleText = (people: number) =>
  people === 1 ? '1 person (n = 1)' : `${people.toLocaleString('en-GB')} people`;

/** The number of cases that report a measure. */
export const casesText = (cases: number) =>
  cases === 1 ? '1 case' : `${cases.toLocaleString('en-GB')} cases`;
