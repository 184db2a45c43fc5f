create policy "Members can read their own declarations" on public.member_declarations
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can declare for themselves" on public.member_declarations
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.member_declarations
  as restrictive for select to authenticated using ((select private.has_required_aal()));
create policy "A second step comes before any insert" on public.member_declarations
  as restrictive for insert to authenticated with check ((select private.has_required_aal()));
create policy "Suspended and banned members add nothing" on public.member_declarations
  as restrictive for insert to authenticated with check ((select private.refuse_sanctioned()));

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
