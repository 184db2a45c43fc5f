import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isIn, PARTS } from '../runner/parts.ts';
import { isWholeFile } from '../runner/tiers.ts';

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
