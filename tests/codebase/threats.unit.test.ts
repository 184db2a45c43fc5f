import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAX_HELD } from '#backend/http/held.ts';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/threats.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (—|[A-Z]+\d+) \|/.test(line));

it('every threat has a number of its own', () => {
  const numbers = rows.map((row) => row.split('|')[1]?.trim()).filter((number) => number !== '—');
  expect(numbers.filter((number, place) => numbers.indexOf(number) < place)).toEqual([]);
});

it('every threat has a proof, or says that it has none', () => {
  expect(rows.length).toBeGreaterThan(100);
  for (const row of rows) {
    const proofs = [...row.matchAll(/`([a-z0-9/.-]+)` "([^"]+)"/g)];
    if (!row.includes('**not shown**')) expect(proofs, row).not.toEqual([]);
    for (const [, file = '', name = ''] of proofs) {
      const path = [`tests/${file}.test.ts`, `${file}.unit.test.ts`, `${file}.unit.test.tsx`].find((each) =>
        existsSync(join(root, each)),
      );
      expect(path, `a test for ${file} in ${row}`).toBeDefined();
      expect(readFileSync(join(root, path ?? ''), 'utf8').includes(name), `"${name}" in ${path}`).toBe(true);
    }
  }
});

it('what one client may hold is said with all its numbers', () => {
  const row = rows.find((one) => one.startsWith('| G37 |')) ?? '';
  const mebibytes = 1024 * 1024;
  for (const [kind, most] of Object.entries(MAX_HELD)) {
    const number = most > mebibytes ? `${most / mebibytes} MiB` : most.toLocaleString('en');
    expect(row, kind).toMatch(new RegExp(`\\b${number}\\b`));
  }
});
