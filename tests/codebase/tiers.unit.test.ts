import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { TestModule } from 'vitest/node';
import { beyondLimits, keepFigures } from '../runner/budget.ts';
import { isIn, PARTS } from '../runner/parts.ts';
import { processorSeconds, watchOthers } from '../runner/processor-time.ts';
import { isWholeFile } from '../runner/tiers.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const files = globSync('{app,backend,media,scripts,server,supabase,texts,tests}/**/*.test.{ts,tsx}');

it('each file with tests of the second tier is run when something has changed that is named in the table of parts', () => {
  const second = files.filter((file) => {
    const source = readFileSync(file, 'utf8');
    return isWholeFile(source) || /tags: \[?'whole'/.test(source);
  });
  expect(second.length).toBeGreaterThan(20);
  const placed = Object.values(PARTS).flatMap(({ tests }) => tests);
  expect(second.filter((file) => !isIn(file, placed))).toEqual([]);
});

it('each path of the table is there', () => {
  const paths = Object.values(PARTS).flatMap(({ folders, tests }) => [...folders, ...tests]);
  expect(paths.filter((path) => globSync(path).length === 0)).toEqual([]);
});

it('the part of the first change has every file that CONTRIBUTING.md shows as changed', () => {
  const shown = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^ *```diff (\S+)$/gm)].map(
    ([, path]) => path ?? '',
  );
  expect(shown.length).toBeGreaterThan(2);
  expect(shown.filter((path) => !isIn(path, PARTS.firstChange?.folders ?? []))).toEqual([]);
});

it.skipIf(processorSeconds() === undefined)(
  'the time that a run lasts is judged only where it had the machine to itself, by what others took in that time',
  async () => {
    vi.stubEnv('CI', 'true');
    const judged = (others: number) =>
      beyondLimits('.', 'essential', [], { seconds: 637, slowness: 1, others });
    expect(judged(10)).toEqual([expect.stringMatching(/^The run lasted 637 s, 600 s are allowed/)]);
    expect(judged(400)).toEqual([]);
    vi.unstubAllEnvs();
    const othersTook = watchOthers();
    // A program that has left this process is another's.
    spawnSync('sh', ['-c', 'timeout 2 sh -c "while :; do :; done" > /dev/null 2>&1 &']);
    await expect.poll(othersTook).toBeGreaterThan(0.2);
  },
);

it('a slow machine leaves the kept figures those of the machine that the limits are of', () => {
  const root = temporaryFolder('kept-figures');
  mkdirSync(join(root, 'tests/runner'), { recursive: true });
  const took = (secondsOf: (index: number) => number) =>
    Array.from({ length: 30 }, (_, index) => ({
      project: { name: 'unit' },
      moduleId: join(root, `${index}.test.ts`),
      meta: () => ({ processorSeconds: secondsOf(index) }),
    })) as unknown as TestModule[];
  const kept = () => JSON.parse(readFileSync(join(root, 'tests/runner/budget.json'), 'utf8')).whole.unit;
  keepFigures(
    root,
    'whole',
    took(() => 10),
  );
  const slow = took((index) => (index === 7 ? 90 : 30));
  keepFigures(root, 'whole', slow);
  expect([kept()['6.test.ts'], kept()['7.test.ts']]).toEqual([10, 30]);
  expect(beyondLimits(root, 'whole', slow, { seconds: 1, slowness: 1, others: 0 })).toEqual([]);
});
