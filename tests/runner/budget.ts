import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import type { TestModule } from 'vitest/node';

export type Tier = 'essential' | 'whole';

/** Seconds by tier, layer and file; `npm test -- --update` writes those of a green run. */
const KEPT = 'tests/runner/budget.json';
type Figures = Record<string, Record<string, number>>;

/** The seconds of processor that the tests of a tier may take, on a machine as quick as the one of the kept figures. */
const LIMITS: Record<Tier, number> = { essential: 700, whole: 1900 };
/** The seconds that a run of the essential tier may last in CI, with installation, checks and build. */
const CI_LIMIT_S = 600;

/** A file that takes less than this more is not worth a word: its measure depends on which file ran before. */
const NOTABLE_S = 1;
/** A machine that takes longer than so many times the kept figures is another one. */
const COMPARABLE = 1.1;
/** The cores of the machine of the kept figures. */
const CORES = 2;
/** Where others took more of the processors than this part of a run, how long it lasted says nothing about its tests. */
const MAX_OTHERS = 0.1;
/** Fewer files say nothing about the machine. */
const MIN_FILES = 20;

/** @param pace how many times the figures the machine took */
function figuresOf(root: string, modules: TestModule[], pace = 1): Figures {
  const measured = modules
    .map((module) => ({
      layer: module.project.name,
      file: relative(root, module.moduleId),
      seconds: (module.meta().processorSeconds ?? 0) / pace,
    }))
    .filter(({ seconds }) => seconds > 0)
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
  return Object.fromEntries(
    Object.entries(Object.groupBy(measured, ({ layer }) => layer)).map(([layer, files = []]) => [
      layer,
      Object.fromEntries(files.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10])),
    ]),
  );
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

const keptFigures = (root: string): Partial<Record<Tier, Figures>> =>
  existsSync(join(root, KEPT)) ? JSON.parse(readFileSync(join(root, KEPT), 'utf8')) : {};

/** The files with their seconds of now, and of the kept figures. */
const compared = (now: Figures, kept: Figures) =>
  Object.entries(now).flatMap(([layer, files]) =>
    Object.entries(files).map(([file, seconds]) => ({
      name: `${layer} ${file}`,
      seconds,
      before: kept[layer]?.[file],
    })),
  );

/** The machine’s time for a file as a multiple of the kept one, by the median of the files. */
function paceOf(files: ReturnType<typeof compared>): number {
  const ratios = files.flatMap(({ seconds, before }) => (before && before >= 1 ? [seconds / before] : []));
  const median = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? 1;
  return ratios.length < MIN_FILES ? 1 : median;
}

/**
 * Says how much processor time each layer took, without the databases that its files share. Nothing where the system has
 * no `/proc`.
 */
export function reportProcessorTime(root: string, modules: TestModule[]): void {
  const layers = Object.entries(figuresOf(root, modules)).map(
    ([layer, files]) => `${layer} ${Math.round(sum(Object.values(files)))} s`,
  );
  if (layers.length > 0) console.log(`\nProcessor time: ${layers.join(', ')}.`);
}

/**
 * What a complete run of a tier has taken beyond its limits, each with the files that have grown most over the kept figures.
 *
 * @param seconds how long the run has lasted, without what it ran of another tier
 * @param slowness how many times as long as a quiet machine this one takes, as calibrated at the start
 * @param others the seconds of processor that other programs of the machine took in that time
 */
export function beyondLimits(
  root: string,
  tier: Tier,
  modules: TestModule[],
  { seconds, slowness, others }: { seconds: number; slowness: number; others: number },
): string[] {
  const files = compared(figuresOf(root, modules), keptFigures(root)[tier] ?? {});
  // A quicker machine is allowed no less.
  const pace = Math.max(1, paceOf(files));
  const used = sum(files.map((file) => file.seconds));
  const grown = files
    .map(({ name, seconds: now, before = 0 }) => ({ name, now, more: now - before * pace }))
    .filter(({ more }) => more > NOTABLE_S)
    .toSorted((one, other) => other.more - one.more)
    .slice(0, 10)
    .map(
      ({ name, now, more }) => `\n  ${name} takes ${now.toFixed(1)} s, ${more.toFixed(1)} s more than kept`,
    );
  console.log(
    `The ${tier} tier took ${Math.round(used)} s of processor of ${Math.round(LIMITS[tier] * pace)} s, and ${Math.round(seconds)} s in all; others took ${Math.round(others)} s.`,
  );
  const beyond: string[] = [];
  if (used > LIMITS[tier] * pace)
    beyond.push(
      `The tests of the ${tier} tier took ${Math.round(used)} s of processor, ${LIMITS[tier]} s are allowed`,
    );
  const mayLast = CI_LIMIT_S * Math.max(pace, slowness);
  // How long a run lasts on another machine depends on more than its pace.
  const isOwn = others <= MAX_OTHERS * CORES * seconds;
  const isComparable = pace <= COMPARABLE && availableParallelism() >= CORES && isOwn;
  if (process.env.CI && tier === 'essential' && isComparable && seconds > mayLast)
    beyond.push(
      `The run lasted ${Math.round(seconds)} s, ${Math.round(mayLast)} s are allowed on this machine`,
    );
  return beyond.map((sentence) => `${sentence}; what has grown:${grown.join('') || ' no file by itself'}`);
}

/** Keeps what a run has taken, as the machine of the kept figures would take it: the limits are those of that machine. */
export function keepFigures(root: string, tier: Tier, modules: TestModule[]): void {
  const kept = keptFigures(root);
  const pace = paceOf(compared(figuresOf(root, modules), kept[tier] ?? {}));
  const figures = figuresOf(root, modules, pace);
  writeFileSync(join(root, KEPT), `${JSON.stringify({ ...kept, [tier]: figures }, null, 2)}\n`);
}
