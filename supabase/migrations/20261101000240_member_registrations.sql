-- What a member is registered as, by their own word, and whether a moderator has found it in the public register.

create table public.registers (
  code text primary key
    constraint "A short name has 2 to 12 letters and begins with a capital" check (code ~ '^[A-Z][A-Za-z-]{1,11}$'),
  name text not null unique
    constraint "The name of a register must be 1 to 120 characters" check (not private.is_blank(name) and char_length(name) <= 120),
  country text not null
    constraint "The country must be 1 to 60 characters" check (not private.is_blank(country) and char_length(country) <= 60),
  professions text not null
    constraint "The professions must be 1 to 200 characters" check (not private.is_blank(professions) and char_length(professions) <= 200),
  -- Moderators open it; a member's number is never part of it.
  search_url text not null
    constraint "Enter the address of the register, beginning with https://" check (
      search_url ~ '^https://[a-z0-9.-]+/[^\s<>"]*$' and char_length(search_url) <= 500
    ),
  -- No longer offered; who is registered there stays so.
  is_retired boolean not null default false
);

comment on table public.registers is 'Public registers of health professionals that members can name; admins add and retire them.';

alter table public.registers enable row level security;

create policy "Everybody can read registers" on public.registers for select using (true);

create policy "Admins can add registers" on public.registers for insert to authenticated with check ((select private.may_administer()));
create policy "Admins can change registers" on public.registers for update to authenticated using ((select private.may_administer()));

grant select on public.registers to anon, authenticated;
grant insert (code, name, country, professions, search_url), update (name, country, professions, search_url, is_retired)
  on public.registers to authenticated;

/* Security definer, because it writes the audit log. */
create function private.audit_register() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit(case tg_op when 'INSERT' then 'register_added' else 'register_changed' end, 'register', new.code,
    case tg_op when 'UPDATE' then to_jsonb(old) - 'code' end, to_jsonb(new) - 'code');
  return null;
end
$$;

create trigger registers_audit after insert or update on public.registers
  for each row execute function private.audit_register();

insert into public.registers (code, name, country, professions, search_url) values
  ('HCPC', 'Health and Care Professions Council', 'United Kingdom',
    'Prosthetists and orthotists, physiotherapists, occupational therapists and other allied health professions',
    'https://www.hcpc-uk.org/check-the-register/'),
  ('GMC', 'General Medical Council', 'United Kingdom', 'Doctors', 'https://www.gmc-uk.org/registrants'),
  ('NMC', 'Nursing and Midwifery Council', 'United Kingdom', 'Nurses, midwives and nursing associates',
    'https://www.nmc.org.uk/registration/search-the-register/'),
  ('CORU', 'CORU, Health and Social Care Professionals Council', 'Ireland',
    'Physiotherapists, occupational therapists, podiatrists and other health and social care professions', 'https://www.coru.ie/'),
  ('ABC', 'American Board for Certification in Orthotics, Prosthetics & Pedorthics', 'United States',
    'Prosthetists, orthotists, pedorthists, assistants, technicians and fitters', 'https://www.abcop.org/'),
  ('BOC', 'Board of Certification/Accreditation', 'United States', 'Prosthetists, orthotists, pedorthists and fitters',
    'https://www.bocusa.org/'),
  ('AHPRA', 'Australian Health Practitioner Regulation Agency', 'Australia',
    'Doctors, nurses, physiotherapists, occupational therapists, podiatrists and other registered professions',
    'https://www.ahpra.gov.au/Registration/Registers-of-Practitioners.aspx'),
  ('MCNZ', 'Medical Council of New Zealand', 'New Zealand', 'Doctors', 'https://www.mcnz.org.nz/registration/register-of-doctors/'),
  ('CPSO', 'College of Physicians and Surgeons of Ontario', 'Canada', 'Doctors in Ontario', 'https://register.cpso.on.ca/'),
  ('HPCSA', 'Health Professions Council of South Africa', 'South Africa',
    'Medical orthotists and prosthetists, doctors, physiotherapists, occupational therapists and other health professions',
    'https://www.hpcsa.co.za/'),
  ('BIG', 'BIG-register', 'Netherlands', 'Doctors, nurses, physiotherapists and other individual healthcare professions',
    'https://www.bigregister.nl/');

/* A registration number without what is written differently: spaces, signs, and small letters. */
create function private.number_key(number text) returns text
language sql immutable parallel safe set search_path = ''
return upper(regexp_replace(number, '[^A-Za-z0-9]', '', 'g'));

grant execute on function private.number_key(text) to authenticated, service_role;

