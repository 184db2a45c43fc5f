import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The sources of the last run in which every test passed, by their content. */
const REMEMBERED = 'node_modules/.cache/last-green.json';

function sources(): Record<string, string> {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  const files = (stdout ?? '').split('\n').filter((path) => path && existsSync(path));
  return Object.fromEntries(
    files.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

export function rememberGreen(): void {
  mkdirSync(dirname(REMEMBERED), { recursive: true });
  writeFileSync(REMEMBERED, JSON.stringify(sources()));
}

/** Files that differ from those of the last green run; none when there was no green run. */
export function changedSince(): string[] {
  if (!existsSync(REMEMBERED)) return [];
  const before: Record<string, string> = JSON.parse(readFileSync(REMEMBERED, 'utf8'));
  const now = sources();
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (path) => before[path] !== now[path],
  );
}

const wordsOf = (path: string) => path.split(/[^a-z]+/).filter((word) => word.length > 3);
/** Words in too many names to select a test. */
const EVERYWHERE = new Set([
  'tests',
  'test',
  'unit',
  'conformance',
  'policies',
  'backend',
  'supabase',
  'migrations',
]);

/** Whether a test file is called after what has changed: `tests/e2e/forum.test.ts` after `app/community/forum-topic/topic-page.tsx`. */
export function touches(test: string, changed: string[]): boolean {
  const words = new Set(wordsOf(test).filter((word) => !EVERYWHERE.has(word)));
  return changed.some((path) => path === test || wordsOf(path).some((word) => words.has(word)));
}
