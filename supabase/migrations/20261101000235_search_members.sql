-- Any part of a name or username, ignoring accents and case.
create index profiles_search_idx on public.profiles
  using gin (private.normalized(coalesce(username, '') || ' ' || coalesce(full_name, '')) extensions.gin_trgm_ops);

/*
 * At most eight members whose name or username contains the text, those whose username begins with it first:
 * [{id, username, full_name, profession, avatar_url, allow_messages, credential_level, credential_register,
 * credential_checked_on}]. Members without a username are left out.
 * Not security definer: the caller's own rights decide.
 */
create function public.search_members(search text) returns jsonb
language sql stable set search_path = ''
as $$
  with wanted as (
    select private.normalized(btrim(left(search, 100))) as text
  ),
  found as (
    select p.id, p.username, p.full_name, p.profession, p.avatar_url, p.allow_messages,
      p.credential_level, p.credential_register, p.credential_checked_on,
      not starts_with(private.normalized(p.username), w.text) as later
    from public.profiles p, wanted w
    where w.text <> '' and p.username is not null
      and private.normalized(coalesce(p.username, '') || ' ' || coalesce(p.full_name, ''))
        like '%' || regexp_replace(w.text, '([\\%_])', '\\\1', 'g') || '%'
    order by later, p.full_name, p.username
    limit 8
  )
  select coalesce(jsonb_agg(to_jsonb(f) - 'later' order by f.later, f.full_name, f.username), '[]') from found f
$$;

grant execute on function public.search_members(text) to authenticated;