create table public.member_registrations (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique default auth.uid() references public.profiles on delete cascade,
  register text not null
    constraint "Please choose a register from the list" references public.registers,
  number text not null
    constraint "Registration number is required" check (number <> '')
    constraint "Use up to 40 letters, digits, spaces, dots, hyphens or slashes" check (number ~ '^([A-Za-z0-9][A-Za-z0-9 ./-]{0,39})?$'),
  -- waiting for a moderator, checked, declined, or lapsed a year after the check until the member confirms it.
  state text not null default 'waiting' check (state in ('waiting', 'checked', 'declined', 'lapsed')),
  submitted_at timestamptz not null default now(),
  decided_by uuid references public.profiles on delete set null,
  decided_at timestamptz,
  -- The name on the member's profile that was found in the register.
  checked_name text,
  checklist jsonb,
  decline_reason text
    constraint "A reason must be at most 500 characters" check (char_length(decline_reason) <= 500),
  updated_at timestamptz not null default now(),
  constraint "Confirm each point of the checklist first" check (
    (state = 'checked' and checklist is not null and checklist = '{"name": true, "number": true, "current": true}')
    or (state <> 'checked' and checklist is null)
  ),
  constraint "Please provide a reason" check (state <> 'declined' or not private.is_blank(decline_reason)),
  constraint "Only a declined registration has a reason" check (state = 'declined' or decline_reason is null),
  constraint "A registration that was never decided on is waiting" check (state = 'waiting' or decided_at is not null)
);

comment on table public.member_registrations is
  'The registration that a member states, one each. '
  'The number is for its owner and moderators alone; readers see the level, which profiles keep.';

alter table public.member_registrations enable row level security;

-- Who else states a number, and who was checked under a name; see registration_warnings.
create index member_registrations_number_idx on public.member_registrations (register, private.number_key(number));
create index member_registrations_name_idx on public.member_registrations (private.name_skeleton(checked_name)) where state = 'checked';
-- A registration is of one person. As compared by private.number_key.
create unique index member_registrations_checked_key on public.member_registrations (register, private.number_key(number))
  where state = 'checked';
create index member_registrations_decided_by_idx on public.member_registrations (decided_by);
-- The review queue, and what lapses.
create index member_registrations_state_idx on public.member_registrations (state, submitted_at, id);

create policy "Members can read their own registration, moderators all" on public.member_registrations
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_moderator()));
create policy "Members can state their registration" on public.member_registrations
  for insert to authenticated with check (user_id = (select auth.uid()) and state = 'waiting');
create policy "Members can correct theirs, moderators decide on waiting ones" on public.member_registrations
  for update to authenticated
  using (user_id = (select auth.uid()) or (state = 'waiting' and (select private.may_moderate())))
  with check (user_id = (select auth.uid()) or state in ('checked', 'declined'));
create policy "Members can remove their registration" on public.member_registrations
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.member_registrations
  as restrictive for select to authenticated using ((select private.has_required_aal()));

grant select, delete on public.member_registrations to authenticated;
grant insert (user_id, register, number), update (register, number, state, checklist, decline_reason) on public.member_registrations
  to authenticated;

create trigger member_registrations_touch before update on public.member_registrations
  for each row execute function private.touch();

/*
 * Holds owner and moderator each to their part: what the owner states waits for a moderator, who decides on it and
 * changes nothing else. Four eyes: no moderator decides on their own. Not security definer: it checks which role the
 * statement runs as.
 */
create function private.guard_registration() returns trigger
language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  new.number := btrim(regexp_replace(new.number, '\s+', ' ', 'g'));
  if private.is_client() and (tg_op = 'INSERT' or new.register <> old.register)
    and exists (select from public.registers r where r.code = new.register and r.is_retired) then
    raise check_violation using message = 'Please choose a register from the list';
  end if;
  if tg_op = 'INSERT' or not private.is_client() then
    return new;
  end if;
  if new.user_id = me then
    if new.state <> old.state or new.checklist is distinct from old.checklist or new.decline_reason is distinct from old.decline_reason then
      raise insufficient_privilege using message = 'Another moderator must check your registration';
    end if;
    -- Confirmed unchanged, one that was checked stays so.
    if old.state <> 'checked' or (new.register, new.number) <> (old.register, old.number) then
      new.state := 'waiting';
      new.submitted_at := now();
      new.decided_by := null;
      new.decided_at := null;
      new.checked_name := null;
      new.checklist := null;
      new.decline_reason := null;
    end if;
  else
    if (new.register, new.number) <> (old.register, old.number) then
      raise insufficient_privilege using message = 'Only the member can change their registration';
    end if;
    if new.state = 'checked' and exists (
      select from public.member_registrations c
      where c.id <> new.id and c.state = 'checked' and c.register = new.register
        and private.number_key(c.number) = private.number_key(new.number)
    ) then
      raise check_violation using message = 'Another member was checked with this number';
    end if;
    new.decided_by := me;
    new.decided_at := now();
    new.checked_name := case when new.state = 'checked' then (select p.full_name from public.profiles p where p.id = new.user_id) end;
    new.decline_reason := btrim(new.decline_reason);
  end if;
  return new;
