import { useSyncExternalStore } from 'react';
import { formatDay } from './dates.ts';

const ago = new Intl.RelativeTimeFormat('en-GB');
const HOUR_MS = 3_600_000;
const DAY = 24 * HOUR_MS;
/** The largest first, in ms. */
const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR_MS],
  ['minute', 60_000],
] as const;

/**
 * "2 hours ago", rounded, in the largest unit that has passed.
 *
 * @throws RangeError where the timestamp is none
 */
export function formatRelativeTime(timestamp: string, now = Date.now()): string {
  const age = now - new Date(timestamp).getTime();
  if (Number.isNaN(age)) throw new RangeError(`No time: ${timestamp}`);
  const [unit, length] = UNITS.find(([, ms]) => age >= ms) ?? [];
  return unit ? ago.format(-Math.round(age / length), unit) : 'less than a minute ago';
}

/** The same, kept fresh while it is shown; on paper, which is read later, the day. */
export function useRelativeTime(timestamp: string): string {
  const text = () => (isPrinting ? formatDay(timestamp) : formatRelativeTime(timestamp));
  return useSyncExternalStore(subscribeToTicks, text, text);
}

let isPrinting = false;

function subscribeToTicks(onTick: () => void) {
  const timer = setInterval(onTick, 30_000);
  const onPrint = ({ type }: Event) => {
    isPrinting = type === 'beforeprint';
    onTick();
  };
  addEventListener('beforeprint', onPrint);
  addEventListener('afterprint', onPrint);
  return () => {
    clearInterval(timer);
    removeEventListener('beforeprint', onPrint);
    removeEventListener('afterprint', onPrint);
  };
}

/** The time until something is to be decided, in words: "5 hours left". */
export function timeLeft(dueAt: string, now = Date.now()): string {
  const hours = (Date.parse(dueAt) - now) / HOUR_MS;
  const whole = Math.floor(Math.abs(hours));
  const words = whole === 0 ? 'less than an hour' : whole === 1 ? '1 hour' : `${whole} hours`;
  return `${words} ${hours < 0 ? 'overdue' : 'left'}`;
}
