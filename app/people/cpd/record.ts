import { csvTable } from '#app/ui/texts/csv.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { activities, type CpdEntry, type Gap, kinds, type Outline } from './data.ts';

/** "1 hour 5 minutes" */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [
    hours > 0 && `${hours.toLocaleString('en-GB')} ${hours === 1 ? 'hour' : 'hours'}`,
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

/** "1 entry", "2 entries" */
export const countText = (entries: number): string =>
  `${entries.toLocaleString('en-GB')} ${entries === 1 ? 'entry' : 'entries'}`;

/** "Work-based learning", or that no type was chosen. */
export const kindText = (kind: Outline['kinds'][number]['kind']): string =>
  kind ? kinds[kind] : 'No type chosen';

/** "Mar 2, 2025 to Nov 28, 2026"; a gap that lasts has no end. */
export const gapText = ({ since, until }: Gap): string =>
  until ? `${formatDay(since)} to ${formatDay(until)}` : `Since ${formatDay(since)}`;

/** The record as a CSV table, the earliest day first, with the address of what each entry is about. */
export const recordCsv = (record: readonly CpdEntry[], origin: string): string =>
  csvTable([
    [
      'date',
      'activity',
      'about',
      'minutes',
      'reflection',
      'address',
      'type of learning',
      'benefit to service users',
      'told in detail',
      'explanation of the gap after it',
    ],
    ...record.toReversed().map((entry) => {
      const path = subjectPathOf(entry);
      return [
        entry.day,
        activities[entry.activity],
        entry.subject,
        String(entry.minutes),
        entry.reflection,
        path && origin + path,
        entry.kind && kinds[entry.kind],
        entry.benefit,
        entry.in_detail ? 'yes' : null,
        entry.gap_reason,
      ];
    }),
  ]);
