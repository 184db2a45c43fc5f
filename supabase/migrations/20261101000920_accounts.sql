-- A member's sessions, change of address, export and deletion of the account, and what is kept for how long.

/* The caller's sessions, the latest first. Security definer, because members cannot read auth.sessions. */
create function public.own_sessions()
returns table (id uuid, user_agent text, created_at timestamptz, refreshed_at timestamptz, is_current boolean)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.user_agent, s.created_at, coalesce(s.refreshed_at at time zone 'UTC', s.created_at),
    s.id::text = (select auth.jwt()) ->> 'session_id'
  from auth.sessions s
  where s.user_id = (select auth.uid()) and private.has_required_aal() and (s.not_after is null or s.not_after > now())
  order by 5 desc, 4 desc;
$$;

grant execute on function public.own_sessions() to authenticated;

/*
 * Takes back the caller's wish to change their address; links and codes that were sent for it become invalid. The
 * sign-in service has no request for it. False when no change was waiting. Security definer, because members cannot
 * write auth.users.
 */
create function public.cancel_email_change() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
begin
  if me is null or not private.has_required_aal() then
    raise insufficient_privilege using message = 'Please sign in again to change your email';
  end if;
  delete from auth.one_time_tokens t
  where t.user_id = me and t.token_type::text in ('email_change_token_new', 'email_change_token_current');
  update auth.users u
  set email_change = '', email_change_token_new = '', email_change_token_current = '', email_change_confirm_status = 0
  where u.id = me and u.email_change <> '';
  return found;
end
$$;

grant execute on function public.cancel_email_change() to authenticated;

/*
 * All data in the database about the caller, by table: the account, and the rows of every table that belongs
 * to them by one of the columns below, so that a new table is included automatically. Columns that name the
 * caller on other people's rows (the actor, the blocked or followed member, the resolver, who decided, made or ended it) are left out,
 * since who moderated once would have what only moderators read. Security definer,
 * because some of it cannot be read through the API.
 */
