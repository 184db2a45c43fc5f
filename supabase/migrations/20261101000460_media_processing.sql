/* Claims the next job for two minutes; a worker that dies leaves it to the next one. The files of a solution
   belong to one worker at a time: two that move them in opposite directions could lose or publish one. */
create function public.claim_media_job() returns setof public.media_jobs
language plpgsql set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('claim_media_job', 0));
  return query
  update public.media_jobs j set claimed_at = now(), attempts = j.attempts + 1
  where j.id = (
    select n.id from public.media_jobs n
    where (n.claimed_at is null or n.claimed_at < now() - interval '2 minutes')
      and not exists (
        select from public.media_jobs o
        where o.solution_id = n.solution_id and o.id <> n.id and o.claimed_at >= now() - interval '2 minutes'
      )
    order by n.claimed_at nulls first, n.id
    limit 1
    for update skip locked
  )
  returning j.*;
end
$$;

/*
 * Points the rows of a solution that everyone can see at the public copies of its files, once these are in place, except
 * for withheld ones and those of trials that are not approved. False when it is no longer public.
 */
create function public.media_published(solution uuid) returns boolean
language plpgsql set search_path = ''
as $$
begin
  perform from public.solutions s where s.id = solution and s.status = 'approved' and s.audience = 'public' for update;
  if not found then
    return false;
  end if;
  update public.solution_media m
  set media_url = replace(m.media_url, '/authenticated/pending-media/', '/public/solution-media/'),
    compressed_url = replace(m.compressed_url, '/authenticated/pending-media/', '/public/solution-media/'),
    thumbnail_url = replace(m.thumbnail_url, '/authenticated/pending-media/', '/public/solution-media/')
  where m.hidden_at is null
    and (m.trial_id is null or exists (select from public.solution_trials t where t.id = m.trial_id and t.status = 'approved'))
    -- With the rows of a revision that name the same files.
    and (m.solution_id = solution or m.copy_of in (select o.id from public.solution_media o where o.solution_id = solution));
  update public.solution_files f
  set file_url = replace(f.file_url, '/authenticated/pending-media/', '/public/solution-media/')
  where f.hidden_at is null
    and (f.solution_id = solution or f.copy_of in (select o.id from public.solution_files o where o.solution_id = solution));
  update public.solutions s
  set thumbnail_url = replace(s.thumbnail_url, '/authenticated/pending-media/', '/public/solution-media/')
  where s.id = solution or (s.revises = solution and exists (
    select from public.solution_media m
    where m.solution_id = s.id and m.copy_of is not null
      and private.file_name(s.thumbnail_url) in (private.file_name(m.media_url), private.file_name(m.compressed_url), private.file_name(m.thumbnail_url))
  ));
  return true;
end
$$;

/* The present location of the file that had this URL, if it has been moved. */
create function private.moved_url(url text, places jsonb) returns text
language sql immutable set search_path = ''
return coalesce('/storage/v1/object/authenticated/pending-media/' || (places ->> replace(url, '/storage/v1/object/public/solution-media/', '')), url);

grant execute on function private.moved_url(text, jsonb) to service_role;

/*
 * The way back, for a solution that is to be reviewed again, was rejected or is shown to fewer people now, and for the withheld files of
 * one that stays public. No earlier link works again: each public file has a new name in the private bucket,
 * which `places` gives by the old one. False when it is public again and no file is withheld.
 */
create function public.media_unpublished(solution uuid, places jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  is_public boolean := (select s.status = 'approved' and s.audience = 'public' from public.solutions s where s.id = solution for update);
  moved boolean;
begin
  update public.solution_media m
  set media_url = private.moved_url(m.media_url, places),
    compressed_url = private.moved_url(m.compressed_url, places),
    thumbnail_url = private.moved_url(m.thumbnail_url, places)
  where (not is_public or m.hidden_at is not null
      or exists (select from public.solution_trials t where t.id = m.trial_id and t.status <> 'approved'))
    and (m.solution_id = solution or m.copy_of in (select o.id from public.solution_media o where o.solution_id = solution));
  moved := found;
  update public.solution_files f set file_url = private.moved_url(f.file_url, places)
  where (not is_public or f.hidden_at is not null)
    and (f.solution_id = solution or f.copy_of in (select o.id from public.solution_files o where o.solution_id = solution));
  moved := moved or found;
  if is_public or not moved then
    return moved;
  end if;
  update public.solutions s
  set thumbnail_url = private.moved_url(s.thumbnail_url, places)
  where s.id = solution or s.revises = solution;
  return true;
end
$$;

/*
 * Gives up uploads that were not attached to a solution within a day, and queues their files for removal, as
 * well as files of that age that no row names, since their processing was interrupted before it could write
 * the row. The latter not while a job is left, as files that are on their way from one bucket to the other
 * are named in one of them only, or not yet.
 */
create function public.expire_uploads() returns void
language sql set search_path = ''
as $$
  with gone as (
    delete from public.media_uploads u where u.created_at < now() - interval '1 day'
    returning array[u.media_url, u.compressed_url, u.thumbnail_url] as urls
  ), gone_files as (
    delete from public.file_uploads u where u.created_at < now() - interval '1 day'
    returning private.file_urls(u.file_url, u.previews) as urls
  )
  insert into public.media_jobs (action, object_names)
  select 'purge', private.object_names(given_up.urls)
  from (select gone.urls from gone union all select gone_files.urls from gone_files) given_up;

  with named as materialized (
    select n.url from private.stored_urls() as n (url)
  )
  insert into public.media_jobs (action, object_names)
  select 'purge', array_agg(o.bucket_id || '/' || o.name)
  from storage.objects o
  where o.bucket_id in ('pending-media', 'solution-media') and o.created_at < now() - interval '1 day'
    and not exists (select from public.media_jobs)
    -- In neither bucket, since a purge removes them from both.
    and not exists (select from named n where n.url = '/storage/v1/object/authenticated/pending-media/' || o.name)
    and not exists (select from named n where n.url = '/storage/v1/object/public/solution-media/' || o.name)
  having count(*) > 0;
$$;

/* A picture that a profile no longer shows is removed from storage. Security definer, because members cannot write the
   queue. */
create function private.purge_avatar() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.media_jobs (action, object_names)
  values ('purge', array[regexp_replace(old.avatar_url, '^/storage/v1/object/public/', '')]);
  return null;
end
$$;

create trigger profiles_purge_avatar after update of avatar_url on public.profiles
  for each row when (old.avatar_url is distinct from new.avatar_url and old.avatar_url is not null) execute function private.purge_avatar();
