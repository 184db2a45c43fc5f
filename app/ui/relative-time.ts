import { formatDistanceToNowStrict } from 'date-fns/formatDistanceToNowStrict';
import { useSyncExternalStore } from 'react';

/** "2 hours ago" */
function formatRelativeTime(timestamp: string): string {
  const age = Date.now() - new Date(timestamp).getTime();
  return age < 60_000 ? 'less than a minute ago' : formatDistanceToNowStrict(timestamp, { addSuffix: true });
}

/** The same, kept fresh while it is shown. */
export function useRelativeTime(timestamp: string): string {
  const text = () => formatRelativeTime(timestamp);
  return useSyncExternalStore(subscribeToTicks, text, text);
}

function subscribeToTicks(onTick: () => void) {
  const timer = setInterval(onTick, 30_000);
  return () => clearInterval(timer);
}
