import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** By the name that docs/protocol.md gives them: the service, and the file without its folders and ending. */
const tests = new Set(
  globSync('tests/conformance/**/*.test.ts', { cwd: root }).map((path) => {
    const [service = '', ...rest] = path.slice('tests/conformance/'.length).split('/');
    const file = basename(rest.at(-1) ?? service, '.test.ts');
    return rest.length > 0 ? `${service}-${file}` : file;
  }),
);

const page = readFileSync(join(root, 'docs/protocol.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  // What is served, and where: the method, yes or no, how it is refused, and the test.
  .filter((cells) => /^(?:yes|partly|refused|no effect)$/.test(cells[2] ?? ''));

it('everything that the protocol’s page calls served or refused has a test, which is there', () => {
  expect(rows.length).toBeGreaterThan(80);
  // The realtime table says "socket" and "changes" for its own.
  const named = (cell: string) =>
    cell.match(/`[^`]+`|\b(?:socket|changes)\b/g)?.map((name) => name.replaceAll('`', '')) ?? [];
  const missing = rows.flatMap((cells) => {
    const names = named(cells.at(-2) ?? '');
    if (names.length === 0) return [`${cells[1]} names none`];
    return names
      .filter((name) => !tests.has(name) && !tests.has(`realtime-${name}`) && !name.startsWith('tests/'))
      .map((name) => `${cells[1]} names ${name}`);
  });
  expect(missing).toEqual([]);
});
