-- Only the product's own functions write files, with the service key, after processing them: no policy lets a
-- member upload, replace, move or delete. Sizes and types are limits of last resort for those functions.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  -- Build files are of no type that a browser shows: wherever they are opened, they are saved.
  ('pending-media', 'pending-media', false, 52428800, array['image/webp', 'video/mp4', 'application/octet-stream']),
  ('solution-media', 'solution-media', true, 52428800, array['image/webp', 'video/mp4', 'application/octet-stream']),
  ('avatars', 'avatars', true, 2097152, array['image/webp'])
on conflict (id) do nothing;

/* The bytes of a member's pictures and clips, published or not; for the function that accepts more. */
create function public.stored_bytes(member uuid) returns bigint
language sql stable set search_path = ''
return (
  select coalesce(sum((o.metadata ->> 'size')::bigint), 0)
  from storage.objects o
  -- The names that begin with `member/`, as a range that the index on them can walk.
  where o.bucket_id in ('incoming-media', 'pending-media', 'solution-media')
    and o.name collate "C" >= member || '/' and o.name collate "C" < member || '0'
);
