/** Today in the reader's own time, as YYYY-MM-DD. */
export function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The choice of the time that an audit asks about. */
export const LAST_TWO_YEARS = 'last-two-years';

/** The first and last day of a year, of the last two years up to a day or, for '', of the whole record. */
export function daysOf(period: string, last: string): { since?: string; until?: string } {
  if (period === '') return {};
  if (period !== LAST_TWO_YEARS) return { since: `${period}-01-01`, until: `${period}-12-31` };
  const [year, ...rest] = last.split('-');
  // No year two before a leap year has a 29 February.
  return { since: [Number(year) - 2, ...rest].join('-').replace('-02-29', '-02-28') };
}
