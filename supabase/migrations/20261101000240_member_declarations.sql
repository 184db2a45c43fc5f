/*
 * The existing versions (dates) of a text that members agree to, the latest last; the wording of the latest
 * is in app/review/data.ts and app/account/form-schema.ts. A new wording needs its date here.
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

comment on table public.member_declarations is 'The members'' declarations at sign-up (18 or over, healthcare professional), with the version of the text they saw.';

alter table public.member_declarations enable row level security;

create policy "Members can read their own declarations" on public.member_declarations
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can declare for themselves" on public.member_declarations
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.member_declarations
  as restrictive for select to authenticated using ((select private.has_required_aal()));
create policy "A second step comes before any insert" on public.member_declarations
  as restrictive for insert to authenticated with check ((select private.has_required_aal()));
create policy "Suspended and banned members add nothing" on public.member_declarations
  as restrictive for insert to authenticated with check ((select private.may_take_part()));

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
