import { describe, expect, it } from 'vitest';
import { openDatabase } from '../fixtures.ts';

/*
 * The lints of a Supabase project's advisors, run on the embedded database and on one as Supabase makes it:
 * each lint of github.com/supabase/splinter that plain PostgreSQL can answer about a schema. They are written
 * again rather than copied: each finds the same or more, needs no setting of a hosted project, and is shown
 * here to find an example. Left out are those about extensions that neither database has (pg_graphql, pgmq),
 * about load (table_bloat, unused_index, unused_replication_slot), and those that look at tables without
 * row-level security alone (sensitive_columns_exposed), which another finds whatever their columns are
 * called. auth_allow_anonymous_sign_ins names every policy there is, and anonymous sign-in is switched off in
 * supabase/config.toml.
 */

const { owner } = openDatabase();

/** Schemas that a project's advisors leave to Supabase. */
const NOT_OURS =
  "('pg_catalog', 'information_schema', 'auth', 'extensions', 'graphql_public', 'realtime', 'storage', 'supabase_migrations', 'vault', 'pg_toast')";
const OURS = `n.nspname not in ${NOT_OURS} and n.nspname not like 'pg\\_temp%'`;
const READABLE =
  "(has_any_column_privilege('anon', c.oid, 'select') or has_any_column_privilege('authenticated', c.oid, 'select'))";
const INVOKER =
  "array['security_invoker=true', 'security_invoker=on', 'security_invoker=1', 'security_invoker=yes']";
const POLICIES = `pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace,
  lateral (select coalesce(pg_get_expr(p.polqual, p.polrelid), '') as using_, coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '') as check_) as e`;
const POLICY = "format('%s: %s', c.relname, p.polname)";
const callableBy = (role: string) =>
  `select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where p.prosecdef and has_function_privilege('${role}', p.oid, 'execute') and ${OURS}`;

interface Lint {
  /** Query for the names of offending objects. */
  finds: string;
  /** Statement that creates an offending object. */
  slip: string;
  /** Accepted findings, by name, with the reason for each. */
  meant?: Record<string, string>;
}

/**
 * Functions with their owner's rights, and their purpose: each reads or acts no further than its caller may.
 */
