import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { replaceFile } from '#backend/files/replace-file.mjs';
import { BackupError } from './encryption.ts';

/**
 * An item that was permanently removed, a picture that was hidden on request and perhaps shown again, a way to sign in that was removed,
 * or a power that was taken from a member and perhaps given back, known by its id alone. Kept beside the backups, since an earlier backup would bring it back.
 */
export interface Deletion {
  at: string;
  /** One of `REPEATS`, unless a later version has written the list. */
  kind: string;
  /** That of the item; for the parts of some see `private.deletions_since`. */
  id: string;
  /** For an account: whether its contributions were deleted too. */
  shared?: 'keep' | 'remove';
}

/** A post is known by the same id while it waits for review and after that. */
const without = (...tables: string[]) =>
  [
    ...tables.map(
      (table) =>
        `, ${table}_gone as (delete from public.${table} x using target where x.id = target.id returning 1)`,
    ),
    tables.map((table) => `select from ${table}_gone`).join(' union all '),
  ].join('\n');
const withheld = (
  withhold: boolean,
) => `select private.withhold_media(m.solution_id, array[m.id], ${withhold})
  from target join (
    select id, solution_id, hidden_at from public.solution_media
    union all select id, solution_id, hidden_at from public.solution_files
  ) m using (id) where (m.hidden_at is null) = ${withhold}`;
/** What was written since stays. */
const cleared = (table: string, writtenAt: string, columns: string[]) =>
  `, cleared as (
    update public.${table} x set ${[...columns, writtenAt].map((column) => `${column} = null`)}
    from target where x.id = target.id and x.${writtenAt} < target.at returning 1
  ) select from cleared`;

/** For a hundred years; that one is kept out for an hour is another matter. */
const IS_DISABLED = "coalesce(u.banned_until > now() + interval '10 years', false)";
/** A ban, or a suspension until then. */
const SANCTION = `s.user_id = target.id and s.kind = case when target.part is null then 'ban' else 'suspension' end
  and s.until is not distinct from target.part::timestamptz`;

/**
 * The statements by which each kind of removal is repeated, with a row for each item that they concern. They lie here and not in the
 * database, which may be that of an earlier version. `private.audited_acts` says which act is of which kind, and `private.deletions_since` what comes from the log of sign-ins.
 */
export const REPEATS: Record<string, string[]> = {
  account: [
    "select private.erase_account(u.id, coalesce(target.shared, 'keep')) from auth.users u join target using (id)",
  ],
  solution: [without('solutions')],
  // A card must not continue to name a deleted picture.
  media: [withheld(true), without('solution_media', 'solution_files')],
  hidden: [withheld(true)],
  shown: [withheld(false)],
  // Where the text that was removed is the one that readers see, nothing else is there for them: its author has to correct it again.
  version: [
    `, forgotten as (
      update public.solution_versions v set content = null, change_note = null, removed_at = now()
      from target
      where v.solution_id = target.id and v.version = target.part::integer and v.content is not null and v.published_at < target.at
      returning v.solution_id, v.version
    ), withdrawn as (
      update public.solutions s
      set status = 'rejected',
        rejection_reason = 'The site was restored from a backup, and this text was removed after it was made. Please correct it again.'
      from forgotten f where s.id = f.solution_id and s.version = f.version and s.status = 'approved'
      returning private.revoke_points('solution', s.id)
    ) select from forgotten`,
  ],
  trial: [without('solution_trials')],
  trial_before: [
    `, withdrawn as (
      update public.solution_trials t
      set status = 'rejected',
        rejection_reason = 'The site was restored from a backup, and this text was changed after it was made. Please correct it again.'
      from target
      where t.id = target.id and t.status = 'approved' and coalesce(t.approved_at, t.created_at) < target.at returning 1
    ) select from withdrawn`,
  ],
  trial_answer: [cleared('solution_trials', 'answered_at', ['author_answer'])],
  translation: [without('solution_translations')],
  translation_before: [
    `, emptied as (
      update public.solution_translations t set status = 'replaced', texts = '{}' from target
      where t.solution_id = target.id and t.language = target.part and t.status = 'approved' and t.approved_at < target.at returning 1
    ) select from emptied`,
  ],
  comment: [without('comments', 'held_posts')],
  topic: [without('forum_topics', 'held_posts')],
  summary: [cleared('forum_topics', 'summary_at', ['summary', 'summary_language', 'summary_by'])],
  post: [without('forum_posts', 'held_posts')],
  held_post: [without('held_posts')],
  images: ['select from target where private.drop_images(target.id)'],
  images_hidden: ['select from target where private.hide_images(target.id, true)'],
  images_shown: ['select from target where private.hide_images(target.id, false)'],
  collection: [
    `, unshared as (
      update public.collections c set is_shared = false, link_removed_at = now()
      from target where c.id = target.id and c.link_removed_at is null returning 1
    ) select from unshared`,
  ],
  staff_note: [without('staff_notes')],
  // Not one that was given again since.
  role: [
    `, taken as (
      delete from public.user_roles r using target
      where r.user_id = target.id and r.role = target.part and r.created_at < target.at returning 1
    ) select from taken`,
  ],
  sanction: [
    `, given as (
      insert into public.sanctions (user_id, kind, until, created_at, reason)
      select p.id, case when target.part is null then 'ban' else 'suspension' end, target.part::timestamptz,
        -- The list has milliseconds, and none lasts for longer than a year.
        target.at + interval '1 millisecond',
        'The site was restored from a backup that was made before this was decided.'
      from target join public.profiles p using (id)
      where not exists (
        select from public.sanctions s
        where ${SANCTION} and s.created_at between target.at - interval '1 second' and target.at + interval '1 second'
      ) returning 1
    ) select from given`,
  ],
  sanction_lifted: [
    `, lifted as (
      update public.sanctions s set lifted_at = target.at from target
      where ${SANCTION} and s.lifted_at is null and s.created_at <= target.at returning 1
    ) select from lifted`,
  ],
  sign_in: [
    `, ended as (
      delete from auth.sessions s using target where s.user_id = target.id and s.created_at < target.at
    ), disabled as (
      update auth.users u set banned_until = target.at + interval '100 years' from target
      where u.id = target.id and not ${IS_DISABLED} returning 1
    ) select from disabled`,
  ],
  sign_in_again: [
    `, enabled as (
      update auth.users u set banned_until = null from target
      where u.id = target.id and ${IS_DISABLED} and u.banned_until < target.at + interval '100 years' returning 1
    ) select from enabled`,
  ],
  // Until then, or no more.
  service_ban: [
    `, ended as (
      delete from auth.sessions s using target where target.part is not null and s.user_id = target.id and s.created_at < target.at
    ), banned as (
      update auth.users u set banned_until = target.part::timestamptz from target
      where u.id = target.id and u.banned_until is distinct from target.part::timestamptz returning 1
    ) select from banned`,
  ],
  passkey: [
    `, gone as (delete from auth.webauthn_credentials x using target where x.id = target.id returning 1) select from gone`,
  ],
  // The last way in stays, since another that was added after the backup is not there. Address and number are not ways that were connected.
  identity: [
    `, gone as (
      delete from auth.identities x using target
      where x.id = target.id and x.provider not in ('email', 'phone')
        and exists (select from auth.identities o where o.user_id = x.user_id and o.id <> x.id) returning 1
    ) select from gone`,
  ],
};
/** Each of them begins with what is removed. */
const TARGET = `with target as (
  select split_part($1, '/', 1)::uuid as id, nullif(split_part($1, '/', 2), '') as part, $2::timestamptz as at, $3::text as shared
)`;
/** That a table, a column or a function is not there; what fails inside of a function has a context. */
const isUnknown = ({ code = '', where }: pg.DatabaseError) =>
  ['42P01', '42703', '42883'].includes(code) && where === undefined;

