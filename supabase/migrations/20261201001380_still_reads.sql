/*
 * Whether a member, or a visitor where none is named, still sees a published solution, the text of a version of it, and a file of it. A
 * long download asks it before each file: access was decided by the reader's token when it began, and the token may be over. Security
 * definer, because the site itself, which alone asks it, has no rights to what decides on a member's audiences.
 *
 * file: the path of an image, video or build file; null for a text
 */
create function public.still_reads(solution uuid, version integer, reader uuid default null, file text default null) returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from public.solutions s
  where s.id = solution and s.status = 'approved' and (s.audience = any (private.audiences_of(reader)) or s.user_id = reader)
    and not exists (
      select from public.solution_versions v
      where v.solution_id = s.id and v.version = still_reads.version and v.version < s.version and v.removed_at is not null
    )
    and (
      file is null
      or exists (select from public.solution_media m where m.solution_id = s.id and m.media_url = file and m.hidden_at is null)
      or exists (select from public.solution_files f where f.solution_id = s.id and f.file_url = file and f.hidden_at is null)
    )
);

revoke execute on function public.still_reads(uuid, integer, uuid, text) from public, anon, authenticated;
grant execute on function public.still_reads(uuid, integer, uuid, text) to service_role;
