/* The facet groups of browse and their values. */
create function private.facet_groups() returns jsonb
language sql immutable parallel safe set search_path = ''
return jsonb_build_object(
  'amputation_level', to_jsonb(private.amputation_levels()),
  'occupation', to_jsonb(private.occupations()),
  'materials', to_jsonb(private.materials()),
  'prosthesis_type', to_jsonb(private.prosthesis_types()),
  'age_group', to_jsonb(private.age_groups()),
  'cost_range', to_jsonb(private.cost_ranges())
);

/*
 * One page of browse in one call.
 *
 * search: words that must all occur in title, description, occupation, materials or tags, ignoring case and
 * accents; filters: values of any facet group; match: 'all' asks for every value, 'any' for one value of each
 * group that has some; sort: 'newest', 'oldest' or 'popular'; cursor: next_cursor of the page before;
 * page_size: 1 to 100.
 * Returns {total, facets {group: {value: count}}, items [card], next_cursor}. A facet's count is how many
 * results the list would have with that value chosen as well.
 * Errors: 22023 for an unknown match or sort, 22P02 or 22007 for a damaged cursor.
 *
 * Security definer, because array and pattern operators are not leakproof and so could not use their indexes
 * under row-level security; it reads approved solutions only and takes nothing that says who asks.
 */