const fileIn = (directory: string) => join(directory, 'erased.jsonl');

/** The deletions known beside the backups of a folder, or in a separate file. @throws BackupError when it is damaged */
export async function readDeletions(path: string): Promise<Deletion[]> {
  const file = path.endsWith('.jsonl') ? path : fileIn(path);
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    try {
      return JSON.parse(line);
    } catch (cause) {
      throw new BackupError(
        `The list of deletions ${file} is damaged in line ${index + 1}; take it from another copy.`,
        { cause },
      );
    }
  });
}

/** The deletions of which the database knows, from a time on. */
export async function deletionsSince(client: pg.Client, since: Date): Promise<Deletion[]> {
  const { rows } = await client.query<Omit<Deletion, 'at'> & { at: Date }>(
    'select at, kind, id, shared from private.deletions_since($1)',
    [since],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/**
 * Adds to the list the deletions that only the database has. Entries of the list stay on it. The site and a backup command may do it at
 * the same time: the second waits, and reads what the first has written.
 *
 * @param since older deletions have been read already
 */
export async function recordDeletions(client: pg.Client, directory: string, since: Date): Promise<void> {
  await client.query("select pg_advisory_lock(hashtextextended('erased.jsonl', 0))");
  const existing = await readDeletions(directory);
  const key = ({ at, kind, id }: Deletion) => `${at} ${kind} ${id}`;
  const seen = new Set(existing.map(key));
  const added = (await deletionsSince(client, since)).filter((deletion) => !seen.has(key(deletion)));
  if (added.length > 0) {
    const lines = [...existing, ...added].map((deletion) => `${JSON.stringify(deletion)}\n`);
    // A backup into a file may come before the first one of the folder.
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await replaceFile(fileIn(directory), lines.join(''));
  }
  await client.query("select pg_advisory_unlock(hashtextextended('erased.jsonl', 0))");
}

/** Repeats them as `repeatDeletions` does, all or none. */
export async function commitDeletions(client: pg.Client, deletions: Deletion[]): Promise<number> {
  await client.query('begin');
  const repeated = await repeatDeletions(client, deletions);
  await client.query('commit');
  return repeated;
}

/**
 * Repeats the earlier deletions and hidings, in their order, in the caller's transaction. One of a kind that the database does not know,
 * because it is of an earlier version, concerns no row of it.
 *
 * @returns how many of them the database had
 */
export async function repeatDeletions(client: pg.Client, deletions: Deletion[]): Promise<number> {
  let repeated = 0;
  for (const { at, kind, id, shared } of deletions) {
    await client.query('savepoint repeated');
    try {
      let concerned = 0;
      for (const statement of REPEATS[kind] ?? [])
        concerned += (await client.query(`${TARGET} ${statement}`, [id, at, shared])).rowCount ?? 0;
      if (concerned > 0) repeated += 1;
    } catch (error) {
      if (!isUnknown(error as pg.DatabaseError)) throw error;
      await client.query('rollback to savepoint repeated');
    }
    await client.query('release savepoint repeated');
  }
  return repeated;
}
