-- The filter "Asked again", and the setting that stops the questions.

/*
 * The facets of a solution that follow from other tables than its own. Their values are the words on screen, and are unique
 * among the values of all facet groups. A table whose rows decide on one calls refresh_extra_facets in a trigger.
 */
create or replace function private.extra_facets(solution public.solutions) returns text[]
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
  select 'Asked again' from public.use_questions q where q.solution_id = solution.id and q.audience is not null
  union
  select 'Has build files' from public.solution_files b where b.solution_id = solution.id and b.hidden_at is null
  union
  select 'Checked author' from public.profiles p where p.id = solution.user_id and p.registration_level = 'checked'
  order by 1
);

create trigger use_questions_20_facets after insert or delete or update of audience on public.use_questions
  for each row execute function private.refresh_solution_facets();

create or replace function private.facet_groups() returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'amputation_level', to_jsonb(private.amputation_levels()),
  'occupation', to_jsonb(private.occupations()),
  'materials', to_jsonb(private.materials()),
  'prosthesis_type', to_jsonb(private.prosthesis_types()),
  'age_group', to_jsonb(private.age_groups()),
  'cost_range', to_jsonb(private.cost_ranges()),
  'evidence', to_jsonb(array['Has outcomes', 'Better by more than error', 'Has build files', 'Checked author', 'Tried by others',
    'Asked again']),
  'measure', (select jsonb_agg(m.abbreviation order by m.position) from public.outcome_measures m)
);

/* Names that were there before the site's own name stay. Not security definer: it checks which role the statement runs as. */
create or replace function private.normalize_profile() returns trigger
language plpgsql set search_path = ''
as $$
declare
  settings constant text[] := array['allow_messages', 'allow_notifications', 'email_notifications', 'weekly_digest', 'digest_due_at',
    'asks_still_in_use', 'created_at', 'updated_at'];
begin
  new.avatar_url := private.storage_path(new.avatar_url);
  new.username := nullif(btrim(new.username), '');
  new.full_name := nullif(btrim(new.full_name), '');
  if (tg_op = 'INSERT' or new.username is distinct from old.username) and private.impersonates_site(new.username) then
    raise check_violation using message = 'This username is reserved';
  end if;
  if (tg_op = 'INSERT' or new.full_name is distinct from old.full_name) and private.impersonates_site(new.full_name) then
    raise check_violation using message = 'Please enter your own name, not one of the site''s staff';
  end if;
  -- Suspended and banned members change only their settings.
  if private.is_client() and (tg_op = 'INSERT' or to_jsonb(new) - settings <> to_jsonb(old) - settings) then
    perform private.refuse_sanctioned();
  end if;
  return new;
end
$$;
