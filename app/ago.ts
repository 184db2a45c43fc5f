import { formatDistanceToNowStrict } from 'date-fns/formatDistanceToNowStrict';

/** "2 hours ago" */
export function formatAgo(timestamp: string): string {
  const age = Date.now() - new Date(timestamp).getTime();
  return age < 60_000 ? 'less than a minute ago' : formatDistanceToNowStrict(timestamp, { addSuffix: true });
}
