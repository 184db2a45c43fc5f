-- The buckets of files and who may read them, and what becomes of files that arrive, are published or are removed.

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

/* Whether a job is tried no more, until a moderator asks for it. */
create function private.is_given_up(job public.media_jobs) returns boolean
language sql immutable set search_path = ''
return job.claimed_at is null and job.attempts >= 12;

/*
 * Claims the next job that is due. The worker renews its claim with each step; one that has not for two minutes is dead, and
 * the next one does its job again. The files of a solution belong to one worker at a time: two that move them in opposite
 * directions could lose or publish one.
 */
create function public.claim_media_job() returns setof public.media_jobs
language plpgsql set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('claim_media_job', 0));
  return query
  update public.media_jobs j set claimed_at = now(), attempts = j.attempts + 1
  where j.id = (
    select n.id from public.media_jobs n
    where n.due_at <= now() and not private.is_given_up(n) and (n.claimed_at is null or n.claimed_at < now() - interval '2 minutes')
      and not exists (
        select from public.media_jobs o
        where o.solution_id = n.solution_id and o.id <> n.id and o.claimed_at >= now() - interval '2 minutes'
      )
    order by n.due_at, n.id
    limit 1
    for update skip locked
  )
  returning j.*;
end
$$;

/*
 * Renews the claim of a worker, whose number is that of its attempt. Errors: 55000 once another worker has the job, which
 * ends the first one before it changes what the other relies on.
 */
create function public.renew_media_job(job bigint, attempt integer) returns void
language plpgsql set search_path = ''
as $$
begin
  update public.media_jobs j set claimed_at = clock_timestamp() where j.id = job and j.attempts = attempt and j.claimed_at is not null;
  if not found then
    raise object_not_in_prerequisite_state using message = 'Another worker has this job';
  end if;
end
$$;

/* Ends an attempt that failed, and answers whether it was the last: the pauses between twelve grow to six hours, so that they
   fill a day. */
create function public.media_job_failed(job bigint, attempt integer, reason text) returns boolean
language sql set search_path = ''
as $$
  update public.media_jobs j
  set claimed_at = null, last_error = left(reason, 500),
    due_at = now() + least(interval '1 minute' * power(2, j.attempts), interval '6 hours')
  where j.id = job and j.attempts = attempt
  returning private.is_given_up(j);
$$;

/* How many jobs were given up; null for callers who are not moderators. Security definer, because clients cannot read jobs. */
create function public.media_jobs_given_up() returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from public.media_jobs j where private.is_given_up(j) having private.is_moderator();
$$;

/* Has the jobs that were given up tried again. Security definer for the same reason. Errors: 42501. */
create function public.retry_media_jobs() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not (private.may_moderate() and private.may_take_part()) then
    raise insufficient_privilege using message = 'Only moderators can have files moved again';
  end if;
  update public.media_jobs j set attempts = 0, due_at = now() where private.is_given_up(j);
end
$$;

revoke execute on function public.media_jobs_given_up(), public.retry_media_jobs() from public, anon;
grant execute on function public.media_jobs_given_up(), public.retry_media_jobs() to authenticated;
grant execute on function private.is_given_up(public.media_jobs) to service_role;

/*
 * Points the rows of a solution, and those of its revision that name the same files, at the copies of its files: `places`
 * gives the new URL by the old one. A row whose file belongs elsewhere by now, and one that came in the meantime, are left to
 * the job of the decision that made it so.
 */
create function public.move_files(job bigint, attempt integer, solution uuid, places jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  perform public.renew_media_job(job, attempt);
  -- What decides where a file belongs stays as it is, in the order in which an approval takes them.
  perform from public.solutions s where s.id = solution or s.revises = solution order by s.revises nulls last for no key update;
  perform from public.solution_trials t where t.solution_id = solution order by t.id for no key update;
  perform from public.solution_media m where m.solution_id = solution order by m.id for no key update;
  perform from public.solution_files f where f.solution_id = solution order by f.id for no key update;
  places := (
    select jsonb_object_agg(f.url, places ->> f.url) from public.files_of_solution(solution) f
    where places ->> f.url like '/storage/v1/object/' || case when f.is_public then 'public' else 'authenticated' end || '/%'
  );
  update public.solution_media m
  set media_url = coalesce(places ->> m.media_url, m.media_url),
    compressed_url = coalesce(places ->> m.compressed_url, m.compressed_url),
    thumbnail_url = coalesce(places ->> m.thumbnail_url, m.thumbnail_url)
  where places ?| array[m.media_url, m.compressed_url, m.thumbnail_url]
    and (m.solution_id = solution or m.copy_of in (select o.id from public.solution_media o where o.solution_id = solution));
  update public.solution_files f set file_url = places ->> f.file_url
  where places ? f.file_url
    and (f.solution_id = solution or f.copy_of in (select o.id from public.solution_files o where o.solution_id = solution));
  update public.solutions s set thumbnail_url = places ->> s.thumbnail_url
  where places ? s.thumbnail_url and (s.id = solution or s.revises = solution);
end
$$;

/*
 * Gives up uploads that were not attached to a solution within a day, and queues their files for removal, as well as files of
 * that age that neither a row nor a job names, since their processing was interrupted before it could write the row.
 */
create function public.expire_uploads() returns void
language sql set search_path = ''
as $$
  with gone as (
    delete from public.pending_uploads u where u.created_at < now() - interval '1 day' returning u.urls
  )
  insert into public.media_jobs (object_names) select private.object_names(gone.urls) from gone;

  with known as materialized (
    select private.object_name(n.url) as name from private.stored_urls() as n (url)
    union all select unnest(j.object_names) from public.media_jobs j
  )
  insert into public.media_jobs (object_names)
  select array_agg(o.bucket_id || '/' || o.name)
  from storage.objects o
  where o.bucket_id in ('pending-media', 'solution-media') and o.created_at < now() - interval '1 day'
    and not exists (select from known k where k.name = o.bucket_id || '/' || o.name)
  having count(*) > 0;
$$;

/* A picture that a profile or the site no longer shows, by the column in the trigger's argument, is removed from storage. Security
   definer, because members cannot write the queue. */
create function private.purge_picture() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.media_jobs (object_names)
  values (array[private.object_name(to_jsonb(old) ->> tg_argv[0])]);
  return null;
end
$$;

create trigger profiles_purge_avatar after update of avatar_url on public.profiles
  for each row when (old.avatar_url is distinct from new.avatar_url and old.avatar_url is not null)
  execute function private.purge_picture('avatar_url');
create trigger site_settings_purge_logo after update of logo_url on public.site_settings
  for each row when (old.logo_url <> new.logo_url and old.logo_url <> '') execute function private.purge_picture('logo_url');

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

comment on table public.incoming_uploads is
  'Names in the bucket incoming-media that a member may upload to, and have processed once; '
  'written by begin-media-upload and process-media-upload alone.';

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
    and not exists (select from public.pending_uploads u where f.url = any (u.urls))
    and not exists (
      select from public.profiles p
      where p.id = case when pg_input_is_valid(f.member, 'uuid') then f.member::uuid end and p.avatar_url = f.url
    )
    and not exists (select from public.site_settings s where s.logo_url = f.url)
    and not exists (select from public.incoming_uploads i where n.name = 'incoming-media/' || i.name);
end
$$;
