-- How the status of a solution changes, and the record of its reviews.

/* Enforces rules that policies cannot express: which columns change together, and who may change them. Not
   security definer, because it checks which role the statement runs as. */
create function private.guard_solution() returns trigger
language plpgsql set search_path = ''
as $$
declare
  edited boolean;
begin
  new.title := btrim(new.title);
  if tg_op = 'INSERT' then
    new.version := (new.status = 'approved')::integer;
  elsif new.status = 'pending' and old.status <> 'pending' then
    new.submitted_at := now();
  end if;
  -- Not a constraint of the table, which each like and comment would test.
  if char_length(new.change_note) > 500 then
    raise check_violation using message = 'What changed must be at most 500 characters';
  end if;
  if tg_op = 'INSERT' or not private.is_client() then
    return new;
  end if;

  new.change_note := case when new.revises is not null then nullif(btrim(new.change_note), '') end;

  new.thumbnail_url := private.storage_path(new.thumbnail_url);
  if new.thumbnail_url is distinct from old.thumbnail_url and new.thumbnail_url is not null
    and not exists (
      select from public.solution_media m
      where m.solution_id = new.id and new.thumbnail_url in (m.media_url, m.compressed_url, m.thumbnail_url)
    )
  then
    raise check_violation using message = 'The thumbnail must be one of this solution''s own media';
  end if;

  edited := to_jsonb(new) - private.solution_state() <> to_jsonb(old) - private.solution_state()
    or (new.thumbnail_url, new.change_note) is distinct from (old.thumbnail_url, old.change_note);
  -- To show it to fewer needs no review.
  edited := edited or not private.covers_audience(old.audience, new.audience);

  if old.user_id = (select auth.uid()) and (edited or new.status = 'pending') then
    if old.status = 'approved' then
      raise check_violation using message = 'This solution is published. Submit your changes as a new version.';
    end if;
    -- The reviewed content is no longer the content readers would see: back to review in the same statement.
    if new.status is distinct from old.status and new.status <> 'pending' then
      raise insufficient_privilege using message = 'An edited solution must be reviewed first';
    end if;
    if old.status <> 'pending' then
      new.submitted_at := now();
    end if;
    new.status := 'pending';
    new.rejection_reason := null;
    new.approved_at := null;
    return new;
  end if;

  if edited or (new.audience <> old.audience and old.user_id is distinct from (select auth.uid())) then
    raise insufficient_privilege using message = 'Only the author can edit a solution';
  end if;
  if new.status is distinct from old.status then
    if not private.may_moderate() or (old.user_id = (select auth.uid()) and not private.is_admin()) then
      raise insufficient_privilege using message = 'Only a moderator can decide on a solution, and not on their own';
    end if;
    if old.status <> 'pending' or new.status not in ('approved', 'rejected') then
      raise check_violation using message = 'Only a pending solution can be approved or rejected';
    end if;
    if new.status = 'approved' then
      new.rejection_reason := null;
      new.approved_at := now();
    end if;
  elsif new.rejection_reason is distinct from old.rejection_reason then
    raise insufficient_privilege using message = 'A decision cannot be reworded';
  end if;
  return new;
end
$$;

create trigger solutions_10_guard before insert or update on public.solutions
  for each row execute function private.guard_solution();

/* The items that a moderator checked: each question of the checklist with whether it is met. */
create function private.is_checklist(answers jsonb) returns boolean
language sql immutable parallel safe set search_path = ''
return jsonb_typeof(answers) = 'object' and (
  select coalesce(
    bool_and(e.key in ('recognisable_person', 'identifiers', 'consent', 'claims') and jsonb_typeof(e.value) = 'boolean'), true
  )
  from jsonb_each(case jsonb_typeof(answers) when 'object' then answers else '{}' end) as e
);

grant execute on function private.is_checklist(jsonb) to service_role;

create table public.solution_reviews (
  id bigint generated always as identity primary key,
  solution_id uuid not null references public.solutions on delete cascade,
  reviewer_id uuid references public.profiles on delete set null,
  -- Of a revision as well: its steps are written into the history of the solution that it revises.
  decision text not null check (decision in ('submitted', 'resubmitted', 'approved', 'rejected', 'discarded')),
  reason text,
  -- For a decision: the items that its moderator had checked.
  checklist jsonb constraint "A checklist answers the questions of a review" check (private.is_checklist(checklist)),
  -- For a decision: the statement of consent it rests on, since the author can state another one for a later
  -- version.
  consent jsonb,
  -- For a resubmission, until it is decided on: the previous content.
  replaced jsonb,
  created_at timestamptz not null default now()
);

