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
      -- Without what was changed, which is about others and for admins to read.
      select coalesce(jsonb_agg(to_jsonb(a) - array['before', 'after'] order by a.id), '[]') from public.audit_events a where a.actor_id = me
    )
  ) into answer;

  for owned in
    select c.relname as name, string_agg(format('t.%I = $1', a.attname), ' or ') as own
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid in ('public.profiles'::regclass, 'auth.users'::regclass)
      and c.relnamespace = 'public'::regnamespace
      and a.attname not in ('actor_id', 'blocked_id', 'member_id', 'resolved_by', 'decided_by', 'reviewer_id', 'created_by', 'lifted_by', 'ended_by')
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
      from public.solution_outcomes o join public.solutions s on s.id = o.solution_id left join public.solution_trials t on t.id = o.trial_id
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
