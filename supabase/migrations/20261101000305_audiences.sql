-- Who may read what: the audiences that a solution can have, and those that a reader is in.

/* The audiences of solutions, each within the one before. */
create function private.audiences() returns text[]
language sql immutable parallel safe set search_path = ''
return array['public', 'members', 'checked'];

/* Whether all readers of the second audience are in the first one too. */
create function private.covers_audience(wide text, narrow text) returns boolean
language sql immutable parallel safe set search_path = ''
return array_position(private.audiences(), wide) <= array_position(private.audiences(), narrow);

/*
 * The audiences that a member is in: of all when they look after the site or their registration was found in its register
 * within a year, of members when they may take part.
 */
create function private.audiences_of(member uuid) returns text[]
language sql stable set search_path = ''
return case
  when member is null or private.sanction_message(member) is not null then array['public']
  when exists (select from public.user_roles r where r.user_id = member and r.role in ('moderator', 'admin')) then private.audiences()
  when not private.has_completed_profile(member) then array['public']
  when exists (
    select from public.member_registrations c
    where c.user_id = member and c.state = 'checked' and c.decided_at > now() - interval '1 year'
  ) then private.audiences()
  else array['public', 'members']
end;

/* The audiences that the caller is in: of the public alone until they have taken the second step of their account. Security
   definer, because visitors and members cannot read what decides on it. */
create function private.readable_audiences() returns text[]
language sql stable security definer set search_path = ''
return case when private.has_required_aal() then private.audiences_of((select auth.uid())) else array['public'] end;

grant execute on function private.audiences(), private.covers_audience(text, text), private.readable_audiences()
  to anon, authenticated, service_role;
