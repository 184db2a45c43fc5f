-- Who may read and change a profile, the card that stands for it, and the search for members.

create policy "Everybody can read profiles" on public.profiles
  for select using (true);
create policy "Members can complete their own profile" on public.profiles
  for insert to authenticated with check (id = (select auth.uid()));
create policy "Members can edit their own profile" on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));

create trigger profiles_touch before update on public.profiles
  for each row execute function private.touch();

/* True for a name that passes for the site by the name that its admins have given it, in any spelling. A short one counts as a
   whole name alone, as it may be part of a person's. What the product is called and its staff are is a constraint. */
create function private.impersonates_site(value text) returns boolean
language sql stable set search_path = ''
return (
  select n.site <> '' and case when char_length(n.site) < 8 then n.name = n.site else position(n.site in n.name) > 0 end
  from (
    select replace(private.name_skeleton(s.site_name), ' ', '') as site, replace(private.name_skeleton(value), ' ', '') as name
    from public.site_settings s
  ) n
);

grant execute on function private.impersonates_site(text) to anon, authenticated, service_role;

/* Names that were there before the site's own name stay. Not security definer: it checks which role the statement runs as. */
create function private.normalize_profile() returns trigger
language plpgsql set search_path = ''
as $$
declare
  settings constant text[] := array['allow_messages', 'allow_notifications', 'email_notifications', 'weekly_digest', 'digest_due_at',
    'created_at', 'updated_at'];
begin
  new.avatar_url := private.storage_path(new.avatar_url);
  new.username := nullif(btrim(new.username), '');
  new.full_name := nullif(btrim(new.full_name), '');
  if (tg_op = 'INSERT' or new.username is distinct from old.username) and private.impersonates_site(new.username) then
    raise check_violation using message = 'This username is reserved';
  end if;
  if (tg_op = 'INSERT' or new.full_name is distinct from old.full_name) and private.impersonates_site(new.full_name) then
    raise check_violation using message = 'Please enter your own name, not one of the site''s staff';
  end if;
  -- Suspended and banned members change only their settings.
  if private.is_client() and (tg_op = 'INSERT' or to_jsonb(new) - settings <> to_jsonb(old) - settings) then
    perform private.refuse_sanctioned();
  end if;
  return new;
end
$$;

create trigger profiles_normalize before insert or update on public.profiles
  for each row execute function private.normalize_profile();

grant select (id, username, full_name, avatar_url, profession, workplace,
  registration_level, registration_register, registration_checked_on)
  on public.profiles to anon;
grant select on public.profiles to authenticated;
-- `id` is among them because an upsert names it; the policies hold it to the member's own.
grant insert (id, username, full_name, bio, workplace, profession, location, avatar_url, interests, allow_messages, allow_notifications,
  email_notifications, weekly_digest, updated_at)
  on public.profiles to authenticated;
grant update (id, username, full_name, bio, workplace, profession, location, avatar_url, interests, allow_messages, allow_notifications,
  email_notifications, weekly_digest, updated_at)
  on public.profiles to authenticated;

create view public.public_profiles with (security_invoker = true) as
  select id, username, full_name, avatar_url, profession, workplace, registration_level, registration_register, registration_checked_on
  from public.profiles;

comment on view public.public_profiles is 'The part of a profile that all visitors may read.';

grant select on public.public_profiles to anon, authenticated;

/* A member as the author of something, for answers in JSON; null for no member. Not security definer: all visitors can read
   the public part of profiles. */
create function private.author_card(member uuid) returns jsonb
language sql stable set search_path = ''
return (
  select jsonb_build_object('id', p.id, 'username', p.username, 'full_name', p.full_name, 'profession', p.profession,
    'avatar_url', p.avatar_url, 'registration_level', p.registration_level, 'registration_register', p.registration_register,
    'registration_checked_on', p.registration_checked_on)
  from public.profiles p where p.id = member
);

grant execute on function private.author_card(uuid) to anon, authenticated, service_role;

/* The id of the member with this username, however its letters are written; null where there is none. */
create function public.member_id(username text) returns uuid
language sql stable set search_path = ''
return (select p.id from public.profiles p where lower(p.username) = lower(member_id.username));

grant execute on function public.member_id(text) to anon, authenticated;

/* Why the caller cannot have these names, in the words of the constraints, which decide in the end: one for the
   username, one for the full name; null where nothing is in the way. */
create function public.name_refusals(username text, full_name text, out username_refusal text, out full_name_refusal text)
language sql stable set search_path = ''
as $$
  select
    case
      when private.impersonates_staff(username) or private.impersonates_site(username)
        then 'This username is reserved'
      when exists (
        select from public.profiles p
        where lower(p.username) = lower(btrim(name_refusals.username)) and p.id is distinct from (select auth.uid())
      ) then 'This username is already taken'
    end,
    case
      when private.impersonates_staff(full_name) or private.impersonates_site(full_name)
        then 'Please enter your own name, not one of the site''s staff'
      when private.has_hidden_characters(full_name) then 'Names must not have invisible characters'
      when private.has_stacked_marks(full_name) then 'Names must not have more than four marks on a letter'
    end;
$$;

grant execute on function public.name_refusals(text, text) to authenticated;

-- The beginning of a username, and any part of a name or username, ignoring accents and case.
create index profiles_username_search_idx on public.profiles (private.normalized(username) text_pattern_ops);
create index profiles_search_idx on public.profiles
  using gin (private.normalized(coalesce(username, '') || ' ' || coalesce(full_name, '')) extensions.gin_trgm_ops);

/*
 * Members whose name or username contains the text, at most 50, those whose username begins with it first:
 * [{id, username, full_name, profession, avatar_url, allow_messages, registration_level, registration_register,
 * registration_checked_on}]. Members without a username are left out; one or two letters are looked for where a word begins; of
 * more than 100 others that contain the text only some are considered.
 * Not security definer: the caller's own rights decide.
 */
create function public.search_members(search text, max_results integer default 8) returns jsonb
-- Planned for what is looked for, so that rare texts are found through the index.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  wanted constant text := private.normalized(btrim(left(search, 100)));
  wanted_results constant integer := least(greatest(max_results, 1), 50);
  pattern constant text :=
    case when char_length(wanted) < 3 then '% ' else '%' end || regexp_replace(wanted, '([\\%_])', '\\\1', 'g') || '%';
begin
  if coalesce(wanted, '') = '' then
    return '[]';
  end if;
  return (
    with near as (
      (
        select p.id from public.profiles p
        where private.normalized(p.username) ~>=~ wanted and private.normalized(p.username) ~<~ (wanted || chr(1114111))
        order by private.normalized(p.username) using ~<~ limit wanted_results
      )
      union
      (
        select p.id from public.profiles p
        where p.username is not null
          and private.normalized(coalesce(p.username, '') || ' ' || coalesce(p.full_name, '')) like pattern
        limit 100
      )
    ),
    found as (
      select p.id, p.username, p.full_name, p.profession, p.avatar_url, p.allow_messages,
        p.registration_level, p.registration_register, p.registration_checked_on,
        not starts_with(private.normalized(p.username), wanted) as later
      from near n join public.profiles p on p.id = n.id
      order by later, p.full_name, p.username
      limit wanted_results
    )
    select coalesce(jsonb_agg(to_jsonb(f) - 'later' order by f.later, f.full_name, f.username), '[]') from found f
  );
end
$$;

grant execute on function public.search_members(text, integer) to authenticated;
