-- Members are found by names of every script, whatever the locale of the database knows of its letters.

drop index public.profiles_search_idx;
create index profiles_search_idx on public.profiles
  using gin (private.word_keys(private.normalized(coalesce(username, '') || ' ' || coalesce(full_name, ''))));

/*
 * Members whose name or username contains the text, at most 50, those whose username begins with it first:
 * [{id, username, full_name, profession, avatar_url, allow_messages, registration_level, registration_register,
 * registration_checked_on}]. Members without a username are left out; one or two letters are looked for where a word begins, but for
 * scripts without spaces; of more than 100 others that contain the text only some are considered.
 * Not security definer: the caller's own rights decide.
 */
create or replace function public.search_members(search text, max_results integer default 8) returns jsonb
-- Planned for what is looked for, so that rare texts are found through the index.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  wanted constant text := private.normalized(btrim(left(search, 100)));
  wanted_results constant integer := least(greatest(max_results, 1), 50);
  pattern constant text :=
    case when char_length(wanted) < 3 and wanted !~ ('^[' || private.unspaced_scripts() || ']') then '% ' else '%' end
      || regexp_replace(wanted, '([\\%_])', '\\\1', 'g') || '%';
  words constant text[] := private.search_words(wanted);
  -- The first of several words can be the end of one.
  keys constant text[] := array(
    select p.key from unnest(words) w, private.part_keys(w) as p (key) where p.key like '~%'
    union
    select '^' || w.word from unnest(words) with ordinality w (word, place)
    where char_length(w.word) < 3 and (w.place > 1 or cardinality(words) = 1)
  );
begin
  if cardinality(keys) = 0 then
    return '[]';
  end if;
  return (
    with near as (
      (
        select p.id from public.profiles p
        where private.normalized(p.username) ~>=~ wanted and private.normalized(p.username) ~<~ (wanted || chr(1114111))
        order by private.normalized(p.username) using ~<~ limit wanted_results
      )
      union
      (
        select p.id from public.profiles p
        where p.username is not null
          and private.word_keys(private.normalized(coalesce(p.username, '') || ' ' || coalesce(p.full_name, ''))) @> keys
          and private.normalized(coalesce(p.username, '') || ' ' || coalesce(p.full_name, '')) like pattern
        limit 100
      )
    ),
    found as (
      select p.id, p.username, p.full_name, p.profession, p.avatar_url, p.allow_messages,
        p.registration_level, p.registration_register, p.registration_checked_on,
        not starts_with(private.normalized(p.username), wanted) as later
      from near n join public.profiles p on p.id = n.id
      order by later, p.full_name, p.username
      limit wanted_results
    )
    select coalesce(jsonb_agg(to_jsonb(f) - 'later' order by f.later, f.full_name, f.username), '[]') from found f
  );
end
$$;

grant execute on function
  private.word_keys(text), private.part_keys(text), private.search_words(text), private.spaced(text), private.without_punctuation(text),
  private.unspaced_scripts(), private.unspaced_letter()
  to anon, authenticated, service_role;