comment on table public.solution_reviews is 'The history of a solution''s review, one row a step, written by trigger.';

alter table public.solution_reviews enable row level security;

create policy "Authors and moderators can read the history of a review" on public.solution_reviews
  for select to authenticated using (
    (select private.is_moderator())
    or (
      select true from public.solutions s
      where s.id = solution_id and s.user_id = (select auth.uid()) and (select private.has_required_aal())
    )
  );

create index solution_reviews_solution_id_idx on public.solution_reviews (solution_id, id);
create index solution_reviews_reviewer_id_idx on public.solution_reviews (reviewer_id, created_at);

grant select on public.solution_reviews to authenticated;

/* The content of a solution that readers see, to compare a later version with. Media by id, since their files
   move; those of a revision by the id of the published row that they copy. */
create function private.solution_content(solution public.solutions) returns jsonb
language sql stable set search_path = ''
return to_jsonb(solution) - private.solution_state() || jsonb_build_object(
  'media', (
    select coalesce(jsonb_agg(jsonb_build_object('id', coalesce(m.copy_of, m.id), 'description', m.description) order by m.position), '[]')
    from public.solution_media m where m.solution_id = solution.id and m.trial_id is null and m.hidden_at is null
  ),
  'outcomes', (
    select coalesce(
      jsonb_agg(
        to_jsonb(o) - array['id', 'solution_id', 'trial_id', 'position', 'prosthesis_type', 'amputation_level', 'published_at', 'audience']
        order by o.position
      ),
      '[]'
    )
    from public.solution_outcomes o where o.solution_id = solution.id and o.trial_id is null
  ),
  'fabrication', private.fabrication_content(solution.id),
  'files', (
    select coalesce(jsonb_agg(private.file_content(f) order by f.position), '[]')
    from public.solution_files f where f.solution_id = solution.id and f.hidden_at is null
  ),
  'based_on', (
    select coalesce(jsonb_agg(b.source_mark order by b.position), '[]') from public.solution_sources b where b.solution_id = solution.id
  )
);

/*
 * Writes a decision into the history of a solution, with its moderator's checklist and the consent statement
 * it rests on. Security definer, because clients cannot write the history.
 */
