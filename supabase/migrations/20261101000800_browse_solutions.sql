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

/* What a card shows. */
create function private.solution_card(solution public.solutions) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'id', solution.id,
  'title', solution.title,
  'description', left(solution.description, 400),
  'thumbnail_url', solution.thumbnail_url,
  'occupation', solution.occupation,
  'amputation_level', solution.amputation_level,
  'materials', solution.materials,
  'custom_tags', solution.custom_tags,
  'likes_count', solution.likes_count,
  'comments_count', solution.comments_count,
  'created_at', solution.created_at,
  'user_id', solution.user_id,
  'author', (
    select jsonb_build_object('id', p.id, 'username', p.username, 'full_name', p.full_name, 'profession', p.profession, 'avatar_url', p.avatar_url)
    from public.profiles p where p.id = solution.user_id
  ),
  'badges', (
    select coalesce(jsonb_agg(jsonb_build_object('name', b.name, 'icon_url', b.icon_url, 'tier', b.tier) order by b.tier desc, b.earned_at desc), '[]')
    from (
      select b.name, b.icon_url, b.tier, l.earned_at
      from (
        select ub.badge_id, ub.earned_at from public.user_badges ub
        where ub.user_id = solution.user_id order by ub.earned_at desc, ub.badge_id limit 3
      ) l
      join public.badges b on b.id = l.badge_id
      order by b.tier desc, l.earned_at desc limit 2
    ) b
  ),
  'video_seconds', (
    select m.duration_seconds from public.solution_media m
    where m.solution_id = solution.id and m.media_type = 'video' order by m.position limit 1
  )
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

  execute format('select count(*) from public.solutions s where %s', narrowed) into total;

  execute format(
    'select coalesce(jsonb_object_agg(value, n), ''{}'') from (select value, count(*) as n from public.solutions s, unnest(s.facets) as value where %s group by value) c',
    narrowed
  ) into counts;
  select jsonb_object_agg(g.key, (select jsonb_object_agg(v, coalesce((counts ->> v)::bigint, 0)) from jsonb_array_elements_text(g.value) v))
  into facets from jsonb_each(private.facet_groups()) g;

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

  execute format(
    'select jsonb_build_object(
       ''items'', coalesce(jsonb_agg(private.solution_card(c.solution) order by c.place) filter (where c.place <= %1$s), ''[]''),
       ''next_cursor'', max(concat_ws(''~'', (c.solution).created_at, (c.solution).id, (c.solution).likes_count))
         filter (where c.place = %1$s and c.more))
     from (
       select row_number() over () as place, count(*) over () > %1$s as more, p.solution
       from (select s as solution from public.solutions s where %2$s order by %3$s limit %1$s + 1) p
     ) c',
    page_size, narrowed || after, ordering
  ) into page;

  return jsonb_build_object('total', total, 'facets', facets) || page;
end
$$;

grant execute on function public.browse_solutions(text, text[], text, text, text, integer) to anon, authenticated;
