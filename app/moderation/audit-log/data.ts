import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Json } from '#app/database.types.ts';
import { unwrap } from '#app/errors.ts';
import { authorColumns, authorName } from '#app/frame/members/names.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** Labels of the recorded acts; see the triggers that call `private.audit`. */
export const actions: Record<string, string> = {
  solution_approved: 'Solution approved',
  solution_rejected: 'Solution rejected',
  solution_deleted: 'Solution deleted',
  version_removed: 'Text of a version removed',
  comment_deleted: 'Comment deleted',
  topic_changed: 'Topic pinned or locked',
  topic_deleted: 'Topic deleted',
  post_deleted: 'Forum reply deleted',
  answer_unmarked: 'Mark of a helpful answer removed',
  topic_summary_written: 'Summary of a topic written',
  topic_summary_removed: 'Summary of a topic removed',
  staff_note_written: 'Staff note written',
  staff_note_removed: 'Staff note removed',
  held_post_published: 'First post published',
  held_post_removed: 'First post removed',
  resource_approved: 'Resource approved',
  resource_rejected: 'Resource rejected',
  report_resolved: 'Report resolved',
  report_dismissed: 'Report dismissed',
  reported_message_read: 'Reported message read',
  trial_approved: 'Trial report approved',
  trial_rejected: 'Trial report rejected',
  trial_deleted: 'Trial report deleted',
  translation_approved: 'Translation approved',
  translation_rejected: 'Translation rejected',
  translation_deleted: 'Translation deleted',
  images_kept: 'Forum images kept',
  images_removed: 'Forum images removed',
  images_hidden: 'Forum images hidden after reports',
  collection_unshared: 'Sharing of a collection stopped',
  trial_answer_removed: 'Answer to a trial report removed',
  registration_checked: 'Registration checked',
  registration_declined: 'Registration declined',
  role_granted: 'Role granted',
  role_removed: 'Role removed',
  member_warned: 'Member warned',
  member_suspended: 'Member suspended',
  member_banned: 'Member banned',
  sanction_lifted: 'Sanction lifted',
  account_deleted: 'Account deleted',
  account_disabled: 'Account disabled',
  account_enabled: 'Account enabled',
  second_step_removed: 'Second step removed',
  member_invited: 'Person invited',
  invitation_withdrawn: 'Invitation withdrawn',
  setting_changed: 'Setting changed',
  register_added: 'Register added',
  register_changed: 'Register changed',
  removal_request_hidden: 'Images hidden on request',
  removal_request_removed: 'Images removed on request',
  removal_request_kept: 'Removal request declined',
  safety_notice_written: 'Safety notice written',
  safety_notice_withdrawn: 'Safety notice withdrawn',
  part_notice_written: 'Safety notice on a part written',
  part_notice_withdrawn: 'Safety notice on a part withdrawn',
};

export interface AuditFilter {
  action: string;
  /** Days, as `2026-11-21`; blank for no limit. */
  from: string;
  to: string;
}

export interface AuditEntry {
  id: number;
  created_at: string;
  actor: string;
  action: string;
  target_type: string;
  target_id: string;
  before: Json | null;
  after: Json | null;
  /** What its target and its states name, by their ids, as long as it is there: names of members, titles of solutions. */
  names: ReadonlyMap<string, string>;
}

/** What a recorded state names by a key. */
const namedIn = (state: Json | null, key: 'user_id' | 'solution_id') => {
  const id = typeof state === 'object' && state !== null && !Array.isArray(state) ? state[key] : undefined;
  return typeof id === 'string' ? [id] : [];
};

async function readPage(
  db: Client,
  { action, from, to }: AuditFilter,
  before: number | null,
  pageSize: number,
): Promise<AuditEntry[]> {
  let events = db
    .from('audit_events')
    .select('id,created_at,actor_id,action,target_type,target_id,before,after')
    .order('id', { ascending: false })
    .limit(pageSize);
  if (action) events = events.eq('action', action);
  if (from) events = events.gte('created_at', `${from}T00:00:00Z`);
  if (to) events = events.lte('created_at', `${to}T23:59:59.999999Z`);
  if (before !== null) events = events.lt('id', before);
  const rows = unwrap(await events);
  const named = (type: string, key: 'user_id' | 'solution_id') =>
    new Set(
      rows.flatMap(({ target_type, target_id, before, after }) => [
        ...(target_type === type ? [target_id] : []),
        ...namedIn(before, key),
        ...namedIn(after, key),
      ]),
    );
  const members = named('profile', 'user_id');
  for (const { actor_id } of rows) if (actor_id) members.add(actor_id);
  const [profiles, solutions] = await Promise.all([
    db
      .from('profiles')
      .select(authorColumns)
      .in('id', [...members]),
    db
      .from('solutions')
      .select('id,title')
      .in('id', [...named('solution', 'solution_id')]),
  ]);
  const names = new Map([
    ...unwrap(profiles).map((row) => [row.id, authorName(row.id, row)] as const),
    ...unwrap(solutions).map(({ id, title }) => [id, title] as const),
  ]);
  return rows.map(({ actor_id, ...row }) => ({
    ...row,
    actor: actor_id ? (names.get(actor_id) ?? `Former member ${actor_id}`) : 'System',
    names,
  }));
}

const PAGE_SIZE = 50;

/** Privileged acts, the latest first, page by page. */
export const auditQuery = (client: ClientSource, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['moderation', 'audit', filter],
    queryFn: async ({ pageParam }) => readPage(await client(), filter, pageParam, PAGE_SIZE),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : page.at(-1)?.id),
  });

const EXPORT_PAGE_SIZE = 500;

/** All entries that match the filter, without a limit. */
export async function readWholeLog(db: Client, filter: AuditFilter): Promise<AuditEntry[]> {
  const all: AuditEntry[] = [];
  for (;;) {
    const page = await readPage(db, filter, all.at(-1)?.id ?? null, EXPORT_PAGE_SIZE);
    all.push(...page);
    if (page.length < EXPORT_PAGE_SIZE) return all;
  }
}
