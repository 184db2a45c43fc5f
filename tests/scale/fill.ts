import { createHash } from 'node:crypto';
import type pg from 'pg';
import { SOLUTION } from '../solution.ts';

/** The accounts that ask. What is filled in is the busy member's: written, received, saved or reported by them. */
export const cast = {
  busy: '00000000-0000-4000-8000-000000000001',
  newcomer: '00000000-0000-4000-8000-000000000002',
  moderator: '00000000-0000-4000-8000-000000000003',
  admin: '00000000-0000-4000-8000-000000000004',
};
export type Actor = keyof typeof cast | 'visitor';

/** The id of the n-th row that is filled into a table; the same as `id()` makes in SQL. */
export const idOf = (table: string, n: number): string =>
  createHash('md5')
    .update(`${table} ${n}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const id = (table: string, n: number | string = 'n') => `md5('${table} ' || ${n})::uuid`;
const busy = `'${cast.busy}'`;
const moderator = `'${cast.moderator}'`;
/** Each row its own second, the later ones newer. */
const at = "now() - interval '400 days' + n * interval '1 second'";

const content = Object.keys(SOLUTION);
const values = Object.values(SOLUTION).map((text) =>
  text === SOLUTION.title ? `'Socket number ' || n % 50` : `'${text}'`,
);

/** The sender, who is the n-th member, the recipient, and their conversation. */
const pairWith = (n: string) =>
  `${id('member', n)}, ${busy}, concat_ws(' ', least(${id('member', n)}, ${busy}::uuid), greatest(${id('member', n)}, ${busy}::uuid))`;

const pending = `/storage/v1/object/authenticated/pending-media/${cast.busy}/`;
/** The one image of each reply. */
const image = `jsonb_build_object('media_url', '${pending}' || n || '.webp', 'compressed_url', '${pending}' || n || '.webp',
  'thumbnail_url', '${pending}' || n || '.webp', 'width', 4, 'height', 3, 'description', null)`;

/** The same, as a page has it. */
export function imageOf(n: number) {
  const url = `${pending}${n}.webp`;
  const files = { media_url: url, compressed_url: url, thumbnail_url: url };
  return { ...files, width: 4, height: 3, description: null };
}

/** By table its columns and, for each row n, their values in SQL; in an order in which each row finds what it belongs to;
 * and the most rows, where the site lets a member have no more. */
const rows: [table: string, columns: string, values: string, most?: number][] = [
  ['auth.users', 'id, email', `${id('member')}, 'member' || n || '@clinic.example'`],
  [
    'profiles',
    'id, username, full_name, profession, registration_level, registration_register, created_at',
    `${id('member')}, 'member.' || n, 'Dr ' || md5(n::text), 'Prosthetist', 'declared', 'HCPC', ${at}`,
  ],
  [
    'member_declarations',
    'user_id, statement, text_version',
    `${id('member')}, 'adult_healthcare_professional', '2026-11-01'`,
  ],
  ['user_points', 'user_id, total_points', `${id('member')}, n`],
  [
    'member_registrations',
    'id, user_id, register, number, submitted_at, state, decided_at, checked_name, checklist',
    `${id('registration')}, ${id('member')}, 'HCPC', 'PO' || n, ${at}, case n % 2 when 1 then 'waiting' else 'checked' end, now(), 'Dr ' || md5(n::text), case n % 2 when 0 then '{"name": true, "number": true, "current": true}'::jsonb end`,
  ],
  [
    'solutions',
    `id, user_id, status, version, created_at, approved_at, submitted_at, custom_tags, tried_count, ${content}`,
    `${id('solution')}, ${busy}, 'approved', 1, ${at}, ${at}, ${at}, array['bow'], case n when 1 then 500 else 0 end, ${values}`,
  ],
  // What waits: of every four one is a new version of what is published.
  [
    'solutions',
    `id, user_id, status, revises, created_at, submitted_at, ${content}`,
    `${id('waiting')}, case when n % 4 = 0 then ${busy} else ${id('member')} end, 'pending', case when n % 4 = 0 then ${id('solution')} end, ${at}, ${at}, ${values}`,
  ],
  [
    'solution_consents',
    'solution_id, basis, statement_version, recorded_by',
    `${id('solution')}, 'patient_written', '2026-11-01', ${busy}`,
  ],
  [
    'solution_reviews',
    'solution_id, reviewer_id, decision, created_at',
    `${id('solution')}, ${moderator}, 'submitted', ${at}`,
  ],
  [
    'solution_reviews',
    'solution_id, reviewer_id, decision, created_at',
    `${id('solution')}, ${moderator}, 'approved', ${at}`,
  ],
  ['solution_versions', 'solution_id, version, content', `${id('solution')}, 1, '{}'`],
  [
    'solution_media',
    'id, solution_id, media_url, compressed_url, thumbnail_url, media_type',
    `${id('media')}, ${id('solution')}, f, f, f, 'image'`,
  ],
  [
    'solution_files',
    'id, solution_id, position, file_url, file_name, file_type, byte_size, facts, previews, page_texts',
    `${id('file')}, ${id('solution')}, 0, f, 'clamp.pdf', 'pdf', 1, '{}', '{}', '{}'`,
  ],
  ['solution_fabrication', 'solution_id', `${id('solution')}`],
  [
    'solution_parts',
    'solution_id, position, component, maker, part_number, quantity',
    `${id('solution')}, 0, 'Adapter', 'Ottobock', '4R' || n, 1`,
  ],
  [
    'part_notices',
    'user_id, maker, part_number, kind, content',
    `${moderator}, 'Ottobock', '4R' || n, 'caution', 'It shears.'`,
  ],
  ['solution_sources', 'solution_id, source_id', `${id('solution')}, ${id('solution', 1)}`],
  ['likes', 'solution_id, user_id', `${id('solution', 1)}, ${id('member')}`],
  ['likes', 'solution_id, user_id', `${id('solution')}, ${busy}`],
  [
    'solution_trials',
    'id, solution_id, version, user_id, status, result, created_at, updated_at, approved_at, amputation_level, age_group, prosthesis_type',
    `${id('trial')}, ${id('solution', 1)}, 1, ${id('member')}, 'approved', 'worked', ${at}, ${at}, ${at}, '${SOLUTION.amputation_level}', 'Adults', 'Passive'`,
  ],
  [
    'solution_trials',
    'id, solution_id, version, user_id, status, result, created_at, updated_at, amputation_level, age_group, prosthesis_type',
    `${id('waiting trial')}, ${id('solution')}, 2, ${id('member')}, 'pending', 'worked', ${at}, ${at}, '${SOLUTION.amputation_level}', 'Adults', 'Passive'`,
  ],
  [
    'solution_translations',
    'id, solution_id, version, language, user_id, status, texts, created_at, updated_at, approved_at',
    `${id('translation')}, ${id('solution')}, 1, 'es', ${id('member')}, 'approved', '{}', ${at}, ${at}, ${at}`,
  ],
  [
    'solution_translations',
    'id, solution_id, version, language, user_id, status, texts, created_at, updated_at',
    `${id('waiting translation')}, ${id('solution')}, 1, 'fr', ${id('member')}, 'pending', '{}', ${at}, ${at}`,
  ],
  [
    'solution_outcomes',
    'solution_id, position, measure, score_before, score_after, people, prosthesis_type, amputation_level, published_at, audience',
    `${id('solution')}, 0, 'TUG', 18.2, 12.4, 1, 'Passive', '${SOLUTION.amputation_level}', ${at}, 'public'`,
  ],
  // Shown apart from its author.
  [
    'solution_outcomes',
    'solution_id, position, measure, score_before, score_after, people, published_at, audience',
    `${id('solution')}, 1, 'SCS', 4, 8, 1, ${at}, 'public'`,
  ],
  [
    'private.reported_cases',
    'solution_id, case_id, measure, prosthesis_type, amputation_level, audience, people, outcomes',
    `${id('solution')}, ${id('solution')}, 'SCS', '', '', 'public', 1, 1`,
  ],
  [
    'use_questions',
    'id, solution_id, user_id, months, asked_at, audience, created_at',
    `${id('question')}, ${id('solution')}, ${busy}, 3, ${at}, 'public', ${at}`,
  ],
  [
    'private.reported_cases',
    'solution_id, case_id, measure, prosthesis_type, amputation_level, audience, people, outcomes',
    `${id('solution')}, ${id('solution')}, 'TUG', 'Passive', '${SOLUTION.amputation_level}', 'public', 1, 1`,
  ],
  [
    'comments',
    'id, solution_id, user_id, content, created_at',
    `${id('comment')}, ${id('solution', 1)}, ${busy}, 'Which liner?', ${at}`,
  ],
  [
    'comments',
    'id, solution_id, user_id, content, parent_comment_id, thread_id, depth, created_at',
    `${id('reply')}, ${id('solution', 1)}, ${busy}, 'A locking one.', ${id('comment', 1)}, ${id('comment', 1)}, 1, ${at}`,
  ],
  [
    'forum_topics',
    'id, user_id, title, description, created_at, posts_count',
    `${id('topic')}, ${busy}, 'Liners that slip ' || n % 50, 'Which ones?', ${at}, 0`,
  ],
  [
    'forum_posts',
    'id, topic_id, user_id, content, created_at, images, shown_images, image_consent',
    `${id('post')}, ${id('topic', 1)}, ${busy}, 'Try a sleeve.', ${at}, jsonb_build_array(${image}), jsonb_build_array(${image}), 'no_identifiable_person'`,
  ],
  [
    'messages',
    'id, sender_id, recipient_id, pair, content, read, created_at',
    `${id('message')}, ${pairWith('1')}, 'Hello', true, ${at}`,
  ],
  [
    'messages',
    'id, sender_id, recipient_id, pair, content, created_at',
    `${id('first message')}, ${pairWith('n')}, 'Hello', ${at}`,
  ],
  ['message_deletions', 'message_id, user_id', `${id('first message')}, ${id('member')}`],
  ['member_blocks', 'blocker_id, blocked_id', `${busy}, ${id('member')}`, 200],
  [
    'notifications',
    'user_id, actor_id, type, solution_id, created_at',
    // Of several types, as a member has them.
    `${busy}, ${id('member')}, (array['like', 'adaptation', 'trial_received', 'solution_translated', 'version_approved', 'trial_answered'])[1 + n % 6], ${id('solution')}, ${at}`,
  ],
  ['follows', 'user_id, topic_id', `${busy}, ${id('topic')}`],
  ['follows', 'user_id, topic_id', `${id('member')}, ${id('topic', 1)}`],
  [
    'collections',
    'id, user_id, title, is_shared, created_at',
    `${id('collection')}, ${busy}, 'Bow holds ' || n, true, ${at}`,
    100,
  ],
  [
    'collection_items',
    'collection_id, user_id, solution_id, created_at',
    `${id('collection', 1)}, ${busy}, ${id('solution')}, ${at}`,
  ],
  [
    'collection_items',
    'collection_id, user_id, solution_id, created_at',
    `${id('collection', '(2 + n % 99)')}, ${busy}, ${id('solution')}, ${at}`,
  ],
  [
    'cpd_entries',
    'user_id, activity, subject, solution_id, day, minutes',
    `${busy}, 'read', 'Bow holds', ${id('solution')}, '2026-01-01', 30`,
  ],
  [
    'solution_drafts',
    'user_id, solution_id, content, updated_at',
    `${busy}, ${id('solution')}, '{}', ${at}`,
    50,
  ],
  [
    'content_reports',
    'id, reporter_id, content_type, content_id, reason, created_at',
    `${id('report')}, ${busy}, 'solution', ${id('solution')}, 'Advertising', ${at}`,
  ],
  [
    'content_reports',
    'reporter_id, content_type, content_id, reason, status, created_at, resolved_at, resolved_by',
    `${id('member')}, 'solution', ${id('solution', 1)}, 'Advertising', 'dismissed', ${at}, ${at}, ${moderator}`,
  ],
  [
    'removal_requests',
    'tracking_id, solution_id, media_ids, asker, created_at, due_at',
    `${id('tracking')}, ${id('solution')}, array[${id('media')}], 'patient', ${at}, ${at}`,
  ],
  [
    'removal_requests',
    'tracking_id, solution_id, media_ids, asker, created_at, due_at, status, resolved_at',
    `${id('old tracking')}, ${id('solution', 1)}, array[${id('media')}], 'patient', ${at}, ${at}, 'removed', ${at}`,
  ],
  [
    'held_posts',
    'id, user_id, solution_id, content, created_at',
    `${id('held post')}, ${busy}, ${id('solution', 1)}, 'My first', ${at}`,
  ],
  [
    'resource_suggestions',
    'user_id, resource_name, resource_url, description, category, created_at',
    `${busy}, 'ISPO', 'https://www.ispoint.org/' || n, 'The society.', 'Professional Organizations', ${at}`,
  ],
  [
    'resource_suggestions',
    'user_id, resource_name, resource_url, description, category, status, created_at',
    `${busy}, 'ISPO', 'https://www.ispoint.org/' || n, 'The society.', 'Professional Organizations', 'approved', ${at}`,
  ],
  [
    'safety_notices',
    'solution_id, user_id, kind, content, created_at',
    `${id('solution')}, ${busy}, 'caution', 'It shears.', ${at}`,
  ],
  [
    'safety_notices',
    'solution_id, user_id, kind, content, created_at, ended_at',
    `${id('solution', 1)}, ${busy}, 'caution', 'It shears.', ${at}, ${at}`,
  ],
  ['withdrawn_solutions', 'id, title, reason', `${id('withdrawn')}, 'Withdrawn for its error', 'error'`],
  [
    'sanctions',
    'user_id, kind, reason, created_by, created_at',
    `${busy}, 'warning', 'Advertising', ${moderator}, ${at}`,
  ],
  [
    'sanctions',
    'user_id, kind, reason, created_by, created_at',
    `${id('member')}, 'warning', 'Advertising', ${moderator}, ${at}`,
  ],
  [
    'audit_events',
    'actor_id, action, target_type, target_id, created_at',
    `${moderator}, 'solution_approved', 'solution', ${id('solution')}, ${at}`,
  ],
  ['page_views', 'page_path, user_id, viewed_at', `'/forum', ${busy}, now() - n * interval '1 minute'`],
  ['point_events', 'user_id, cause, source_id, points', `${busy}, 'solution', ${id('solution')}, 10`],
  ['pending_uploads', 'user_id, urls, byte_size, made', `${busy}, array['/x/' || n], 1000, '{}'`],
  [
    'storage.objects',
    'bucket_id, name, owner_id, metadata',
    `'solution-media', '${cast.busy}/' || n || '.webp', ${busy}, '{"size": 1000}'`,
  ],
  [
    'storage.objects',
    'bucket_id, name, owner_id, metadata',
    `'pending-media', '${cast.busy}/' || n || '.webp', ${busy}, '{"size": 1000}'`,
  ],
  ['media_jobs', 'solution_id, attempts, last_error', `${id('solution')}, 20, 'The disk is full.'`],
  ['refused_addresses', 'user_id, address', `${id('member')}, 'member' || n || '@clinic.example'`],
];

/** The accounts that ask, made as a sign-up makes them. */
export async function fillCast(client: pg.Client): Promise<void> {
  for (const [name, account] of Object.entries(cast)) {
    await client.query(
      `insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, '{"declaration_version": "2026-11-01"}')`,
      [account, `${name}@clinic.example`],
    );
    await client.query("update profiles set username = $2, full_name = 'Dr Klein' where id = $1", [
      account,
      `cast.${account.at(-1)}`,
    ]);
  }
  await client.query(
    `insert into user_roles (user_id, role) values (${moderator}, 'moderator'), ('${cast.admin}', 'admin')`,
  );
}

/**
 * Fills each table from its row `from` to its row `to`, without triggers: notices and points of so many rows would take an
 * hour. What triggers keep and calls read is made again afterwards.
 */
export async function fill(client: pg.Client, from: number, to: number): Promise<void> {
  await client.query('set session_replication_role = replica');
  for (const [table, columns, list, most = to] of rows)
    await client.query(
      `insert into ${table} (${columns})
       select ${list} from generate_series(${from}, ${Math.min(most, to)}) n, lateral (select '/storage/v1/object/public/solution-media/' || n || '.webp' as f) file`,
    );
  await client.query(
    `insert into private.report_counts as c select measure, prosthesis_type, amputation_level, audience, count(*), sum(people), sum(outcomes)
     from private.reported_cases group by 1, 2, 3, 4
     on conflict (measure, prosthesis_type, amputation_level, audience) do update set cases = excluded.cases, people = excluded.people, outcomes = excluded.outcomes;
     insert into private.reply_counts as c select thread_id, count(*) from comments where thread_id is not null group by 1
     on conflict (thread_id) do update set replies = excluded.replies;
     insert into private.conversations select m.recipient_id, m.pair, m.id, m.created_at from (select distinct on (pair) * from messages order by pair, created_at desc, id desc) m
     on conflict (member_id, pair) do update set message_id = excluded.message_id, latest_at = excluded.latest_at;
     insert into private.kept_counts as c values ('members', ${to}), ('topics', ${to}), ('waiting solution', ${to}), ('waiting report', ${to}) on conflict (name) do update set rows = excluded.rows;
     update solution_versions v set content = private.solution_content(s) from solutions s where s.id = v.solution_id and s.id = '${idOf('solution', 1)}';
     insert into comment_counts as c select solution_id, count(*) from comments where deleted_at is null group by 1
     on conflict (solution_id) do update set comments_count = excluded.comments_count;
     update solutions set likes_count = ${to} where id = '${idOf('solution', 1)}';
     update forum_topics set posts_count = ${to} where id = '${idOf('topic', 1)}';
     set session_replication_role = default`,
  );
  await client.query(
    'select private.reindex_solutions(c) from generate_series(0, private.chunk_count() - 1) c',
  );
  await vacuum(client);
}

/** More often than a connection of the backend looks at its database. */
const MAX_VACUUMS = 20;

/**
 * Tells the planner of all rows; one page of a table, with a row that was changed, may be left out. What another connection still
 * sees while a table is vacuumed does not become visible to all, and is planned for in another way than on a site that has run for
 * a while.
 */
async function vacuum(client: pg.Client): Promise<void> {
  for (let time = 0; time < MAX_VACUUMS; time++) {
    await client.query('vacuum analyze');
    const { rowCount } = await client.query(
      "select from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'private') and relallvisible < relpages - 1",
    );
    if (rowCount === 0) return;
  }
  throw new Error('Some rows do not become visible to all connections.');
}