const DEFINERS_FOR_ALL = {
  'private.has_role(text[])':
    'policies ask it for the caller’s own roles, without the policies of the table of roles',
  'private.is_admin_account(uuid)': 'a policy asks it for one bit of another’s roles',
  'private.has_required_staff_aal()':
    'policies ask it what the site demands of staff, and for the caller’s own factors, which lie with Auth',
  'private.is_sanctioned()': 'policies ask it for the caller’s own sanctions',
  'private.refuse_sanctioned()': 'policies ask it for the caller’s own sanctions',
  'private.may_take_part()': 'policies ask it for the caller’s own sanctions and profile',
  'private.has_required_aal()': 'policies ask it for the caller’s own factors, which lie with Auth',
  'private.open_collection(uuid)':
    'gives a collection to its owner, and to everyone who has the address of a shared one',
  'private.count_replies(uuid)': 'gives a kept number, which no client reads otherwise',
  'private.sees_image(text)':
    'a policy asks it whether the caller sees the post of a file, by an index that row-level security would keep it from using',
  'private.ids_of_marks(text[])': 'finds ids by an index that row-level security would keep it from using',
  'private.readable_audiences()': 'policies ask it for the caller’s own registration, roles and sanctions',
  'private.within_rate_limit(text,integer)': 'counts the caller’s network in a table that no client reads',
  'public.answer_use_question(uuid,text,text,text)':
    'answers the question of its caller, or of the member whom a signed link of a mail names, for what the sums may count',
  'public.browse_solutions(text,text[],text,text,text,integer)':
    'counts with sets of the approved solutions that the caller may read, which no client reads',
  'public.count_download(uuid)': 'counts a download in a column that no one may write',
  'public.evidence(text,text,text,integer)':
    'counts outcomes of the approved solutions that the caller may read, by their kept columns',
  'public.featured_solutions(integer)':
    'chooses with sets of the approved solutions that the caller may read, which no client reads',
  'public.images_of_post(uuid)':
    'gives the images of a post and their consent to its author and moderators, in columns that no client reads',
  'public.increment_topic_views(uuid)': 'counts a visit in a column that no one may write',
  'public.related_solutions(uuid,integer)':
    'finds neighbours with sets of the approved solutions that the caller may read, which no client reads',
  'public.required_audience(uuid)':
    'says for whom a solution is to those who cannot read it, and nothing else',
  'public.request_removal(uuid,uuid,text,uuid[],text,text)': 'takes a request from people without an account',
  'public.site_counts()': 'gives kept numbers of what is public, which no client reads otherwise',
  'public.sitemap_sizes()': 'gives kept numbers of what is public, which no client reads otherwise',
  'public.suggest_searches(text,integer)':
    'looks in the words of the solutions that the caller may read, a table that no client reads',
  'public.removal_request_state(uuid)': 'gives the state of a request to whoever has its secret number',
  'public.unsubscribe_from_mail(text)': 'changes the one setting that a signed link of a mail names',
  'public.uptime()': 'gives a record that no client writes or reads otherwise',
  'public.use_question(text)': 'gives what a signed link of a mail asks to whoever has it',
  'public.use_sums(uuid)':
    'counts answers about approved solutions that the caller may read, which no client reads otherwise',
  'public.usual_review_hours()': 'gives one figure of all reviews',
};
const DEFINERS_FOR_MEMBERS = {
  'public.count_solutions_with(text,text)': 'counts for moderators alone, who may read all that it counts',
  'private.accepts_messages(uuid)': 'a policy asks it for one bit of another member’s settings',
  'private.has_completed_profile(uuid)': 'a policy asks it whether another member can take part',
  'private.holds_posts()': 'counts the caller’s own posts and looks up their own role and registration',
  'private.is_moderation_notice(text)': 'reads the list of types, for a trigger',
  'private.may_name_moderators()': 'holds the setting, which only admins may change, for a trigger',
  'private.names_a_moderator(public.notifications)':
    'tells a trigger whether someone is the author of a solution, which pages say',
  'public.mark_answer(uuid,uuid)': 'writes for who opened a topic, in columns that no client writes',
  'public.summarise_topic(uuid,text,text)':
    'writes for who opened a topic and for moderators, in columns that no client writes',
  'public.review_outcome(uuid)':
    'gives moderators of the audit log the last decision on one item, without the rest',
  'public.review_history(uuid)': 'gives an author the steps of a review without who decided',
  'public.decide_images(uuid,boolean,timestamp with time zone)':
    'removes for the author of a post, or keeps or removes for a moderator, what no client writes, and leaves a trace',
  'public.decide_held_post(uuid,boolean,integer)':
    'publishes or removes for a moderator what another member wrote, and leaves a trace',
  'private.own_news(uuid[])': 'compares what the caller follows with columns that search keeps to itself',
  'private.conversations_after(text,integer)':
    'gives the caller’s own conversations, in a table that no client reads',
  'private.checked_translation(public.solution_translations)':
    'holds the solution and its version, which the trigger that asks has read as the caller',
  'private.posts_with_waiting_images()':
    'gives moderators the posts whose images wait, in columns that no client reads',
  'private.count_waiting()': 'counts for moderators what waits, without reading the rows',
  'public.registration_warnings(uuid)': 'compares for moderators what they may read, by indexes',
  'public.site_activity()': 'counts for moderators what they may read, without reading the rows',
  'private.has_deleted(uuid)': 'a policy asks it for the caller’s own side of a message',
  'private.delete_from_own_side(uuid)':
    'deletes a message for its caller alone, in a table that no client writes',
  'private.hold_own(uuid,uuid)':
    'tells the caller the status of their own alone, and holds it whatever they may change',
  'private.is_staff_account(uuid)': 'a policy asks it for one bit of another’s roles',
  'private.set_outcomes(uuid,jsonb,uuid)':
    'writes the outcomes of the caller’s own solution or trial that waits for review, in a table that no client writes',
  'private.set_fabrication(uuid,jsonb)':
    'writes how the caller’s own solution that waits for review is made, in tables that no client writes',
  'private.set_files(uuid,jsonb)':
    'writes the build files of the caller’s own solution that waits for review, in a table that no client writes',
  'private.open_revision(uuid)':
    'copies the caller’s own published solution into a new version, whose columns no client writes',
  'private.earlier_submission(uuid,text)': 'finds the caller’s own row of a form that was sent twice',
  'private.is_sent_trial(uuid,integer,uuid)': 'finds the caller’s own row of a form that was sent twice',
  'public.trial_consent(uuid)':
    'gives a statement to its writer and moderators, in columns that no client reads',
  'public.delete_account(text)': 'deletes the caller’s own account, which lies with Auth',
  'public.export_account()': 'gives the caller’s own rows, those of Auth included',
  'public.show_orcid(boolean)':
    'shows or hides what Auth knows of the caller, in a column that no client writes',
  'public.cancel_email_change()': 'takes back the caller’s own wish, which lies with Auth',
  'public.media_jobs_given_up()': 'gives moderators one figure of the jobs, which no client reads',
  'public.retry_media_jobs()': 'lets moderators have jobs tried again, which no client writes',
  'public.member_account(uuid)': 'gives an admin two facts of an account, which lies with Auth',
  'public.set_account_disabled(uuid,boolean)':
    'lets an admin disable the account of a member, which lies with Auth, and leaves a trace',
  'public.remove_second_step(uuid)':
    'lets an admin remove a member’s second step, which lies with Auth, and leaves a trace',
  'public.invite_member(text)': 'lets an admin invite an address, which no client reads, and leaves a trace',
  'public.withdraw_invitation(text)':
    'lets an admin take back an invitation, which no client writes, and leaves a trace',
  'public.pending_invitations(text)': 'gives an admin the invitations, which no client reads',
  'public.own_sessions()': 'gives the caller’s own sessions, which lie with Auth',
  'public.read_reported_message(uuid)': 'gives a moderator a message that was reported, and leaves a trace',
  'public.hide_reported_media(uuid)':
    'hides for a moderator what a report is about, and leaves a trace in a request',
  'public.stop_sharing(uuid,text)':
    'takes the link of a collection away for a moderator, who cannot change it, and leaves a trace',
  'public.solution_limit_refusal()': 'counts the caller’s own solutions',
};

