import { useEffect, useState } from 'react';

/**
 * Lets one tab at a time do work that must not be done in two, for example writing one draft. The next tab
 * gets the lock as soon as the first is closed, or at once when it takes it over.
 *
 * @param name the same for all tabs that share the lock
 * @returns whether this tab holds the lock; undefined until it is known
 */
export function useTabLock(name: string): { hasLock: boolean | undefined; takeOver: () => void } {
  const [hasLock, setHasLock] = useState<boolean>();
  const [takeovers, setTakeovers] = useState(0);
  useEffect(() => {
    // Available on secure origins alone; elsewhere two tabs do without.
    if (!navigator.locks) return setHasLock(true);
    const controller = new AbortController();
    const onLock = (lock: Lock | null) => {
      if (controller.signal.aborted) return;
      setHasLock(lock !== null);
      if (lock)
        return new Promise<void>((release) => controller.signal.addEventListener('abort', () => release()));
    };
    const wait = async () => {
      let options: LockOptions = takeovers ? { steal: true } : { ifAvailable: true };
      while (!controller.signal.aborted) {
        await navigator.locks.request(name, options, onLock).catch(() => undefined);
        if (!controller.signal.aborted) setHasLock(false);
        options = { signal: controller.signal };
      }
    };
    void wait();
    return () => controller.abort();
  }, [name, takeovers]);
  return { hasLock, takeOver: () => setTakeovers((times) => times + 1) };
}
