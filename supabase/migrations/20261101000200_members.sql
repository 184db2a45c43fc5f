-- Members, and the facts about a caller that permissions follow from. The functions that decide them read these tables, so the
-- tables come first; the rules of most tables are in the migrations that are named after them.

create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  username text
    constraint "Use 3–30 letters, numbers, full stops, hyphens or underscores" check (
      username ~ '^[A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9]$'
    )
    constraint "This username is reserved" check (not private.impersonates_staff(username)),
  full_name text
    constraint "Full name must be 1 to 120 characters" check (
      full_name is null or (not private.is_blank(full_name) and char_length(full_name) <= 120)
    )
    constraint "Please enter your actual name, not an email address" check (normalize(full_name, NFKC) !~ '^\s*\S+@\S+\.\S+\s*$')
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
  weekly_digest boolean not null default false,
  -- The Monday on which the next weekly digest is sent; kept by schedule_digest.
  digest_due_at timestamptz,
  -- What readers see of the member's registration; kept by member_registrations.
  registration_level text check (registration_level in ('declared', 'checked')),
  registration_register text,
  registration_checked_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The texts are shown beside each other and beside the contributions of others.
  constraint "Names must not have invisible characters" check (
    not private.has_hidden_characters(
      coalesce(full_name, '') || coalesce(workplace, '') || coalesce(profession, '') || coalesce(location, '')
    )
  ),
  constraint "Names must not have more than four marks on a letter" check (
    not private.has_stacked_marks(
      coalesce(full_name, '') || coalesce(' ' || workplace, '') || coalesce(' ' || profession, '') || coalesce(' ' || location, '')
    )
  ),
  constraint "The avatar must be a file in your own folder" check (
    avatar_url ~ ('^/storage/v1/object/public/avatars/' || id || '/[A-Za-z0-9_-]+\.[a-z]+$')
  )
);

comment on table public.profiles is 'A member''s public details, and their settings. Never holds an email address.';

alter table public.profiles enable row level security;

-- Names must not differ by case alone, or one member could pass for another.
create unique index profiles_username_key on public.profiles (lower(username));
-- The admin's member list, newest first.
create index profiles_created_at_idx on public.profiles (created_at desc, id);

create table public.user_roles (
  user_id uuid not null references public.profiles on delete cascade,
  role text not null constraint "Role must be user, moderator or admin" check (role in ('user', 'moderator', 'admin')),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);

comment on table public.user_roles is 'The members who may moderate or administer. A member without a row is a plain user.';

alter table public.user_roles enable row level security;

create table public.site_settings (
  only_row boolean primary key default true check (only_row),
  site_name text not null default 'Limb Commons'
    constraint "The name must be 1 to 40 characters" check (not private.is_blank(site_name) and char_length(site_name) <= 40)
    constraint "The name must not have invisible characters" check (not private.has_hidden_characters(site_name)),
  welcome_text text not null default ''
    constraint "The welcome text must be at most 300 characters" check (char_length(welcome_text) <= 300)
    constraint "The welcome text must not have invisible characters" check (not private.has_hidden_characters(welcome_text)),
  -- Its hue; the lightness of what is drawn is that of each theme. Empty: the product's own.
  accent_colour text not null default ''
    constraint "Write a colour as # and six digits of 0-9 and a-f" check (accent_colour ~ '^(#[0-9a-f]{6})?$'),
  -- Empty: the product's own sign.
  logo_url text not null default ''
    constraint "The logo must be a file that was uploaded as one" check (
      logo_url ~ '^(/storage/v1/object/public/avatars/site/[0-9]+\.webp)?$'
    ),
  sign_up text not null default 'open'
    constraint "Sign-up must be open, invite or closed" check (sign_up in ('open', 'invite', 'closed')),
  -- Empty: any.
  email_domains text[] not null default '{}'
    constraint "Enter up to 50 domains, such as clinic.example" check (
      cardinality(email_domains) <= 50 and array_position(email_domains, null) is null
      and array_to_string(email_domains, ' ') ~ '^((([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])( |$))*$'
    ),
  staff_second_step boolean not null default false,
  show_points boolean not null default true,
  reviewed_first_posts smallint not null default 0
    constraint "Between 0 and 10 first posts can wait for review" check (reviewed_first_posts between 0 and 10)
);

comment on table public.site_settings is
  'The settings of the whole site, one row: admins change them on the dashboard, operators by the command "settings".';
