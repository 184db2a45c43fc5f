import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestModule, TestSpecification, Vitest } from 'vitest/node';
import { buildSite } from '#server/build.ts';
import { beyondLimits, keepFigures, reportProcessorTime, type Tier } from '../tests/runner/budget.ts';
import { measureSlowness } from '../tests/runner/calibration.ts';
import { isIn, PARTS, recordWhole, settledPlaces, touchedParts } from '../tests/runner/parts.ts';
import { watchOthers } from '../tests/runner/processor-time.ts';
import { ESSENTIAL, isWholeFile, unopened } from '../tests/runner/tiers.ts';

// The essential tier of the checks and tests and what has changed of the second one, or both tiers whole with `--all`. The quick
// ones and those likely to fail come first; a step that fails is the last. Words on the command line choose the test files whose
// path contains one of them, with all of their tests. Ends with one line over all results.

const root = resolve(import.meta.dirname, '..');
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const isAll = options.includes('--all');
const patterns = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const total = { passed: 0, failed: 0, skipped: 0 };
/** The folder in which a run keeps the evidence of failing tests, and the duration of each file. */
const RESULTS = join(root, 'test-results');
const NEEDED_SPACE = 4 * 1024 ** 3;

async function check(name: string, command: string, args: string[]) {
  const child = spawn(resolve(root, 'node_modules/.bin', command), args, {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const [status] = await once(child, 'close');
  console.log(`${name} ${status === 0 ? 'passed' : 'failed'}.\n${output}`.trim());
  total[status === 0 ? 'passed' : 'failed'] += 1;
}

/** What the type check reads, and the build writes as well. */
const makeRouteTypes = () => check('Types of the routes', 'react-router', ['typegen']);

async function runChecks() {
  await Promise.all([
    check('Type check', 'tsc', ['--noEmit', '--checkers', '1', '--project', '.']),
    check('Format and lint', 'biome', ['check', '--error-on-warnings', '.']),
    check('Dead code', 'knip', []),
    check('Generated files', process.execPath, ['scripts/generate/generate.ts', '--check']),
  ]);
}

/** Counts what a complete run has to be as well. */
function judge(faults: string[]) {
  for (const fault of faults) console.log(`FAILED ${fault}`);
  total.failed += faults.length;
}

function partition<T>(all: T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}

/** A disk that fills up during the run makes tests fail without a useful message. */
function requireSpace() {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < NEEDED_SPACE)
    throw new Error(
      `The tests need 4 GB in ${tmpdir()}; free some, or set TMPDIR to a folder on another disk.`,
    );
}

/** @returns whether all tests passed */
async function runFiles(vitest: Vitest, files: TestSpecification[]): Promise<boolean> {
  if (files.length === 0) return true;
  const chosen = new Set(files.map(({ taskId }) => taskId));
  await vitest.runTestSpecifications(files);
  const modules = vitest.state.getTestModules().filter(({ id }) => chosen.has(id));
  let ok = vitest.state.getUnhandledErrors().length === 0 && modules.length === files.length;
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // Those of the other tier are no part of the run.
      const isLeftOut = state === 'skipped' && test.tags.includes('whole') && !isAll;
      if (state !== 'pending' && !isLeftOut) total[state] += 1;
    }
    ok &&= module.ok();
  }
  // A file that could not be loaded, or a hook that broke, has failed without a failed test in it.
  if (!ok && total.failed === 0) total.failed += 1;
  return ok;
}

function reportDurations(modules: TestModule[]) {
  const lines = modules
    .map((module) => ({
      name: `${module.project.name} ${relative(root, module.moduleId)}`,
      took: module.diagnostic(),
      processor: module.meta().processorSeconds,
    }))
    .map(({ name, took: { duration, collectDuration }, processor }) => ({
      name: processor === undefined ? name : `${name}, ${processor.toFixed(1)} s of processor`,
      seconds: (duration + collectDuration) / 1000,
    }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'durations.txt'), `${lines.join('\n')}\n`);
  console.log(`\nThe slowest files (all in test-results/durations.txt):\n${lines.slice(0, 10).join('\n')}`);
}

