// @module-tag whole

import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { TEST_TIMEOUT_MS } from '../timeouts.ts';
import { copySources } from './site.ts';

const root = resolve(import.meta.dirname, '../..');
const copy = temporaryFolder('first-change');
const CHANGE = /^ *```diff (?<path>\S+)\n(?<lines>[\s\S]*?)\n *```$/gm;

/** Runs a program in a folder. @returns what it wrote */
async function run(program: string, args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd: copy, maxBuffer: 64 * 1024 ** 2 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  }
}

beforeAll(async () => {
  copySources(copy);
  await run('git', ['init', '-q']);
  await run('git', ['add', '-A']);
});

it(
  'a new optional text takes the changes that CONTRIBUTING.md shows, and no other',
  async () => {
    const changes = [...readFileSync(join(copy, 'CONTRIBUTING.md'), 'utf8').matchAll(CHANGE)];
    for (const { groups: { path = '', lines = '' } = {} } of changes) {
      // In a list of Markdown each line is indented by three, before the mark of the difference.
      const marked = lines.split('\n').map((line) => line.slice(3));
      const text = (marks: string) =>
        marked.flatMap((line) => (marks.includes(line[0] ?? '') ? [`${line.slice(1)}\n`] : [])).join('');
      const file = join(copy, path);
      const kept = text(' -');
      // A file of added lines alone is new.
      expect(existsSync(file), path).toBe(kept !== '');
      const parts = kept === '' ? ['', ''] : readFileSync(file, 'utf8').split(kept);
      expect(parts, `${path} has once:\n${kept}`).toHaveLength(2);
      writeFileSync(file, parts.join(text(' +')));
    }
    expect(new Set(changes.map(({ groups }) => groups?.path)).size).toBeLessThanOrEqual(8);

    const { execPath } = process;
    await run(execPath, ['scripts/generate/generate.ts']);
    await run(execPath, ['scripts/test.ts', '--check']);
    const tests = ['schema/constraints', 'access/matrix', 'solutions/versions'];
    const vitest = 'node_modules/vitest/vitest.mjs';
    await run(execPath, [vitest, 'run', '--project', 'policies', '--update', ...tests]);
    const matrix = readFileSync(join(copy, 'tests/policies/access/access-matrix.md'), 'utf8');
    expect(matrix).not.toBe(readFileSync(join(root, 'tests/policies/access/access-matrix.md'), 'utf8'));
  },
  4 * TEST_TIMEOUT_MS,
);
