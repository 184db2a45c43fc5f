-- Evidence singles out no patient beside a named author unless consent says so; docs/evidence.md has the rule and why.
--
-- An outcome that may not be shown beside its author keeps no level and no type of its own (null), is counted under none (''),
-- and is shown by its measure and scores alone. Whatever is asked, answers are made of these columns: two of them cannot
-- differ by what neither was made of.

/* The fewest people of whom a mean, and the fewest cases among which one, says nothing about a single patient. */
create function private.fewest_in_a_cell() returns integer
language sql immutable parallel safe set search_path = ''
return 10;

/* Whether the outcome may be shown with level and type beside its author: a mean of enough people, or of those who have consented
   in writing, themselves or by a guardian, to the readers that the case has. */
create function private.is_shown_with_case(outcome public.solution_outcomes) returns boolean
language sql stable set search_path = ''
return outcome.people >= private.fewest_in_a_cell()
  or case when outcome.trial_id is null
    then exists (
      select from public.solution_consents c join public.solutions s on s.id = c.solution_id
      where c.solution_id = outcome.solution_id and c.basis in ('patient_written', 'guardian_written')
        and private.covers_audience(c.audience, s.audience)
    )
    -- The consent to the author's case is none of the people who tried it elsewhere; that to a report covers its readers.
    else exists (
      select from public.solution_trials t
      where t.id = outcome.trial_id and t.consent_basis in ('patient_written', 'guardian_written')
    )
  end;

/* Security definer, because it reads what the writer need not be able to read. */
create or replace function private.place_outcome() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  select s.prosthesis_type, s.amputation_level, case s.status when 'approved' then coalesce(s.approved_at, s.created_at) end, s.audience
  into new.prosthesis_type, new.amputation_level, new.published_at, new.audience
  from public.solutions s where s.id = new.solution_id;
  if new.trial_id is not null then
    select t.prosthesis_type, t.amputation_level,
      case when t.status = 'approved' and new.published_at is not null then coalesce(t.approved_at, t.created_at) end,
      private.narrowest(new.audience, t.audience)
    into new.prosthesis_type, new.amputation_level, new.published_at, new.audience
    from public.solution_trials t where t.id = new.trial_id;
  end if;
  if not private.is_shown_with_case(new) then
    new.prosthesis_type := null;
    new.amputation_level := null;
  end if;
  return new;
end
$$;

/* Places those of a solution again, and those of its trials where they follow from it. Security definer, because no member can
   write outcomes. */
create or replace function private.publish_outcomes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solution_outcomes o set solution_id = o.solution_id
  where o.solution_id = new.id
    and (o.trial_id is null or (new.status, new.audience) is distinct from (old.status, old.audience));
  return null;
end
$$;

/* A revision brings its own statement. Security definer, because no member can write outcomes. */
create function private.place_outcomes_by_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solution_outcomes o set solution_id = o.solution_id where o.solution_id = new.solution_id and o.trial_id is null;
  return null;
end
$$;

create trigger solution_consents_place_outcomes after insert or update of basis, audience on public.solution_consents
  for each row execute function private.place_outcomes_by_consent();

-- A case may have an outcome on a measure that is shown with it, and one that is not.
alter table private.reported_cases
  drop constraint reported_cases_pkey,
  add primary key (solution_id, case_id, measure, amputation_level);

/* Counts the outcomes of a solution as they are now, those without a level and type under ''. Security definer, because no
   client can write the counts. */
