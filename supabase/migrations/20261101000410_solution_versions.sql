create table public.solution_versions (
  solution_id uuid not null references public.solutions on delete cascade,
  version integer not null check (version > 0),
  -- Of the solution when the version was published, because an earlier text does not become public with a later one.
  audience text not null default 'public' check (audience = any (private.audiences())),
  -- As private.solution_content gives it; null once its text was removed.
  content jsonb,
  change_note text constraint "What changed must be at most 500 characters" check (char_length(change_note) <= 500),
  published_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (solution_id, version),
  constraint "A removed version says when" check ((content is null) = (removed_at is not null))
);

comment on table public.solution_versions is
  'The texts of a solution at each approval, for readers to compare and cite; written by trigger. '
  'Images are not kept: what was removed is gone from earlier versions as well.';

alter table public.solution_versions enable row level security;

create policy "Readers of a solution see its versions" on public.solution_versions
  for select using (
    (
      select true from public.solutions s
      where s.id = solution_id and (
        solution_versions.audience = any ((select private.readable_audiences())::text[])
        or (select private.is_moderator())
        or (s.user_id = (select auth.uid()) and (select private.has_required_aal()))
      )
    )
  );
create policy "Authors and moderators can remove the text of a version" on public.solution_versions
  for update to authenticated
  using (private.owns_solution(solution_id) or (select private.may_moderate())) with check (content is null);

grant select on public.solution_versions to anon, authenticated;
grant update (content) on public.solution_versions to authenticated;

/* A member can take away the text of an earlier version and nothing else. Not security definer: it checks which role the
   statement runs as. */
create function private.guard_version() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    if exists (select from public.solutions s where s.id = new.solution_id and s.version <= new.version) then
      raise check_violation using message = 'Only an earlier version can be removed';
    end if;
    new.content := null;
    new.change_note := null;
    new.removed_at := coalesce(old.removed_at, now());
  end if;
  return new;
end
$$;

create trigger solution_versions_guard before update on public.solution_versions
  for each row execute function private.guard_version();

/* Security definer, because it writes the audit log. */
create function private.audit_removed_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is distinct from (select s.user_id from public.solutions s where s.id = new.solution_id)
    and (select auth.uid()) is not null
  then
    perform private.audit('version_removed', 'solution', new.solution_id::text, null, jsonb_build_object('version', new.version));
  end if;
  return null;
end
$$;

create trigger solution_versions_audit after update on public.solution_versions
  for each row when (old.removed_at is null and new.removed_at is not null) execute function private.audit_removed_version();

/*
 * What earlier versions say of a picture or a build file goes with it, and comes back with one that was hidden. The argument
 * names the list in a version. Security definer, because no client writes versions.
 */
create function private.redact_versions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  list text := tg_argv[0];
  shown jsonb := jsonb_build_object('id', old.id, 'removed', true);
begin
  if tg_op = 'UPDATE' and new.hidden_at is null then
    if list = 'media' then
      shown := jsonb_build_object('id', old.id, 'description', new.description);
    else
      shown := private.file_content(new);
    end if;
  end if;
  update public.solution_versions v
  set content = jsonb_set(v.content, array[list], (
    select coalesce(jsonb_agg(case when item.value ->> 'id' = old.id::text then shown else item.value end order by item.ordinality), '[]')
    from jsonb_array_elements(v.content -> list) with ordinality as item
  ))
  where v.solution_id = old.solution_id and v.content -> list @> jsonb_build_array(jsonb_build_object('id', old.id));
  return null;
end
$$;

create trigger solution_media_redact_deleted after delete on public.solution_media
  for each row execute function private.redact_versions('media');
create trigger solution_media_redact_hidden after update of hidden_at on public.solution_media
  for each row when (old.hidden_at is distinct from new.hidden_at) execute function private.redact_versions('media');

create trigger solution_files_redact_deleted after delete on public.solution_files
  for each row execute function private.redact_versions('files');
create trigger solution_files_redact_hidden after update of hidden_at on public.solution_files
  for each row when (old.hidden_at is distinct from new.hidden_at) execute function private.redact_versions('files');

/*
 * The two functions that follow know every table that holds a part of a solution's content: a new one adds a statement to
 * each. Trials of the solution, and what belongs to them, stay with the published one. This one copies the rows into a
 * revision that is being opened.
 */
