-- How the report of a trial is sent, edited and decided.

/* What readers see of a trial, to compare an edited one with. Media by id, since their files move. */
create function private.trial_content(trial public.solution_trials) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'result', trial.result, 'changes', trial.changes, 'experience', trial.experience, 'amputation_level', trial.amputation_level,
  'age_group', trial.age_group, 'prosthesis_type', trial.prosthesis_type,
  'media', (
    select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'description', m.description) order by m.position), '[]')
    from public.solution_media m where m.trial_id = trial.id and m.hidden_at is null
  ),
  'outcomes', (
    select coalesce(
      jsonb_agg(
        to_jsonb(o) - array['id', 'solution_id', 'trial_id', 'position', 'prosthesis_type', 'amputation_level', 'published_at']
        order by o.position
      ),
      '[]'
    )
    from public.solution_outcomes o where o.trial_id = trial.id
  )
);

grant execute on function private.trial_content(public.solution_trials) to authenticated, service_role;

/* Enforces rules that policies cannot express: which columns change together, and who may change them. Not security
   definer, because it checks which role the statement runs as. */
create function private.guard_trial() returns trigger
language plpgsql set search_path = ''
as $$
declare
  me uuid := (select auth.uid());
  tried public.solutions;
  edited boolean;
begin
  new.changes := nullif(btrim(new.changes, E' \t\r\n'), '');
  new.experience := nullif(btrim(new.experience, E' \t\r\n'), '');
  new.author_answer := case when not private.is_blank(new.author_answer) then btrim(new.author_answer, E' \t\r\n') end;
  if tg_op = 'INSERT' then
    select s.id, s.user_id, s.version, s.status into tried.id, tried.user_id, tried.version, tried.status
    from public.solutions s where s.id = new.solution_id;
    if private.is_client() then
      if tried.id is null or tried.status <> 'approved' then
        raise check_violation using message = 'You can report only on a published solution';
      end if;
      if tried.user_id = me then
        raise check_violation using message = 'You cannot report a trial of your own solution';
      end if;
    end if;
    if new.version is null or new.version not between 1 and tried.version then
      raise check_violation using message = 'Please choose a version that was published';
    end if;
    new.consent_recorded_at := case when new.consent_basis is not null then now() end;
    return new;
  end if;
  if not private.is_client() then
    return new;
  end if;

  edited := (new.result, new.changes, new.experience, new.amputation_level, new.age_group, new.prosthesis_type, new.consent_basis,
      new.consent_version, new.submission_id)
    is distinct from
      (old.result, old.changes, old.experience, old.amputation_level, old.age_group, old.prosthesis_type, old.consent_basis,
      old.consent_version, old.submission_id);

  if old.user_id = me and (edited or new.status = 'pending') then
    -- The reviewed content is no longer the content readers would see: back to review in the same statement.
    if new.status is distinct from old.status and new.status <> 'pending' then
      raise insufficient_privilege using message = 'An edited trial report must be reviewed first';
    end if;
    if new.author_answer is distinct from old.author_answer then
      raise insufficient_privilege using message = 'Only the author of the solution can answer';
    end if;
    if old.status = 'approved' then
      new.replaced := private.trial_content(old);
    end if;
    new.status := 'pending';
    new.rejection_reason := null;
    new.approved_at := null;
    new.consent_recorded_at := case when new.consent_basis is not null then now() end;
    return new;
  end if;

  if edited then
    raise insufficient_privilege using message = 'Only the member who wrote a trial report can edit it';
  end if;
  if new.author_answer is distinct from old.author_answer then
    -- A moderator takes an answer away, and writes none.
    if old.status <> 'approved'
      or not (private.owns_solution(old.solution_id) or (new.author_answer is null and private.may_moderate()))
    then
      raise insufficient_privilege using message = 'Only the author of the solution can answer';
    end if;
    if new.author_answer is not null then
      new.answered_at := now();
    end if;
  end if;
  if new.status is distinct from old.status then
    if not private.may_moderate() or ((old.user_id = me or private.owns_solution(old.solution_id)) and not private.is_admin()) then
      raise insufficient_privilege
        using message = 'Only a moderator can decide on a trial report, but not on their own or one about their solution';
    end if;
    if old.status <> 'pending' or new.status not in ('approved', 'rejected') then
      raise check_violation using message = 'Only a pending trial report can be approved or rejected';
    end if;
  elsif new.rejection_reason is distinct from old.rejection_reason then
    raise insufficient_privilege using message = 'A decision cannot be reworded';
  end if;
  return new;
end
$$;

create trigger solution_trials_10_guard before insert or update on public.solution_trials
  for each row execute function private.guard_trial();

create trigger solution_trials_15_touch before update on public.solution_trials
  for each row when (old.author_answer is not distinct from new.author_answer) execute function private.touch();

/*
 * What comes with a decision, for every role: pictures need a statement of consent, and the checklist goes into the audit
 * log. Security definer, because clients cannot write the log.
 */
create function private.decide_trial() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
begin
  if new.status = 'approved' then
    if new.consent_basis is null and exists (select from public.solution_media m where m.trial_id = new.id) then
      raise check_violation using message = 'A trial report with images can be approved only with a consent statement';
    end if;
    new.rejection_reason := null;
    new.approved_at := now();
  end if;
  if actor is not null then
    perform private.audit('trial_' || new.status, 'trial', new.id::text, jsonb_build_object('status', old.status),
      jsonb_build_object('status', new.status, 'reason', new.rejection_reason, 'own', actor = new.user_id, 'checklist', new.checklist,
        'solution_id', new.solution_id));
  end if;
  -- A report that was sent back may have held content that must not be kept.
  new.replaced := null;
  new.checklist := null;
  return new;
