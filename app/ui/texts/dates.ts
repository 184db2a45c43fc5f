import { dateLanguage } from '#app/ui/languages/interface-language.ts';

const day = new Intl.DateTimeFormat(dateLanguage, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A date stays on one line. */
const unbroken = (format: Intl.DateTimeFormat, timestamp: string): string =>
  format.format(new Date(timestamp)).replaceAll(' ', '\u00a0');

/** "Nov 12, 2026" in one line; by universal time, so that server and browser write the same day. */
export const formatDay = (timestamp: string): string => unbroken(day, timestamp);

const month = new Intl.DateTimeFormat(dateLanguage, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "Nov 2026" in one line; by universal time. */
export const formatMonth = (timestamp: string): string => unbroken(month, timestamp);

/** "1:12" */
export function formatDuration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
