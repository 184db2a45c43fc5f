-- The language of each text that members write, as a tag of BCP 47: what a page, an email or a feed says of the text, and what
-- Browse filters by.

/* The languages that can be chosen, with their script or region where one is written in several. The form has the same list, in
   app/ui/languages/languages.ts; a tag that is in no list is refused, since no browser knows what to do with it. */
create function private.languages() returns text[]
language sql immutable parallel safe set search_path = ''
return array[
  'aa', 'ab', 'af', 'ak', 'am', 'an', 'ar', 'as', 'av', 'ay', 'az', 'az-Arab', 'ba', 'be', 'bg', 'bho', 'bi', 'bm', 'bn', 'bo',
  'br', 'bs', 'ca', 'ce', 'ceb', 'ch', 'ckb', 'co', 'cr', 'cs', 'cv', 'cy', 'da', 'de', 'dv', 'dz', 'ee', 'el', 'en', 'eo',
  'es', 'et', 'eu', 'fa', 'fa-AF', 'ff', 'fi', 'fil', 'fj', 'fo', 'fr', 'fy', 'ga', 'gd', 'gl', 'gn', 'gsw', 'gu', 'gv', 'ha', 'haw',
  'he', 'hi', 'hmn', 'hr', 'hsb', 'ht', 'hu', 'hy', 'id', 'ig', 'ii', 'ik', 'is', 'it', 'iu', 'ja', 'jv', 'ka', 'kg', 'ki',
  'kk', 'kl', 'km', 'kn', 'ko', 'kok', 'kr', 'ks', 'ks-Deva', 'ku', 'kv', 'kw', 'ky', 'lb', 'lg', 'li', 'ln', 'lo', 'lt',
  'lu', 'lv', 'mai', 'mg', 'mh', 'mi', 'mk', 'ml', 'mn', 'mni', 'mr', 'ms', 'mt', 'my', 'na', 'nb', 'nd', 'nds', 'ne', 'nl',
  'nn', 'nr', 'nso', 'nv', 'ny', 'oc', 'oj', 'om', 'or', 'os', 'pa', 'pa-Arab', 'pl', 'ps', 'pt', 'pt-BR', 'qu', 'rm',
  'rn', 'ro', 'ru', 'rw', 'sa', 'sat', 'sc', 'sd', 'sd-Deva', 'se', 'sg', 'si', 'sk', 'sl', 'sm', 'sn', 'so', 'sq', 'sr',
  'sr-Latn', 'ss', 'st', 'su', 'sv', 'sw', 'ta', 'te', 'tet', 'tg', 'th', 'ti', 'tk', 'tn', 'to', 'tpi', 'tr', 'ts', 'tt',
  'ty', 'ug', 'uk', 'ur', 'uz', 'uz-Cyrl', 've', 'vi', 'wa', 'wo', 'xh', 'yi', 'yo', 'yue', 'za', 'zgh', 'zh-Hans', 'zh-Hant',
  'zu'
];

grant execute on function private.languages() to anon, authenticated, service_role;

-- All that was written before is in English, as every page said until now.
alter table public.solutions add column language text not null default 'en'
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.solution_trials add column language text not null default 'en'
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.comments add column language text not null default 'en'
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.forum_topics add column language text not null default 'en'
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.forum_posts add column language text not null default 'en'
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.held_posts add column language text not null default 'en'
  constraint "Please choose a language from the list" check (language = any (private.languages()));

-- What was written before says none of these, nor does what a decision of a moderator writes: its language is guessed where it is shown.
alter table public.messages add column language text
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.safety_notices add column language text
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.resource_suggestions add column language text
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.collections add column language text
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.collection_items add column language text
  constraint "Please choose a language from the list" check (language = any (private.languages()));
alter table public.profiles add column bio_language text
  constraint "Please choose a language from the list" check (bio_language = any (private.languages()));

grant select (language) on public.solutions, public.solution_trials to anon, authenticated;
grant insert (language), update (language) on public.solutions, public.solution_trials, public.comments, public.forum_topics,
  public.forum_posts, public.held_posts to authenticated;
grant insert (language) on public.messages, public.safety_notices, public.resource_suggestions to authenticated;
grant insert (language), update (language) on public.collections, public.collection_items to authenticated;
grant insert (bio_language), update (bio_language) on public.profiles to authenticated;
grant select (language) on public.resource_suggestions to anon;

/* What a solution says as its form gives it, with what is said of the version. A field that is missing is as one that is empty,
   and a text of a form that knows no languages is in English. */
create or replace function private.solution_fields(form jsonb) returns public.solutions
language plpgsql stable set search_path = ''
as $$
declare
  texts constant text[] := array(select c.name from private.content_columns() c where not c.is_list) || array['change_note', 'audience'];
  lists constant text[] := array(select c.name from private.content_columns() c where c.is_list);
  fields constant jsonb := '{"language": "en"}' || jsonb_strip_nulls(private.form_of(form, texts, lists));
begin
  return jsonb_populate_record(null::public.solutions, fields || (
    select jsonb_object_agg(c.name, case
      when c.is_list then coalesce(fields -> c.name, '[]')
      when c.is_required then coalesce(fields -> c.name, '""')
      else to_jsonb(nullif(btrim(fields ->> c.name), ''))
    end)
    from private.content_columns() c
  ));
end
$$;

/*
 * The facets of a solution that follow from other tables than its own, and its language, written before the tag so that no
 * value is in two groups. The other values are the words on screen.
 * A table whose rows decide on one calls refresh_extra_facets in a trigger.
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
  select 'language:' || solution.language
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

/* The facet groups of browse and their values. */
create or replace function private.facet_groups() returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'amputation_level', to_jsonb(private.amputation_levels()),
  'occupation', to_jsonb(private.occupations()),
  'materials', to_jsonb(private.materials()),
  'prosthesis_type', to_jsonb(private.prosthesis_types()),
  'age_group', to_jsonb(private.age_groups()),
  'cost_range', to_jsonb(private.cost_ranges()),
  'language', to_jsonb(array(select 'language:' || l from unnest(private.languages()) l)),
  'evidence', to_jsonb(array['Has outcomes', 'Better by more than error', 'Has build files', 'Checked author', 'Tried by others',
    'Asked again']),
  'measure', (select jsonb_agg(m.abbreviation order by m.position) from public.outcome_measures m)
);

/* After a change of its language. Security definer, because no client can write the facets. */
create function private.refresh_own_facets() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refresh_extra_facets(new.id);
  return null;
end
$$;

create trigger solutions_50_language_facets after update of language on public.solutions
  for each row when (old.language <> new.language) execute function private.refresh_own_facets();