create function private.copy_content_rows(published uuid, revision uuid) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type, description, position, width,
    height, duration_seconds, hidden_at, copy_of)
  select revision, m.media_url, m.compressed_url, m.thumbnail_url, m.media_type, m.description, m.position, m.width, m.height,
    m.duration_seconds, m.hidden_at, m.id
  from public.solution_media m where m.solution_id = published and m.trial_id is null;
  insert into public.solution_outcomes (solution_id, position, measure, score_before, score_after, people_before, people, follow_up_weeks,
    device_before)
  select revision, o.position, o.measure, o.score_before, o.score_after, o.people_before, o.people, o.follow_up_weeks, o.device_before
  from public.solution_outcomes o where o.solution_id = published and o.trial_id is null;
  insert into public.solution_fabrication (solution_id, hours, tools, currency)
  select revision, f.hours, f.tools, f.currency from public.solution_fabrication f where f.solution_id = published;
  insert into public.solution_parts (solution_id, position, component, maker, part_number, quantity, cost, link)
  select revision, p.position, p.component, p.maker, p.part_number, p.quantity, p.cost, p.link
  from public.solution_parts p where p.solution_id = published;
  insert into public.solution_steps (solution_id, position, instruction, media_id)
  select revision, s.position, s.instruction, m.id
  from public.solution_steps s left join public.solution_media m on m.copy_of = s.media_id and m.solution_id = revision
  where s.solution_id = published;
  insert into public.solution_files (solution_id, position, file_url, file_name, file_type, byte_size, licence, description, facts,
    previews, page_texts, hidden_at, copy_of)
  select revision, f.position, f.file_url, f.file_name, f.file_type, f.byte_size, f.licence, f.description, f.facts, f.previews,
    f.page_texts, f.hidden_at, f.id
  from public.solution_files f where f.solution_id = published;
  insert into public.solution_sources (solution_id, source_id, position)
  select revision, b.source_id, b.position from public.solution_sources b where b.solution_id = published;
end
$$;

/* Moves the rows of a revision over to the published solution, in place of those it had. */
create function private.move_content_rows(revision uuid, published uuid) returns void
language plpgsql set search_path = ''
as $$
begin
  -- Rows that stay keep their ids, by which removal requests and versions know them.
  delete from public.solution_media m
  where m.solution_id = published and m.trial_id is null and not exists (select from public.solution_media c where c.copy_of = m.id);
  update public.solution_media m set description = c.description, position = c.position
  from public.solution_media c where c.solution_id = revision and c.copy_of = m.id;
  update public.solution_media m set solution_id = published where m.solution_id = revision and m.copy_of is null;

  delete from public.solution_files f
  where f.solution_id = published and not exists (select from public.solution_files c where c.copy_of = f.id);
  update public.solution_files f set licence = c.licence, description = c.description, position = c.position
  from public.solution_files c where c.solution_id = revision and c.copy_of = f.id;
  update public.solution_files f set solution_id = published where f.solution_id = revision and f.copy_of is null;

  delete from public.solution_outcomes o where o.solution_id = published and o.trial_id is null;
  update public.solution_outcomes o set solution_id = published where o.solution_id = revision;

  delete from public.solution_fabrication f where f.solution_id = published;
  insert into public.solution_fabrication (solution_id, hours, tools, currency)
  select published, f.hours, f.tools, f.currency from public.solution_fabrication f where f.solution_id = revision;
  update public.solution_parts p set solution_id = published where p.solution_id = revision;
  -- A step shows the picture that stays.
  update public.solution_steps s
  set solution_id = published, media_id = coalesce((select m.copy_of from public.solution_media m where m.id = s.media_id), s.media_id)
  where s.solution_id = revision;

  -- One at a time: of two solutions that are approved as based on each other the second is based on the first no more.
  perform pg_advisory_xact_lock(hashtext('public.solution_sources'));
  delete from public.solution_sources b where b.solution_id = published;
  delete from public.solution_sources b where b.solution_id = revision and private.descends_from(b.source_id, published);
  update public.solution_sources b set solution_id = published where b.solution_id = revision;
end
$$;

/*
 * The revision of the caller's own published solution, opened as a copy of it where there is none; for any other solution
 * its own id, which the caller then can write or not. Security definer, because members write neither `revises` nor rows
 * that name files of a public solution.
 */
