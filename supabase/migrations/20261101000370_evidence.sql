-- What speaks for a solution: the facets that follow from it, and the counts of the outcomes that were reported.

/*
 * The facets of a solution that follow from other tables than its own. Their values are the words on screen, and are unique
 * among the values of all facet groups. A table whose rows decide on one calls refresh_extra_facets in a trigger.
 */
create function private.extra_facets(solution public.solutions) returns text[]
language sql stable set search_path = ''
return array(
  select distinct f.facet
  from public.solution_outcomes o
  cross join lateral (
    values ('Has outcomes'), (o.measure), (case when private.is_beyond_error(o) then 'Better by more than error' end)
  ) f (facet)
  where o.solution_id = solution.id and o.trial_id is null and f.facet is not null
  union
  select 'Tried by others' where solution.tried_count > 0
  union
  select 'Has build files' from public.solution_files b where b.solution_id = solution.id and b.hidden_at is null
  union
  select 'Checked author' from public.profiles p where p.id = solution.user_id and p.registration_level = 'checked'
  order by 1
);

/* Brings the kept facets of a solution up to date. Security definer, because no client can write them. */
create function private.refresh_extra_facets(solution uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solutions s set extra_facets = private.extra_facets(s)
  where s.id = solution and s.extra_facets <> private.extra_facets(s);
end
$$;

create function private.refresh_solution_facets() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A row moves to another solution when a version is approved.
  if tg_op = 'UPDATE' and old.solution_id <> new.solution_id then
    perform private.refresh_extra_facets(old.solution_id);
  end if;
  perform private.refresh_extra_facets(coalesce(new.solution_id, old.solution_id));
  return null;
end
$$;

create trigger solution_outcomes_10_facets
  after insert or delete or update of solution_id, measure, score_before, score_after on public.solution_outcomes
  for each row execute function private.refresh_solution_facets();
create trigger solution_files_facets after insert or delete or update of solution_id, hidden_at on public.solution_files
  for each row execute function private.refresh_solution_facets();

/* Those of a new solution, and of one that a member leaves behind. Security definer, because the writer need not be able
   to read what they follow from. */
create function private.fill_extra_facets() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.extra_facets := private.extra_facets(new);
  return new;
end
$$;

create trigger solutions_06_extra_facets before insert or update of user_id on public.solutions
  for each row execute function private.fill_extra_facets();

/* A check of its author, or its end, concerns each of their solutions. Security definer, because no client can write the
   facets. */
create function private.refresh_author_facets() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refresh_extra_facets(s.id) from public.solutions s where s.user_id = new.id;
  return null;
end
$$;

create trigger profiles_author_facets after update of registration_level on public.profiles
  for each row when (old.registration_level is distinct from new.registration_level)
  execute function private.refresh_author_facets();

-- How much has been reported is counted as it becomes public, since visitors ask for it far more often than it changes.

-- The public cases, solutions and trials of them, that report on a measure, as they are counted in report_counts.
create table private.reported_cases (
  solution_id uuid not null,
  -- The solution itself, or a trial of it.
  case_id uuid not null,
  measure text not null,
  prosthesis_type text not null,
  amputation_level text not null,
  audience text not null,
  -- The most people of the case's outcomes on the measure.
  people integer not null,
  outcomes integer not null,
  primary key (solution_id, case_id, measure)
);

create table private.report_counts (
  measure text not null,
  prosthesis_type text not null,
  amputation_level text not null,
  audience text not null,
  cases integer not null,
  people bigint not null,
  outcomes integer not null,
  primary key (measure, prosthesis_type, amputation_level, audience)
);

alter table private.reported_cases enable row level security;
alter table private.report_counts enable row level security;

/* Counts the outcomes of a solution as they are now. Security definer, because no client can write the counts. */
create function private.count_outcomes(solution uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  counted private.reported_cases[] := array(select c from private.reported_cases c where c.solution_id = solution);
begin
  delete from private.reported_cases c where c.solution_id = solution;
  insert into private.reported_cases
  select o.solution_id, coalesce(o.trial_id, o.solution_id), o.measure, o.prosthesis_type, o.amputation_level, o.audience, max(o.people),
    count(*)
  from public.solution_outcomes o where o.solution_id = solution and o.published_at is not null
  group by o.solution_id, o.trial_id, o.measure, o.prosthesis_type, o.amputation_level, o.audience;
  insert into private.report_counts as r (measure, prosthesis_type, amputation_level, audience, cases, people, outcomes)
  select c.measure, c.prosthesis_type, c.amputation_level, c.audience, sum(c.factor), sum(c.factor * c.people), sum(c.factor * c.outcomes)
  from (
    select 1 as factor, n.* from private.reported_cases n where n.solution_id = solution
    union all
    select -1, b.* from unnest(counted) b
  ) c
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (measure, prosthesis_type, amputation_level, audience) do update
  set cases = r.cases + excluded.cases, people = r.people + excluded.people, outcomes = r.outcomes + excluded.outcomes;
end
$$;

create function private.count_changed_outcome() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Those of a solution that waits for review are not counted.
  if tg_op <> 'INSERT' and old.published_at is not null then
    perform private.count_outcomes(old.solution_id);
  end if;
  if tg_op <> 'DELETE' and new.published_at is not null then
    perform private.count_outcomes(new.solution_id);
  end if;
  return null;
end
$$;

create trigger solution_outcomes_20_count after insert or update or delete on public.solution_outcomes
  for each row execute function private.count_changed_outcome();

/* Security definer, because no member can write outcomes. */
create function private.publish_outcomes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solution_outcomes o
  set prosthesis_type = new.prosthesis_type, amputation_level = new.amputation_level, audience = new.audience,
    published_at = case new.status when 'approved' then coalesce(new.approved_at, new.created_at) end
  where o.solution_id = new.id and o.trial_id is null;
  -- Places them again.
  update public.solution_outcomes o set solution_id = o.solution_id
  where o.solution_id = new.id and o.trial_id is not null and (new.status, new.audience) is distinct from (old.status, old.audience);
  return null;
end
$$;

create trigger solutions_40_publish_outcomes after update on public.solutions
  for each row when (
    (old.status, old.prosthesis_type, old.amputation_level, old.approved_at, old.audience)
      is distinct from (new.status, new.prosthesis_type, new.amputation_level, new.approved_at, new.audience)
  ) execute function private.publish_outcomes();

/*
 * What has been reported on the measures: counts, and the newest outcomes themselves.
 *
 * measure, level, type: an abbreviation of the catalogue, an amputation level and a prosthesis type; '' for all of them.
 * max_points: 0 to 5,000. Returns {counts: [{measure, type, cases, people, outcomes}], points: [{solution_id, trial_id, title, measure,
 * before, after, people_before, people, weeks, device_before, level, type, published_at}]}; a case counts once for a measure,
 * with the most people of its outcomes. Unknown values give nothing.
 *
 * Security definer, because it reads the counts and the kept columns in place of the policies; it reads outcomes of approved
 * solutions and trials of the caller's audiences only.
 */
create function public.evidence(measure text default '', level text default '', type text default '', max_points integer default 200)
returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  audiences constant text[] := private.readable_audiences();
  counts jsonb := (
    select coalesce(jsonb_agg(jsonb_build_object('measure', c.measure, 'type', c.prosthesis_type, 'cases', c.cases, 'people', c.people,
      'outcomes', c.outcomes) order by c.measure, c.prosthesis_type), '[]')
    from (
      select r.measure, r.prosthesis_type, sum(r.cases) as cases, sum(r.people) as people, sum(r.outcomes) as outcomes
      from private.report_counts r
      where r.audience = any (audiences) and (evidence.measure = '' or r.measure = evidence.measure)
        and (evidence.level = '' or r.amputation_level = evidence.level)
        and (evidence.type = '' or r.prosthesis_type = evidence.type)
      group by r.measure, r.prosthesis_type having sum(r.cases) > 0
    ) c
  );
  -- Written as text at once: 5,000 points take a fifth of what they take as jsonb.
  points json;
begin
  -- Written for what is asked, so that the newest are found by an index.
  execute 'select coalesce(json_agg(q), ''[]'') from (
      select p.solution_id, p.trial_id, s.title, p.measure, p.score_before as before, p.score_after as after, p.people_before, p.people,
        p.follow_up_weeks as weeks, p.device_before, p.amputation_level as level, p.prosthesis_type as type, p.published_at
      from (
        select o.* from public.solution_outcomes o where o.published_at is not null and o.audience = any ($5)'
    || case when measure <> '' then ' and o.measure = $1' else '' end
    || case when level <> '' then ' and o.amputation_level = $2' else '' end
    || case when type <> '' then ' and o.prosthesis_type = $3' else '' end
    || ' order by o.published_at desc, o.id limit $4
      ) p join public.solutions s on s.id = p.solution_id order by p.published_at desc, p.id
    ) q'
  into points using measure, level, type, least(greatest(coalesce(max_points, 200), 0), 5000), audiences;
  return json_build_object('counts', counts, 'points', points);
end
$$;

grant execute on function public.evidence(text, text, text, integer) to anon, authenticated;
