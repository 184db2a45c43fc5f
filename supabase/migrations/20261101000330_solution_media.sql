create table public.solution_media (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  -- Null for those of the solution itself; else those of a member who tried it.
  trial_id uuid references public.solution_trials on delete cascade,
  media_url text not null,
  compressed_url text not null,
  thumbnail_url text not null,
  media_type text not null constraint "Media must be image or video" check (media_type in ('image', 'video')),
  description text constraint "A description of media must be at most 500 characters" check (char_length(description) <= 500),
  position smallint not null default 0 check (position between 0 and 999),
  width integer,
  height integer,
  duration_seconds real,
  -- The time since which it is withheld at the request of a person shown.
  hidden_at timestamptz,
  -- In a revision, the row of the published version whose files it names: where that one goes, it goes as well.
  copy_of uuid references public.solution_media on delete cascade,
  created_at timestamptz not null default now()
);

comment on table public.solution_media is
  'Pictures and clips of a solution, or of a trial of it. Every file was made by our own media processing; see pending_uploads.';

alter table public.solution_media enable row level security;

create policy "Media are seen with their solution, withheld ones by moderators" on public.solution_media
  for select using (
    (hidden_at is null or (select private.is_moderator()))
    and (select true from public.solutions s where s.id = solution_id)
    and (trial_id is null or (select true from public.solution_trials t where t.id = trial_id))
  );
create policy "Authors can add media to their own solutions and trials" on public.solution_media
  for insert to authenticated
  with check (case when trial_id is null then private.owns_solution(solution_id) else private.owns_trial(trial_id, solution_id) end);
create policy "Authors can describe and order the media of their own" on public.solution_media
  for update to authenticated
  using (case when trial_id is null then private.owns_solution(solution_id) else private.owns_trial(trial_id, solution_id) end)
  with check (case when trial_id is null then private.owns_solution(solution_id) else private.owns_trial(trial_id, solution_id) end);
create policy "Authors can remove media of their own" on public.solution_media
  for delete to authenticated
  using (case when trial_id is null then private.owns_solution(solution_id) else private.owns_trial(trial_id, solution_id) end);

-- A solution's media in order.
create index solution_media_solution_id_idx on public.solution_media (solution_id, position);
-- The media that a file belongs to.
create index solution_media_media_url_idx on public.solution_media (media_url);
create index solution_media_compressed_url_idx on public.solution_media (compressed_url);
create index solution_media_thumbnail_url_idx on public.solution_media (thumbnail_url);
create index solution_media_copy_of_idx on public.solution_media (copy_of) where copy_of is not null;
create index solution_media_trial_id_idx on public.solution_media (trial_id, position) where trial_id is not null;

grant select on public.solution_media to anon, authenticated;
grant insert (solution_id, trial_id, media_url, compressed_url, thumbnail_url, media_type, description, position) on public.solution_media
  to authenticated;
grant update (description, position) on public.solution_media to authenticated;
grant delete on public.solution_media to authenticated;

/*
 * The status of the caller's own solution, or with `trial` of their own trial of it, null without one. It is held until the
 * end of the transaction: a decision comes before what is changed, or after it and is about it. Security definer, because
 * to hold a row takes the right to change all of it.
 */
create function private.hold_own(solution uuid, trial uuid default null) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  if trial is null then
    return (select s.status from public.solutions s where s.id = solution and s.user_id = (select auth.uid()) for no key update);
  end if;
  return (select t.status from public.solution_trials t where t.id = trial and t.user_id = (select auth.uid()) for no key update);
end
$$;

/* Refuses a change of the caller's own solution or trial that was decided on. */
create function private.refuse_decided(solution uuid, trial uuid default null) returns void
language plpgsql set search_path = ''
as $$
declare
  status text := private.hold_own(solution, trial);
begin
  if trial is not null and status <> 'pending' then
    raise check_violation using message = 'A moderator has decided on this report. Submit your changes as a new report.';
  elsif trial is null and status = 'approved' then
    raise check_violation using message = 'This solution is published. Submit your changes as a new version.';
  end if;
end
$$;

grant execute on function private.hold_own(uuid, uuid), private.refuse_decided(uuid, uuid) to authenticated;

/* Turns an upload into media of a solution: only files our processing made for this member can be attached,
   each once, and the stored facts about them are those that processing measured, not the client's. Security
   definer, because it consumes the upload's row. */
create function private.attach_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  made jsonb;
begin
  -- Members cannot write `copy_of`: the row is of a revision that is being opened.
  if (select auth.uid()) is null or new.copy_of is not null then
    return new;
  end if;
  perform private.refuse_decided(new.solution_id, new.trial_id);
  if (select t.consent_basis is null from public.solution_trials t where t.id = new.trial_id) then
    raise check_violation using message = 'Please choose a consent statement';
  end if;
  delete from public.pending_uploads u where u.url = private.storage_path(new.media_url) and u.user_id = (select auth.uid())
  returning u.made into made;
  if made ->> 'media_type' is null or new.media_type <> made ->> 'media_type'
    or private.storage_path(new.compressed_url) is distinct from made ->> 'compressed_url'
    or private.storage_path(new.thumbnail_url) is distinct from made ->> 'thumbnail_url'
  then
    raise check_violation using message = 'Media must be a file you have uploaded';
  end if;
  new := jsonb_populate_record(new, made);
  if new.trial_id is not null and (select count(*) from public.solution_media m where m.trial_id = new.trial_id) >= 10 then
    raise check_violation using message = 'A report can have at most 10 images and videos';
  end if;
  if new.trial_id is null
    and (select count(*) from public.solution_media m where m.solution_id = new.solution_id and m.trial_id is null) >= 20
  then
    raise check_violation using message = 'A solution can have at most 20 images and videos';
  end if;
  return new;