create function public.browse_solutions(
  search text default '',
  filters text[] default '{}',
  match text default 'all',
  sort text default 'newest',
  cursor text default null,
  page_size integer default 24
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  found text := 's.status = ''approved''';
  narrowed text;
  ordering text;
  after text := '';
  total bigint;
  facets jsonb;
  page jsonb;
  group_name text;
  group_values text[];
  counts jsonb;
  word text;
begin
  if match not in ('all', 'any') or sort not in ('newest', 'oldest', 'popular') then
    raise invalid_parameter_value using message = 'match must be all or any, and sort newest, oldest or popular';
  end if;
  page_size := least(greatest(coalesce(page_size, 24), 1), 100);
  filters := coalesce(filters[1:60], '{}');

  foreach word in array (regexp_split_to_array(btrim(private.folded(left(coalesce(search, ''), 200))), '\s+'))[1:8] loop
    if word <> '' then
      found := found || format(' and s.search_text like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%');
    end if;
  end loop;

  narrowed := found;
  if match = 'all' then
    if cardinality(filters) > 0 then
      narrowed := narrowed || format(' and s.facets @> %L::text[]', filters);
    end if;
  else
    for group_name, group_values in
      select g.key, array(select f from unnest(filters) f where g.value ? f) from jsonb_each(private.facet_groups()) g
    loop
      if cardinality(group_values) > 0 then
        narrowed := narrowed || format(' and s.facets && %L::text[]', group_values);
      end if;
    end loop;
    -- A value of no group can be had by no solution.
    if exists (select from unnest(filters) f where not exists (select from jsonb_each(private.facet_groups()) g where g.value ? f)) then
      narrowed := narrowed || ' and false';
    end if;
  end if;

  execute format(
    'select coalesce(jsonb_object_agg(value, n), ''{}'') from (select value, count(*) as n from public.solutions s, unnest(s.facets) as value where %s group by value) c',
    narrowed
  ) into counts;
  select jsonb_object_agg(g.key, (select jsonb_object_agg(v, coalesce((counts ->> v)::bigint, 0)) from jsonb_array_elements_text(g.value) v))
  into facets from jsonb_each(private.facet_groups()) g;
  -- Every solution has exactly one cost range, so its counts add up to all of them.
  select coalesce(sum(v::bigint), 0) into total from jsonb_each_text(facets -> 'cost_range') c (k, v);

  if match = 'any' then
    -- Within a group that has chosen values, another value adds results: count with the other groups' choice alone.
    for group_name, group_values in
      select g.key, array(select jsonb_array_elements_text(g.value)) from jsonb_each(private.facet_groups()) g
      where exists (select from unnest(filters) f where g.value ? f)
    loop
      execute format(
        'select jsonb_object_agg(v, (select count(*) from public.solutions s where %s and s.facets && array_append(%L::text[], v))) from unnest(%L::text[]) v',
        replace(narrowed, format(' and s.facets && %L::text[]', array(select f from unnest(filters) f where f = any (group_values))), ''),
        array(select f from unnest(filters) f where f = any (group_values)),
        group_values
      ) into counts;
      facets := facets || jsonb_build_object(group_name, counts);
    end loop;
  end if;

  ordering := case sort
    when 'newest' then 's.created_at desc, s.id desc'
    when 'oldest' then 's.created_at, s.id'
    else 's.likes_count desc, s.created_at desc, s.id desc'
  end;
  if cursor is not null then
    after := case sort
      when 'newest' then format(' and (s.created_at, s.id) < (%L::timestamptz, %L::uuid)', split_part(cursor, '~', 1), split_part(cursor, '~', 2))
      when 'oldest' then format(' and (s.created_at, s.id) > (%L::timestamptz, %L::uuid)', split_part(cursor, '~', 1), split_part(cursor, '~', 2))
      else format(' and (s.likes_count, s.created_at, s.id) < (%L::integer, %L::timestamptz, %L::uuid)',
        split_part(cursor, '~', 3), split_part(cursor, '~', 1), split_part(cursor, '~', 2))
    end;
  end if;

  -- What a card shows, written out here because a function called for each row would cost more than the rest.
  execute format(
    'select jsonb_build_object(
       ''items'', coalesce(jsonb_agg(jsonb_build_object(
         ''id'', p.id, ''title'', p.title, ''description'', left(p.description, 240), ''thumbnail_url'', p.thumbnail_url,
         ''occupation'', p.occupation, ''amputation_level'', p.amputation_level, ''materials'', p.materials,
         ''custom_tags'', p.custom_tags, ''likes_count'', p.likes_count, ''comments_count'', p.comments_count,
         ''created_at'', p.created_at, ''user_id'', p.user_id, ''author'', a.author, ''badges'', b.badges, ''video_seconds'', v.seconds
       ) order by p.place) filter (where p.place <= %1$s), ''[]''),
       ''next_cursor'', max(concat_ws(''~'', p.created_at, p.id, p.likes_count)) filter (where p.place = %1$s and p.more))
     from (
       select row_number() over () as place, count(*) over () > %1$s as more, f.*
       from (select s.* from public.solutions s where %2$s order by %3$s limit %1$s + 1) f
     ) p
     left join lateral (
       select jsonb_build_object(''id'', m.id, ''username'', m.username, ''full_name'', m.full_name, ''profession'', m.profession,
         ''avatar_url'', m.avatar_url) as author
       from public.profiles m where m.id = p.user_id
     ) a on true
     left join lateral (
       select coalesce(jsonb_agg(jsonb_build_object(''name'', c.name, ''icon_url'', c.icon_url, ''tier'', c.tier)
         order by c.tier desc, c.earned_at desc), ''[]'') as badges
       from (
         select g.name, g.icon_url, g.tier, l.earned_at
         from (
           select u.badge_id, u.earned_at from public.user_badges u
           where u.user_id = p.user_id order by u.earned_at desc, u.badge_id limit 3
         ) l join public.badges g on g.id = l.badge_id
         order by g.tier desc, l.earned_at desc limit 2
       ) c
     ) b on true
     left join lateral (
       select m.duration_seconds as seconds from public.solution_media m
       where m.solution_id = p.id and m.media_type = ''video'' order by m.position limit 1
     ) v on true',
    page_size, narrowed || after, ordering
  ) into page;

  return jsonb_build_object('total', total, 'facets', facets) || page;
end
$$;

grant execute on function public.browse_solutions(text, text[], text, text, text, integer) to anon, authenticated;