comment on column public.site_settings.staff_second_step is
  'Moderators and admins who have not set up two-step sign-in cannot use their powers until they have.';

comment on column public.site_settings.reviewed_first_posts is
  'How many comments, topics and replies of a new member wait for a moderator before others see them; 0 for none.';

alter table public.site_settings enable row level security;
insert into public.site_settings default values;

create table public.sanctions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles on delete cascade,
  kind text not null check (kind in ('warning', 'suspension', 'ban')),
  reason text not null
    constraint "Please provide a reason" check (not private.is_blank(reason))
    constraint "A reason must be at most 2000 characters" check (char_length(reason) <= 2000),
  until timestamptz,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  lifted_at timestamptz,
  lifted_by uuid references public.profiles on delete set null,
  constraint "A suspension says until when" check ((kind = 'suspension') = (until is not null)),
  constraint "A suspension ends in the future, within a year" check (until > created_at and until <= created_at + interval '1 year 1 day')
);

comment on table public.sanctions is 'Warnings, suspensions and bans. Suspended and banned members can read, but not take part.';

alter table public.sanctions enable row level security;

-- The sanctions that every call of a member checks.
create index sanctions_standing_idx on public.sanctions (user_id) where lifted_at is null and kind <> 'warning';
-- The history of a member.
create index sanctions_user_id_idx on public.sanctions (user_id, created_at desc);
-- Foreign keys.
create index sanctions_created_by_idx on public.sanctions (created_by);
create index sanctions_lifted_by_idx on public.sanctions (lifted_by);

/*
 * The existing versions (dates) of a text that members agree to, the latest last; the wording of the latest
 * is in app/solution/review/data.ts and app/account/credentials/rules.ts. A new wording needs its date here.
 */
create function private.text_versions(statement text) returns text[]
language sql immutable parallel safe set search_path = ''
return case statement
  when 'adult_healthcare_professional' then array['2026-11-01']
  when 'consent' then array['2026-11-01', '2026-11-24']
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

comment on table public.member_declarations is
  'The members'' declarations at sign-up (18 or over, healthcare professional), with the version of the text they saw.';

alter table public.member_declarations enable row level security;

-- The facts about the caller that policies use: role, assurance level, sanctions and a completed profile. Three rules
-- hold on all tables, by restrictive policies at each of them, and tests/policies/access/restrictive.test.ts names
-- the exempt:
-- - a member who has set up a second step and not taken it writes nothing and reads nothing that is theirs alone;
--   public content stays readable, since a visitor could read it too;
-- - a suspended or banned member adds and changes nothing. They may still remove what is theirs;
-- - a member without a name or without the declaration adds and changes nothing but their own profile, however they
--   signed up.

/* Whether the caller holds one of the roles. Read from the table at every call, so that removing a role takes
   effect at once. Security definer, because the policies of user_roles itself call it. */
create function private.has_role(variadic roles text[]) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.user_roles r where r.user_id = (select auth.uid()) and r.role = any (roles));

/* Whether two-step sign-in was used in this session. */
create function private.has_aal2() returns boolean
language sql stable set search_path = ''
return coalesce((select auth.jwt()) ->> 'aal', '') = 'aal2';

/* Whether the session has the assurance level that its account requires: a member who has set up two-step
   sign-in must have used it. Security definer, because members cannot read auth.mfa_factors. */
create function private.has_required_aal() returns boolean
language sql stable security definer set search_path = ''
return private.has_aal2()
  or not exists (
    select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status::text = 'verified'
  );

/*
 * The sanction that keeps a member from taking part, in the words that the member reads; null when there is
 * none. Security definer, so that the rules below may call it whatever the caller may read.
 */
create function private.sanction_message(member uuid) returns text
language sql stable security definer set search_path = ''
return (
  select case s.kind
    when 'ban' then 'You are banned from taking part'
    else 'You are suspended until ' || to_char(s.until at time zone 'UTC', 'FMDD FMMonth YYYY')
  end
  from public.sanctions s
  where s.user_id = member and s.lifted_at is null and s.kind <> 'warning' and (s.kind = 'ban' or s.until > now())
  order by s.kind = 'ban' desc, s.until desc
  limit 1
);

/* Whether a member has a username and a name and has declared to be an adult professional. Security definer for the same
   reason. */
