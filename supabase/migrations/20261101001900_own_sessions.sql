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
