import { knownText } from '#app/ui/languages/known-text.ts';

/** A measure of the catalogue, as the form knows it. */
export interface Measure {
  abbreviation: string;
  name: string;
  construct: string;
  limb: 'lower' | 'upper' | 'both';
  ages: ('Children' | 'Adults')[];
  unit: string;
  minimum: number;
  maximum: number;
  /** A scale without ends of its own: `minimum` and `maximum` are then only what is accepted. */
  isOpen: boolean;
  /** The decimals of one person's score; the mean of several people has one more. */
  decimals: number;
  /** Which scores are better; `none` where neither more nor less is by itself. */
  direction: 'higher' | 'lower' | 'none';
}

/** Units that a number is not followed by. */
const UNNAMED = ['T-score', 'index'];

/** A score with its unit, in one line. */
export function withUnit(score: number, unit: string): string {
  if (UNNAMED.includes(unit)) return String(score);
  return `${score}\u00A0${knownText(score === 1 ? unit.replace(/^(point|unit|block)s/, '$1') : unit)}`;
}

/** Says to readers of a score which way it improves. */
export const directionText = (direction: string) =>
  direction === 'none'
    ? 'More is not better by itself'
    : direction === 'higher'
      ? 'Higher is better'
      : 'Lower is better';

/** The units of the catalogue by their names, and those that are said of one. */
const UNITS = [
  { unit: 's', name: 'seconds' },
  { unit: 'm', name: 'metres' },
  { unit: 'm/s', name: 'metres per second' },
  { unit: 'h/day', name: 'hours a day' },
  { unit: 'point', name: 'point' },
  { unit: 'points', name: 'points' },
  { unit: 'unit', name: 'unit' },
  { unit: 'units', name: 'units' },
  { unit: 'block/min', name: 'block/min' },
  { unit: 'blocks/min', name: 'blocks/min' },
] as const;

/** The scale of a measure in one line. */
export function scaleText({ unit, minimum, maximum, isOpen, direction }: Measure): string {
  const name = knownText(UNITS.find((one) => one.unit === unit)?.name ?? unit);
  const scale = isOpen ? (UNNAMED.includes(unit) ? name : `In ${name}`) : `${minimum} to ${maximum} ${name}`;
  return `${scale}. ${directionText(direction)}.`;
}

/** The highest and lowest score that a picture of the measure shows. */
export function scaleOf(
  { minimum, maximum, isOpen }: { minimum: number; maximum: number; isOpen: boolean },
  scores: number[],
): [low: number, high: number] {
  if (!isOpen) return [minimum, maximum];
  const most = Math.max(...scores) - minimum;
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 0.1)));
  const step =
    [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15].find((candidate) => candidate * unit >= most * 1.05) ?? 20;
  return [minimum, Math.min(maximum, minimum + step * unit)];
}
