-- The functions that decide permissions read these tables, so the tables come first. Their own rules are in
-- the migrations that are named after them.

create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  username text
    constraint "Use 3–30 letters, numbers, full stops, hyphens or underscores" check (username ~ '^[A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9]$')
    constraint "This username is reserved" check (not private.impersonates_staff(username)),
  full_name text
    constraint "Full name must be 1 to 120 characters" check (full_name is null or (not private.is_blank(full_name) and char_length(full_name) <= 120))
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
  -- What readers see of the member's registration; kept by member_credentials.
  credential_level text check (credential_level in ('declared', 'checked')),
  credential_register text,
  credential_checked_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The texts are shown beside each other and beside the contributions of others.
  constraint "Names must not have invisible characters" check (
    not private.has_hidden_characters(coalesce(full_name, '') || coalesce(workplace, '') || coalesce(profession, '') || coalesce(location, ''))
  ),
  constraint "Names must not have more than four marks on a letter" check (
    not private.has_stacked_marks(coalesce(full_name, '') || coalesce(' ' || workplace, '') || coalesce(' ' || profession, '') || coalesce(' ' || location, ''))
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

/* The operator's settings for the whole site. */
create table private.settings (
  only_row boolean primary key default true check (only_row),
  staff_need_second_step boolean not null default false
);

comment on column private.settings.staff_need_second_step is
  'Moderators and admins who have not set up two-step sign-in cannot use their powers until they have.';

alter table private.settings enable row level security;
insert into private.settings default values;

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

-- The sanctions that every write of a member checks, and the history of a member.
create index sanctions_user_id_idx on public.sanctions (user_id, created_at desc);
-- Foreign keys.
create index sanctions_created_by_idx on public.sanctions (created_by);
create index sanctions_lifted_by_idx on public.sanctions (lifted_by);

/*
 * The existing versions (dates) of a text that members agree to, the latest last; the wording of the latest
 * is in app/solution/review/data.ts and app/account/account/form-schema.ts. A new wording needs its date here.
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

comment on table public.member_declarations is 'The members'' declarations at sign-up (18 or over, healthcare professional), with the version of the text they saw.';

alter table public.member_declarations enable row level security;
