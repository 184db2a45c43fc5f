import { expect, it } from 'vitest';
import { openDatabase } from '../fixtures.ts';

const { owner } = openDatabase();

const EITHER = 'before it or after it, both are allowed, and what is left is the same';
const OWNERS = 'what a row belongs to changes its owner only when an account is deleted';
const OF_THE_CALLER =
  'what the caller may do: a change that comes a moment before its end is as one before it';

/** Rules that hold nothing, with the reason why a change of what they read, at the same moment, breaks none. */
const EITHER_ORDER: Record<string, string> = {
  accepts_messages: EITHER,
  address_comment: 'one that is sent before a change of the audience is for the earlier audience',
  address_consent: 'a statement before a change of the audience is one for the earlier audience',
  address_trial: 'a statement before a change of the audience is one for the earlier audience',
  attach_images: 'a post that is sent twice at the same moment is refused by its number',
  can_report: EITHER,
  check_outcome: 'the catalogue changes with the code',
  decide_solution: 'who changes the statement holds the solution (guard_consent)',
  decide_trial: 'who adds a picture holds the trial (attach_upload)',
  fill_extra_facets: 'who changes what it reads fills them again (refresh_extra_facets)',
  guard_account: 'an account that is added while a setting changes is one of before or after the change',
  guard_follow: 'the catalogue changes with the code',
  guard_held_post: OF_THE_CALLER,
  guard_message: EITHER,
  guard_post: EITHER,
  guard_registration: 'who changes their name changes this row as well (recheck_registration)',
  guard_report: OF_THE_CALLER,
  guard_solution: 'who removes a picture of what waits holds the solution (hold_removed_media)',
  guard_staff_note: OWNERS,
  guard_suggestion: OF_THE_CALLER,
  guard_topic: OF_THE_CALLER,
  guard_trial: EITHER,
  guard_version: 'an earlier version stays one',
  has_completed_profile: EITHER,
  has_deleted: EITHER,
  hold_post: 'a post that is sent while an earlier one is published may wait, as one before it does',
  is_admin: OF_THE_CALLER,
  is_admin_account: OF_THE_CALLER,
  is_approved: EITHER,
  is_open_topic: EITHER,
  is_pending_review: 'a claim of what is decided already lapses by itself',
  is_staff_account: OF_THE_CALLER,
  leave_tombstone: 'a reply holds what it replies to by its foreign key',
  may_administer: OF_THE_CALLER,
  may_moderate: OF_THE_CALLER,
  may_take_part: OF_THE_CALLER,
  name_author: 'who changes their name writes it again (rename_author)',
  names_moderators: 'the triggers that leave out names hold the setting (may_name_moderators)',
  normalize_profile: OF_THE_CALLER,
  owns_solution: OWNERS,
  owns_trial: OWNERS,
  place_outcome: 'a decision on what it reads writes its outcomes again, and waits for this row',
  record_withdrawal: EITHER,
  refuse_sanctioned: OF_THE_CALLER,
  require_begun_upload:
    'a file that comes as its row goes is found without one by the next sweep, and removed',
  sees_solution: EITHER,
  stamp_page_view: 'the counter is written by the statement that reads it',
};

const LOCK = /for (no key )?update|for share/i;

it('a rule that reads another row holds it until the end of the transaction, or is the same in either order', async () => {
  const functions = await owner<{ name: string; body: string; tables: string[] | null; policies: boolean }>(
    `select p.proname as name, string_agg(coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), ';') as body,
       (select array_agg(distinct t.tgrelid::regclass::text) from pg_trigger t where t.tgfoid = any (array_agg(p.oid)) and t.tgtype::integer & 2 > 0) as tables,
       exists (
         select from pg_policy o
         where o.polcmd <> 'r' and concat(pg_get_expr(o.polqual, o.polrelid), pg_get_expr(o.polwithcheck, o.polrelid)) like '%' || p.proname || '(%'
       ) as policies
     from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) group by 1`,
  );
  const tables = await owner<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'v') and relnamespace in ('public'::regnamespace, 'private'::regnamespace)",
  );
  const bodies = new Map(functions.map(({ name, body }) => [name, body]));
  const called = new Map(
    functions.map(({ name, body }) => [
      name,
      [...body.matchAll(/(\w+)\(/g)].map(([, callee]) => callee ?? '').filter((callee) => bodies.has(callee)),
    ]),
  );
  const reach = (name: string, reached = new Set<string>()): Set<string> => {
    if (reached.has(name)) return reached;
    reached.add(name);
    for (const callee of called.get(name) ?? []) reach(callee, reached);
    return reached;
  };
  const known = new Set(tables.map(({ name }) => name));
  const readBy = (body: string) =>
    [...body.matchAll(/\b(?:from|join)\s+(?:(?:public|private)\.)?(\w+)/gi)]
      .map(([, table]) => table ?? '')
      .filter((table) => known.has(table));
  const rules = functions
    .filter(({ tables: own, policies }) => own || policies)
    .map(({ name, tables: own }) => ({
      name,
      own: own ?? [],
      reached: [...reach(name)].map((callee) => bodies.get(callee) ?? ''),
    }))
    .filter(({ own, reached }) =>
      reached.some((body) =>
        readBy(body).some((table) => own.length === 0 || own.some((at) => at !== table)),
      ),
    );
  const held = rules.filter(({ reached }) => reached.some((body) => LOCK.test(body)));
  expect(held.length).toBeGreaterThan(4);
  expect(
    rules
      .filter((rule) => !held.includes(rule))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(Object.keys(EITHER_ORDER));
});
