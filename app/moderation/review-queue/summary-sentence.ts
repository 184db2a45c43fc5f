import { waitingKinds } from '#app/kinds.ts';
import { formatRelativeTime, timeLeft } from '#app/ui/texts/relative-time.ts';

/** What waits, in the order of the list. */
export interface Summary {
  /** By kind; one without items is not there. */
  counts: Record<string, number>;
  /** Where a patient may be recognised or named. */
  at_risk: { kind: string; id: string; due_at: string | null }[];
  /** The first of the others. */
  first: { kind: string; id: string; due_at: string | null; submitted_at: string } | null;
}

/** The number of all that waits. */
export const sum = (counts: Record<string, number | undefined>): number =>
  Object.values(counts).reduce<number>((all, count) => all + (count ?? 0), 0);

const countOf = (kind: string, count: number): string => waitingKinds.get(kind)?.count(count) ?? '';

/** As many are said one by one. */
const MAX_NAMED = 3;

/**
 * What waits for moderators, in one line: first where a patient may be recognised or named, with the time that is left, then how many
 * others there are, and what is true of the first of them.
 */
export function summarySentence(
  { counts, at_risk: atRisk, first }: Summary,
  now = Date.now(),
): { atRisk: string | undefined; rest: string | undefined } {
  const named = countsOf(counts, atRisk);
  const others = sum(counts) - sum(named);
  return {
    atRisk: atRisk.length > 0 ? `${listed(named)}: ${timesOf(atRisk, sum(named), now)}.` : undefined,
    rest: first && others > 0 ? restOf(first, others, atRisk.length > 0, now) : undefined,
  };
}

/** The list is cut off at a hundred of a kind; a patient may be recognised in all requests, so that all of them count. */
function countsOf(counts: Summary['counts'], atRisk: Summary['at_risk']): Record<string, number> {
  const named: Record<string, number> = {};
  for (const { kind } of atRisk) named[kind] = (named[kind] ?? 0) + 1;
  if (named.removal_request)
    named.removal_request = Math.max(named.removal_request, counts.removal_request ?? 0);
  return named;
}

/** "2 removal requests and 1 report". */
const listed = (named: Record<string, number>): string =>
  new Intl.ListFormat('en-GB').format(Object.entries(named).map(([kind, count]) => countOf(kind, count)));

function timesOf(atRisk: Summary['at_risk'], count: number, now: number): string {
  const due = atRisk.map(({ due_at }) => due_at ?? new Date(now).toISOString());
  const [next = ''] = due;
  if (count === 1) return timeLeft(next, now);
  if (count <= MAX_NAMED) {
    const times = due.map((at) => timeLeft(at, now));
    return new Set(times).size === 1 ? `${times[0]} each` : times.map((time) => `one ${time}`).join(', ');
  }
  const overdue = due.filter((at) => Date.parse(at) < now).length;
  return overdue > 0
    ? `${overdue} overdue, the first ${timeLeft(next, now)}`
    : `the first has ${timeLeft(next, now)}`;
}

function restOf(first: NonNullable<Summary['first']>, count: number, isMore: boolean, now: number): string {
  const { kind, due_at, submitted_at } = first;
  const oldest = waitingKinds.get(kind)?.oldest;
  const time = due_at ? timeLeft(due_at, now) : `submitted ${formatRelativeTime(submitted_at, now)}`;
  if (count === 1) return isMore ? `1 more: ${countOf(kind, 1)}, ${time}.` : `${countOf(kind, 1)}: ${time}.`;
  const all = isMore ? `${count} more` : `${count} waiting`;
  if (!due_at) return `${all}: ${oldest} was ${time}.`;
  return Date.parse(due_at) < now ? `${all}: ${oldest} is ${time}.` : `${all}: ${oldest} has ${time}.`;
}
