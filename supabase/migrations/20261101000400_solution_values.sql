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
  private.cost_ranges(), private.are_tags(text[]), private.search_text(text, text, text, text[], text[], text, text, text, text)
  to anon, authenticated, service_role;
