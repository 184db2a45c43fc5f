import { useSyncExternalStore } from 'react';

const key = 'cookie-choice';
const sessionKey = 'page-view-session';
const year = 365 * 24 * 60 * 60 * 1000;
const listeners = new Set<() => void>();

/** A browser that asks not to be followed has already chosen. */
function asksNotToBeFollowed(): boolean {
  return (
    navigator.doNotTrack === '1' ||
    ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true)
  );
}

/** Whether this visitor agreed to statistics within the last year. */
function statisticsAllowed(): boolean {
  if (asksNotToBeFollowed()) return false;
  const [choice, at] = (localStorage.getItem(key) ?? '').split('@');
  return choice === 'statistics' && Date.now() - Number(at) < year;
}

export function chooseStatistics(allowed: boolean): void {
  localStorage.setItem(key, `${allowed ? 'statistics' : 'necessary'}@${Date.now()}`);
  if (!allowed) localStorage.removeItem(sessionKey);
  for (const listener of listeners) listener();
}

/** A random id of this browser, made when statistics are first allowed. */
export function statisticsSession(): string {
  const known = localStorage.getItem(sessionKey);
  if (known) return known;
  const made = crypto.randomUUID();
  localStorage.setItem(sessionKey, made);
  return made;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useStatisticsAllowed(): boolean {
  return useSyncExternalStore(subscribe, statisticsAllowed, () => false);
}
