import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/**
 * The time of day, kept for later. A span of time that is measured from it jumps when the clock is set; the time of
 * something outside, such as a token or a row, is compared with it where it is read, or with a `now` of that moment.
 */
const KEPT = /(?<!\bnow) = Date\.now\(\);|\.(push|set|add)\(.*\bDate\.now\(\)|\.\.\..*Date\.now\(\)\]/;

it('a span of time is measured by the clock that is never set', () => {
  const kept = globSync('{backend,server,media,supabase/functions}/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line) => (KEPT.test(line) ? `${path}: ${line.trim()}` : [])),
    );
  expect(kept).toEqual([]);
});