create function private.has_completed_profile(member uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from public.profiles p
  where p.id = member and p.username is not null and p.full_name is not null
    and exists (
      select from public.member_declarations d
      where d.user_id = member and d.statement = 'adult_healthcare_professional'
    )
);

/*
 * What keeps a member from taking part: a code for programs and the words that the member reads; no row when nothing
 * does. For the policies, and for our own functions, which work with the service key.
 */
create function public.participation_refusal(member uuid) returns table (code text, message text)
language sql stable security definer set search_path = ''
begin atomic
  select 'sanctioned', s.message from private.sanction_message(member) as s (message) where s.message is not null
  union all
  select 'profile_incomplete', 'Please complete your profile first' where not private.has_completed_profile(member)
  limit 1;
end;

/* Whether the caller is suspended or banned. Security definer, because members cannot query the sanctions of
   others. */
create function private.is_sanctioned() returns boolean
language sql stable security definer set search_path = ''
return private.sanction_message((select auth.uid())) is not null;

/* True, or a refusal with its reason, which a policy that is merely false could not give. Security definer
   for the same reason. */
create function private.refuse_sanctioned() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  reason text := private.sanction_message((select auth.uid()));
begin
  if reason is not null then
    raise insufficient_privilege using message = reason;
  end if;
  return true;
end
$$;

/* The same, and a refusal of those who have not completed their profile. */
create function private.may_take_part() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  refusal record;
begin
  select * into refusal from public.participation_refusal((select auth.uid()));
  if found then
    raise insufficient_privilege using message = refusal.message, hint = refusal.code;
  end if;
  return true;
end
$$;

grant execute on function private.is_sanctioned(), private.refuse_sanctioned(), private.may_take_part()
  to anon, authenticated, service_role;

/* Whether the session has the assurance level for the powers of staff: where the site demands it, all staff must have used
   two-step sign-in. Security definer, so that it asks no policy of the table of settings. */
create function private.has_required_staff_aal() returns boolean
language sql stable security definer set search_path = ''
return private.has_required_aal()
  and (
    private.has_aal2()
    or not exists (select from public.site_settings s where s.staff_second_step)
  );

/*
 * Whether the caller may read the staff's own data, and whether rules for members do not hold them back. A
 * role has no effect in a session whose owner has set up a second step and not taken it: a stolen password
 * opens no queue. Nor has it without one where the site demands it, or while its holder is suspended or banned.
 */
create function private.is_moderator() returns boolean
language sql stable set search_path = ''
return private.has_role('moderator', 'admin') and private.has_required_staff_aal() and not private.is_sanctioned();

create function private.is_admin() returns boolean
language sql stable set search_path = ''
return private.has_role('admin') and private.has_required_staff_aal() and not private.is_sanctioned();

/* The same for privileged writes. */
create function private.may_moderate() returns boolean
language sql stable set search_path = ''
return private.is_moderator();

create function private.may_administer() returns boolean
language sql stable set search_path = ''
return private.is_admin();

/* Security definer, because the promotion of a member looks at that member's rows. */
create function private.is_admin_account(account uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.user_roles r where r.user_id = account and r.role = 'admin');

grant execute on function
  private.has_role(text[]), private.is_moderator(), private.is_admin(), private.has_required_aal(), private.has_required_staff_aal(),
  private.may_moderate(), private.may_administer(), private.is_admin_account(uuid)
  to anon, authenticated, service_role;

/* Security definer, because moderators cannot read the roles of others. */
create function private.is_staff_account(account uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.user_roles r where r.user_id = account and r.role in ('moderator', 'admin'));

grant execute on function private.is_staff_account(uuid) to authenticated, service_role;

create policy "Members can read their own declarations" on public.member_declarations
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can declare for themselves" on public.member_declarations
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.member_declarations
  as restrictive for select to authenticated using ((select private.has_required_aal()));

grant select on public.member_declarations to authenticated;
grant insert (user_id, statement, text_version) on public.member_declarations to authenticated;

/* Gives every new account its profile. Security definer, because the role that signs people up owns nothing here. */
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id) values (new.id);
  -- A member who saw another text makes the declaration when completing the profile.
  if new.raw_user_meta_data ->> 'declaration_version' = any (private.text_versions('adult_healthcare_professional')) then
    insert into public.member_declarations (user_id, statement, text_version)
    values (new.id, 'adult_healthcare_professional', new.raw_user_meta_data ->> 'declaration_version');
  end if;
  return new;
end
$$;

create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();
