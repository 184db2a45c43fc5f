import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Json } from '#app/database.types.ts';
import { unwrap } from '#app/errors.ts';
import { authorColumns, authorName } from '#app/frame/members/names.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

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
