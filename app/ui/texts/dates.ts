import { dateLanguage } from '#app/ui/languages/interface-language.ts';

const day = new Intl.DateTimeFormat(dateLanguage, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Nov 12, 2026"; by universal time, so that server and browser write the same day. */
export function formatDay(timestamp: string): string {
  return day.format(new Date(timestamp));
}

const month = new Intl.DateTimeFormat(dateLanguage, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "Nov 2026"; by universal time. */
export function formatMonth(timestamp: string): string {
  return month.format(new Date(timestamp));
}

/** "1:12" */
export function formatDuration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