create or replace function private.count_outcomes(solution uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  counted private.reported_cases[] := array(select c from private.reported_cases c where c.solution_id = solution);
begin
  delete from private.reported_cases c where c.solution_id = solution;
  insert into private.reported_cases
  select o.solution_id, coalesce(o.trial_id, o.solution_id), o.measure, coalesce(o.prosthesis_type, ''),
    coalesce(o.amputation_level, ''), o.audience, max(o.people), count(*)
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

-- Those that were reported before.
update public.solution_outcomes o set solution_id = o.solution_id
where not private.is_shown_with_case(o)
  or o.trial_id in (select t.id from public.solution_trials t where t.audience <> 'public');

create index solution_outcomes_apart_idx on public.solution_outcomes (id)
  where amputation_level is null and published_at is not null;
create index solution_outcomes_apart_measure_idx on public.solution_outcomes (measure, id)
  where amputation_level is null and published_at is not null;

/*
 * What has been reported on the measures: counts, and the newest outcomes themselves.
 *
 * measure, level, type: an abbreviation of the catalogue, an amputation level and a prosthesis type; '' for all of them.
 * max_points: 0 to 5,000. Returns {counts: [{measure, type, cases, people, outcomes}], points: [{solution_id, trial_id, title, measure,
 * before, after, people_before, people, weeks, device_before, level, type, published_at}]}; a case counts once for a measure,
 * with the most people of its outcomes. Unknown values give nothing.
 *
 * Outcomes that may not be shown beside their author come after the others, in no order that means anything, with nothing but
 * measure, scores, people and weeks; they are counted under the type ''. No level or type finds them, and those of a measure
 * and an audience are left out while they are of fewer than ten cases.
 *
 * Security definer, because it reads the counts and the kept columns in place of the policies; it reads outcomes of approved
 * solutions and trials of the caller's audiences only.
 */
create or replace function public.evidence(measure text default '', level text default '', type text default '',
  max_points integer default 200)
returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  audiences constant text[] := private.readable_audiences();
  -- The measures and audiences of which enough cases are shown apart from their authors.
  enough constant text[] := array(
    select r.measure || '/' || r.audience from private.report_counts r
    where r.amputation_level = '' and r.cases >= private.fewest_in_a_cell() and r.audience = any (audiences)
  );
  counts jsonb := (
    select coalesce(jsonb_agg(jsonb_build_object('measure', c.measure, 'type', c.prosthesis_type, 'cases', c.cases, 'people', c.people,
      'outcomes', c.outcomes) order by c.measure, c.prosthesis_type), '[]')
    from (
      select r.measure, r.prosthesis_type, sum(r.cases) as cases, sum(r.people) as people, sum(r.outcomes) as outcomes
      from private.report_counts r
      where r.audience = any (audiences) and (evidence.measure = '' or r.measure = evidence.measure)
        and (evidence.level = '' or r.amputation_level = evidence.level)
        and (evidence.type = '' or r.prosthesis_type = evidence.type)
        and (r.amputation_level <> '' or r.measure || '/' || r.audience = any (enough))
      group by r.measure, r.prosthesis_type having sum(r.cases) > 0
    ) c
  );
  most constant integer := least(greatest(coalesce(max_points, 200), 0), 5000);
  of_measure constant text := case when measure <> '' then ' and o.measure = $1' else '' end;
  -- Written as text at once: 5,000 points take a fifth of what they take as jsonb.
  points json;
begin
  -- Written for what is asked, so that the newest are found by an index.
  execute 'select coalesce(json_agg(q), ''[]'') from (
      select case when p.amputation_level is not null then p.solution_id end as solution_id,
        case when p.amputation_level is not null then p.trial_id end as trial_id,
        case when p.amputation_level is not null then s.title end as title, p.measure, p.score_before as before,
        p.score_after as after, p.people_before, p.people, p.follow_up_weeks as weeks,
        case when p.amputation_level is not null then p.device_before end as device_before,
        p.amputation_level as level, p.prosthesis_type as type,
        case when p.amputation_level is not null then p.published_at end as published_at
      from (
        (select o.* from public.solution_outcomes o
        where o.published_at is not null and o.amputation_level is not null and o.audience = any ($5)'
    || of_measure
    || case when level <> '' then ' and o.amputation_level = $2' else '' end
    || case when type <> '' then ' and o.prosthesis_type = $3' else '' end
    || ' order by o.published_at desc, o.id limit $4)'
    || case when level = '' and type = '' and cardinality(enough) > 0 then '
        union all
        (select o.* from public.solution_outcomes o
        where o.published_at is not null and o.amputation_level is null and o.measure || ''/'' || o.audience = any ($6)'
    || of_measure || ' order by o.id limit $4)' else '' end
    || '
      ) p join public.solutions s on s.id = p.solution_id
      order by p.amputation_level is null, case when p.amputation_level is not null then p.published_at end desc, p.id limit $4
    ) q'
  into points using measure, level, type, most, audiences, enough;
  return json_build_object('counts', counts, 'points', points);
end
$$;
