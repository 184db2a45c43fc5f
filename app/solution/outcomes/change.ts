import { withUnit } from './measure.ts';
import type { Outcome } from './outcome.ts';

type Scores = Pick<Outcome, 'score_before' | 'score_after'> & {
  measure: Pick<Outcome['measure'], 'direction' | 'error_size'>;
};

/** Free of the errors of floating point: 18.2 − 12.4 is 5.8. */
const rounded = (value: number) => Number(value.toFixed(4));

/**
 * What a change is. `error` is null where no measurement error is published, and a change as large as the error is within it.
 */
export function changeOf({ score_before: before, score_after: after, measure }: Scores) {
  if (before === null) return null;
  const size = rounded(after - before);
  const better = measure.direction === 'higher' ? size > 0 : size < 0;
  return {
    size,
    kind:
      size === 0
        ? ('none' as const)
        : measure.direction === 'none'
          ? ('changed' as const)
          : better
            ? ('better' as const)
            : ('worse' as const),
    isBeyondError: measure.error_size === null ? null : Math.abs(size) > measure.error_size,
  };
}

/** What a change is against the measurement error, in two words; undefined where there is no change, or no error to compare it with. */
export function verdictOf(scores: Scores): string | undefined {
  const change = changeOf(scores);
  if (!change || change.kind === 'none' || change.isBeyondError === null) return undefined;
  return change.isBeyondError ? 'Beyond measurement error' : 'Within measurement error';
}

/** The measurement error in words, with its kind and in whom it was found; null where none is published. */
export const errorText = ({ error_size, error_kind, error_population, unit }: Outcome['measure']) =>
  error_size === null ? null : `${withUnit(error_size, unit)} (${error_kind}, ${error_population})`;

const peopleText = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en-GB')} people`);

/** Who was measured, and when: " for 1 person after 12 weeks". */
export function circumstances({ people, people_before, follow_up_weeks: weeks }: Outcome): string {
  const who =
    people_before !== null && people_before > people
      ? `${people.toLocaleString('en-GB')} of the ${people_before.toLocaleString('en-GB')} people measured before`
      : peopleText(people);
  if (weeks === null) return ` for ${who}`;
  if (weeks === 0) return ` for ${who} on the day of the fitting`;
  return ` for ${who} after ${weeks} week${weeks === 1 ? '' : 's'}`;
}

/** What was measured, in one or two sentences that claim no cause. */
export function outcomeSentence(outcome: Outcome): string {
  const { measure, score_before: before, score_after: after, people } = outcome;
  const name = people === 1 ? measure.abbreviation : `Mean ${measure.abbreviation}`;
  const now = withUnit(after, measure.unit);
  const change = changeOf(outcome);
  if (before === null || !change)
    return `${name} was ${now}${circumstances(outcome)}. No score before was given.`;
  if (change.kind === 'none') return `${name} stayed at ${now}${circumstances(outcome)}.`;
  const course = `${name} ${change.size > 0 ? 'rose' : 'fell'} from ${withUnit(before, measure.unit)} to ${now}${circumstances(outcome)}`;
  // Where neither is better, the change is said and not judged.
  const moved =
    change.kind === 'changed' ? course : change.kind === 'better' ? `${course}: better` : `${course}: worse`;
  const error = errorText(measure);
  if (!error) return `${moved}. We know of no published measurement error for people with limb loss.`;
  return change.isBeyondError
    ? `${moved}, and more than the measurement error of ${error}.`
    : `${moved}, but within the measurement error of ${error}.`;
}
