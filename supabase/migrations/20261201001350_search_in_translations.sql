-- Browse finds a solution by the words of its translations too.

-- It names the text that is written again below.
drop trigger solutions_index_update on public.solutions;
alter table public.solutions
  -- The titles and descriptions of the translations that all of its readers read; kept by refresh_extra_facets.
  add column translated_texts text not null default '',
  -- PostgreSQL 16 cannot change the expression of a column.
  drop column search_text,
  add column search_text text not null generated always as (
    private.search_text(title, description, occupation, materials, custom_tags, amputation_level, prosthesis_type, age_group, author_names)
      || private.normalized(E'\n' || translated_texts)
  ) stored;

/* The columns that are no part of what a solution says, as before, and what search keeps of its translations. */
create or replace function private.solution_state() returns text[]
language sql immutable parallel safe set search_path = ''
return array['id', 'user_id', 'status', 'audience', 'rejection_reason', 'likes_count', 'tried_count',
  'thumbnail_url', 'created_at', 'updated_at', 'approved_at', 'submitted_at', 'revises', 'version', 'change_note', 'removes_details',
  'withheld_media', 'withheld_files', 'safety_kind', 'number', 'author_names', 'translated_texts', 'search_text', 'extra_facets',
  'facets', 'submission_id', 'submission_digest', 'checklist'];

-- A translation does not change the solution.
drop trigger solutions_touch on public.solutions;
create trigger solutions_touch before update on public.solutions
  for each row
  when (old.likes_count = new.likes_count and old.author_names = new.author_names and old.translated_texts = new.translated_texts
    and old.extra_facets = new.extra_facets and old.tried_count = new.tried_count
    and old.submission_digest is not distinct from new.submission_digest)
  execute function private.touch();

/* The translations of a solution that all of its readers read. */
create function private.shared_translations(solution public.solutions) returns table (language text, texts jsonb)
language sql stable set search_path = ''
as $$
  select t.language, t.texts
  from public.solution_translations t
  join public.solution_versions v on v.solution_id = t.solution_id and v.version = t.version
    and private.covers_audience(v.audience, solution.audience)
  where t.solution_id = solution.id and t.status = 'approved'
$$;

/* The facets of a solution that follow from other tables than its own, its language and those of its translations, written before the
   tag so that no value is in two groups. The other values are the words on screen. A table whose rows decide on one calls
   refresh_extra_facets in a trigger. */
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
  select 'language:' || solution.language
  union
  select 'language:' || t.language from private.shared_translations(solution) t
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

-- Who reads a solution decides which of its translations all of them read. The index comes first, of whose words this takes some away.
create trigger solutions_05_index_update after update on public.solutions
  for each row when (
    (old.status = 'approved' or new.status = 'approved') and new.revises is null
    and (old.status, old.search_text, old.facets, old.audience) is distinct from (new.status, new.search_text, new.facets, new.audience)
  ) execute function private.index_solution();
create trigger solutions_55_audience_facets after update of audience on public.solutions
  for each row when (old.audience <> new.audience) execute function private.refresh_own_facets();

/* What search finds a solution by besides its own texts. */
create function private.translated_texts(solution public.solutions) returns text
language sql stable set search_path = ''
return coalesce((
  select string_agg(concat_ws(E'\n', t.texts ->> 'title', t.texts ->> 'description'), E'\n' order by t.language)
  from private.shared_translations(solution) t
), '');

/* Brings what is kept of a solution's other tables up to date. Security definer, because no client can write it. */
create or replace function private.refresh_extra_facets(solution uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solutions s set extra_facets = private.extra_facets(s), translated_texts = private.translated_texts(s)
  where s.id = solution
    and (s.extra_facets, s.translated_texts) is distinct from (private.extra_facets(s), private.translated_texts(s));
end
$$;

/*
 * The approved solutions most like one that is approved, best first: the amputation level counts most, then
 * the device's function, its type, and materials and tags in common. The candidates are the most liked of the
 * same level and function, then of either, so that the work stays the same however many solutions there are.
 *
 * Security definer, because it reads the sets that browse searches with; of them only approved solutions of the caller's audiences.
 */
create or replace function public.related_solutions(solution uuid, max_results integer default 3) returns setof public.solutions
language sql stable security definer rows 3 set search_path = ''
as $$
  with one as (
    select o.* from public.solutions o
    where o.id = solution and o.status = 'approved' and (o.audience = any (private.readable_audiences()) or o.user_id = (select auth.uid()))
  ),
  sets as materialized (
    select private.readable_bitmap() as readable, private.facet_bitmap(array[o.amputation_level]) as level,
      private.facet_bitmap(array[o.occupation]) as function
    from one o
  ),
  candidates as (
    select distinct unnest(private.page_of(c.chosen, bit_count(c.chosen), 'popular', '', 101)) as id
    from sets, lateral (
      values (level & function & coalesce(readable, level)), (level & coalesce(readable, level)), (function & coalesce(readable, function))
    ) c (chosen)
  )
  -- Without the columns that no reader may select.
  select shown.*
  from (
    select s as row, row_number() over (
      order by
        4 * (s.amputation_level = o.amputation_level)::integer
          + 3 * (s.occupation = o.occupation)::integer
          + 2 * (s.prosthesis_type = o.prosthesis_type)::integer
          + (s.age_group = o.age_group)::integer
          + (select count(*) from unnest(s.materials) m where m = any (o.materials))
          + 2 * (select count(*) from unnest(s.custom_tags) t where lower(t) in (select lower(u) from unnest(o.custom_tags) u)) desc,
        s.likes_count desc, s.created_at desc, s.id desc
    ) as place
    from one o, candidates c join public.solutions s on s.id = c.id
    where s.id <> o.id
  ) best
  cross join lateral jsonb_populate_record(
    null::public.solutions,
    to_jsonb(best.row) - array['number', 'author_names', 'translated_texts', 'search_text', 'extra_facets', 'submission_id',
      'submission_digest', 'checklist']
  ) shown
  where best.place <= least(greatest(coalesce(max_results, 3), 1), 12)
  order by best.place
$$;
