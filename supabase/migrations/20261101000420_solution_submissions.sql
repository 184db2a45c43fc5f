-- How a solution is sent and sent again, and the drafts that are kept until then.

/* Writes the media, the consent and the outcomes of a submission. Not security definer: the caller's own rights decide. */
create function private.attach_to_solution(
  solution uuid, outcomes jsonb, media jsonb, chosen_thumbnail text, consent text, consent_version text
) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type, description, position)
  select solution, m.media_url, m.compressed_url, m.thumbnail_url, m.media_type, nullif(btrim(item.value ->> 'description'), ''),
    item.ordinality - 1
  from jsonb_array_elements(media) with ordinality as item
  -- A left join, so that the constraint refuses a file that is not an upload of the caller's, instead of its
  -- being dropped.
  left join public.pending_uploads u on u.url = private.storage_path(item.value ->> 'media_url')
  cross join jsonb_populate_record(null::public.solution_media, u.made) m;

  insert into public.solution_consents as c (solution_id, basis, statement_version)
  values (solution, coalesce(consent, ''), coalesce(consent_version, ''))
  on conflict (solution_id) do update
  set basis = excluded.basis, statement_version = excluded.statement_version, recorded_by = (select auth.uid());

  -- By the name of the file, which may have moved since the form was opened.
  update public.solutions s
  set thumbnail_url = coalesce((
    select u.url from public.solution_media m, unnest(array[m.media_url, m.compressed_url, m.thumbnail_url]) as u (url)
    where m.solution_id = solution and private.file_name(u.url) = private.file_name(chosen_thumbnail) limit 1
  ), chosen_thumbnail)
  where s.id = solution and chosen_thumbnail <> '';
  perform private.set_outcomes(solution, outcomes);
end
$$;

/* Writes what a submission says that it is based on, in its order; a form that does not know of it changes nothing. Not
   security definer: the caller's own rights decide. */
