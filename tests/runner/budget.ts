import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestModule } from 'vitest/node';
import { isWhole } from './sample.ts';

/** Seconds by layer and file of a whole run; `npm test -- --update` writes those of a green one. */
const KEPT = 'tests/runner/budget.json';
type Figures = Record<string, Record<string, number>>;

/** A file that takes less than this more is not worth a word: its measure depends on which file ran before. */
const NOTABLE_S = 5;
const GROWTH = 1.1;
/** Fewer say nothing about the machine. */
const MIN_FILES = 20;

function figuresOf(root: string, modules: TestModule[]): Figures {
  const measured = modules
    .map((module) => ({
      layer: module.project.name,
      file: relative(root, module.moduleId),
      seconds: module.meta().processorSeconds ?? 0,
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

function median(numbers: number[]): number | undefined {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/** Layers and files that take more than a tenth over their kept figures, on a machine `pace` times as slow. */
function grown(now: Figures, kept: Figures, pace: number): string[] {
  const notes: string[] = [];
  const note = (name: string, seconds: number, before: number) => {
    const expected = before * pace;
    if (seconds > GROWTH * expected && seconds - expected > NOTABLE_S)
      notes.push(`${name} takes ${Math.round(seconds)} s, where ${Math.round(expected)} s are kept.`);
  };
  for (const [layer, files] of Object.entries(now)) {
    const before = kept[layer] ?? {};
    // A run of some files has no sum to compare.
    if (Object.keys(before).every((file) => file in files))
      note(layer, sum(Object.values(files)), sum(Object.values(before)));
    for (const [file, seconds] of Object.entries(files)) note(`${layer} ${file}`, seconds, before[file] ?? 0);
  }
  return notes;
}

/**
 * Says how much processor time each layer took, without the databases that its files share, and what has grown since
 * the figures in the repository. Nothing where the system has no `/proc`.
 */
export function reportProcessorTime(root: string, modules: TestModule[]): void {
  const now = figuresOf(root, modules);
  if (Object.keys(now).length === 0) return;
  const layers = Object.entries(now).map(
    ([layer, files]) => `${layer} ${Math.round(sum(Object.values(files)))} s`,
  );
  console.log(`\nProcessor time: ${layers.join(', ')}.`);
  if (isWhole() || !existsSync(join(root, KEPT))) return;
  const kept: Figures = JSON.parse(readFileSync(join(root, KEPT), 'utf8'));
  const ratios = Object.entries(now).flatMap(([layer, files]) =>
    Object.entries(files).flatMap(([file, seconds]) => {
      const before = kept[layer]?.[file];
      return before && before >= 1 ? [seconds / before] : [];
    }),
  );
  const pace = median(ratios);
  if (pace === undefined || ratios.length < MIN_FILES) return;
  const notes = grown(now, kept, pace);
  console.log(
    `This machine takes ${pace.toFixed(2)} times the figures kept in ${KEPT}. ${notes.length === 0 ? 'Nothing has grown by more than a tenth.' : 'More than a tenth over them:'}`,
  );
  for (const note of notes) console.log(`  ${note}`);
}

export const keepFigures = (root: string, modules: TestModule[]): void =>
  writeFileSync(join(root, KEPT), `${JSON.stringify(figuresOf(root, modules), null, 2)}\n`);
