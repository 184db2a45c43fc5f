-- Policies on a table that is not the product's own. `storage.objects` belongs to `supabase_storage_admin`, and in plain
-- PostgreSQL only a table's owner, or a member of its role, adds policies to it. A hosted project lets `postgres` do so by its
-- extension supautils (`supautils.policy_grants`); the embedded backend makes `postgres` a member instead. A database
-- that allows neither fails here, at this file alone, and then needs its superuser to run:
--   grant supabase_storage_admin to postgres;
create policy "Authors can read their unreviewed media" on storage.objects
  for select to authenticated
  using (bucket_id = 'pending-media' and (storage.foldername(name))[1] = (select auth.uid())::text and (select private.has_required_aal()));
-- Of a solution that is not for everyone the files stay here when it is published.
create policy "Members can read the media that they see" on storage.objects
  for select to authenticated
  using (bucket_id = 'pending-media' and private.sees_file(name));
create policy "Moderators can read unreviewed media" on storage.objects
  for select to authenticated
  using (bucket_id = 'pending-media' and (select private.is_moderator()));
create policy "Moderators can list published media" on storage.objects
  for select to authenticated
  using (bucket_id = 'solution-media' and (select private.is_moderator()));
create policy "Members can list their own avatars" on storage.objects
  for select to authenticated
  using (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text and (select private.has_required_aal()));
