create table public.user_roles (
  user_id uuid not null references public.profiles on delete cascade,
  role text not null constraint "Role must be user, moderator or admin" check (role in ('user', 'moderator', 'admin')),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);

comment on table public.user_roles is 'Who may moderate or administer. A member without a row is a plain user.';

alter table public.user_roles enable row level security;

/* Whether the caller holds one of the roles. Read from the table at every call, so that taking a role away
   acts at once. Security definer, because the policies of user_roles itself ask it. */
create function private.has_role(variadic roles text[]) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.user_roles r where r.user_id = (select auth.uid()) and r.role = any (roles));

/* What an operator decides for the whole site. */
create table private.settings (
  only_row boolean primary key default true check (only_row),
  staff_need_second_step boolean not null default false
);

comment on column private.settings.staff_need_second_step is
  'Moderators and admins who have not set up two-step sign-in cannot use their powers until they have.';

alter table private.settings enable row level security;
insert into private.settings default values;

/* Whether two-step sign-in was used in this session. */
create function private.has_aal2() returns boolean
language sql stable set search_path = ''
return coalesce((select auth.jwt()) ->> 'aal', '') = 'aal2';

/* Whether the session has the assurance level that its account asks for: a member who has set up two-step sign-in must
   have used it. Security definer, because members cannot read auth.mfa_factors. */
create function private.has_required_aal() returns boolean
language sql stable security definer set search_path = ''
return private.has_aal2()
  or not exists (
    select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status::text = 'verified'
  );

/*
 * Whether the caller may read what is the staff's alone, and whether rules for members do not hold them back. A role says
 * nothing in a session whose owner has set up a second step and not taken it: a stolen password opens no queue. Nor does
 * it while its holder is suspended or banned.
 */
create function private.is_moderator() returns boolean
language sql stable set search_path = ''
return private.has_role('moderator', 'admin') and private.has_required_aal() and not private.is_sanctioned();

create function private.is_admin() returns boolean
language sql stable set search_path = ''
return private.has_role('admin') and private.has_required_aal() and not private.is_sanctioned();

/* Whether the session has the assurance level for a privileged write: where the site demands it, all staff must have used
   two-step sign-in. Security definer, because members cannot read the settings. */
create function private.has_required_staff_aal() returns boolean
language sql stable security definer set search_path = ''
return private.has_required_aal()
  and (
    private.has_aal2()
    or not exists (select from private.settings s where s.staff_need_second_step)
  );

create function private.may_moderate() returns boolean
language sql stable set search_path = ''
return private.is_moderator() and private.has_required_staff_aal();

create function private.may_administer() returns boolean
language sql stable set search_path = ''
return private.is_admin() and private.has_required_staff_aal();

/* Security definer, because an admin's promotion of somebody looks at that other person's rows. */
create function private.is_admin_account(account uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.user_roles r where r.user_id = account and r.role = 'admin');

grant execute on function
  private.has_role(text[]), private.is_moderator(), private.is_admin(), private.has_required_aal(), private.has_required_staff_aal(),
  private.may_moderate(), private.may_administer(), private.is_admin_account(uuid)
  to anon, authenticated, service_role;

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
-- For the check of an anonymous visitor's role, which finds nothing.
grant select on public.user_roles to anon;
grant insert (user_id, role) on public.user_roles to authenticated;
