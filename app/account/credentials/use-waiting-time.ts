import { useEffect, useState } from 'react';

/** The sign-in service sends one email a minute to an address (`max_frequency` of supabase/config.toml). */
export const EMAIL_INTERVAL_S = 60;

/** The seconds that the service says one has to wait, if its refusal says so. */
export function secondsToWait(error: unknown): number | undefined {
  const message = error instanceof Error ? error.message : '';
  const seconds = /after (\d+) seconds?/.exec(message)?.[1];
  return seconds ? Number(seconds) : undefined;
}

/** A number of seconds that counts down to zero, and a function that begins it again. */
export function useWaitingTime(initial = 0): [seconds: number, wait: (seconds: number) => void] {
  const [seconds, setSeconds] = useState(initial);
  const isWaiting = seconds > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setSeconds((left) => left - 1), 1_000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return [seconds, setSeconds];
}