create function private.record_decision(solution public.solutions, checked jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  -- A revision's steps belong to the solution that it revises.
  reviewed uuid := coalesce(solution.revises, solution.id);
  stated jsonb := (
    select jsonb_build_object('basis', c.basis, 'statement_version', c.statement_version, 'audience', c.audience,
      'recorded_at', c.recorded_at)
    from public.solution_consents c where c.solution_id = solution.id
  );
begin
  -- For every role, the service key included.
  if solution.status = 'approved' and stated is null then
    raise check_violation using message = 'A solution can be approved only with a consent statement';
  end if;
  if solution.status = 'approved' and not private.covers_audience(stated ->> 'audience', solution.audience) then
    raise check_violation using message = 'The consent statement covers a smaller audience. The author must give a new one.';
  end if;
  -- A version that was sent back may hold content that must not be kept.
  update public.solution_reviews r set replaced = null where r.solution_id = reviewed and r.replaced is not null;
  insert into public.solution_reviews (solution_id, reviewer_id, decision, reason, checklist, consent)
  values (reviewed, (select auth.uid()), solution.status, solution.rejection_reason, checked, stated);
end
$$;

/*
 * Takes the checklist that comes with a decision into the history and the audit log, and leaves none in the
 * row. Fires after guard_solution, which has the last word on the status. Security definer, because clients
 * cannot write either.
 */
create function private.decide_solution() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
begin
  perform private.record_decision(new, new.checklist);
  if actor is not null then
    perform private.audit('solution_' || new.status, 'solution', coalesce(new.revises, new.id)::text,
      jsonb_build_object('status', old.status),
      jsonb_build_object('status', new.status, 'reason', new.rejection_reason, 'own', actor = new.user_id, 'checklist', new.checklist));
  end if;
  if new.status = 'approved' and new.revises is null then
    new.version := old.version + 1;
  end if;
  new.checklist := null;
  return new;
end
$$;

create trigger solutions_20_decide before update on public.solutions
  for each row when (old.status <> new.status and new.status <> 'pending') execute function private.decide_solution();

/*
 * Writes into the history that a revision was discarded. One that its author takes back before any decision leaves no trace
 * there, so that opening and discarding it again and again adds nothing. Security definer, because clients cannot write
 * the history.
 */
create function private.record_discarded(revision public.solutions) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  steps public.solution_reviews[] := array(
    select r from public.solution_reviews r where r.solution_id = revision.revises order by r.id desc limit 2
  );
begin
  if (select auth.uid()) = revision.user_id and steps[1].decision = 'resubmitted' and steps[2].decision <> 'rejected' then
    delete from public.solution_reviews r where r.id = steps[1].id;
  else
    insert into public.solution_reviews (solution_id, reviewer_id, decision)
    select s.id, (select auth.uid()), 'discarded' from public.solutions s where s.id = revision.revises;
  end if;
end
$$;

/* Keeps history, ledger and file jobs in step with a solution's status. Security definer, because clients
   cannot write any of them. */
create function private.sync_solution() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
  reviewed uuid := case when tg_op <> 'DELETE' then coalesce(new.revises, new.id) end;
begin
  if tg_op = 'DELETE' then
    -- A revision that was published is content no longer, but the solution.
    if old.revises is not null and old.status = 'approved' then
      return null;
    end if;
    if old.revises is not null then
      perform private.record_discarded(old);
    end if;
    perform private.revoke_points('solution', old.id);
    if actor is distinct from old.user_id and actor is not null then
      perform private.audit('solution_deleted', 'solution', old.id::text,
        jsonb_build_object('title', old.title, 'status', old.status, 'user_id', old.user_id), null);
    end if;
    return null;
  end if;

  if tg_op = 'INSERT' then
    insert into public.solution_reviews (solution_id, reviewer_id, decision)
    values (reviewed, new.user_id, case when new.revises is null then 'submitted' else 'resubmitted' end);
    if new.status <> 'pending' then
      perform private.record_decision(new, null);
    end if;
  elsif new.status = 'pending' then
    insert into public.solution_reviews (solution_id, reviewer_id, decision, replaced)
    values (reviewed, new.user_id, 'resubmitted', private.solution_content(old));
    perform private.revoke_points('solution', new.id);
  end if;
  -- The files of a revision are those of the published version, or private.
  if new.revises is not null then
    return null;
  end if;
  if new.status = 'approved' then
    perform private.award_points(new.user_id, 'solution', new.id);
  end if;
  insert into public.media_jobs (solution_id)
  select new.id
  where new.status = 'approved' and new.audience = 'public'
    or exists (select from public.files_of_solution(new.id) f where f.url like '/storage/v1/object/public/%');
  return null;
end
$$;

create trigger solutions_10_sync_insert after insert on public.solutions
  for each row execute function private.sync_solution();
-- Of every column: guard_solution sets the status of what is edited as well.
create trigger solutions_10_sync_status after update on public.solutions
  for each row when (old.status is distinct from new.status) execute function private.sync_solution();
/* A solution that is shown to fewer takes its files from the public at once, and a new version under review along. Security
   definer, because clients cannot write jobs. */
create function private.narrow_audience() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.media_jobs (solution_id) select new.id where old.audience = 'public';
  update public.solutions r set audience = new.audience
  where r.revises = new.id and not private.covers_audience(new.audience, r.audience);
  return null;
end
$$;

create trigger solutions_15_narrow after update of audience on public.solutions
  for each row when (new.status = 'approved' and new.revises is null and not private.covers_audience(new.audience, old.audience))
  execute function private.narrow_audience();
create trigger solutions_10_sync_delete after delete on public.solutions
  for each row execute function private.sync_solution();

/*
 * The number of hours a solution usually waits for its first decision, from the last 50; null until there
 * were five. Security definer, because only its author and the moderators may read the history of a review.
 */
create function public.usual_review_hours() returns integer
language sql stable security definer set search_path = ''
as $$
  select case when count(*) >= 5 then greatest(1, ceil(percentile_cont(0.5) within group (order by waited)))::integer end
  from (
    select extract(epoch from d.created_at - s.created_at) / 3600 as waited
    from (
      select r.id, r.solution_id, r.created_at from public.solution_reviews r
      where r.decision in ('approved', 'rejected') order by r.id desc limit 50
    ) d
    cross join lateral (
      select r.created_at from public.solution_reviews r
      where r.solution_id = d.solution_id and r.id < d.id and r.decision in ('submitted', 'resubmitted')
      order by r.id desc limit 1
    ) s
  ) waits;
$$;

grant execute on function public.usual_review_hours() to anon, authenticated;
