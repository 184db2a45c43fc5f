-- "Still in use?": what was fitted is asked about again 3, 6 and 12 months later, since a device that worked in the first week may
-- lie in a drawer by then.

insert into private.notice_types (type, at_once, by_moderator, warns) values ('still_in_use', false, false, false);

alter table public.profiles add column asks_still_in_use boolean not null default true;
grant insert (asks_still_in_use), update (asks_still_in_use) on public.profiles to authenticated;

create table public.use_questions (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  -- The trial that it asks about; null for the solution whose author measured it themself.
  trial_id uuid references public.solution_trials on delete cascade,
  -- Null once the member has left: "Former member".
  user_id uuid references public.profiles on delete set null,
  months smallint not null
    constraint "A question comes after 3, 6 or 12 months" check (months in (3, 6, 12)),
  -- Null where its member wants no question or may not take part: such a case is counted among those without an answer.
  asked_at timestamptz,
  reminded_at timestamptz,
  -- The member wants no more questions about this case.
  stopped_at timestamptz,
  answer text
    constraint "Please choose one of the four answers" check (answer in ('every_day', 'sometimes', 'no_longer', 'dont_know')),
  reason text
    constraint "Please choose a reason from the list" check (reason in ('broke', 'fit', 'burden', 'needs', 'replaced', 'other')),
  answered_at timestamptz,
  -- Of its solution while that and the trial are public, else null; kept by place_use_question and place_use_questions.
  audience text,
  created_at timestamptz not null default now(),
  unique nulls not distinct (solution_id, trial_id, months),
  constraint "Please say why it is no longer used" check (
    (answer is not distinct from 'no_longer') = (reason is not null)
  ),
  constraint "An answer says when it was given" check ((answer is null) = (answered_at is null))
);

comment on table public.use_questions is
  'Whether what was fitted is still in use, asked 3, 6 and 12 months after a trial or a measured solution became public. '
  'A row is written when its time comes, once, and says how it was answered.';

alter table public.use_questions enable row level security;

-- Others see sums alone: use_sums.
create policy "Members can read the questions about their own cases" on public.use_questions
  for select to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.use_questions
  as restrictive for select to authenticated using ((select private.has_required_aal()));

create index use_questions_user_id_idx on public.use_questions (user_id, created_at);
create index use_questions_trial_id_idx on public.use_questions (trial_id) where trial_id is not null;
-- Those that a reminder may be due for.
create index use_questions_unanswered_idx on public.use_questions (asked_at)
  where answer is null and reminded_at is null and stopped_at is null;

-- A site that has been started before gives new tables more by default than a new one.
revoke all on public.use_questions from anon, authenticated, service_role;
grant select on public.use_questions to authenticated;
grant select, insert, update, delete on public.use_questions to service_role;

-- What is asked about, and when next. Its start stays when a report is edited and approved again.
create table private.use_subjects (
  id bigint generated always as identity primary key,
  solution_id uuid not null references public.solutions on delete cascade,
  trial_id uuid references public.solution_trials on delete cascade,
  started_at timestamptz not null,
  -- Null after the last question.
  due_at timestamptz,
  unique nulls not distinct (solution_id, trial_id)
);

alter table private.use_subjects enable row level security;
create index use_subjects_due_at_idx on private.use_subjects (due_at, id) where due_at is not null;
create index use_subjects_trial_id_idx on private.use_subjects (trial_id) where trial_id is not null;

  -- One that stops being public at this moment waits until the row is there, and takes it along. First the trial, as decisions do.
create function private.follow_use(solution uuid, trial uuid, started timestamptz) returns void
language sql security definer set search_path = ''
as $$
  insert into private.use_subjects as u (solution_id, trial_id, started_at, due_at)
  select solution, trial, started, started + interval '90 days'
  where not exists (
    select from private.use_subjects b
    where b.solution_id = solution and b.trial_id is not distinct from trial and b.started_at <= started
  )
  on conflict (solution_id, trial_id) do update set started_at = excluded.started_at, due_at = excluded.due_at
  where excluded.started_at < u.started_at;
$$;

