create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  username text
    constraint "Username must be 3 to 30 letters, digits, dots, dashes or lines" check (username ~ '^[A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9]$')
    constraint "This username is reserved" check (not private.impersonates_staff(username)),
  full_name text
    constraint "Full name must be 1 to 120 characters" check (full_name is null or (not private.is_blank(full_name) and char_length(full_name) <= 120))
    constraint "Please enter your actual name, not an email address" check (full_name !~ '^\s*\S+@\S+\.\S+\s*$')
    constraint "Please enter your own name, not one of the site's staff" check (not private.impersonates_staff(full_name)),
  bio text constraint "Bio must be at most 2000 characters" check (char_length(bio) <= 2000),
  workplace text constraint "Workplace must be at most 160 characters" check (char_length(workplace) <= 160),
  profession text constraint "Profession must be at most 120 characters" check (char_length(profession) <= 120),
  location text constraint "Location must be at most 120 characters" check (char_length(location) <= 120),
  avatar_url text,
  interests text
    constraint "Interests must be chosen from the list" check (
      interests = ''
      or string_to_array(interests, ', ') <@ array[
        'Upper Limb Prosthetics', 'Lower Limb Prosthetics', 'Pediatric Prosthetics', 'Sports Prosthetics', '3D Printing',
        'Advanced Materials', 'Myoelectric Control', 'Osseointegration', 'Socket Design', 'Gait Analysis',
        'Rehabilitation', 'Research & Development'
      ]
    ),
  allow_messages boolean not null default true,
  allow_notifications boolean not null default true,
  email_notifications boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- They stand beside each other and beside what others wrote.
  constraint "Names must not have invisible characters" check (
    not private.has_hidden_characters(coalesce(full_name, '') || coalesce(workplace, '') || coalesce(profession, '') || coalesce(location, ''))
  ),
  constraint "The avatar must be a file in your own folder" check (
    avatar_url ~ ('^/storage/v1/object/public/avatars/' || id || '/[A-Za-z0-9_-]+\.[a-z]+$')
  )
);

comment on table public.profiles is 'What a member shows of themselves, and their settings. Never holds an e-mail address.';

alter table public.profiles enable row level security;

create policy "Everybody can read profiles" on public.profiles
  for select using (true);
create policy "Members can complete their own profile" on public.profiles
  for insert to authenticated with check (id = (select auth.uid()));
create policy "Members can edit their own profile" on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));

-- Names must not differ by case alone, or one member could pass for another.
create unique index profiles_username_key on public.profiles (lower(username));
-- The admin's member list, newest first.
create index profiles_created_at_idx on public.profiles (created_at desc, id);

create trigger profiles_touch before update on public.profiles
  for each row execute function private.touch();

/* Keeps the path of a stored file's public URL, so that no row points a reader's browser at another host and
   the site can move to another address. */
create function private.storage_path(url text) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(nullif(url, ''), '^https?://[^/?#]+(?=/storage/v1/object/)', '');

grant execute on function private.storage_path(text) to anon, authenticated, service_role;

/* Not security definer: it asks which role the statement runs as. */
create function private.normalize_profile() returns trigger
language plpgsql set search_path = ''
as $$
declare
  settings constant text[] := array['allow_messages', 'allow_notifications', 'email_notifications', 'created_at', 'updated_at'];
begin
  new.avatar_url := private.storage_path(new.avatar_url);
  new.username := nullif(btrim(new.username), '');
  new.full_name := nullif(btrim(new.full_name), '');
  -- Who is suspended or banned changes no more than settings.
  if private.is_client() and (tg_op = 'INSERT' or to_jsonb(new) - settings <> to_jsonb(old) - settings) then
    perform private.may_take_part();
  end if;
  return new;
end
$$;

create trigger profiles_tidy before insert or update on public.profiles
  for each row execute function private.normalize_profile();

grant select (id, username, full_name, avatar_url, profession, workplace) on public.profiles to anon;
grant select on public.profiles to authenticated;
-- `id` is among them because an upsert names it; the policies hold it to the member's own.
grant insert (id, username, full_name, bio, workplace, profession, location, avatar_url, interests, allow_messages, allow_notifications, email_notifications, updated_at)
  on public.profiles to authenticated;
grant update (id, username, full_name, bio, workplace, profession, location, avatar_url, interests, allow_messages, allow_notifications, email_notifications, updated_at)
  on public.profiles to authenticated;

create view public.public_profiles with (security_invoker = true) as
  select id, username, full_name, avatar_url, profession, workplace
  from public.profiles;

comment on view public.public_profiles is 'The part of a profile that anybody may read.';

grant select on public.public_profiles to anon, authenticated;

/* Whether a name can still be taken, ignoring case; the constraint decides in the end. */
create function public.username_available(name text) returns boolean
language sql stable set search_path = ''
return not exists (select from public.profiles p where lower(p.username) = lower(btrim(name)) and p.id is distinct from (select auth.uid()));

grant execute on function public.username_available(text) to authenticated;

/*
 * The versions (dates) there are of a text that members agree to, the latest last; the wording of the latest is in
 * app/review/data.ts and app/account/schema.ts. A new wording needs its date here.
 */
create function private.text_versions(statement text) returns text[]
language sql immutable parallel safe set search_path = ''
return case statement
  when 'adult_healthcare_professional' then array['2026-11-01']
  when 'consent' then array['2026-11-01']
  else '{}'
end;

grant execute on function private.text_versions(text) to authenticated, service_role;

create table public.member_declarations (
  user_id uuid not null references public.profiles on delete cascade,
  statement text not null check (statement in ('adult_healthcare_professional')),
  text_version text not null
    constraint "This version of the text is not known" check (text_version = any (private.text_versions(statement))),
  declared_at timestamptz not null default now(),
  primary key (user_id, statement, text_version)
);

comment on table public.member_declarations is 'What members declared at sign-up (18 or over, healthcare professional), with the version of the text they saw.';

alter table public.member_declarations enable row level security;

create policy "Members can read their own declarations" on public.member_declarations
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can declare for themselves" on public.member_declarations
  for insert to authenticated with check (user_id = (select auth.uid()));

grant select on public.member_declarations to authenticated;
grant insert (user_id, statement, text_version) on public.member_declarations to authenticated;

/* Gives every new account its profile. Security definer, because the role that signs people up owns nothing here. */
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id) values (new.id);
  -- Whoever saw another text declares when they complete their profile.
  if new.raw_user_meta_data ->> 'declaration_version' = any (private.text_versions('adult_healthcare_professional')) then
    insert into public.member_declarations (user_id, statement, text_version)
    values (new.id, 'adult_healthcare_professional', new.raw_user_meta_data ->> 'declaration_version');
  end if;
  return new;
end
$$;

create trigger welcome_member after insert on auth.users
  for each row execute function private.create_profile();
