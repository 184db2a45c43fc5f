create table public.solution_outcomes (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  -- Null for those of the solution itself; else those of a member who tried it.
  trial_id uuid references public.solution_trials on delete cascade,
  -- Its place among the solution's outcomes, which are 20 at most.
  position smallint not null
    constraint "A solution can have at most 20 measured outcomes" check (position between 0 and 19),
  measure text not null references public.outcome_measures,
  -- The mean where more than one person was measured; null without a measurement before.
  score_before numeric(9, 4),
  score_after numeric(9, 4) not null,
  -- Null without a measurement before, and where as many were measured.
  people_before integer
    constraint "People before must be between 1 and 10,000" check (people_before between 1 and 10000),
  people integer not null
    constraint "People measured must be between 1 and 10,000" check (people between 1 and 10000),
  follow_up_weeks integer
    constraint "Follow-up must be between 0 and 1,040 weeks after the fitting" check (follow_up_weeks between 0 and 1040),
  device_before text
    constraint "The device before must be at most 200 characters" check (char_length(device_before) <= 200),
  -- Of its solution or trial, so that outcomes are filtered without it; published_at is null while it is not public. Kept
  -- by place_outcome and publish_outcomes.
  prosthesis_type text,
  amputation_level text,
  published_at timestamptz,
  audience text,
  unique nulls not distinct (solution_id, trial_id, position),
  constraint "There cannot be more people after than before" check (people <= people_before),
  constraint "Please enter the score before too, or remove people before" check (people_before is null or score_before is not null)
);

comment on table public.solution_outcomes is
  'What was measured with a solution, by its author or a member who tried it: a score on a standard measure, before and after. '
  'Written by its submission alone, so that no outcome becomes public without review.';

alter table public.solution_outcomes enable row level security;

create policy "Outcomes are seen with their solution or trial" on public.solution_outcomes
  for select using (
    (select true from public.solutions s where s.id = solution_id)
    and (trial_id is null or (select true from public.solution_trials t where t.id = trial_id))
  );

-- What has been reported on a measure, newest first; and on all of them.
create index solution_outcomes_measure_idx on public.solution_outcomes (measure, published_at desc, id);
create index solution_outcomes_published_at_idx on public.solution_outcomes (published_at desc, id) where published_at is not null;
create index solution_outcomes_trial_id_idx on public.solution_outcomes (trial_id) where trial_id is not null;

grant select on public.solution_outcomes to anon, authenticated;

/* Holds a score against the catalogue, for every role. Security definer, because it compares what the writer need not be
   able to read. */
create function private.check_outcome() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  catalogued public.outcome_measures;
  score numeric;
  allowed integer;
begin
  select m.* into catalogued from public.outcome_measures m where m.abbreviation = new.measure;
  if catalogued.abbreviation is null then
    raise check_violation using message = 'Please choose a measure from the list';
  end if;
  if new.score_after is null then
    raise check_violation using message = format('Please enter the %s score after the fitting', new.measure);
  end if;
  if new.people is null then
    raise check_violation using message = 'Please say how many people were measured';
  end if;
  allowed := catalogued.decimals + (new.people > 1)::integer;
  foreach score in array array_remove(array[new.score_before, new.score_after], null) loop
    if score not between catalogued.minimum and catalogued.maximum then
      raise check_violation
        using message = format('The %s score must be between %s and %s', new.measure, catalogued.minimum, catalogued.maximum);
    end if;
    if score <> round(score, allowed) then
      raise check_violation using message = case allowed
        when 0 then format('The %s score of one person is a whole number', new.measure)
        when 1 then format('The %s score has at most 1 decimal place', new.measure)
        else format('The %s score has at most %s decimal places', new.measure, allowed)
      end;
    end if;
  end loop;
  return new;
end
$$;

create trigger solution_outcomes_10_check before insert or update of measure, score_before, score_after, people on public.solution_outcomes
  for each row execute function private.check_outcome();

