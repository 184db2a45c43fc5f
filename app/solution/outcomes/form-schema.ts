import { z } from '#app/zod.ts';
import { measures } from './measures.ts';

export const MAX_OUTCOMES = 20;
const MAX_PEOPLE = 10_000;
const MAX_WEEKS = 1040;
export const MAX_DEVICE_LENGTH = 200;

const fields = z.object({
  measure: z.string(),
  before: z.string(),
  after: z.string(),
  peopleBefore: z.string(),
  people: z.string(),
  weeks: z.string(),
  deviceBefore: z.string(),
});

/** A measured outcome as it is typed. */
export type OutcomeForm = z.infer<typeof fields>;

export const emptyOutcome: OutcomeForm = {
  measure: '',
  before: '',
  after: '',
  peopleBefore: '',
  people: '1',
  weeks: '',
  deviceBefore: '',
};

/** Typed with a point or a comma. NaN for what is no number, null for nothing. */
function numberIn(typed: string): number | null {
  const text = typed.trim();
  if (text === '') return null;
  return /^-?\d{1,9}(?:[.,]\d{1,9})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

const decimalsIn = (typed: string) => typed.trim().split(/[.,]/)[1]?.length ?? 0;

/** Why a score is refused, or undefined; the database has the same rules. */
function scoreProblem(outcome: OutcomeForm, typed: string): string | undefined {
  const score = numberIn(typed);
  if (score === null) return undefined;
  const measure = measures.find(({ abbreviation }) => abbreviation === outcome.measure);
  const name = measure?.abbreviation ?? 'Score';
  if (Number.isNaN(score)) return `${name} must be a number, such as 12`;
  if (!measure) return undefined;
  const { minimum, maximum } = measure;
  if (score < minimum || score > maximum) return `${name} must be between ${minimum} and ${maximum}`;
  const decimals = measure.decimals + (numberIn(outcome.people) === 1 ? 0 : 1);
  if (decimalsIn(typed) <= decimals) return undefined;
  if (decimals === 0) return `The ${name} score of one person is a whole number`;
  return `Use at most ${decimals} decimal place${decimals === 1 ? '' : 's'} for ${name}`;
}

const wholeBetween = (value: number | null, low: number, high: number) =>
  value === null || (Number.isInteger(value) && value >= low && value <= high);

/** The first problem of each field. */
function problemsOf(outcome: OutcomeForm): [keyof OutcomeForm, string][] {
  const { measure, before, after } = outcome;
  const problems: [keyof OutcomeForm, string | false | undefined][] = [];
  const people = numberIn(outcome.people);
  const peopleBefore = numberIn(outcome.peopleBefore);
  problems.push([
    'measure',
    !measures.some(({ abbreviation }) => abbreviation === measure) && 'Please choose a measure',
  ]);
  problems.push(['before', scoreProblem(outcome, before)]);
  problems.push([
    'after',
    after.trim() === ''
      ? measure
        ? `Please enter the ${measure} after the fitting`
        : 'Please enter the score after the fitting'
      : scoreProblem(outcome, after),
  ]);
  problems.push([
    'peopleBefore',
    (!wholeBetween(peopleBefore, 1, MAX_PEOPLE) && 'Enter people as a whole number from 1 to 10,000') ||
      (peopleBefore !== null &&
        before.trim() === '' &&
        'Please enter the score before too, or remove people before'),
  ]);
  problems.push([
    'people',
    (people === null && 'Please say how many people were measured') ||
      (!wholeBetween(people, 1, MAX_PEOPLE) && 'Enter people as a whole number from 1 to 10,000') ||
      (people !== null &&
        peopleBefore !== null &&
        people > peopleBefore &&
        'There cannot be more people after than before'),
  ]);
  problems.push([
    'weeks',
    !wholeBetween(numberIn(outcome.weeks), 0, MAX_WEEKS) &&
      'Enter weeks after the fitting as a whole number from 0 to 1,040',
  ]);
  problems.push([
    'deviceBefore',
    outcome.deviceBefore.length > MAX_DEVICE_LENGTH && `Use at most ${MAX_DEVICE_LENGTH} characters`,
  ]);
  return problems.flatMap(([field, message]) => (message ? [[field, message]] : []));
}

/** Nothing was entered: the row is left out of the submission. */
const isBlank = ({ measure, before, after, deviceBefore }: OutcomeForm) =>
  [measure, before, after, deviceBefore].every((text) => text.trim() === '');

const outcome = fields.check(({ value, issues }) => {
  if (isBlank(value)) return;
  for (const [field, message] of problemsOf(value))
    issues.push({ code: 'custom', path: [field], message, input: value[field] });
});

export const outcomesSchema = z
  .array(outcome)
  .check(z.maxLength(MAX_OUTCOMES, `Please give at most ${MAX_OUTCOMES} measured outcomes`));

/** As a draft keeps it. */
export const draftOutcomesSchema = z.array(fields);

/** The outcomes as `submit_solution` takes them. */
export const outcomeRows = (outcomes: OutcomeForm[]) =>
  outcomes
    .filter((typed) => !isBlank(typed))
    .map((typed) => ({
      measure: typed.measure,
      score_before: numberIn(typed.before),
      score_after: numberIn(typed.after),
      people_before: numberIn(typed.peopleBefore),
      people: numberIn(typed.people),
      follow_up_weeks: numberIn(typed.weeks),
      device_before: typed.deviceBefore,
    }));

/** A stored outcome as the form shows it for a change. */
export const typedOutcome = (row: {
  measure: { abbreviation: string };
  score_before: number | null;
  score_after: number;
  people_before: number | null;
  people: number;
  follow_up_weeks: number | null;
  device_before: string | null;
}): OutcomeForm => ({
  measure: row.measure.abbreviation,
  before: row.score_before === null ? '' : String(row.score_before),
  after: String(row.score_after),
  peopleBefore: row.people_before === null ? '' : String(row.people_before),
  people: String(row.people),
  weeks: row.follow_up_weeks === null ? '' : String(row.follow_up_weeks),
  deviceBefore: row.device_before ?? '',
});
