/* The caller's sessions, the latest first. Security definer, because members cannot read auth.sessions. */
create function public.own_sessions()
returns table (id uuid, user_agent text, created_at timestamptz, refreshed_at timestamptz, is_current boolean)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.user_agent, s.created_at, coalesce(s.refreshed_at at time zone 'UTC', s.created_at),
    s.id::text = (select auth.jwt()) ->> 'session_id'
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 5 desc, 4 desc;
$$;

grant execute on function public.own_sessions() to authenticated;

/*
 * Everything the database holds about the caller, by table: the account, and the rows of every table that belongs to
 * them by one of the columns below, so that a new table is part of it by itself. Columns that name the caller on
 * other people's rows (who acted, who was blocked, who resolved) are left out. Security definer, because some of it
 * cannot be read through the API.
 */
create function public.export_account() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  found record;
  rows jsonb;
  answer jsonb;
begin
  if me is null or not private.has_required_aal() then
    raise insufficient_privilege using message = 'Sign in to download your data';
  end if;
  select jsonb_build_object(
    'account', (
      select jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'created_at', u.created_at,
        'confirmed_at', u.confirmed_at, 'last_sign_in_at', u.last_sign_in_at, 'metadata', u.raw_user_meta_data)
      from auth.users u where u.id = me
    ),
    'identities', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'identity_data', i.identity_data, 'created_at', i.created_at)), '[]')
      from auth.identities i where i.user_id = me
    ),
    'second_factors', (
      select coalesce(jsonb_agg(jsonb_build_object('name', f.friendly_name, 'type', f.factor_type, 'status', f.status, 'created_at', f.created_at)), '[]')
      from auth.mfa_factors f where f.user_id = me
    ),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('user_agent', s.user_agent, 'ip', s.ip, 'created_at', s.created_at, 'refreshed_at', s.refreshed_at)), '[]')
      from auth.sessions s where s.user_id = me
    ),
    'acts_in_the_audit_log', (
      select coalesce(jsonb_agg(to_jsonb(a) order by a.id), '[]') from public.audit_events a where a.actor_id = me
    )
  ) into answer;

  for found in
    select c.relname as name, string_agg(format('t.%I = $1', a.attname), ' or ') as own
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid in ('public.profiles'::regclass, 'auth.users'::regclass)
      and c.relnamespace = 'public'::regnamespace
      and a.attname not in ('actor_id', 'blocked_id', 'resolved_by')
    group by c.relname
  loop
    execute format('select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from public.%I t where %s', found.name, found.own) into rows using me;
    answer := answer || jsonb_build_object(found.name, rows);
  end loop;
  return answer || jsonb_build_object(
    'solution_media', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.solution_id, m.position), '[]')
      from public.solution_media m join public.solutions s on s.id = m.solution_id where s.user_id = me
    ),
    'reviews_of_own_solutions', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'reviewer_id' order by r.id), '[]')
      from public.solution_reviews r join public.solutions s on s.id = r.solution_id where s.user_id = me
    )
  );
end
$$;

grant execute on function public.export_account() to authenticated;

create table private.retained_records (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  email text,
  record jsonb not null,
  deleted_at timestamptz not null default now(),
  keep_until timestamptz not null default now() + interval '7 years'
);

comment on table private.retained_records is 'What law requires of accounts that were deleted: who declared and consented to what, and what was decided. Out of reach of the site and its API; deleted after 7 years.';

create index retained_records_keep_until_idx on private.retained_records (keep_until);

alter table private.retained_records enable row level security;

/*
 * Deletes a member's account for good; called by public.delete_account, and for operators who restore a backup from
 * before a deletion. Not for clients.
 */