/* Security definer, because it reads what the writer need not be able to read. */
create function private.place_outcome() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  select s.prosthesis_type, s.amputation_level, case s.status when 'approved' then coalesce(s.approved_at, s.created_at) end, s.audience
  into new.prosthesis_type, new.amputation_level, new.published_at, new.audience
  from public.solutions s where s.id = new.solution_id;
  if new.trial_id is not null then
    select t.prosthesis_type, t.amputation_level,
      case when t.status = 'approved' and new.published_at is not null then coalesce(t.approved_at, t.created_at) end
    into new.prosthesis_type, new.amputation_level, new.published_at
    from public.solution_trials t where t.id = new.trial_id;
  end if;
  return new;
end
$$;

create trigger solution_outcomes_20_place before insert or update of solution_id on public.solution_outcomes
  for each row execute function private.place_outcome();

/* Whether the change is an improvement, by more than the published error of the measure. Null where that is not published or no
   score before is there. */
create function private.is_beyond_error(outcome public.solution_outcomes) returns boolean
language sql stable set search_path = ''
return (
  select case m.direction when 'higher' then 1 else -1 end * (outcome.score_after - outcome.score_before) > m.error_size
  from public.outcome_measures m where m.abbreviation = outcome.measure
);

/*
 * Replaces the outcomes of the caller's own solution that waits for review, or of their own trial of it that does.
 *
 * outcomes: [{measure, score_before, score_after, people_before, people, follow_up_weeks, device_before}] in order, null for
 * none. Errors: 23514 with a sentence for its author. Security definer, because outcomes are written through a submission
 * alone.
 */
create function private.set_outcomes(solution uuid, outcomes jsonb, trial uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  own uuid := case
    when trial is null
      then (select s.id from public.solutions s where s.id = solution and s.user_id = (select auth.uid()) and s.status = 'pending')
    else (
      select t.solution_id from public.solution_trials t
      where t.id = trial and t.solution_id = solution and t.user_id = (select auth.uid()) and t.status = 'pending'
    )
  end;
begin
  if own is null then
    raise insufficient_privilege using message = 'Only the author can edit a solution';
  end if;
  outcomes := coalesce(nullif(outcomes, 'null'), '[]');
  if jsonb_typeof(outcomes) <> 'array' then
    raise check_violation using message = 'Measured outcomes must be a list';
  end if;
  if jsonb_array_length(outcomes) > 20 then
    raise check_violation using message = 'A solution can have at most 20 measured outcomes';
  end if;
  if jsonb_path_exists(outcomes, 'strict $[*] ? (@.type() != "object")') then
    raise check_violation using message = 'Please choose a measure from the list';
  end if;
  if jsonb_path_exists(
    outcomes,
    '$[*].keyvalue() ? (@.key like_regex "^(score|people|follow_up)" && @.value.type() != "number" && @.value.type() != "null")'
  ) then
    raise check_violation using message = 'Scores, people and weeks must be whole or decimal numbers';
  end if;
  if jsonb_path_exists(
    outcomes,
    '$[*].keyvalue() ? (@.key like_regex "^(people|follow_up)" && (@.value.floor() != @.value || @.value.abs() > 100000))'
  ) then
    raise check_violation using message = 'People and weeks must be whole numbers';
  end if;
  -- More than the columns hold, which check_outcome would not be asked about.
  if jsonb_path_exists(outcomes, '$[*].keyvalue() ? (@.key like_regex "^score" && @.value.abs() > 90000)') then
    raise check_violation using message = 'A score must be within the range of its measure';
  end if;
  delete from public.solution_outcomes o where o.solution_id = own and o.trial_id is not distinct from trial;
  insert into public.solution_outcomes (solution_id, trial_id, position, measure, score_before, score_after, people_before, people,
    follow_up_weeks, device_before)
  select own, trial, item.ordinality - 1, f.measure, f.score_before, f.score_after, f.people_before, f.people, f.follow_up_weeks,
    nullif(btrim(f.device_before), '')
  from jsonb_array_elements(outcomes) with ordinality as item
  cross join lateral jsonb_populate_record(null::public.solution_outcomes,
    private.form_of(item.value, array['measure', 'device_before'], '{}',
    array['score_before', 'score_after', 'people_before', 'people', 'follow_up_weeks'])) as f;
end
$$;

grant execute on function private.set_outcomes(uuid, jsonb, uuid) to authenticated;
