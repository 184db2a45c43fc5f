import { useSyncExternalStore } from 'react';
import { keepOnDevice } from '#app/ui/states/keep-on-device.ts';

export type Theme = 'light' | 'dark' | 'system';

const CHOSEN_AT_KEY = 'theme-chosen-at';
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1000;
const listeners = new Set<() => void>();

function read(): Theme {
  const stored = localStorage.getItem('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function apply() {
  const dark =
    read() === 'dark' || (read() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
  for (const listener of listeners) listener();
}

/** Applies a theme and keeps it on this device. */
export function setTheme(theme: Theme): void {
  keepOnDevice('theme', theme);
  keepOnDevice(CHOSEN_AT_KEY, String(Date.now()));
  apply();
}

/** A choice is kept for two years, as the cookie policy says. */
function forgetOldChoice() {
  const at = localStorage.getItem(CHOSEN_AT_KEY);
  if (!at || Date.now() - Number(at) < TWO_YEARS_MS) return;
  localStorage.removeItem('theme');
  localStorage.removeItem(CHOSEN_AT_KEY);
}

function subscribe(listener: () => void) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  listeners.add(listener);
  forgetOldChoice();
  system.addEventListener('change', apply);
  window.addEventListener('storage', apply);
  // The system's colours may have changed since the first paint, and so may the choice, in another tab.
  apply();
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', apply);
    window.removeEventListener('storage', apply);
  };
}

/** The chosen theme; on the server and in the first paint "system". */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, read, () => 'system');
}

/**
 * Runs before the first paint, so that neither the theme nor the header's member controls flash. Storage can
 * be forbidden, and then the defaults stand.
 */
export const firstPaintScript = `try{var d=document.documentElement,t=localStorage.getItem("theme");if(t==="dark"||(t!=="light"&&matchMedia("(prefers-color-scheme: dark)").matches))d.classList.add("dark");for(var k in localStorage)if(/^sb-.+-auth-token$/.test(k))d.setAttribute("data-member","")}catch(e){}`;
