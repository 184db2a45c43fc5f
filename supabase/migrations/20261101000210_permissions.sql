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
  where s.user_id = member and s.lifted_at is null and (s.kind = 'ban' or s.until > now())
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

/*
 * Whether the caller may read the staff's own data, and whether rules for members do not hold them back. A
 * role has no effect in a session whose owner has set up a second step and not taken it: a stolen password
 * opens no queue. Nor does it while its holder is suspended or banned.
 */
create function private.is_moderator() returns boolean
language sql stable set search_path = ''
return private.has_role('moderator', 'admin') and private.has_required_aal() and not private.is_sanctioned();

create function private.is_admin() returns boolean
language sql stable set search_path = ''
return private.has_role('admin') and private.has_required_aal() and not private.is_sanctioned();

/* Whether the session has the assurance level for a privileged write: where the site demands it, all staff
   must have used two-step sign-in. Security definer, because members cannot read the settings. */
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
