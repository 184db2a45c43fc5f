import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/**
 * An item that was permanently deleted, or a picture that was hidden on request and perhaps shown again,
 * known by its id alone. Kept beside the backups, since an earlier backup would bring it back.
 */
export interface Deletion {
  at: string;
  kind:
    | 'account'
    | 'solution'
    | 'media'
    | 'hidden'
    | 'shown'
    | 'trial'
    | 'translation'
    | 'comment'
    | 'topic'
    | 'post'
    | 'images'
    | 'images_hidden'
    | 'images_shown'
    | 'collection';
  id: string;
  /** For an account: whether its contributions were deleted too. */
  shared?: 'keep' | 'remove';
}

const fileIn = (directory: string) => join(directory, 'erased.jsonl');

/** The deletions known beside the backups of a folder, or in a separate file. */
export async function readDeletions(path: string): Promise<Deletion[]> {
  const file = path.endsWith('.jsonl') ? path : fileIn(path);
  if (!existsSync(file)) return [];
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Adds to the list the deletions that only the database has. Entries of the list stay on it.
 *
 * @param since older deletions have been read already
 */
export async function recordDeletions(client: pg.Client, directory: string, since: Date): Promise<void> {
  const existing = await readDeletions(directory);
  const key = ({ at, kind, id }: Deletion) => `${at} ${kind} ${id}`;
  const seen = new Set(existing.map(key));
  const { rows } = await client.query<Omit<Deletion, 'at'> & { at: Date }>(
    'select at, kind, id, shared from private.deletions_since($1)',
    [since],
  );
  const added = rows
    .map((row): Deletion => ({ ...row, at: row.at.toISOString() }))
    .filter((deletion) => !seen.has(key(deletion)));
  if (added.length === 0) return;
  const lines = [...existing, ...added].map((deletion) => `${JSON.stringify(deletion)}\n`);
  await writeFile(`${fileIn(directory)}.new`, lines.join(''), { mode: 0o600, flush: true });
  await rename(`${fileIn(directory)}.new`, fileIn(directory));
}

/**
 * Repeats the earlier deletions and hidings, in their order.
 *
 * @returns how many of them the database had
 */
export async function repeatDeletions(client: pg.Client, deletions: Deletion[]): Promise<number> {
  let repeated = 0;
  for (const { kind, id, shared } of deletions) {
    const { rows } = await client.query<{ repeated: boolean }>(
      'select private.repeat_deletion($1, $2, $3) as repeated',
      [kind, id, shared],
    );
    if (rows[0]?.repeated) repeated += 1;
  }
  return repeated;
}
