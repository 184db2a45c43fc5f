/* Whether a member, or a visitor where none is named, still sees a published solution. A long download asks it before each file: access
   was decided by the reader's token when it began, and the token may be over. Security definer, because the site itself, which alone
   asks it, has no rights to what decides on a member's audiences. */
create function public.still_reads(solution uuid, reader uuid default null) returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from public.solutions s
  where s.id = solution and s.status = 'approved' and (s.audience = any (private.audiences_of(reader)) or s.user_id = reader)
);

revoke execute on function public.still_reads(uuid, uuid) from public, anon, authenticated;
grant execute on function public.still_reads(uuid, uuid) to service_role;
