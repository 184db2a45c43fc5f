-- Summaries and notes in what a member takes along, and in what goes with them.

/*
 * All data in the database about the caller, by table: the account, and the rows of every table that belongs
 * to them by one of the columns below, so that a new table is included automatically. Columns that name the
 * caller on other people's rows (the actor, the blocked or followed member, the resolver, who decided, made or ended it) are left out,
 * since who moderated once would have what only moderators read. Of the rows that moderators write about the caller, notes come
 * without who wrote them. Security definer, because some of it cannot be read through the API.
 */
create or replace function public.export_account() returns jsonb
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
    execute format('select coalesce(jsonb_agg(to_jsonb(t)%s), ''[]'') from public.%I t where (%s) and %s',
      case owned.name when 'staff_notes' then ' - ''created_by''' else '' end, owned.name, owned.own,
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
    'topic_summaries', (
      select coalesce(jsonb_agg(jsonb_build_object('topic_id', t.id, 'summary', t.summary,
        'language', t.summary_language, 'written_at', t.summary_at) order by t.id), '[]')
      from public.forum_topics t where t.summary_by = me
    ),
    'reviews_of_own_solutions', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'reviewer_id' order by r.id), '[]')
      from public.solution_reviews r join public.solutions s on s.id = r.solution_id where s.user_id = me
    )
  );
end
$$;

/*
 * Deletes a member's account permanently; called by public.delete_account, and for operators who restore a
 * backup from before a deletion. Not for clients.
 */
create or replace function private.erase_account(member uuid, shared text) returns void
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
  delete from public.solution_translations t where t.user_id = member and (shared = 'remove' or t.status in ('pending', 'rejected'));
  if shared = 'remove' then
    -- In the order of a change of the audience, which holds the solution before the count of its comments.
    delete from public.likes l where l.user_id = member;
    delete from public.comments c where c.user_id = member;
    delete from public.forum_posts p where p.user_id = member;
    delete from public.forum_topics t
    where t.user_id = member and not exists (select from public.forum_posts p where p.topic_id = t.id);
    update public.forum_topics t set title = 'Removed topic', description = null, images = '[]', image_consent = null
    where t.user_id = member;
    update public.forum_topics t set summary = null, summary_at = null where member in (t.user_id, t.summary_by);
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