end
$$;

create trigger solution_media_attach before insert on public.solution_media
  for each row execute function private.attach_upload();

/*
 * Refuses changes of the descriptions or the order of an approved solution's media. Not security definer: it
 * checks which role the statement runs as.
 *
 * An author's changes to the content shown with an approved solution go to review as a revision (open_revision), and
 * are refused in any other way, except where noted:
 * - solutions: every column of the form and `thumbnail_url` (guard_solution); counts, dates, `version`,
 *   `withheld_media`, `withheld_files` and `safety_kind` cannot be written by clients.
 * - solution_media: new files (attach_upload), descriptions and places; files, kinds and sizes of a row
 *   cannot be changed. Removing one shows nothing new, and must not wait when a person shown requests it.
 * - solution_trials: what other members write, each reviewed by itself (guard_trial).
 * - solution_sources: all of them (check_source).
 * - safety_notices: shown at once, since a warning must not wait; they are added to the solution, never part of its text.
 * - solution_consents: seen by moderators alone, and fixed once the solution was decided on.
 * - profiles and user_badges of the author: about the member, on every page alike.
 */
create function private.refuse_changed_media() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    perform private.refuse_decided(new.solution_id, new.trial_id);
  end if;
  return new;
end
$$;

create trigger solution_media_refuse before update on public.solution_media
  for each row when ((old.description, old.position) is distinct from (new.description, new.position))
  execute function private.refuse_changed_media();

/* A picture that is removed while a version is being published leaves it as well: the removal waits for it. Not security
   definer: it checks which role the statement runs as. */
create function private.hold_removed_media() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    perform private.hold_own(old.solution_id, old.trial_id);
  end if;
  return old;
end
$$;

create trigger solution_media_hold before delete on public.solution_media
  for each row execute function private.hold_removed_media();

/* `bucket/name` of the file behind a URL. */
create function private.object_name(url text) returns text
language sql immutable set search_path = ''
return regexp_replace(url, '^/storage/v1/object/(public|authenticated)/', '');

/* The same of several, each once. */
create function private.object_names(urls text[]) returns text[]
language sql immutable set search_path = ''
return (select array_agg(distinct private.object_name(u.url)) from unnest(urls) as u (url));

grant execute on function private.object_name(text), private.object_names(text[]) to service_role;

/* The first of a solution's media that readers see, as its card shows it: an image, or the poster of a video. */
create function private.first_picture(solution uuid) returns text
language sql stable set search_path = ''
return (
  select case m.media_type when 'image' then m.compressed_url else m.thumbnail_url end
  from public.solution_media m where m.solution_id = solution and m.trial_id is null and m.hidden_at is null order by m.position limit 1
);

/* Without a chosen thumbnail a card shows the first of the solution's own media. Security definer, because it is
   not an edit by the member who added them. */
create function private.set_first_thumbnail() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solutions s set thumbnail_url = private.first_picture(s.id)
  where s.id = new.solution_id and s.thumbnail_url is null;
  return null;
end
$$;

create trigger solution_media_first_thumbnail after insert on public.solution_media
  for each row execute function private.set_first_thumbnail();

/* Removed media leave no file behind, except those that another version still names, and no thumbnail that shows them.
   Security definer, because clients cannot write jobs. */
create function private.purge_media() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.media_jobs (solution_id, object_names)
  select old.solution_id, private.object_names(array[old.media_url, old.compressed_url, old.thumbnail_url])
  where not exists (select from public.solution_media m where m.id = old.copy_of)
    and not exists (select from public.solution_media m where m.copy_of = old.id);
  update public.solutions s set thumbnail_url = private.first_picture(s.id)
  where s.id = old.solution_id and s.thumbnail_url in (old.media_url, old.compressed_url, old.thumbnail_url);
  return null;
end
$$;

create trigger solution_media_purge after delete on public.solution_media
  for each row execute function private.purge_media();

/* Media, or a consent statement, that are added, removed or changed while a solution waits change the version
   under review: its `updated_at` moves, by which a decision names its version. Security definer, because it
   is not an edit by the member who caused it. */
create function private.touch_solution() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Once in a transaction is enough.
  update public.solutions s set updated_at = now()
  where s.id = coalesce(new.solution_id, old.solution_id) and s.status = 'pending' and s.updated_at <> now();
  return null;
end
$$;

create trigger solution_media_touch after insert or update or delete on public.solution_media
  for each row execute function private.touch_solution();

/* The same for a trial that waits. Security definer for the same reason. */
create function private.touch_trial() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solution_trials t set updated_at = now()
  where t.id = coalesce(new.trial_id, old.trial_id) and t.status = 'pending' and t.updated_at <> now();
  return null;
end
$$;

-- Not where its files alone are moved.
create trigger solution_media_trial_touch after insert or update of description, position or delete on public.solution_media
  for each row execute function private.touch_trial();
