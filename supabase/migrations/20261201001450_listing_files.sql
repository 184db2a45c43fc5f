-- Whoever sees a file reads it by its name. Deciding that asks other tables, which a list would do for each file of the bucket, so a
-- list has the files of one's own folder alone, and for moderators all.

/* Whether the storage service lists files at the moment, which it says by the name of the operation, as on Supabase. */
create function private.lists_files() returns boolean
language sql stable set search_path = ''
return coalesce(current_setting('storage.operation', true) like '%.list%', false);
grant execute on function private.lists_files() to anon, authenticated, service_role;

alter policy "Members can read the media that they see" on storage.objects
  using (bucket_id = 'pending-media' and not (select private.lists_files()) and private.sees_file(name));
alter policy "Visitors can read the images that they see" on storage.objects
  using (bucket_id = 'pending-media' and not (select private.lists_files()) and private.sees_file(name));