/** The failures, in a line each, at the end, which is read first; the details are above. */
function reportFailures(modules: TestModule[]) {
  for (const module of modules)
    for (const failed of [module, ...module.children.allSuites(), ...module.children.allTests('failed')]) {
      const errors = failed.type === 'test' ? (failed.result().errors ?? []) : failed.errors();
      const file = `${module.project.name} ${relative(root, module.moduleId)}`;
      const name = failed.type === 'module' ? '' : ` > ${failed.fullName}`;
      // The message of a browser's timeout says in its third line what it waited for.
      for (const { message, stack } of errors) {
        const place = stack?.match(/tests\/[\w/.-]+:\d+/)?.[0] ?? '';
        const what = stripVTControlCharacters(message).split('\n').slice(0, 3).join(' ').slice(0, 400);
        console.log(`FAILED ${file}${name}: ${what} ${place}`);
      }
    }
}

/** The files with the essential tests of each alone; not those that have none. */
const essentialOf = (files: TestSpecification[]) =>
  files.flatMap(({ project, moduleId }) => {
    const source = readFileSync(moduleId, 'utf8');
    return isWholeFile(source) && !source.includes("'system/")
      ? []
      : [project.createSpecification(moduleId, { testTagsFilter: ESSENTIAL })];
  });

const needsBuild = ({ project }: TestSpecification) => ['e2e', 'operation'].includes(project.name);

async function runTests() {
  requireSpace();
  rmSync(RESULTS, { recursive: true, force: true });
  process.env.NODE_ENV = 'test';
  const othersTook = watchOthers();
  const slowness = await measureSlowness(tmpdir());
  process.env.TEST_SLOWNESS = String(slowness);
  const { createVitest } = await import('vitest/node');
  const vitest = await createVitest('test', {
    watch: false,
    reporters: ['default'],
    // Files that tests make by trying, such as the access matrix, are written again.
    update: options.includes('--update'),
  });
  try {
    await vitest.standalone();
    const found = await vitest.globTestSpecifications(patterns);
    if (found.length === 0) throw new Error(`No test file is called anything like ${patterns.join(' or ')}.`);
    const isComplete = patterns.length === 0;
    const touched = (isComplete && !isAll && touchedParts(root)) || [];
    if (touched.length > 0) console.log(`Changed since all tests have passed: ${touched.join(', ')}.`);
    const places = touched.flatMap((part) => PARTS[part]?.tests ?? []);
    const [near, far] = partition(found, ({ moduleId }) => isIn(relative(root, moduleId), places));
    const settled = isComplete && isAll ? settledPlaces(root) : [];
    const unsettled = far.filter(({ moduleId }) => !isIn(relative(root, moduleId), settled));
    const others = isComplete && !isAll ? essentialOf(far) : unsettled;
    const [slow, quick] = partition(others, needsBuild);
    if (isComplete) await makeRouteTypes();
    // The checks and the build take one thread each for most of their time.
    const [isQuickOk] = await Promise.all([
      runFiles(vitest, quick),
      isComplete && runChecks(),
      [...near, ...slow].some(needsBuild) && buildSite((step) => console.log(`${step} …`)),
    ]);
    if (!isQuickOk || total.failed > 0) return;
    const touchedFrom = performance.now();
    if (!(await runFiles(vitest, near))) return;
    const tookTouched = (performance.now() - touchedFrom) / 1000;
    if (!(await runFiles(vitest, slow)) || !isComplete) return;
    const tier: Tier = isAll ? 'whole' : 'essential';
    const modules = vitest.state.getTestModules();
    // Settled parts are no part of every run, and of no run's figures.
    const own = modules.filter(
      ({ moduleId }) =>
        others.some((file) => file.moduleId === moduleId) && !isIn(relative(root, moduleId), settledPlaces()),
    );
    const seconds = (Date.now() - Number(process.env.TASK_STARTED ?? Date.now())) / 1000 - tookTouched;
    judge([
      ...beyondLimits(root, tier, own, { seconds, slowness, others: othersTook() }),
      ...unopened(
        modules.flatMap((module) => [...module.children.allTests('passed')].map(({ tags }) => tags)),
      ).map((tag) => `No test opens ${tag} in a browser; it is a tag of one that does.`),
    ]);
    if (total.failed > 0) return;
    if (isAll || options.includes('--update')) keepFigures(root, tier, own);
    if (isAll) recordWhole(root);
  } finally {
    reportDurations(vitest.state.getTestModules());
    reportProcessorTime(root, vitest.state.getTestModules());
    reportFailures(vitest.state.getTestModules());
    await vitest.close();
  }
}

try {
  if (!options.includes('--check')) await runTests();
  else {
    await makeRouteTypes();
    await runChecks();
  }
} catch (error) {
  total.failed += 1;
  console.error(error instanceof Error ? error.message : error);
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