create function private.erase_account(member uuid, shared text) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into private.retained_records (user_id, email, record)
  select member, u.email, jsonb_build_object(
    'created_at', u.created_at,
    'declarations', (select jsonb_agg(to_jsonb(d) - 'user_id') from public.member_declarations d where d.user_id = member),
    'consents', (
      select jsonb_agg(jsonb_build_object('solution_id', c.solution_id, 'basis', c.basis, 'statement_version', c.statement_version, 'recorded_at', c.recorded_at))
      from public.solution_consents c join public.solutions s on s.id = c.solution_id where s.user_id = member
    ),
    'decisions', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('solution_id', r.solution_id, 'decision', r.decision, 'created_at', r.created_at, 'consent', r.consent)) order by r.id)
      from public.solution_reviews r join public.solutions s on s.id = r.solution_id where s.user_id = member
    )
  )
  from auth.users u where u.id = member;
  perform private.audit('account_deleted', 'profile', member::text, null, jsonb_build_object('shared', shared));

  delete from public.solutions s where s.user_id = member and (shared = 'remove' or s.status <> 'approved');
  if shared = 'remove' then
    delete from public.comments c where c.user_id = member;
    delete from public.forum_posts p where p.user_id = member;
    delete from public.forum_topics t
    where t.user_id = member and not exists (select from public.forum_posts p where p.topic_id = t.id);
    update public.forum_topics t set title = 'Removed topic', description = null where t.user_id = member;
    delete from public.resource_suggestions r where r.user_id = member;
  end if;
  delete from public.resource_suggestions r where r.user_id = member and r.status <> 'approved';

  insert into public.media_jobs (action, object_names)
  select 'purge', array_agg(o.bucket_id || '/' || o.name)
  from storage.objects o
  where o.name like member || '/%'
    and not exists (
      select from public.solution_media m
      where o.name in (
        select regexp_replace(url, '^/storage/v1/object/(public|authenticated)/[^/]+/', '')
        from unnest(array[m.media_url, m.compressed_url, m.thumbnail_url]) as u (url)
      )
    )
  having count(*) > 0;
  delete from auth.users u where u.id = member;
end
$$;

/*
 * Deletes the caller's account for good.
 *
 * shared: 'keep' leaves what is public as that of a former member, 'remove' takes it along; what never was public
 * goes in either case. Topics that others replied to keep their place without their text.
 * Errors: 42501 when the last proof of who is asking is older than ten minutes or a second step is missing, 23514 for
 * another `shared` and for the last administrator. Security definer, because members cannot write auth.users.
 */
create function public.delete_account(shared text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  proven timestamptz := (
    select to_timestamp(max((proof ->> 'timestamp')::bigint)) from jsonb_array_elements((select auth.jwt()) -> 'amr') as proof
  );
begin
  if shared is null or shared not in ('keep', 'remove') then
    raise check_violation using message = 'Choose whether what you shared stays or goes';
  end if;
  if me is null or proven is null or proven < now() - interval '10 minutes'
    or not private.has_required_aal()
  then
    raise insufficient_privilege using message = 'Please sign in again to delete your account';
  end if;
  if exists (select from public.user_roles r where r.user_id = me and r.role = 'admin')
    and not exists (select from public.user_roles r where r.user_id <> me and r.role = 'admin')
  then
    raise check_violation using message = 'The last administrator cannot delete their account';
  end if;

  perform private.erase_account(me, shared);
end
$$;

grant execute on function public.delete_account(text) to authenticated;

/* Forgets what was to be kept for a time only, once that is over: page views after two years, and who asked for a
   takedown, and why, 30 days after the outcome. */
create function public.expire_retained_records() returns void
language sql security definer set search_path = ''
as $$
  delete from private.retained_records r where r.keep_until < now();
  delete from public.page_views v where v.viewed_at < now() - interval '2 years';
  update public.takedown_requests r set email = null, reason = null
  where r.resolved_at < now() - interval '30 days' and (r.email is not null or r.reason is not null);
  delete from private.takedown_senders t where t.sent_at < now() - interval '1 day';
$$;

/*
 * How many hours a solution usually waits for its first decision, from the last 50; null until there were five.
 * Security definer, because the history of a review is its author's and the moderators' alone.
 */
create function public.usual_review_hours() returns integer
language sql stable security definer set search_path = ''
as $$
  select case when count(*) >= 5 then greatest(1, ceil(percentile_cont(0.5) within group (order by waited)))::integer end
  from (
    select extract(epoch from d.created_at - s.created_at) / 3600 as waited
    from (
      select r.id, r.solution_id, r.created_at from public.solution_reviews r
      where r.decision in ('approved', 'rejected') order by r.id desc limit 50
    ) d
    cross join lateral (
      select r.created_at from public.solution_reviews r
      where r.solution_id = d.solution_id and r.id < d.id and r.decision in ('submitted', 'resubmitted')
      order by r.id desc limit 1
    ) s
  ) waits;
$$;

grant execute on function public.usual_review_hours() to anon, authenticated;