const LINTS: Record<string, Lint> = {
  auth_users_exposed: {
    finds: `select distinct c.oid::regclass::text from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class c on c.oid = r.ev_class
      where d.classid = 'pg_rewrite'::regclass and d.refobjid = 'auth.users'::regclass and c.relkind in ('v', 'm') and ${READABLE}`,
    slip: `create view public.people as select id from auth.users; grant select on public.people to authenticated`,
  },
  policy_exists_rls_disabled: {
    finds: `select distinct c.relname::text from ${POLICIES} where not c.relrowsecurity and ${OURS}`,
    slip: `create table public.bare (id int); create policy p on public.bare for select using (true)`,
  },
  security_definer_view: {
    finds: `select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'v' and ${READABLE} and ${OURS} and not lower(coalesce(c.reloptions, '{}')::text)::text[] && ${INVOKER}`,
    slip: `create view public.roles as select * from public.user_roles; grant select on public.roles to anon`,
  },
  rls_disabled_in_public: {
    finds: `select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relrowsecurity and (n.nspname = 'public' or ${READABLE}) and ${OURS}`,
    slip: `create table public.bare (id int)`,
  },
  rls_references_user_metadata: {
    finds: `select ${POLICY} from ${POLICIES} where using_ || check_ like '%user_metadata%' and ${OURS}`,
    slip: `create policy p on public.likes for select using (auth.jwt() -> 'user_metadata' ->> 'role' = 'admin')`,
  },
  fkey_to_auth_unique: {
    finds: `select k.conname::text from pg_constraint k join pg_index i on i.indexrelid = k.conindid
      join pg_class c on c.oid = k.confrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_class own on own.oid = k.conrelid
      where k.contype = 'f' and n.nspname = 'auth' and own.relnamespace <> c.relnamespace and not i.indisprimary`,
    slip: `create unique index on auth.users (email); create table public.mail (email varchar(255) references auth.users (email))`,
  },
  auth_rls_initplan: {
    finds: `select ${POLICY} from ${POLICIES}
      where regexp_replace(using_ || check_, 'select (auth\\.\\w+|current_setting)\\(', '', 'gi') ~ '(auth\\.(uid|jwt|role|email)|current_setting)\\(' and ${OURS}`,
    slip: `create policy p on public.likes for select using (user_id = auth.uid())`,
  },
  multiple_permissive_policies: {
    finds: `select format('%s, %s, %s', c.relname, r.rolname, verb)
      from ${POLICIES}, pg_roles r, unnest(array['r', 'a', 'w', 'd']) as verb
      where p.polpermissive and p.polcmd::text in (verb, '*') and (0 = any (p.polroles) or r.oid = any (p.polroles))
        and r.rolname in ('anon', 'authenticated') and ${OURS}
      group by c.relname, r.rolname, verb having count(*) > 1`,
    slip: `create policy p on public.likes for select using (false)`,
    meant: {
      'solutions, authenticated, r':
        'realtime puts each policy to what the log says of a deleted row, and one that asks for more opens nothing',
    },
  },
  duplicate_index: {
    finds: `select min(indexname) from pg_indexes join pg_namespace n on n.nspname = schemaname where ${OURS}
      group by schemaname, tablename, regexp_replace(indexdef, '^create (unique )?index \\S+', '', 'i') having count(*) > 1`,
    slip: `create index on public.likes (user_id); create index on public.likes (user_id)`,
  },
  invalid_index: {
    finds: `select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_namespace n on n.oid = c.relnamespace where not i.indisvalid and ${OURS}`,
    slip: `update pg_index set indisvalid = false where indexrelid = 'public.likes_pkey'::regclass`,
  },
  function_search_path_mutable: {
    finds: `select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${OURS} and not exists (select from unnest(p.proconfig) as setting where setting like 'search_path=%')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    slip: `create function public.loose() returns int language sql return 1`,
    meant: {
      'private.bit_concat_agg(bit varying)':
        'an aggregate, which can have no settings; what it is made of is built in',
      'private.bits_agg(integer,integer)': 'an aggregate as well',
    },
  },
  extension_in_public: {
    finds: `select extname::text from pg_extension where extnamespace = 'public'::regnamespace`,
    slip: `create extension btree_gist schema public`,
  },
  extension_versions_outdated: {
    finds: `select name::text from pg_available_extensions where installed_version <> default_version`,
    slip: `update pg_extension set extversion = '0' where extname = 'plpgsql'`,
  },
  materialized_view_in_api: {
    finds: `select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'm' and ${READABLE} and ${OURS}`,
    slip: `create materialized view public.kept as select 1 as one; grant select on public.kept to anon`,
  },
  foreign_table_in_api: {
    finds: `select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'f' and ${READABLE} and ${OURS}`,
    slip: `create foreign data wrapper far; create server far foreign data wrapper far; create foreign table public.far (id int) server far; grant select on public.far to anon`,
  },
  unsupported_reg_types: {
    finds: `select format('%s.%s', c.relname, a.attname) from pg_attribute a join pg_class c on c.oid = a.attrelid
      join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'm') and ${OURS} and a.atttypid::regtype::text
        in ('regcollation', 'regconfig', 'regdictionary', 'regnamespace', 'regoper', 'regoperator', 'regproc', 'regprocedure')`,
    slip: `create table public.named (what regproc)`,
  },
  rls_policy_always_true: {
    finds: `select ${POLICY} from ${POLICIES} where p.polpermissive and p.polcmd <> 'r' and ${OURS}
      and ('true' in (using_, check_) or (using_ = '' and p.polcmd <> 'a') or (check_ = '' and p.polcmd = 'a'))`,
    slip: `create policy p on public.likes for delete using (true)`,
  },
  rls_policy_null_auth_disjunct: {
    finds: `select ${POLICY} from ${POLICIES} where p.polpermissive and ${OURS}
      and using_ ~* '(auth\\.(uid|jwt|role)\\(\\)|current_setting\\([^)]*\\))( as \\w+\\))? is null'`,
    slip: `create policy p on public.likes for select using ((select auth.uid()) is null or user_id = (select auth.uid()))`,
  },
  public_bucket_allows_listing: {
    finds: `select b.id from storage.buckets b, pg_policies p where b.public and p.schemaname = 'storage' and p.tablename = 'objects'
      and p.cmd in ('SELECT', 'ALL') and p.permissive = 'PERMISSIVE' and (p.qual is null or p.qual ~* format('^\\(*(true|bucket_id = ''%s''(::text)?)\\)*$', b.id))`,
    slip: `create policy p on storage.objects for select using (bucket_id = 'avatars')`,
  },
  anon_security_definer_function_executable: {
    finds: callableBy('anon'),
    slip: `create function public.mighty() returns int language sql security definer set search_path = '' return 1; grant execute on function public.mighty() to anon`,
    meant: DEFINERS_FOR_ALL,
  },
  authenticated_security_definer_function_executable: {
    finds: callableBy('authenticated'),
    slip: `create function public.mighty() returns int language sql security definer set search_path = '' return 1; grant execute on function public.mighty() to authenticated`,
    meant: { ...DEFINERS_FOR_ALL, ...DEFINERS_FOR_MEMBERS },
  },
  unindexed_foreign_keys: {
    finds: `select k.conname::text from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and ${OURS} and not exists (select from pg_index i where i.indrelid = k.conrelid and i.indisvalid
        and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`,
    slip: `create table public.child (parent uuid references public.solutions)`,
    meant: {
      messages_notification_type_fkey: 'no type is ever removed from its list',
      notifications_type_fkey: 'no type is ever removed from its list',
    },
  },
  no_primary_key: {
    finds: `select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and ${OURS} and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
    slip: `create table public.keyless (id int)`,
    meant: {
      registration_submissions: 'a row is a moment, and there may be two',
      solution_drafts: 'one of its two columns is null for a new solution; both are unique together',
      removal_request_senders: 'a row is a moment, and there may be two',
    },
  },
  rls_enabled_no_policy: {
    finds: `select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and c.relrowsecurity and ${OURS} and not exists (select from pg_policy p where p.polrelid = c.oid)`,
    slip: `create table public.closed (id int); alter table public.closed enable row level security`,
    meant: {
      audited_acts: 'closed to clients',
      notice_types: 'closed to clients',
      registration_submissions: 'closed to clients',
      conversations: 'closed to clients',
      facet_counts: 'closed to clients',
      facet_sets: 'closed to clients',
      incoming_uploads: 'closed to clients',
      kept_counts: 'closed to clients',
      mail_jobs: 'closed to clients',
      mail_key: 'closed to clients',
      media_jobs: 'closed to clients',
      rate_limit_counters: 'closed to clients',
      report_counts: 'closed to clients',
      reply_counts: 'closed to clients',
      reported_cases: 'closed to clients',
      use_counts: 'closed to clients',
      use_subjects: 'closed to clients',
      retained_records: 'closed to clients',
      search_words: 'closed to clients',
      invitations: 'closed to clients',
      removal_request_senders: 'closed to clients',
      uptime: 'closed to clients',
      word_sets: 'closed to clients',
    },
  },
  autovacuum_disabled: {
    finds: `select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace where 'autovacuum_enabled=false' = any (c.reloptions) and ${OURS}`,
    slip: `alter table public.likes set (autovacuum_enabled = false)`,
  },
};

describe.each(Object.entries(LINTS))('%s', (_name, { finds, slip, meant = {} }) => {
  const found = async () => {
    await owner("set local search_path = ''");
    return (await owner<{ found: string }>(`select x.* from (${finds}) as x (found) order by 1`)).map(
      (row) => row.found,
    );
  };

  it('finds nothing but what is meant to be so', async () => {
    expect(await found()).toEqual(Object.keys(meant).toSorted());
  });

  it('finds a slip', async () => {
    const before = await found();
    await owner(`reset search_path; ${slip}`);
    expect((await found()).length).toBeGreaterThan(before.length);
  });
});
