import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { databaseTypes, TYPES_FILE } from '../../scripts/types.ts';
import { openWorld } from './world.ts';

const { owner, databaseUrl } = openWorld();
const ours = "n.nspname in ('public', 'private')";

describe('every table', () => {
  it('of the API has row-level security on, and a comment', async () => {
    const tables = await owner(`select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and (not c.relrowsecurity or obj_description(c.oid) is null)`);
    expect(tables).toEqual([]);
  });

  it('of the API has a policy, or is closed to clients', async () => {
    const open = await owner(`select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r'
        and not exists (select from pg_policy p where p.polrelid = c.oid)
        and (has_any_column_privilege('anon', c.oid, 'select, insert, update') or has_any_column_privilege('authenticated', c.oid, 'select, insert, update'))`);
    expect(open).toEqual([]);
  });

  it('has an index for each foreign key', async () => {
    const missing =
      await owner(`select k.conrelid::regclass::text as on_table, k.conname from pg_constraint k join pg_namespace n on n.oid = k.connamespace
      where k.contype = 'f' and ${ours} and not exists (
        select from pg_index i where i.indrelid = k.conrelid and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey and i.indkey[0] = any (k.conkey)
      ) order by 1, 2`);
    expect(missing).toEqual([]);
  });

  it('takes inserts and updates from clients by column, never as a whole', async () => {
    const whole =
      await owner(`select c.relname, g.role, p.verb from pg_class c join pg_namespace n on n.oid = c.relnamespace,
      unnest(array['anon', 'authenticated']) as g (role), unnest(array['insert', 'update']) as p (verb)
      where n.nspname = 'public' and c.relkind in ('r', 'v') and has_table_privilege(g.role, c.oid, p.verb)`);
    expect(whole).toEqual([]);
  });

  it('refuses truncate, references and trigger to clients', async () => {
    const loose = await owner(`select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'v')
        and (has_table_privilege('anon', c.oid, 'truncate, references, trigger') or has_table_privilege('authenticated', c.oid, 'truncate, references, trigger'))`);
    expect(loose).toEqual([]);
  });
});

describe('every function', () => {
  it('has an empty search path', async () => {
    const loose =
      await owner(`select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${ours} and p.prokind <> 'a' and not coalesce('search_path=""' = any (p.proconfig), false)`);
    expect(loose).toEqual([]);
  });

  it('that clients may call is on this list', async () => {
    const callable = async (role: string) =>
      (
        await owner<{ name: string }>(
          `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
           where n.nspname = 'public' and has_function_privilege($1, p.oid, 'execute') order by 1`,
          [role],
        )
      ).map((row) => row.name);
    expect(await callable('anon')).toEqual([
      'browse_forum',
      'browse_solutions',
      'comment_replies',
      'comment_threads',
      'forum_replies',
      'forum_topic',
      'increment_topic_views',
      'related_solutions',
      'request_takedown',
      'site_counts',
      'sitemap_page',
      'sitemap_sizes',
      'suggest_searches',
      'takedown_state',
      'unsubscribe_from_mail',
      'uptime',
      'usual_review_hours',
    ]);
    expect(await callable('authenticated')).toEqual([
      'browse_forum',
      'browse_solutions',
      'claim_review',
      'comment_replies',
      'comment_threads',
      'delete_account',
      'export_account',
      'forum_replies',
      'forum_topic',
      'increment_topic_views',
      'own_sessions',
      'read_reported_message',
      'related_solutions',
      'request_takedown',
      'resubmit_solution',
      'site_counts',
      'sitemap_page',
      'sitemap_sizes',
      'submit_solution',
      'suggest_searches',
      'takedown_state',
      'unsubscribe_from_mail',
      'uptime',
      'username_available',
      'usual_review_hours',
    ]);
  });

  it('of the private schema that runs with its owner’s rights is a trigger or on this list', async () => {
    const definers = await owner<{ name: string }>(
      `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'private' and p.prosecdef and p.prorettype <> 'trigger'::regtype
         and has_function_privilege('authenticated', p.oid, 'execute') order by 1`,
    );
    expect(definers.map((row) => row.name)).toEqual([
      'accepts_messages',
      'acts_this_minute',
      'has_role',
      'is_admin_account',
      'is_assured',
      'is_staff_account',
      'may_take_part',
      'took_second_step',
    ]);
  });
});

describe('the view for the public', () => {
  it('runs with the reader’s rights', async () => {
    expect(
      await owner(`select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false)`),
    ).toEqual([]);
  });
});

describe('app/database.types.ts', () => {
  it('is what the database gives; run "npm run types" after a migration', async () => {
    expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await databaseTypes(databaseUrl()));
  });
});
