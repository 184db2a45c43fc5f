import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestModule, TestSpecification, Vitest } from 'vitest/node';
import { buildSite } from '#server/build.ts';
import { keepFigures, reportProcessorTime } from '../tests/runner/budget.ts';
import { changedSince, rememberGreen, touches } from '../tests/runner/last-green.ts';

// All layers in one command, the quick ones and those likely to fail first; a step that fails is the last.
// Words on the command line choose the test files whose path contains one of them. Ends with one line over
// all results.

const root = resolve(import.meta.dirname, '..');
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
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

async function runChecks() {
  await check('Types of the routes', 'react-router', ['typegen']);
  await Promise.all([
    check('Type check', 'tsc', ['--noEmit', '--project', '.']),
    check('Format and lint', 'biome', ['check', '--error-on-warnings', '.']),
    check('Dead code', 'knip', []),
    check('Generated files', process.execPath, ['scripts/generate/generate.ts', '--check']),
  ]);
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
      if (state === 'passed' || state === 'failed' || state === 'skipped') total[state] += 1;
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

async function runTests() {
  requireSpace();
  rmSync(RESULTS, { recursive: true, force: true });
  process.env.NODE_ENV = 'test';
  if (options.includes('--all')) process.env.TEST_ALL = '1';
  const { createVitest } = await import('vitest/node');
  const vitest = await createVitest('test', {
    watch: false,
    reporters: ['default'],
    // Files that tests make by trying, such as the access matrix, are written again.
    update: options.includes('--update'),
  });
  try {
    await vitest.standalone();
    const files = await vitest.globTestSpecifications(patterns);
    if (files.length === 0) throw new Error(`No test file is called anything like ${patterns.join(' or ')}.`);
    const changed = changedSince();
    const isUnit = ({ project }: TestSpecification) => project.name === 'unit';
    const isNear = ({ moduleId }: TestSpecification) => touches(relative(root, moduleId), changed);
    const steps = [
      files.filter(isUnit),
      files.filter((file) => !isUnit(file) && isNear(file)),
      files.filter((file) => !isUnit(file) && !isNear(file)),
    ];
    if (files.some(({ project }) => ['e2e', 'operation'].includes(project.name)))
      await buildSite((step) => console.log(`${step} …`));
    for (const step of steps) if (!(await runFiles(vitest, step))) return;
    if (patterns.length === 0) {
      rememberGreen();
      if (options.includes('--update')) keepFigures(root, vitest.state.getTestModules());
    }
  } finally {
    reportDurations(vitest.state.getTestModules());
    reportProcessorTime(root, vitest.state.getTestModules());
    reportFailures(vitest.state.getTestModules());
    await vitest.close();
  }
}

try {
  if (patterns.length === 0) await runChecks();
  if (!options.includes('--check') && total.failed === 0) await runTests();
} catch (error) {
  total.failed += 1;
  console.error(error instanceof Error ? error.message : error);
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