end
$$;

create trigger solution_trials_20_decide before update on public.solution_trials
  for each row when (old.status <> new.status and new.status <> 'pending') execute function private.decide_trial();

/* How many members' trials of a solution are public. Security definer, because no client can write the count. */
create function private.count_trials(solution uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Of two decisions at once the second counts the first.
  perform from public.solutions s where s.id = solution for update;
  update public.solutions s
  set tried_count = (
    select count(distinct coalesce(t.user_id, t.id)) from public.solution_trials t where t.solution_id = s.id and t.status = 'approved'
  )
  where s.id = solution;
  perform private.refresh_extra_facets(solution);
end
$$;

/* Keeps count, ledger, outcomes, file jobs and audit log in step with a trial. Security definer, because clients can write
   none of them. */
create function private.sync_trial() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
begin
  if tg_op <> 'INSERT' and old.status = 'approved' then
    perform private.revoke_points('trial', old.id);
  end if;
  if tg_op = 'DELETE' then
    -- Not when it is deleted with its whole solution, which is recorded separately.
    if exists (select from public.solutions s where s.id = old.solution_id) then
      if actor is distinct from old.user_id and actor is not null then
        perform private.audit('trial_deleted', 'trial', old.id::text,
          jsonb_build_object('result', old.result, 'changes', old.changes, 'experience', old.experience, 'user_id', old.user_id,
            'solution_id', old.solution_id),
          null);
      end if;
      perform private.count_trials(old.solution_id);
    end if;
    return null;
  end if;
  -- Places them again: published with their trial, and with its level and type.
  update public.solution_outcomes o set solution_id = o.solution_id where o.trial_id = new.id;
  if new.status = 'approved' then
    perform private.award_points(new.user_id, 'trial', new.id);
  end if;
  insert into public.media_jobs (solution_id)
  select new.solution_id
  where exists (
    select from public.solution_media m
    where m.trial_id = new.id and (new.status = 'approved' or m.media_url like '/storage/v1/object/public/%')
  );
  perform private.count_trials(new.solution_id);
  return null;
end
$$;

create trigger solution_trials_10_sync_insert after insert on public.solution_trials
  for each row when (new.status = 'approved') execute function private.sync_trial();
create trigger solution_trials_10_sync_status after update on public.solution_trials
  for each row when (old.status <> new.status) execute function private.sync_trial();
create trigger solution_trials_10_sync_delete after delete on public.solution_trials
  for each row execute function private.sync_trial();

/* A moderator who takes an answer away leaves it in the log. Security definer, because it writes the audit log. */
create function private.audit_removed_answer() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null and not private.owns_solution(new.solution_id) then
    perform private.audit('trial_answer_removed', 'trial', new.id::text, jsonb_build_object('answer', old.author_answer), null);
  end if;
  return null;
end
$$;

create trigger solution_trials_audit_answer after update of author_answer on public.solution_trials
  for each row when (old.author_answer is not null and new.author_answer is null) execute function private.audit_removed_answer();

/* The statement of consent of a trial, for its writer and moderators; null for others. Security definer, because the columns
   cannot be read by those who read the trial. */
create function public.trial_consent(trial uuid) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object('basis', t.consent_basis, 'statement_version', t.consent_version, 'recorded_at', t.consent_recorded_at)
  from public.solution_trials t
  where t.id = trial and t.consent_basis is not null and (t.user_id = (select auth.uid()) or private.is_moderator())
);

/* The kinds of personal detail that a report's text seems to hold; null for callers who are not moderators. */
create function public.trial_identifiers_found(trial uuid) returns text[]
language sql stable set search_path = ''
return (
  select private.identifiers_in(concat_ws(
    E'\n', t.changes, t.experience, (select string_agg(o.device_before, E'\n') from public.solution_outcomes o where o.trial_id = t.id),
    (select string_agg(m.description, E'\n') from public.solution_media m where m.trial_id = t.id)
  ))
  from public.solution_trials t where t.id = trial and private.is_moderator()
);

grant execute on function public.trial_consent(uuid), public.trial_identifiers_found(uuid) to authenticated;

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
  solution uuid, version integer, report jsonb, media jsonb, consent text default null, consent_version text default null,
  submission_id uuid default null
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

  insert into public.solution_trials (submission_id, solution_id, version, result, changes, experience, amputation_level, age_group,
    prosthesis_type, consent_basis, consent_version)
  select submit_trial.submission_id, submit_trial.solution, submit_trial.version, f.result, f.changes, f.experience, f.amputation_level,
    f.age_group, f.prosthesis_type, submit_trial.consent, submit_trial.consent_version
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
  select submit_trial.solution, trial, f.media_url, f.compressed_url, f.thumbnail_url, f.media_type,
    nullif(btrim(item.value ->> 'description'), ''), item.ordinality - 1
  from jsonb_array_elements(media) with ordinality as item
  -- A left join, so that the constraint refuses a file that is not an upload of the caller's, instead of its being dropped.
  left join public.pending_uploads u on u.url = private.storage_path(item.value ->> 'media_url')
  cross join jsonb_populate_record(null::public.solution_media, u.made) f
  where not exists (
    select from public.solution_media m
    where m.trial_id = trial and private.file_name(m.media_url) = private.file_name(item.value ->> 'media_url')
  );
  perform private.set_outcomes(submit_trial.solution, report -> 'outcomes', trial);
  return trial;
end
$$;

grant execute on function public.submit_trial(uuid, integer, jsonb, jsonb, text, text, uuid) to authenticated;
