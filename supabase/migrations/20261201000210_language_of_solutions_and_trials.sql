-- Cards and trial reports say the language of their texts.

/* Cards of these solutions, in this order. */
create or replace function private.solution_cards(ids uuid[]) returns jsonb
language sql stable set search_path = ''
return (
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'language', p.language, 'title', p.title, 'description', left(p.description, 200), 'thumbnail_url', p.thumbnail_url,
    'occupation', p.occupation, 'amputation_level', p.amputation_level, 'materials', p.materials,
    'custom_tags', p.custom_tags, 'likes_count', p.likes_count, 'comments_count', coalesce(n.comments_count, 0),
    'tried_count', p.tried_count,
    'created_at', p.created_at, 'user_id', p.user_id, 'author', private.author_card(p.user_id), 'badges', b.badges,
    'video_seconds', v.seconds, 'safety_kind', p.safety_kind, 'audience', p.audience,
    'has_files', exists (select from public.solution_files f where f.solution_id = p.id and f.hidden_at is null),
    'has_outcomes', exists (select from public.solution_outcomes o where o.solution_id = p.id and o.trial_id is null)
  ) order by i.place), '[]')
  from unnest(ids) with ordinality as i (id, place)
  join public.solutions p on p.id = i.id
  left join public.comment_counts n on n.solution_id = p.id
  left join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'icon_url', c.icon_url, 'tier', c.tier)
      order by c.tier desc, c.earned_at desc), '[]') as badges
    from (
      select g.name, g.icon_url, g.tier, l.earned_at
      from (
        select u.badge_id, u.earned_at from public.user_badges u
        where u.user_id = p.user_id order by u.earned_at desc, u.badge_id limit 3
      ) l join public.badges g on g.id = l.badge_id
      order by g.tier desc, l.earned_at desc limit 2
    ) c
  ) b on true
  left join lateral (
    select m.duration_seconds as seconds from public.solution_media m
    where m.solution_id = p.id and m.trial_id is null and m.media_type = 'video' and m.hidden_at is null order by m.position limit 1
  ) v on true
);

/* What readers see of a trial, to compare an edited one with. Media by id, since their files move. */
create or replace function private.trial_content(trial public.solution_trials) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'language', trial.language, 'result', trial.result, 'changes', trial.changes, 'experience', trial.experience,
  'amputation_level', trial.amputation_level, 'age_group', trial.age_group, 'prosthesis_type', trial.prosthesis_type,
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

/* Enforces rules that policies cannot express: which columns change together, and who may change them. Not security
   definer, because it checks which role the statement runs as. */
create or replace function private.guard_trial() returns trigger
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
      new.consent_version, new.submission_id, new.language)
    is distinct from
      (old.result, old.changes, old.experience, old.amputation_level, old.age_group, old.prosthesis_type, old.consent_basis,
      old.consent_version, old.submission_id, old.language);

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

/* The columns of a trial that its form fills in. One that is missing is as one that is empty. */
create or replace function private.trial_fields(form jsonb) returns public.solution_trials
language sql stable set search_path = ''
return jsonb_populate_record(null::public.solution_trials,
  '{"language": "en", "result": "", "amputation_level": "", "age_group": "", "prosthesis_type": ""}'
  || jsonb_strip_nulls(private.form_of(form,
    array['language', 'result', 'changes', 'experience', 'amputation_level', 'age_group', 'prosthesis_type'])));

/*
 * Reports the caller's trial of a version of a solution and sends it to review, or changes nothing. A member has one report
 * a version: sent again it takes the new contents, and one that was approved waits for review again.
 *
 * report: {language, result, changes, experience, amputation_level, age_group, prosthesis_type, outcomes} with outcomes as for
 * set_outcomes; media: [{media_url, description}] in order, each a URL that process-media-upload answered or one that the
 * report already has; those that are not listed are removed; consent and consent_version: as for submit_solution, null
 * without media; submission_id: the form's own number for its submission: sent again unchanged after a decision it changes nothing.
 * Returns the report's id. Errors: 23514 with a sentence for its writer, 42501 without a session.
 */
create or replace function public.submit_trial(
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

  insert into public.solution_trials (submission_id, solution_id, version, language, result, changes, experience, amputation_level,
    age_group, prosthesis_type, consent_basis, consent_version)
  select submit_trial.submission_id, submit_trial.solution, submit_trial.version, f.language, f.result, f.changes, f.experience,
    f.amputation_level, f.age_group, f.prosthesis_type, submit_trial.consent, submit_trial.consent_version
  from private.trial_fields(report) as f
  on conflict do nothing
  returning id into trial;
  if trial is null then
    update public.solution_trials t
    set submission_id = submit_trial.submission_id, language = f.language, result = f.result, changes = f.changes,
      experience = f.experience, amputation_level = f.amputation_level, age_group = f.age_group, prosthesis_type = f.prosthesis_type,
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
