create table public.solution_trials (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  -- The version that was tried.
  version integer not null,
  -- Null once the member has left: "Former member".
  user_id uuid default auth.uid() references public.profiles on delete set null,
  result text not null
    constraint "Please say how it went" check (result in ('worked', 'worked_with_changes', 'did_not_work')),
  changes text
    constraint "What you changed must be at most 5000 characters" check (char_length(changes) <= 5000),
  experience text
    constraint "What happened must be at most 5000 characters" check (char_length(experience) <= 5000),
  amputation_level text not null
    constraint "Please select amputation level" check (amputation_level = any (private.amputation_levels())),
  age_group text not null
    constraint "Please select at least one age group" check (age_group in ('Children', 'Adults', 'Children, Adults', 'Adults, Children')),
  prosthesis_type text not null
    constraint "Please select prosthesis type" check (prosthesis_type = any (private.prosthesis_types())),
  status text not null default 'pending'
    constraint "Status must be pending, approved or rejected" check (status in ('pending', 'approved', 'rejected')),
  rejection_reason text
    constraint "A rejection reason must be at most 2000 characters" check (char_length(rejection_reason) <= 2000),
  -- What the author of the solution answers. The time stays when the answer is taken away, so that the writer is told once.
  author_answer text
    constraint "An answer must be at most 2000 characters" check (char_length(author_answer) <= 2000),
  answered_at timestamptz,
  -- The ground on which pictures of the trial may be public, as in solution_consents; null without any.
  consent_basis text
    constraint "Please choose a consent statement" check (
      consent_basis in ('patient_written', 'guardian_written', 'no_identifiable_person')
    ),
  consent_version text
    constraint "This version of the statement is not known" check (consent_version = any (private.text_versions('consent'))),
  consent_recorded_at timestamptz,
  -- While an edited report waits: what readers saw before.
  replaced jsonb,
  -- The form's own number for its submission: one that was decided on is not sent to review again by a lost answer.
  submission_id uuid,
  -- The items that a moderator has checked, written with the decision; decide_trial takes it into the audit log.
  checklist jsonb constraint "Only a decision has a checklist" check (checklist is null),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  approved_at timestamptz,
  unique (solution_id, user_id, version),
  constraint "Please say what you changed" check (result <> 'worked_with_changes' or not private.is_blank(changes)),
  constraint "Please say why it did not work" check (result <> 'did_not_work' or not private.is_blank(experience)),
  constraint "A rejection needs a reason" check (status <> 'rejected' or not private.is_blank(rejection_reason)),
  constraint "Only a rejected trial report has a reason" check (status = 'rejected' or rejection_reason is null),
  constraint "An answer says when" check (author_answer is null or answered_at is not null),
  constraint "A consent statement has a version and a time" check (
    num_nonnulls(consent_basis, consent_version, consent_recorded_at) in (0, 3)
  )
);

comment on table public.solution_trials is
  'Reports of members who tried a solution: how it went, for whom, and what they changed; public once a moderator has approved them.';

alter table public.solution_trials enable row level security;

create policy "Readers see approved trials, writers theirs, moderators all" on public.solution_trials
  for select using (
    (select private.is_moderator())
    or (user_id = (select auth.uid()) and (select private.has_required_aal()))
    or (status = 'approved' and (select true from public.solutions s where s.id = solution_id))
  );
create policy "Members can report trials of others' approved solutions" on public.solution_trials
  for insert to authenticated with check (
    user_id = (select auth.uid()) and status = 'pending'
    and exists (
      select from public.solutions s where s.id = solution_id and s.status = 'approved' and s.user_id is distinct from (select auth.uid())
    )
  );
-- Which of them may change what is decided by guard_trial.
create policy "Members edit theirs, moderators decide, authors answer" on public.solution_trials
  for update to authenticated
  using (user_id = (select auth.uid()) or (select private.may_moderate()) or (status = 'approved' and private.owns_solution(solution_id)))
  with check (user_id = (select auth.uid()) or status in ('approved', 'rejected'));
create policy "Members can delete their own trials, moderators any" on public.solution_trials
  for delete to authenticated using (user_id = (select auth.uid()) or (select private.may_moderate()));

-- A member's trials, and how many they have added lately.
create index solution_trials_user_id_idx on public.solution_trials (user_id, created_at);
-- A solution's reports, newest first. With the state as a column: the API asks with a parameter, and a plan for all its values finds no
-- index that only has the approved.
create index solution_trials_approved_idx on public.solution_trials (solution_id, status, approved_at desc);
-- The review queue, oldest first.
create index solution_trials_queue_idx on public.solution_trials (updated_at, id) where status = 'pending';

/* Whether the caller wrote the trial, which is of this solution. */
create function private.owns_trial(trial uuid, solution uuid) returns boolean
language sql stable set search_path = ''
return exists (select from public.solution_trials t where t.id = trial and t.solution_id = solution and t.user_id = (select auth.uid()));

grant execute on function private.owns_trial(uuid, uuid) to anon, authenticated, service_role;

-- Without the columns of the consent statement (trial_consent) and those that only a form or a decision writes.
grant select (id, solution_id, version, user_id, result, changes, experience, amputation_level, age_group, prosthesis_type, status,
  rejection_reason, author_answer, answered_at, replaced, created_at, updated_at, approved_at)
  on public.solution_trials to anon, authenticated;
grant insert (submission_id, solution_id, version, user_id, result, changes, experience, amputation_level, age_group, prosthesis_type,
  consent_basis, consent_version)
  on public.solution_trials to authenticated;
grant update (submission_id, result, changes, experience, amputation_level, age_group, prosthesis_type, consent_basis, consent_version,
  status, rejection_reason, checklist, author_answer)
  on public.solution_trials to authenticated;
grant delete on public.solution_trials to authenticated;
