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
    values ('Has outcomes'), (o.measure), (case when private.is_beyond_error(o) then 'Improved beyond error' end)
  ) f (facet)
  where o.solution_id = solution.id and o.trial_id is null and f.facet is not null
  union
  select 'Tried by others' where solution.tried_count > 0
  union
  select 'Has build files' from public.solution_files b where b.solution_id = solution.id and b.hidden_at is null
  union
  select 'Checked author' from public.profiles p where p.id = solution.user_id and p.credential_level = 'checked'
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

create trigger solution_outcomes_10_facets after insert or delete or update of solution_id, measure, score_before, score_after on public.solution_outcomes
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

create trigger profiles_author_facets after update of credential_level on public.profiles
  for each row when (old.credential_level is distinct from new.credential_level)
  execute function private.refresh_author_facets();
