import { csvTable } from '#app/ui/texts/csv.ts';
import { activities, type CpdEntry } from './data.ts';

/** Today in the reader's own time, as YYYY-MM-DD. */
export function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** "1 hour 5 minutes" */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [
    hours > 0 && `${hours.toLocaleString('en')} ${hours === 1 ? 'hour' : 'hours'}`,
    (rest > 0 || hours === 0) && `${rest} ${rest === 1 ? 'minute' : 'minutes'}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Where an entry's solution or topic is; null for one about neither, or about one that was deleted. */
export const subjectPathOf = ({
  solution_id,
  topic_id,
}: Pick<CpdEntry, 'solution_id' | 'topic_id'>): string | null =>
  solution_id ? `/solutions/${solution_id}` : topic_id ? `/forum/${topic_id}` : null;

/** The record as a CSV table, with the address of what each entry is about. */
export const recordCsv = (record: readonly CpdEntry[], origin: string): string =>
  csvTable([
    ['date', 'activity', 'about', 'minutes', 'reflection', 'address'],
    ...record.map((entry) => {
      const path = subjectPathOf(entry);
      return [
        entry.day,
        activities[entry.activity],
        entry.subject,
        String(entry.minutes),
        entry.reflection,
        path && origin + path,
      ];
    }),
  ]);
