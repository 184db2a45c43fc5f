import { formatDistanceToNowStrict } from 'date-fns/formatDistanceToNowStrict';
import { useSyncExternalStore } from 'react';

/** "2 hours ago" */
function formatAgo(timestamp: string): string {
  const age = Date.now() - new Date(timestamp).getTime();
  return age < 60_000 ? 'less than a minute ago' : formatDistanceToNowStrict(timestamp, { addSuffix: true });
}

/** The same, kept fresh while it is shown. */
export function useAgo(timestamp: string): string {
  const text = () => formatAgo(timestamp);
  return useSyncExternalStore(everyHalfMinute, text, text);
}

function everyHalfMinute(look: () => void) {
  const timer = setInterval(look, 30_000);
  return () => clearInterval(timer);
}
