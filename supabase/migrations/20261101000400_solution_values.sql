-- The value lists of the specification, each in one place: constraints and facet counts read them here.
create function private.amputation_levels() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Transradial (Below Elbow)', 'Transtibial (Below Knee)', 'Transfemoral (Above Knee)', 'Transhumeral (Above Elbow)',
  'Partial Foot', 'Full Limb'];

create function private.occupations() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Grasping & Gripping', 'Fine Motor Tasks', 'Walking', 'Running', 'Climbing Stairs', 'Weight-Bearing Activities',
  'Writing & Drawing', 'Typing', 'Playing Instruments', 'Sports & Athletics', 'Daily Living Activities', 'Heavy Lifting',
  'Precision Work', 'Balance & Stability'];

create function private.materials() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Carbon Fiber', 'Silicone', 'Titanium', '3D-Printed PLA', 'Gel Liners', 'Custom Alloys', 'Thermoplastic', 'Aluminum'];

create function private.prosthesis_types() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Myoelectric', 'Body-Powered', 'Passive', 'Hybrid', 'Osseointegrated'];

create function private.age_groups() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Children', 'Adults'];

create function private.cost_ranges() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Low-cost (<$500)', 'Mid-range ($500-$5000)', 'High-end (>$5000)'];

/* Tags as the form keeps them: trimmed, without empty ones or duplicates. */
create function private.are_tags(tags text[]) returns boolean
language sql immutable parallel safe set search_path = ''
return cardinality(tags) <= 20 and (
  select coalesce(bool_and(tag = btrim(tag) and not private.is_blank(tag) and char_length(tag) <= 40), true)
    and count(*) = count(distinct tag)
  from unnest(tags) as t (tag)
);

/*
 * The fields of a form that are known, if each is of the kind that its column holds: a text, a number, or a list of texts;
 * null is any of them. A cast would refuse the rest with words about the database, or store an object as the text of its JSON.
 */
create function private.form_of(form jsonb, texts text[], lists text[] default '{}', numbers text[] default '{}') returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  field record;
  fields jsonb := '{}';
begin
  if jsonb_typeof(form) is distinct from 'object' then
    raise check_violation using message = 'A form must be an object with a value for each field';
  end if;
  for field in
    select f.key, f.value, jsonb_typeof(f.value) as kind,
      case when f.key = any (texts) then 'string' when f.key = any (numbers) then 'number' when f.key = any (lists) then 'array' end as wanted
    from jsonb_each(form) as f
  loop
    continue when field.wanted is null;
    if field.kind <> 'null' and field.kind <> field.wanted
      or field.kind = 'array' and jsonb_path_exists(field.value, 'strict $[*] ? (@.type() != "string")')
    then
      raise check_violation using message = format('The field “%s” must be %s', field.key,
        case field.wanted when 'string' then 'a text' when 'number' then 'a number' else 'a list of texts' end);
    end if;
    fields := fields || jsonb_build_object(field.key, field.value);
  end loop;
  return fields;
end
$$;

/* A list of objects; null is an empty one. */
create function private.list_of(value jsonb, refusal text) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  value := coalesce(nullif(value, 'null'), '[]');
  if jsonb_typeof(value) <> 'array' or jsonb_path_exists(value, 'strict $[*] ? (@.type() != "object")') then
    raise check_violation using message = refusal;
  end if;
  return value;
end
$$;

/* The media of a form as a list; null is an empty one. */
create function private.media_of(media jsonb) returns jsonb
language sql immutable set search_path = ''
return coalesce((
  select jsonb_agg(private.form_of(item.value, array['media_url', 'description']) order by item.ordinality)
  from jsonb_array_elements(private.list_of(media, 'Media must be a file you have uploaded')) with ordinality as item
), '[]');

/*
 * What search looks in. Of a level only its name: with "(Below Knee)" each of its solutions would be found by "knee", and
 * search knows "below knee" for its synonym.
 */
create function private.search_text(
  title text, description text, occupation text, materials text[], custom_tags text[],
  amputation_level text, prosthesis_type text, age_group text, author_names text
) returns text
language sql immutable parallel safe set search_path = ''
return private.normalized(
  title || E'\n' || description || E'\n' || coalesce(occupation, '')
  || E'\n' || regexp_replace(amputation_level, ' [(].*', '') || E'\n' || prosthesis_type || E'\n' || age_group || E'\n' || author_names
  -- array_to_string is only stable, because some types' output depends on settings; that of text does not.
  || E'\n' || replace(replace(replace(materials::text, '","', E'\n'), '{', ''), '}', '')
  || E'\n' || replace(replace(replace(custom_tags::text, '","', E'\n'), '{', ''), '}', '')
);

grant execute on function
  private.amputation_levels(), private.occupations(), private.materials(), private.prosthesis_types(), private.age_groups(),
  private.cost_ranges(), private.are_tags(text[]), private.form_of(jsonb, text[], text[], text[]), private.list_of(jsonb, text), private.media_of(jsonb), private.search_text(text, text, text, text[], text[], text, text, text, text)
  to anon, authenticated, service_role;
