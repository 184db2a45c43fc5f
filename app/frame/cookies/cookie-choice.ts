import { useSyncExternalStore } from 'react';
import { keepOnDevice } from '#app/ui/states/keep-on-device.ts';

const key = 'cookie-choice';
const sessionKey = 'page-view-session';
const DAY_MS = 24 * 60 * 60 * 1000;
const YEAR_MS = 365 * DAY_MS;
/** On the document while the choice is open; the style sheet shows the banner by it. */
const ASKING_ATTRIBUTE = 'data-choosing';
const listeners = new Set<() => void>();

/** A browser with a privacy signal (Do Not Track, Global Privacy Control) has already refused. */
function signalsOptOut(): boolean {
  return (
    navigator.doNotTrack === '1' ||
    ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true)
  );
}

/** Whether this visitor agreed to statistics within the last year. */
function statisticsAllowed(): boolean {
  if (signalsOptOut()) return false;
  const [choice, at] = (localStorage.getItem(key) ?? '').split('@');
  return choice === 'statistics' && Date.now() - Number(at) < YEAR_MS;
}

function notifyListeners() {
  if (!statisticsAllowed()) localStorage.removeItem(sessionKey);
  for (const listener of listeners) listener();
}

/** Keeps the choice for a year. */
export function chooseStatistics(allowed: boolean): void {
  keepOnDevice(key, `${allowed ? 'statistics' : 'necessary'}@${Date.now()}`);
  closeChoice();
  notifyListeners();
}

/** Shows the banner again, whatever was chosen before. */
export function reopenChoice(): void {
  document.documentElement.setAttribute(ASKING_ATTRIBUTE, '');
}

/** Hides the banner; an earlier choice, or none, stays as it is. */
export function closeChoice(): void {
  document.documentElement.removeAttribute(ASKING_ATTRIBUTE);
}

/** A random id of this browser for a day, made when statistics are first allowed. */
export function statisticsSession(): string {
  const [storedId, at] = (localStorage.getItem(sessionKey) ?? '').split('@');
  if (storedId && Date.now() - Number(at) < DAY_MS) return storedId;
  const newId = crypto.randomUUID();
  keepOnDevice(sessionKey, `${newId}@${Date.now()}`);
  return newId;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  // Another tab may have changed the choice.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

/** Whether the visitor agrees to statistics, as last chosen here or in another tab; false until hydration. */
export function useStatisticsAllowed(): boolean {
  return useSyncExternalStore(subscribe, statisticsAllowed, () => false);
}

/** Whether the browser itself has refused; known once the page is hydrated. */
export function useSignalsOptOut(): boolean {
  return useSyncExternalStore(subscribe, signalsOptOut, () => false);
}

/**
 * Runs before the first paint, so that the banner neither flashes nor moves the page: shows it to visitors
 * who have not chosen within a year and whose browser has not refused for them.
 */
export const askBeforeFirstPaint = `try{if(navigator.doNotTrack!=="1"&&navigator.globalPrivacyControl!==true&&!(Date.now()-Number((localStorage.getItem("${key}")||"").split("@")[1])<${YEAR_MS}))document.documentElement.setAttribute("${ASKING_ATTRIBUTE}","")}catch(e){}`;