end
$$;

create trigger member_registrations_10_guard before insert or update on public.member_registrations
  for each row execute function private.guard_registration();

create table private.registration_submissions (
  user_id uuid not null references public.profiles on delete cascade,
  created_at timestamptz not null default now()
);

comment on table private.registration_submissions is
  'When members recently stated or corrected a registration, to limit how often; deleted after a day.';

create index registration_submissions_user_id_idx on private.registration_submissions (user_id, created_at);
alter table private.registration_submissions enable row level security;

/* Five submissions a day from one member, also when they remove the registration between them. Security definer, because
   members cannot write what counts them. */
create function private.limit_registrations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enforce_row_limit('private.registration_submissions', 'user_id', 5, '1 day',
    'You have submitted your registration 5 times within a day. Please wait before you submit it again.');
  insert into private.registration_submissions (user_id) values (new.user_id);
  return null;
end
$$;

create trigger member_registrations_limit after insert or update of register, number on public.member_registrations
  for each row when (private.is_client()) execute function private.limit_registrations();

/* Keeps what readers see of a registration on its member's profile, and the audit log of decisions; neither has the
   number. Security definer, because clients can write none of them. */
create function private.sync_registration() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    update public.profiles p set registration_level = null, registration_register = null, registration_checked_on = null
    where p.id = old.user_id;
    return null;
  end if;
  update public.profiles p
  set registration_level = shown.level, registration_register = shown.register, registration_checked_on = shown.checked_on
  from (
    select case new.state when 'checked' then 'checked' when 'declined' then null else 'declared' end as level,
      case when new.state <> 'declined' then new.register end as register,
      case when new.state = 'checked' then (new.decided_at at time zone 'UTC')::date end as checked_on
  ) shown
  where p.id = new.user_id
    and (p.registration_level, p.registration_register, p.registration_checked_on)
      is distinct from (shown.level, shown.register, shown.checked_on);
  if tg_op = 'UPDATE' and old.state = 'waiting' and new.state in ('checked', 'declined') and (select auth.uid()) is not null then
    perform private.audit('registration_' || new.state, 'profile', new.user_id::text,
      jsonb_build_object('state', old.state), jsonb_build_object('state', new.state, 'register', new.register, 'checklist', new.checklist));
  end if;
  return null;
end
$$;

create trigger member_registrations_20_sync after insert or update or delete on public.member_registrations
  for each row execute function private.sync_registration();

/* Ends the check of a member who changes their name or profession, which were part of it; a moderator who has the registration open
   sees that it changed. Security definer, because members cannot write the state. */
create function private.recheck_registration() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.member_registrations c
  set state = 'waiting', submitted_at = now(), decided_by = null, decided_at = null, checked_name = null, checklist = null
  where c.user_id = new.id and c.state in ('checked', 'waiting');
  return null;
end
$$;

create trigger profiles_recheck_registration after update of full_name, profession on public.profiles
  for each row when ((old.full_name, old.profession) is distinct from (new.full_name, new.profession))
  execute function private.recheck_registration();

/* A year after its check a registration is the member's own word again, until they confirm it and a moderator looks
   again. Called daily by expire_retained_records. */
create function private.lapse_registrations() returns void
language sql set search_path = ''
as $$
  update public.member_registrations c set state = 'lapsed', checklist = null
  where c.state = 'checked' and c.decided_at < now() - interval '1 year';
  delete from private.registration_submissions s where s.created_at < now() - interval '1 day';
$$;

/* What speaks against a registration that waits, for its moderator. Security definer, because under row-level security what it compares
   is found by no index; it answers moderators alone. */
create function public.registration_warnings(registration uuid) returns text[]
language sql stable security definer set search_path = ''
return (
  select array_remove(array[
    case when exists (
      select from public.member_registrations o
      where o.id <> c.id and o.register = c.register and private.number_key(o.number) = private.number_key(c.number)
    ) then 'Another member states the same number' end,
    case when exists (
      select from public.member_registrations o
      where o.id <> c.id and o.state = 'checked' and private.name_skeleton(o.checked_name) = private.name_skeleton(p.full_name)
    ) then 'Another member was checked under this name' end,
    case
      when p.full_name ~ '[A-Za-z]' and p.full_name ~ '[\u0370-\u03ff\u0400-\u052f]' then 'The name mixes letters of several alphabets'
    end
  ], null)
  from public.member_registrations c join public.profiles p on p.id = c.user_id where c.id = registration and private.is_moderator()
);

revoke execute on function public.registration_warnings(uuid) from public, anon;
grant execute on function public.registration_warnings(uuid) to authenticated;
