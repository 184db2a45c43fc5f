create policy "Members can read their own roles and admins all" on public.user_roles
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "Admins can make whoever is no admin a moderator" on public.user_roles
  for insert to authenticated
  with check (role = 'moderator' and (select private.may_administer()) and not private.is_admin_account(user_id));
create policy "Moderators can give up their role, admins take it from others" on public.user_roles
  for delete to authenticated
  using (
    role = 'moderator'
    and (user_id = (select auth.uid()) or ((select private.may_administer()) and not private.is_admin_account(user_id)))
  );

grant select, delete on public.user_roles to authenticated;
-- For the role check of an anonymous visitor, which finds no row.
grant select on public.user_roles to anon;
grant insert (user_id, role) on public.user_roles to authenticated;

/* Security definer, because it writes the audit log. */
create function private.audit_role_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.audit('role_granted', 'profile', new.user_id::text, null, jsonb_build_object('role', new.role));
  else
    perform private.audit('role_removed', 'profile', old.user_id::text, jsonb_build_object('role', old.role), null);
  end if;
  return null;
end
$$;

create trigger user_roles_audit after insert or delete on public.user_roles
  for each row execute function private.audit_role_change();