create function private.set_sources(solution uuid, submitted jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  submitted := private.form_of(submitted, '{}', array['based_on']);
  if coalesce(submitted -> 'based_on', 'null') = 'null' then
    return;
  end if;
  if exists (select from jsonb_array_elements_text(submitted -> 'based_on') as t where not pg_input_is_valid(t.value, 'uuid')) then
    raise check_violation using message = 'A solution can be based on published solutions only';
  end if;
  delete from public.solution_sources b
  where b.solution_id = solution and b.source_id::text not in (select jsonb_array_elements_text(submitted -> 'based_on'));
  insert into public.solution_sources as b (solution_id, source_id, position)
  select solution, item.value::uuid, min(item.ordinality) - 1
  from jsonb_array_elements_text(submitted -> 'based_on') with ordinality as item group by item.value
  on conflict (solution_id, source_id) do update set position = excluded.position;
end
$$;

/* What a solution says as its form gives it, with what is said of the version. A field that is missing is as one that is empty. */
create function private.solution_fields(form jsonb) returns public.solutions
language plpgsql stable set search_path = ''
as $$
declare
  texts constant text[] := array(select c.name from private.content_columns() c where not c.is_list) || array['change_note', 'audience'];
  lists constant text[] := array(select c.name from private.content_columns() c where c.is_list);
  fields constant jsonb := jsonb_strip_nulls(private.form_of(form, texts, lists));
begin
  return jsonb_populate_record(null::public.solutions, fields || (
    select jsonb_object_agg(c.name, case
      when c.is_list then coalesce(fields -> c.name, '[]')
      when c.is_required then coalesce(fields -> c.name, '""')
      else to_jsonb(nullif(btrim(fields ->> c.name), ''))
    end)
    from private.content_columns() c
  ));
end
$$;

/*
 * The solution that the caller's submission made before, and whether it sent something else then. Security definer, because
 * readers have no use for the columns.
 */
create function private.earlier_submission(submission uuid, digest text, out id uuid, out is_changed boolean)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  select s.id, s.submission_digest is distinct from digest into earlier_submission.id, is_changed
  from public.solutions s where s.user_id = (select auth.uid()) and s.submission_id = submission for no key update;
  if is_changed then
    update public.solutions s set submission_digest = digest where s.id = earlier_submission.id;
  end if;
end
$$;

grant execute on function private.earlier_submission(uuid, text) to authenticated;

/*
 * Replaces the contents of the caller's own solution and sends it to review again, or changes nothing; of one that is
 * published, the contents of its revision, so that readers keep the published version until the new one is approved.
 * Media that are listed stay or are added, others are removed. `solution` may have a `change_note`, which is shown with
 * the new version, and `removes_details`, with which the texts of earlier versions go when it is approved. Arguments and
 * errors otherwise as for submit_solution; PT404 when the caller has no solution with this id. Returns the id that was given.
 */
create function public.resubmit_solution(
  id uuid, solution jsonb, media jsonb, consent text, consent_version text, thumbnail_url text default null
) returns uuid
language plpgsql set search_path = ''
as $$
declare
  own_id uuid;
begin
  media := private.media_of(media);
  perform private.form_of(solution, array['audience']);
  own_id := private.open_revision(resubmit_solution.id);
  -- To show it to fewer people does not wait for review.
  update public.solutions s set audience = solution ->> 'audience'
  where s.id = resubmit_solution.id and s.user_id = (select auth.uid()) and s.status = 'approved'
    and not private.covers_audience(solution ->> 'audience', s.audience);
  execute format(
    'update public.solutions s set (%s) = row(%s), status = ''pending'', rejection_reason = null, change_note = f.change_note,
       removes_details = coalesce($1 -> ''removes_details'' = ''true'', false), audience = coalesce(f.audience, s.audience)
     from private.solution_fields($1) as f where s.id = $2 and s.user_id = (select auth.uid()) returning s.id',
    private.content_list(), private.content_list('f.')
  ) into own_id using solution, own_id;
  if own_id is null then
    raise sqlstate 'PT404' using message = 'Solution not found';
  end if;

  delete from public.solution_media m
  where m.solution_id = own_id
    and private.file_name(m.media_url) not in (select private.file_name(item ->> 'media_url') from jsonb_array_elements(media) as item);
  update public.solution_media m
  set description = nullif(btrim(item.value ->> 'description'), ''), position = item.ordinality - 1
  from jsonb_array_elements(media) with ordinality as item
  where m.solution_id = own_id and private.file_name(m.media_url) = private.file_name(item.value ->> 'media_url');
  perform private.attach_to_solution(
    own_id,
    solution -> 'outcomes',
    (
      select coalesce(jsonb_agg(item.value order by item.ordinality), '[]')
      from jsonb_array_elements(media) with ordinality as item
      where not exists (
        select from public.solution_media m
        where m.solution_id = own_id and private.file_name(m.media_url) = private.file_name(item.value ->> 'media_url')
      )
    ),
    thumbnail_url, consent, consent_version
  );
  perform private.set_files(own_id, solution -> 'files');
  perform private.set_sources(own_id, solution);
  perform private.set_fabrication(own_id, solution -> 'fabrication');
  return resubmit_solution.id;
end
$$;

/*
 * Creates a solution with its media, thumbnail and consent together, or nothing.
 *
 * solution: the form's fields by column name, its outcomes, files and fabrication as for set_outcomes, set_files and set_fabrication;
 * media: [{media_url, description}] in order, each a URL that process-media-upload answered; thumbnail_url: one of the
 * media's URLs; without one the first of the media; consent: a basis of solution_consents; consent_version: the date of the
 * statement's text; submission_id: the form's own number for its submission; the same number from the same member is
 * answered with the solution it made, which takes contents that differ from the first ones as resubmit_solution does.
 * Returns the solution's id. Errors: 23514 with the specification's message for a wrong field, 42501 without a session.
 */
create function public.submit_solution(
  solution jsonb, media jsonb, consent text, consent_version text, thumbnail_url text default null, submission_id uuid default null
) returns uuid
language plpgsql set search_path = ''
as $$
#variable_conflict use_column
declare
  new_id uuid;
  digest constant text := md5(jsonb_build_array(solution, media, consent, consent_version, thumbnail_url)::text);
  is_changed boolean;
begin
  media := private.media_of(media);
  -- Of the two unique numbers a client sets only this one.
  execute format(
    'insert into public.solutions (submission_id, submission_digest, status, audience, %s)
     select $1, $2, ''pending'', coalesce(f.audience, ''public''), %s
     from private.solution_fields($3) as f
     on conflict do nothing
     returning id',
    private.content_list(), private.content_list('f.')
  ) into new_id using submit_solution.submission_id, digest, solution;
  if new_id is null then
    select e.id, e.is_changed into new_id, is_changed from private.earlier_submission(submit_solution.submission_id, digest) e;
    -- The author may have changed the form after the answer to the first attempt was lost.
    if is_changed then
      perform public.resubmit_solution(new_id, solution, media, consent, consent_version, thumbnail_url);
    end if;
    return new_id;
  end if;
  perform private.attach_to_solution(new_id, solution -> 'outcomes', media, thumbnail_url, consent, consent_version);
  perform private.set_files(new_id, solution -> 'files');
  perform private.set_sources(new_id, solution);
  perform private.set_fabrication(new_id, solution -> 'fabrication');
  return new_id;
end
$$;

grant execute on function private.attach_to_solution(uuid, jsonb, jsonb, text, text, text), private.set_sources(uuid, jsonb),
  private.solution_fields(jsonb) to authenticated;
grant execute on function public.submit_solution(jsonb, jsonb, text, text, text, uuid),
  public.resubmit_solution(uuid, jsonb, jsonb, text, text, text)
  to authenticated;

create table public.solution_drafts (
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  -- Null while the solution is new.
  solution_id uuid references public.solutions on delete cascade,
  content jsonb not null
    constraint "A draft must be an object" check (jsonb_typeof(content) = 'object')
    constraint "A draft must be at most 200 KB" check (octet_length(content::text) <= 204800),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (user_id, solution_id)
);

-- Foreign key.
create index solution_drafts_solution_id_idx on public.solution_drafts (solution_id);

comment on table public.solution_drafts is
  'The unsent content of a member''s submission form, for another device or another day: '
  'one for a new solution and one for each that is edited.';

alter table public.solution_drafts enable row level security;

-- Moderators as well see only their own: a draft is its author's alone until it is sent.
create policy "Members can read their own draft" on public.solution_drafts
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can keep a draft of their own" on public.solution_drafts
  for insert to authenticated with check (user_id = (select auth.uid()) and (solution_id is null or private.owns_solution(solution_id)));
create policy "Members can change their own draft" on public.solution_drafts
  for update to authenticated using (user_id = (select auth.uid()));
create policy "Members can discard their own draft" on public.solution_drafts
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.solution_drafts
  as restrictive for select to authenticated using ((select private.has_required_aal()));

create trigger solution_drafts_touch before update on public.solution_drafts
  for each row execute function private.touch();

grant select, delete on public.solution_drafts to authenticated;
grant insert (user_id, solution_id, content) on public.solution_drafts to authenticated;
grant update (content) on public.solution_drafts to authenticated;