/* The audience that a case has while it is public; null while it is not. Security definer, because it reads what its caller need not
   be able to read. */
create function private.use_audience(solution uuid, trial uuid) returns text
language sql stable security definer set search_path = ''
return (
  select private.narrowest(s.audience, t.audience)
  from public.solutions s left join public.solution_trials t on t.id = trial
  where s.id = solution and s.status = 'approved' and (trial is null or t.status = 'approved')
);

/* Security definer for the same reason. */
create function private.place_use_question() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- One that stops being public at this moment waits until the row is there, and takes it along. In the order of a decision on a trial.
  perform from public.solution_trials t where t.id = new.trial_id for share;
  -- Its facets change with the row: of two that only share it neither could change them.
  perform from public.solutions s where s.id = new.solution_id for no key update;
  new.audience := private.use_audience(new.solution_id, new.trial_id);
  return new;
end
$$;

create trigger use_questions_10_place before insert on public.use_questions
  for each row execute function private.place_use_question();

/* Security definer, because no member can write subjects and questions. */
create function private.follow_use_of_trial() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status = 'approved' then
    perform private.follow_use(new.solution_id, new.id, coalesce(new.approved_at, new.created_at));
  end if;
  update public.use_questions q set audience = private.use_audience(q.solution_id, q.trial_id) where q.trial_id = new.id;
  return null;
end
$$;

create trigger solution_trials_30_use after insert or update of status, approved_at on public.solution_trials
  for each row execute function private.follow_use_of_trial();

/* Security definer for the same reason. */
create function private.follow_use_of_outcome() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.follow_use(new.solution_id, null, new.published_at);
  return null;
end
$$;

create trigger solution_outcomes_30_use after insert or update of solution_id, published_at on public.solution_outcomes
  for each row when (new.trial_id is null and new.published_at is not null) execute function private.follow_use_of_outcome();

/* A question is counted for those who may read its solution. Security definer, because no member can write questions. */
create function private.place_use_questions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.use_questions q set audience = private.use_audience(q.solution_id, q.trial_id) where q.solution_id = new.id;
  return null;
end
$$;

create trigger solutions_45_use_questions after update on public.solutions
  for each row when ((old.status, old.audience) is distinct from (new.status, new.audience))
  execute function private.place_use_questions();

-- How the questions about all public cases were answered, counted as they are, since visitors ask for it more often than it changes.
create table private.use_counts (
  months smallint not null,
  audience text not null,
  -- '' without an answer, and without a reason.
  answer text not null,
  reason text not null,
  questions integer not null,
  primary key (months, audience, answer, reason)
);

alter table private.use_counts enable row level security;

/* Security definer, because no client can write the counts. */
create function private.count_use_question() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.use_counts as c (months, audience, answer, reason, questions)
  select q.months, q.audience, q.answer, q.reason, sum(q.factor)
  from (
    select -1 as factor, old.months, old.audience, coalesce(old.answer, '') as answer, coalesce(old.reason, '') as reason
    where tg_op <> 'INSERT' and old.audience is not null
    union all
    select 1, new.months, new.audience, coalesce(new.answer, ''), coalesce(new.reason, '')
    where tg_op <> 'DELETE' and new.audience is not null
  ) q
  group by 1, 2, 3, 4 having sum(q.factor) <> 0 order by 1, 2, 3, 4
  on conflict (months, audience, answer, reason) do update set questions = c.questions + excluded.questions;
  return null;
end
$$;

create trigger use_questions_10_count after insert or delete or update of audience, answer, reason on public.use_questions
  for each row execute function private.count_use_question();

-- What was public before this version. Of what is long past the last question comes at most: ask_use_questions.
insert into private.use_subjects (solution_id, trial_id, started_at, due_at)
select t.solution_id, t.id, coalesce(t.approved_at, t.created_at), coalesce(t.approved_at, t.created_at) + interval '90 days'
from public.solution_trials t where t.status = 'approved'
union all
select o.solution_id, null, min(o.published_at), min(o.published_at) + interval '90 days'
from public.solution_outcomes o where o.trial_id is null and o.published_at is not null group by o.solution_id;