create function private.open_revision(solution uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  revision uuid;
begin
  -- In the order in which an approval takes them: the revision, then what it revises.
  select r.id into revision from public.solutions r
  where r.revises = solution
    and r.user_id = (select auth.uid())
    and exists (select from public.solutions s where s.id = solution and s.status = 'approved')
  for update;
  if found then
    return revision;
  end if;
  if private.hold_own(solution) is distinct from 'approved'
    or not ((select private.has_required_aal()) and (select private.may_take_part()))
  then
    return solution;
  end if;
  -- Of two edits at once the second finds the revision of the first.
  select r.id into revision from public.solutions r where r.revises = solution;
  if not found then
    execute format(
      'insert into public.solutions (user_id, status, thumbnail_url, created_at, audience, revises, %s)
       select s.user_id, ''pending'', s.thumbnail_url, s.created_at, s.audience, s.id, %s
       from public.solutions s
       where s.id = $1
       returning id',
      private.content_list(), private.content_list('s.')
    ) into revision using solution;
    perform private.copy_content_rows(solution, revision);
  end if;
  return revision;
end
$$;

grant execute on function private.open_revision(uuid) to authenticated;

/* What a version says, without the ids of pictures and sources. */
create function private.texts_of(content jsonb) returns text
language sql immutable set search_path = ''
return (
  select string_agg(t.value #>> '{}', E'\n') from jsonb_path_query(content, 'strict $.** ? (@.type() == "string")') as t (value)
  where t.value #>> '{}' !~ '^[0-9a-f-]{32,36}$'
);

/*
 * Takes the texts of earlier versions away that hold details about a person which the solution has no more, as far as the
 * site recognises them, or all of them when author or moderator say that there were others: who removes a name from a case
 * does not want it read in its history.
 */
create function private.forget_removed_details(solution public.solutions, removes_details boolean) returns void
language sql set search_path = ''
as $$
  with remaining as materialized (
    select f.kind, f.detail from private.identifiers_of(private.texts_of(private.solution_content(solution))) f
  )
  update public.solution_versions v set content = null, change_note = null, removed_at = now()
  where v.solution_id = solution.id and v.version < solution.version and v.content is not null
    and (removes_details or exists (
      select f.kind, f.detail from private.identifiers_of(private.texts_of(v.content)) f
      except
      select r.kind, r.detail from remaining r
    ))
$$;

/*
 * What follows an approval: a revision takes the place of the published version, and the version that readers see from then on
 * is recorded. Security definer, because the moderator who decides writes none of it.
 */
create function private.publish_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.revises is not null then
    perform private.move_content_rows(new.id, new.revises);
    execute format(
      'update public.solutions s set (%s) = row(%s), thumbnail_url = ($1).thumbnail_url, audience = ($1).audience, version = s.version + 1
       where s.id = ($1).revises',
      private.content_list(), private.content_list('($1).')
    ) using new;
    update public.solution_consents c
    set basis = r.basis, statement_version = r.statement_version, audience = r.audience, recorded_by = r.recorded_by,
      recorded_at = r.recorded_at
    from public.solution_consents r where r.solution_id = new.id and c.solution_id = new.revises;
    insert into public.media_jobs (solution_id) select new.revises where new.audience = 'public';
  else
    -- Two that were submitted before either was public may be based on each other.
    perform pg_advisory_xact_lock(hashtext('public.solution_sources'));
    delete from public.solution_sources b where b.solution_id = new.id and private.descends_from(b.source_id, new.id);
  end if;
  insert into public.solution_versions (solution_id, version, audience, content, change_note)
  select s.id, s.version, s.audience, private.solution_content(s), new.change_note
  from public.solutions s
  where s.id = coalesce(new.revises, new.id);
  perform private.forget_removed_details(s, new.removes_details) from public.solutions s where s.id = coalesce(new.revises, new.id);
  delete from public.solutions s where s.id = new.id and new.revises is not null;
  return null;
end
$$;

-- Reads the row that solutions_10_sync_status has seen.
create trigger solutions_30_publish_insert after insert on public.solutions
  for each row when (new.status = 'approved') execute function private.publish_version();
create trigger solutions_30_publish after update of status on public.solutions
  for each row when (old.status <> new.status and new.status = 'approved') execute function private.publish_version();
