import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSite } from './build.ts';

// All layers in one command: static checks first, since they are quick and explain most failures, then every
// test. Ends with one line over everything.

const root = resolve(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);
const quick = process.argv.includes('--check');
const total = { passed: 0, failed: 0, skipped: 0 };

function check(name: string, command: string, args: string[]) {
  console.log(`${name} …`);
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (result.status === 0) total.passed += 1;
  else {
    total.failed += 1;
    console.error(`${name} failed.`);
  }
}

function tests() {
  const directory = mkdtempSync(join(tmpdir(), 'limb-commons-report-'));
  const report = join(directory, 'report.json');
  const result = spawnSync(
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
    { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test' } },
  );
  try {
    const counted: {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
      numTodoTests: number;
      testResults: { status: string; assertionResults: unknown[] }[];
    } = JSON.parse(readFileSync(report, 'utf8'));
    total.passed += counted.numPassedTests;
    total.failed += counted.numFailedTests;
    total.skipped += counted.numPendingTests + counted.numTodoTests;
    // A file that could not be loaded, or a hook that broke, has failed without a failed test in it.
    if (result.status !== 0 && counted.numFailedTests === 0) total.failed += 1;
  } catch {
    total.failed += 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

check('Types of the routes', bin('react-router'), ['typegen']);
check('Type check', bin('tsc'), ['--noEmit', '--project', '.']);
check('Format and lint', bin('biome'), ['check', '--error-on-warnings', '.']);
check('Dead code', bin('knip'), []);
if (!quick) {
  try {
    buildSite((step) => console.log(`${step} …`));
    tests();
  } catch (error) {
    total.failed += 1;
    console.error(error instanceof Error ? error.message : error);
  }
}

console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
