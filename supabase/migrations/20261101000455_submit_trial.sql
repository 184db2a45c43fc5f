/* Whether the caller's submission with this number was decided on already. Security definer, because readers have no use for
   the column. */
create function private.is_sent_trial(solution uuid, version integer, submission uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from public.solution_trials t
  where t.solution_id = solution and t.version = is_sent_trial.version and t.user_id = (select auth.uid()) and t.submission_id = submission
    and t.status <> 'pending'
);

grant execute on function private.is_sent_trial(uuid, integer, uuid) to authenticated;

/* The columns of a trial that its form fills in. One that is missing is as one that is empty. */
create function private.trial_fields(form jsonb) returns public.solution_trials
language sql stable set search_path = ''
return jsonb_populate_record(null::public.solution_trials,
  '{"result": "", "amputation_level": "", "age_group": "", "prosthesis_type": ""}' || jsonb_strip_nulls(private.form_of(form,
    array['result', 'changes', 'experience', 'amputation_level', 'age_group', 'prosthesis_type'])));

grant execute on function private.trial_fields(jsonb) to authenticated;

/*
 * Reports the caller's trial of a version of a solution and sends it to review, or changes nothing. A member has one report
 * a version: sent again it takes the new contents, and one that was approved waits for review again.
 *
 * report: {result, changes, experience, amputation_level, age_group, prosthesis_type, outcomes} with outcomes as for
 * set_outcomes; media: [{media_url, description}] in order, each a URL that process-media-upload answered or one that the
 * report already has; those that are not listed are removed; consent and consent_version: as for submit_solution, null
 * without media; submission_id: the form's own number for its submission: sent again unchanged after a decision it changes nothing.
 * Returns the report's id. Errors: 23514 with a sentence for its writer, 42501 without a session.
 */
create function public.submit_trial(
  solution uuid, version integer, report jsonb, media jsonb, consent text default null, consent_version text default null, submission_id uuid default null
) returns uuid
language plpgsql set search_path = ''
as $$
#variable_conflict use_column
declare
  trial uuid;
begin
  -- A number of what is sent, too: one that was changed after the answer to the first attempt was lost is not the same.
  submission_id := md5(jsonb_build_array(submission_id, report, media, consent, consent_version)::text)::uuid;
  if private.is_sent_trial(submit_trial.solution, submit_trial.version, submit_trial.submission_id) then
    return (
      select t.id from public.solution_trials t
      where t.solution_id = submit_trial.solution and t.version = submit_trial.version and t.user_id = (select auth.uid())
    );
  end if;
  media := private.media_of(media);
  if jsonb_array_length(media) > 0 and consent is null then
    raise check_violation using message = 'Please choose a consent statement';
  end if;
  if jsonb_array_length(media) = 0 then
    consent := null;
    consent_version := null;
  end if;

  insert into public.solution_trials (submission_id, solution_id, version, result, changes, experience, amputation_level, age_group, prosthesis_type,
    consent_basis, consent_version)
  select submit_trial.submission_id, submit_trial.solution, submit_trial.version, f.result, f.changes, f.experience, f.amputation_level, f.age_group,
    f.prosthesis_type, submit_trial.consent, submit_trial.consent_version
  from private.trial_fields(report) as f
  on conflict do nothing
  returning id into trial;
  if trial is null then
    update public.solution_trials t
    set submission_id = submit_trial.submission_id, result = f.result, changes = f.changes, experience = f.experience,
      amputation_level = f.amputation_level, age_group = f.age_group, prosthesis_type = f.prosthesis_type,
      consent_basis = submit_trial.consent, consent_version = submit_trial.consent_version, status = 'pending', rejection_reason = null
    from private.trial_fields(report) as f
    where t.solution_id = submit_trial.solution and t.version = submit_trial.version and t.user_id = (select auth.uid())
    returning t.id into trial;
    if trial is null then
      raise sqlstate 'PT404' using message = 'Report not found';
    end if;
  end if;

  delete from public.solution_media m
  where m.trial_id = trial
    and private.file_name(m.media_url) not in (select private.file_name(item ->> 'media_url') from jsonb_array_elements(media) as item);
  update public.solution_media m
  set description = nullif(btrim(item.value ->> 'description'), ''), position = item.ordinality - 1
  from jsonb_array_elements(media) with ordinality as item
  where m.trial_id = trial and private.file_name(m.media_url) = private.file_name(item.value ->> 'media_url');
  insert into public.solution_media (solution_id, trial_id, media_url, compressed_url, thumbnail_url, media_type, description, position)
  select submit_trial.solution, trial, u.media_url, u.compressed_url, u.thumbnail_url, u.media_type, nullif(btrim(item.value ->> 'description'), ''),
    item.ordinality - 1
  from jsonb_array_elements(media) with ordinality as item
  -- A left join, so that the constraint refuses a file that is not an upload of the caller's, instead of its being dropped.
  left join public.media_uploads u on u.media_url = private.storage_path(item.value ->> 'media_url')
  where not exists (
    select from public.solution_media m
    where m.trial_id = trial and private.file_name(m.media_url) = private.file_name(item.value ->> 'media_url')
  );
  perform private.set_outcomes(submit_trial.solution, report -> 'outcomes', trial);
  return trial;
end
$$;

grant execute on function public.submit_trial(uuid, integer, jsonb, jsonb, text, text, uuid) to authenticated;