create function public.export_account() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  owned record;
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
      select coalesce(
        jsonb_agg(jsonb_build_object('provider', i.provider, 'identity_data', i.identity_data, 'created_at', i.created_at)), '[]'
      )
      from auth.identities i where i.user_id = me
    ),
    'second_factors', (
      select coalesce(
        jsonb_agg(jsonb_build_object('name', f.friendly_name, 'type', f.factor_type, 'status', f.status, 'created_at', f.created_at)), '[]'
      )
      from auth.mfa_factors f where f.user_id = me
    ),
    'sessions', (
      select coalesce(
        jsonb_agg(jsonb_build_object('user_agent', s.user_agent, 'ip', s.ip, 'created_at', s.created_at, 'refreshed_at', s.refreshed_at)),
        '[]'
      )
      from auth.sessions s where s.user_id = me
    ),
    'acts_in_the_audit_log', (
      -- Without what was changed, which is about others and for admins to read.
      select coalesce(jsonb_agg(to_jsonb(a) - array['before', 'after'] order by a.id), '[]')
      from public.audit_events a
      where a.actor_id = me
    )
  ) into answer;

  -- A hosted project that is older has no passkeys.
  if to_regclass('auth.webauthn_credentials') is not null then
    select coalesce(
      jsonb_agg(jsonb_build_object('name', p.friendly_name, 'created_at', p.created_at, 'last_used_at', p.last_used_at)), '[]'
    ) into rows
    from auth.webauthn_credentials p where p.user_id = me;
    answer := answer || jsonb_build_object('passkeys', rows);
  end if;

  for owned in
    select c.relname as name, string_agg(format('t.%I = $1', a.attname), ' or ') as own
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid in ('public.profiles'::regclass, 'auth.users'::regclass)
      and c.relnamespace = 'public'::regnamespace
      and a.attname not in ('actor_id', 'blocked_id', 'member_id', 'resolved_by', 'decided_by', 'reviewer_id', 'created_by', 'lifted_by',
        'ended_by')
    group by c.relname
  loop
    execute format('select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from public.%I t where (%s) and %s', owned.name, owned.own,
      case owned.name when 'messages' then 'not private.has_deleted(t.id)' else 'true' end) into rows using me;
    answer := answer || jsonb_build_object(owned.name, rows);
  end loop;
  return answer || jsonb_build_object(
    'solution_media', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.solution_id, m.position), '[]')
      from public.solution_media m join public.solutions s on s.id = m.solution_id left join public.solution_trials t on t.id = m.trial_id
      where case when m.trial_id is null then s.user_id else t.user_id end = me
    ),
    'solution_outcomes', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.solution_id, o.position), '[]')
      from public.solution_outcomes o
      join public.solutions s on s.id = o.solution_id
      left join public.solution_trials t on t.id = o.trial_id
      where case when o.trial_id is null then s.user_id else t.user_id end = me
    ),
    'solution_files', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.solution_id, f.position), '[]')
      from public.solution_files f join public.solutions s on s.id = f.solution_id where s.user_id = me
    ),
    'solution_sources', (
      select coalesce(jsonb_agg(to_jsonb(b) order by b.solution_id, b.position), '[]')
      from public.solution_sources b join public.solutions s on s.id = b.solution_id where s.user_id = me
    ),
    'solution_versions', (
      select coalesce(jsonb_agg(to_jsonb(v) order by v.solution_id, v.version), '[]')
      from public.solution_versions v join public.solutions s on s.id = v.solution_id where s.user_id = me
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

comment on table private.retained_records is
  'The records of deleted accounts that the law requires: declarations, consents and decisions. '
  'Out of reach of the site and its API; deleted after 7 years.';

create index retained_records_keep_until_idx on private.retained_records (keep_until);

alter table private.retained_records enable row level security;

/*
 * Deletes a member's account permanently; called by public.delete_account, and for operators who restore a
 * backup from before a deletion. Not for clients.
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
      select jsonb_agg(
        jsonb_build_object('solution_id', c.solution_id, 'basis', c.basis, 'statement_version', c.statement_version,
          'recorded_at', c.recorded_at)
      )
      from public.solution_consents c join public.solutions s on s.id = c.solution_id where s.user_id = member
    ),
    'trial_consents', (
      select jsonb_agg(
        jsonb_build_object('solution_id', t.solution_id, 'basis', t.consent_basis, 'statement_version', t.consent_version,
          'recorded_at', t.consent_recorded_at)
      )
      from public.solution_trials t where t.user_id = member and t.consent_basis is not null
    ),
    'decisions', (
      select jsonb_agg(
        jsonb_strip_nulls(
          jsonb_build_object('solution_id', r.solution_id, 'decision', r.decision, 'created_at', r.created_at, 'consent', r.consent)
        )
        order by r.id
      )
      from public.solution_reviews r join public.solutions s on s.id = r.solution_id where s.user_id = member
    )
  )
  from auth.users u where u.id = member;
  perform private.audit('account_deleted', 'profile', member::text, null, jsonb_build_object('shared', shared));

  -- The addresses of what was public say no more than that it was withdrawn.
  perform set_config('withdrawal.reason', 'none', true);
  delete from public.solutions s where s.user_id = member and (shared = 'remove' or s.status <> 'approved');
  perform set_config('withdrawal.reason', '', true);
  delete from public.solution_trials t where t.user_id = member and (shared = 'remove' or t.status <> 'approved');
  if shared = 'remove' then
    delete from public.comments c where c.user_id = member;
    delete from public.forum_posts p where p.user_id = member;
    delete from public.forum_topics t
    where t.user_id = member and not exists (select from public.forum_posts p where p.topic_id = t.id);
    update public.forum_topics t set title = 'Removed topic', description = null where t.user_id = member;
    delete from public.resource_suggestions r where r.user_id = member;
  end if;
  delete from public.resource_suggestions r where r.user_id = member and r.status <> 'approved';

  -- Their files go as well.
  delete from public.pending_uploads u where u.user_id = member;
  insert into public.media_jobs (object_names)
  select array_agg(o.bucket_id || '/' || o.name)
  from storage.objects o
  where o.name like member || '/%'
    and not exists (
      select from private.stored_urls() as n (url) where n.url like '%/' || member || '/%' and private.file_name(n.url) = o.name
    )
  having count(*) > 0;
  delete from auth.users u where u.id = member;
end
$$;

/*
 * Deletes the caller's account permanently.
 *
 * shared: 'keep' leaves public content as that of a former member, 'remove' deletes it too; content that
 * never was public is deleted in either case. Topics with replies by others keep their place without their
 * text. Errors: 42501 when the session's last proof of identity is older than ten minutes or a second step is
 * missing, 23514 for another `shared` and for the last administrator. Security definer, because members
 * cannot write auth.users.
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
    raise check_violation using message = 'Choose whether to keep or delete your published content';
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

  perform private.mail_farewell(me, shared);
  perform private.erase_account(me, shared);
end
$$;

grant execute on function public.delete_account(text) to authenticated;

/* Deletes data whose time of retention is over: invitations after 30 days, page views after two years, and the names and reasons of
   removal requests 30 days after the outcome. Checks of registrations lapse after a year. */
create function public.expire_retained_records() returns void
language sql security definer set search_path = ''
as $$
  delete from private.retained_records r where r.keep_until < now();
  delete from private.invitations i where i.invited_at < now() - interval '30 days';
  delete from public.page_views v where v.viewed_at < now() - interval '2 years';
  update public.removal_requests r set email = null, reason = null
  where r.resolved_at < now() - interval '30 days' and (r.email is not null or r.reason is not null);
  select private.lapse_registrations();
  delete from private.removal_request_senders t where t.sent_at < now() - interval '1 day';
$$;

-- For backups, which keep a list of permanent deletions, so that restoring an earlier one does not bring the
-- deleted items back.

/*
 * The deletions by members and moderators since a time, also at the request of a person shown, and the
 * accounts that an operator has deleted, from the two audit logs, in order. kind: account, solution, media,
 * hidden (a picture that was withheld), shown (one that was given back), trial, comment, topic, post or
 * collection (one whose link a moderator took away); shared: of
 * an account, whether its contributions were kept or removed.
 */
create function private.deletions_since(since timestamptz) returns table (at timestamptz, kind text, id text, shared text)
language plpgsql stable set search_path = ''
as $$
begin
  return query
  select a.created_at, case a.action when 'account_deleted' then 'account' else split_part(a.action, '_', 1) end,
    a.target_id, a.after ->> 'shared'
  from public.audit_events a
  where a.created_at > since
    and a.action in ('account_deleted', 'solution_deleted', 'trial_deleted', 'comment_deleted', 'topic_deleted', 'post_deleted',
      'collection_unshared')
  union all
  select a.created_at,
    case a.action when 'removal_request_removed' then 'media' when 'removal_request_hidden' then 'hidden' else 'shown' end, m.id, null
  from public.audit_events a, jsonb_array_elements_text(a.after -> 'media_ids') as m (id)
  where a.created_at > since and a.action in ('removal_request_removed', 'removal_request_hidden', 'removal_request_kept')
  union all
  select e.created_at, 'account', e.payload ->> 'actor_id', 'keep'
  from auth.audit_log_entries e where e.created_at > since and e.payload ->> 'action' = 'user_deleted'
  order by 1;
end
$$;

/* Repeats one deletion of deletions_since; false when the database has no row that it concerns. */
create function private.repeat_deletion(kind text, target uuid, shared text) returns boolean
language plpgsql set search_path = ''
as $$
begin
  case kind
    when 'account' then
      perform private.erase_account(u.id, coalesce(shared, 'keep')) from auth.users u where u.id = target;
    when 'solution' then
      delete from public.solutions s where s.id = target;
    when 'media' then
      -- A card must not continue to name a deleted picture.
      perform private.repeat_deletion('hidden', target, null);
      delete from public.solution_media m where m.id = target;
      if not found then
        delete from public.solution_files f where f.id = target;
      end if;
    when 'hidden' then
      perform private.withhold_media(shown.solution_id, array[shown.id], true)
      from (
        select m.id, m.solution_id from public.solution_media m where m.hidden_at is null
        union all select f.id, f.solution_id from public.solution_files f where f.hidden_at is null
      ) shown where shown.id = target;
    when 'shown' then
      perform private.withhold_media(hidden.solution_id, array[hidden.id], false)
      from (
        select m.id, m.solution_id from public.solution_media m where m.hidden_at is not null
        union all select f.id, f.solution_id from public.solution_files f where f.hidden_at is not null
      ) hidden where hidden.id = target;
    when 'trial' then
      delete from public.solution_trials t where t.id = target;
    when 'collection' then
      update public.collections c set is_shared = false, link_removed_at = now() where c.id = target and c.link_removed_at is null;
    when 'comment' then
      delete from public.comments c where c.id = target;
    when 'topic' then
      delete from public.forum_topics t where t.id = target;
    when 'post' then
      delete from public.forum_posts p where p.id = target;
  end case;
  return found;
end
$$;
