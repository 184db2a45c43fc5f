import { useEffect, useState } from 'react';

/**
 * Lets one tab at a time do work that must not be done in two, for example writing one draft. The next tab
 * gets the lock as soon as the first is closed, or at once when it takes it over.
 *
 * @param name the same for all tabs that share the lock
 * @returns whether this tab holds the lock; undefined until it is known
 */
export function useTabLock(name: string): { here: boolean | undefined; takeOver: () => void } {
  const [here, setHere] = useState<boolean>();
  const [takeovers, setTakeovers] = useState(0);
  useEffect(() => {
    // Available on secure origins alone; elsewhere two tabs do without.
    if (!navigator.locks) return setHere(true);
    const unmounted = new AbortController();
    const hold = (lock: Lock | null) => {
      if (unmounted.signal.aborted) return;
      setHere(lock !== null);
      if (lock)
        return new Promise<void>((release) => unmounted.signal.addEventListener('abort', () => release()));
    };
    const wait = async () => {
      let how: LockOptions = takeovers ? { steal: true } : { ifAvailable: true };
      while (!unmounted.signal.aborted) {
        await navigator.locks.request(name, how, hold).catch(() => undefined);
        if (!unmounted.signal.aborted) setHere(false);
        how = { signal: unmounted.signal };
      }
    };
    void wait();
    return () => unmounted.abort();
  }, [name, takeovers]);
  return { here, takeOver: () => setTakeovers((times) => times + 1) };
}
