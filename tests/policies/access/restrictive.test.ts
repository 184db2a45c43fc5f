import { expect, it } from 'vitest';
import { openDatabase } from '../fixtures.ts';

const { owner } = openDatabase();

/** Tables with rows of their members that can be read before the second factor, with the reason. */
const READ_WITHOUT_SECOND_STEP = {
  sanctions: 'the site says which one holds before anything else',
  user_roles: 'the site asks for a second step by the role',
};
/** Tables that a member can write before the second factor: the statistics of a visit are not an act. */
const WITHOUT_SECOND_STEP = ['page_views'];
/** Tables that a suspended or banned member can still write, with the reason. */
const OPEN_TO_SANCTIONED = {
  member_blocks: 'keeping others away',
  messages: 'marking as read; a policy of its own says to whom they write',
  notifications: 'marking as read',
  page_views: 'statistics',
  profiles: 'their settings; of what others see, private.normalize_profile says the same',
};
/** Tables that a member without a completed profile can write: what completes it. Sanctions hold there too. */
const BEFORE_COMPLETION = ['member_declarations'];
/** Restrictive policies that follow no general rule. */
const OF_THEIR_OWN = ['Suspended and banned members write only to who sanctioned them'];

const clause = (verb: string, question: string) => {
  const condition = `( SELECT private.${question}() AS ${question})`;
  return verb === 'insert' ? { using: null, check: condition } : { using: condition, check: null };
};

it('every table has exactly the restrictive policies that the rules for all tables ask for', async () => {
  const writable = await owner<{ on: string; verb: string }>(
    `select c.relname as on, v.verb from pg_class c, unnest(array['insert', 'update', 'delete']) v (verb)
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (has_table_privilege('authenticated', c.oid, v.verb)
         or (v.verb <> 'delete' and has_any_column_privilege('authenticated', c.oid, v.verb)))`,
  );
  expect(writable.map(({ on }) => on)).toEqual(
    expect.arrayContaining([...WITHOUT_SECOND_STEP, ...Object.keys(OPEN_TO_SANCTIONED)]),
  );
  // Tables of which each row is a member's alone: all that they say of reading names the caller, and none says who else.
  const personal = await owner<{ on: string }>(
    `select p.tablename as on from pg_policies p
     where p.schemaname = 'public' and p.permissive = 'PERMISSIVE' and p.cmd in ('SELECT', 'ALL') and p.tablename <> all ($1)
     group by 1 having bool_and(p.qual like '%auth.uid()%' and p.qual not like '%approved%' and p.qual not like '%has_required_aal%')`,
    [Object.keys(READ_WITHOUT_SECOND_STEP)],
  );
  expect(personal.length).toBeGreaterThan(12);
  const expected = [
    ...writable
      .filter(({ on }) => !WITHOUT_SECOND_STEP.includes(on))
      .map(({ on, verb }) => ({
        on,
        name: `A second step comes before any ${verb}`,
        verb,
        ...clause(verb, 'has_required_aal'),
      })),
    ...personal.map(({ on }) => ({
      on,
      name: 'A second step comes before reading',
      verb: 'select',
      ...clause('select', 'has_required_aal'),
    })),
    ...writable
      .filter(({ on, verb }) => verb !== 'delete' && !(on in OPEN_TO_SANCTIONED))
      .map(({ on, verb }) => ({
        on,
        name: `Suspended and banned members ${verb === 'insert' ? 'add' : 'change'} nothing`,
        verb,
        ...clause(verb, BEFORE_COMPLETION.includes(on) ? 'refuse_sanctioned' : 'may_take_part'),
      })),
  ];
  const written = await owner<(typeof expected)[number]>(
    `select p.tablename as on, p.policyname as name, lower(p.cmd) as verb, p.qual as using, p.with_check as check
     from pg_policies p where p.permissive = 'RESTRICTIVE' and p.roles = '{authenticated}' and p.policyname <> all ($1)`,
    [OF_THEIR_OWN],
  );
  const sorted = (policies: typeof expected) =>
    policies.sort((a, b) => `${a.on} ${a.name}`.localeCompare(`${b.on} ${b.name}`));
  expect(sorted(written)).toEqual(sorted(expected));
});

it('what is read as one’s own is read after the second step, of every table and in storage', async () => {
  const open = await owner<{ on: string }>(
    `select p.tablename as on from pg_policies p
     where p.permissive = 'PERMISSIVE' and p.cmd in ('SELECT', 'ALL') and p.qual like '%auth.uid()%' and p.qual not like '%has_required_aal%'
       and not exists (
         select from pg_policies r
         where r.schemaname = p.schemaname and r.tablename = p.tablename and r.policyname = 'A second step comes before reading'
       )
     order by 1`,
  );
  expect(open.map(({ on }) => on)).toEqual(Object.keys(READ_WITHOUT_SECOND_STEP));
});

it('no restrictive policy is for other roles, and those of their own are named here', async () => {
  const others = await owner<{ name: string }>(
    `select p.policyname as name from pg_policies p where p.permissive = 'RESTRICTIVE'
       and (p.roles <> '{authenticated}' or p.policyname = any ($1))`,
    [OF_THEIR_OWN],
  );
  expect(others.map(({ name }) => name)).toEqual(OF_THEIR_OWN);
});
