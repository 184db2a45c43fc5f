-- Large clips arrive here piece by piece, through an address that begin-media-upload has signed, and are
-- removed as soon as they are processed. No policy opens the bucket: an unprocessed clip may reveal where it
-- was made.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('incoming-media', 'incoming-media', false, 52428800, array['video/mp4', 'video/webm'])
on conflict (id) do nothing;

create table public.incoming_uploads (
  name text primary key,
  user_id uuid not null references public.profiles on delete cascade,
  created_at timestamptz not null default now()
);

comment on table public.incoming_uploads is 'Names in the bucket incoming-media that a member may upload to, and have processed once; written by begin-media-upload and process-media-upload alone.';

alter table public.incoming_uploads enable row level security;

/* A signed address lasts for two hours, and is good once: no longer than its row awaits a clip. Security definer, because the
   storage service need not see the table. */
create function private.require_begun_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.incoming_uploads i where i.name = new.name) then
    raise insufficient_privilege using message = 'This upload was not begun, or is over';
  end if;
  return new;
end
$$;

create trigger objects_begun before insert or update of bucket_id, name on storage.objects
  for each row when (new.bucket_id = 'incoming-media') execute function private.require_begun_upload();

create index incoming_uploads_user_id_idx on public.incoming_uploads (user_id);

/*
 * Gives up clips that were not processed within three hours, which is an hour more than a signed address
 * lasts, and queues for removal files in the bucket without a row.
 */
create function public.expire_incoming_uploads() returns void
language sql set search_path = ''
as $$
  delete from public.incoming_uploads i where i.created_at < now() - interval '3 hours';

  insert into public.media_jobs (object_names)
  select array_agg(o.bucket_id || '/' || o.name)
  from storage.objects o
  where o.bucket_id = 'incoming-media' and not exists (select from public.incoming_uploads i where i.name = o.name)
  having count(*) > 0;
$$;

/*
 * The files of a job, as `bucket/name`, that no row of any kind names. A name that no row has is never given to one again:
 * a file that leaves the public gets a new one, and one that becomes public keeps its name while its row has it.
 */
create function public.unnamed_files(job bigint, attempt integer) returns setof text
language plpgsql set search_path = ''
as $$
begin
  perform public.renew_media_job(job, attempt);
  return query
  select n.name
  from public.media_jobs j, unnest(j.object_names) as n (name)
  cross join lateral (
    select '/storage/v1/object/' || case when n.name like 'pending-media/%' then 'authenticated/' else 'public/' end || n.name as url,
      split_part(n.name, '/', 2) as member
  ) f
  where j.id = job
    and not exists (select from public.solution_media m where m.media_url = f.url or m.compressed_url = f.url or m.thumbnail_url = f.url)
    and not exists (
      select from public.solution_files o
      where o.folder = regexp_replace(f.url, '[^/]+$', '') and f.url = any (private.file_urls(o.file_url, o.previews))
    )
    and not exists (select from public.media_uploads u where f.url in (u.media_url, u.compressed_url, u.thumbnail_url))
    and not exists (select from public.file_uploads u where f.url = any (private.file_urls(u.file_url, u.previews)))
    and not exists (
      select from public.profiles p
      where p.id = case when pg_input_is_valid(f.member, 'uuid') then f.member::uuid end and p.avatar_url = f.url
    )
    and not exists (select from public.incoming_uploads i where n.name = 'incoming-media/' || i.name);
end
$$;
