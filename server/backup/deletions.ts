import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/**
 * Something that was deleted for good, or a picture that was hidden at somebody's request and perhaps shown again,
 * known by its id alone. Kept beside the backups, since a backup from before it would bring it back.
 */
export interface Deletion {
  at: string;
  kind: 'account' | 'solution' | 'media' | 'hidden' | 'shown' | 'comment' | 'topic' | 'post';
  id: string;
  /** Of an account: whether what it had shared went too. */
  shared?: 'keep' | 'remove';
}

/** What members and moderators have deleted, also at the request of a person shown, and accounts that an operator did, from the two audit logs. */
const DELETED = `
  select a.created_at as at, case a.action when 'account_deleted' then 'account' else split_part(a.action, '_', 1) end as kind,
    a.target_id as id, a.after ->> 'shared' as shared
  from public.audit_events a
  where a.created_at > $1
    and a.action in ('account_deleted', 'solution_deleted', 'comment_deleted', 'topic_deleted', 'post_deleted')
  union all
  select a.created_at, case a.action when 'takedown_removed' then 'media' when 'takedown_hidden' then 'hidden' else 'shown' end, m.id, null
  from public.audit_events a, jsonb_array_elements_text(a.after -> 'media_ids') as m (id)
  where a.created_at > $1 and a.action in ('takedown_removed', 'takedown_hidden', 'takedown_kept')
  union all
  select e.created_at, 'account', e.payload ->> 'actor_id', 'keep'
  from auth.audit_log_entries e where e.created_at > $1 and e.payload ->> 'action' = 'user_deleted'
  order by 1`;

const fileIn = (directory: string) => join(directory, 'erased.jsonl');

/** The erasures known beside the backups of a folder, or in a file of their own. */
export async function readDeletions(path: string): Promise<Deletion[]> {
  const file = path.endsWith('.jsonl') ? path : fileIn(path);
  if (!existsSync(file)) return [];
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Adds to the list what the database knows and the list does not. What the list knows stays on it.
 *
 * @param since what is older has been looked at
 */
export async function recordDeletions(client: pg.Client, directory: string, since: Date): Promise<void> {
  const known = await readDeletions(directory);
  const key = ({ at, kind, id }: Deletion) => `${at} ${kind} ${id}`;
  const seen = new Set(known.map(key));
  const { rows } = await client.query<Omit<Deletion, 'at'> & { at: Date }>(DELETED, [since]);
  const added = rows
    .map((row): Deletion => ({ ...row, at: row.at.toISOString() }))
    .filter((erasure) => !seen.has(key(erasure)));
  if (added.length === 0) return;
  const lines = [...known, ...added].map((erasure) => `${JSON.stringify(erasure)}\n`);
  await writeFile(`${fileIn(directory)}.new`, lines.join(''), { mode: 0o600, flush: true });
  await rename(`${fileIn(directory)}.new`, fileIn(directory));
}

const withhold = (yes: boolean) =>
  `select private.withhold_media(m.solution_id, array[m.id], ${yes}) from public.solution_media m where m.id = $1 and (m.hidden_at is null) = ${yes}`;

/**
 * Deletes and hides again what was once, in the order in which it was.
 *
 * @returns how many of them the database had
 */
export async function repeatDeletions(client: pg.Client, erasures: Deletion[]): Promise<number> {
  let erased = 0;
  const statements: Record<Deletion['kind'], string> = {
    account: 'select private.erase_account(u.id, $2) from auth.users u where u.id = $1',
    solution: 'delete from public.solutions where id = $1',
    media: 'delete from public.solution_media where id = $1',
    hidden: withhold(true),
    shown: withhold(false),
    comment: 'delete from public.comments where id = $1',
    topic: 'delete from public.forum_topics where id = $1',
    post: 'delete from public.forum_posts where id = $1',
  };
  for (const { kind, id, shared } of erasures) {
    // A card must not go on naming a picture that is gone.
    if (kind === 'media') await client.query(withhold(true), [id]);
    const values = kind === 'account' ? [id, shared ?? 'keep'] : [id];
    erased += (await client.query(statements[kind], values)).rowCount ?? 0;
  }
  return erased;
}
