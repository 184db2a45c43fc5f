-- Solutions as cards, in pages, and those most like another.

/*
 * The first solutions of a set (null for all approved) after a cursor, in order.
 *
 * Where the set is dense, walking the list and leaving out other solutions ends soon, and reads nothing but the
 * list's index; where it is sparse, sorting all of it does. The choice follows from its size; a walk that meets
 * too few, because the matches lie at the far end, gives up and sorts, unless there is too much to sort.
 */
create function private.page_of(chosen bit varying, size bigint, sort text, cursor text, max_size integer) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  ordering text := case sort
    when 'newest' then 's.created_at desc, s.id desc'
    when 'oldest' then 's.created_at, s.id'
    when 'tried' then 's.tried_count desc, s.created_at desc, s.id desc'
    else 's.likes_count desc, s.created_at desc, s.id desc'
  end;
  after text := '';
  max_walk integer := 50000;
  max_sorted constant integer := 50000;
  page uuid[];
begin
  if size = 0 then
    return '{}';
  end if;
  if cursor <> '' then
    after := case sort
      when 'newest'
        then format(' and (s.created_at, s.id) < (%L::timestamptz, %L::uuid)', split_part(cursor, '~', 1), split_part(cursor, '~', 2))
      when 'oldest'
        then format(' and (s.created_at, s.id) > (%L::timestamptz, %L::uuid)', split_part(cursor, '~', 1), split_part(cursor, '~', 2))
      else format(' and (s.%I, s.created_at, s.id) < (%L::integer, %L::timestamptz, %L::uuid)',
        case sort when 'tried' then 'tried_count' else 'likes_count' end,
        split_part(cursor, '~', 3), split_part(cursor, '~', 1), split_part(cursor, '~', 2))
    end;
  end if;
  if chosen is null then
    execute format('select array(select s.id from public.solutions s where s.status = ''approved''%s order by %s limit $1)',
      after, ordering)
    into page using max_size;
    return page;
  end if;

  -- About the sizes at which both take equally long, since sorting begins with reading the whole set.
  if size * size * 50 > max_size::bigint * length(chosen) then
    if size > max_sorted then
      max_walk := null;
    end if;
    execute format(
      'select array(select w.id from (
         select s.id, s.number from public.solutions s where true%s order by %s limit $3
       ) w where get_bit($1, w.number) = 1 limit $2)', after, ordering)
    into page using chosen, max_size, max_walk;
    if cardinality(page) = max_size or max_walk is null then
      return page;
    end if;
  end if;

  -- A piece of the set written as text and cut at each 1 gives the gaps between its solutions.
  execute format(
    'select array(select s.id from public.solutions s where s.number = any (array(
       select p.n * 400 + g.place from generate_series(0, length($1) / 400 - 1) as p (n),
         lateral (select substring($1 from p.n * 400 + 1 for 400) as bits offset 0) b,
         lateral (
           select (sum(length(gap) + 1) over (order by position))::integer - 1 as place, position, count(*) over () as gaps
           from unnest(string_to_array(b.bits::text, ''1'')) with ordinality as u (gap, position)
         ) g
       where bit_count(b.bits) > 0 and g.position < g.gaps
     ))%s order by %s limit $2)', after, ordering)
  into page using chosen, max_size;
  return page;
end
$$;

/* Cards of these solutions, in this order. */
create function private.solution_cards(ids uuid[]) returns jsonb
language sql stable set search_path = ''
return (
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'title', p.title, 'description', left(p.description, 200), 'thumbnail_url', p.thumbnail_url,
    'occupation', p.occupation, 'amputation_level', p.amputation_level, 'materials', p.materials,
    'custom_tags', p.custom_tags, 'likes_count', p.likes_count, 'comments_count', coalesce(n.comments_count, 0),
    'tried_count', p.tried_count,
    'created_at', p.created_at, 'user_id', p.user_id, 'author', private.author_card(p.user_id), 'badges', b.badges,
    'video_seconds', v.seconds, 'safety_kind', p.safety_kind, 'audience', p.audience,
    'has_files', exists (select from public.solution_files f where f.solution_id = p.id and f.hidden_at is null),
    'has_outcomes', exists (select from public.solution_outcomes o where o.solution_id = p.id and o.trial_id is null)
  ) order by i.place), '[]')
  from unnest(ids) with ordinality as i (id, place)
  join public.solutions p on p.id = i.id
  left join public.comment_counts n on n.solution_id = p.id
  left join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'icon_url', c.icon_url, 'tier', c.tier)
      order by c.tier desc, c.earned_at desc), '[]') as badges
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
    where m.solution_id = p.id and m.trial_id is null and m.media_type = 'video' and m.hidden_at is null order by m.position limit 1
  ) v on true
);

/*
 * One page of browse in one call.
 *
 * search: words that must all occur in title, description, occupation, materials, tags, level, type, age group or
 * the author's name, ignoring case and accents, or terms that mean the same; filters: values of any facet group; match:
 * 'all' requires every value, 'any' one value of each group that has some; sort: 'newest', 'oldest', 'popular' or 'tried'; cursor:
 * next_cursor of the page before; page_size: 1 to 100. Returns {total, facets {group: {value: count}}, items
 * [card], next_cursor, marks, corrected, suggested, partial}; suggested: a similar search that finds something
 * with the same filters, when this one finds nothing. Exact matches come before those through
 * synonyms or likeness; partial: there may be more, because the search stands for more words than are looked
 * for. A facet's count is the number of results the list would have with that value chosen as well. Errors:
 * 22023 for an unknown match or sort, 22P02 or 22007 for a damaged cursor.
 *
 * Security definer, because no client can read the sets it is answered from; it reads approved solutions of the caller's
 * audiences only.
 */
create function public.browse_solutions(
  search text default '',
  filters text[] default '{}',
  match text default 'all',
  sort text default 'newest',
  cursor text default null,
  page_size integer default 24
) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB'
as $$
declare
  parsed record;
  audiences constant text[] := private.readable_audiences();
  readable constant bit varying := private.readable_bitmap();
  narrowed bit varying := readable;
  chosen bit varying;
  chosen_values bit varying;
  suggested text;
  others bit varying;
  counts jsonb;
  total bigint;
  exact_total bigint;
  tier integer := coalesce(nullif(split_part(cursor, '~', 4), '')::integer, 0);
  ids uuid[] := '{}';
  last_tier integer;
  next_cursor text;
  groups jsonb := private.facet_groups();
  -- With match any: the groups that have chosen values, '' for the values of no group, and the set of each.
  group_names text[] := '{}';
  group_sets bit varying[] := '{}';
  group_name text;
  group_values text[];
begin
  if match not in ('all', 'any') or sort not in ('newest', 'oldest', 'popular', 'tried') then
    raise invalid_parameter_value using message = 'match must be all or any, and sort newest, oldest, popular or tried';
  end if;
  page_size := least(greatest(coalesce(page_size, 24), 1), 100);
  filters := array(select distinct f from unnest(filters[1:60]) f where f is not null);

  select null::bit varying as exact, null::bit varying as wide, null::text as corrected, null::text as suggested, '{}'::text[] as marks,
    false as partial into parsed;
  if btrim(search) <> '' then
    select * into parsed from private.parse_search(search);
    -- Of what the caller may read already.
    narrowed := parsed.wide;
  end if;
  if match = 'all' and filters <> '{}' then
    chosen_values := private.facet_bitmap(filters, every => true);
    narrowed := coalesce(narrowed & chosen_values, chosen_values);
  end if;
  for group_name, group_values in
    select coalesce(g.key, ''), array_agg(f) from unnest(filters) f left join jsonb_each(groups) g on g.value ? f
    where match = 'any' group by g.key
  loop
    chosen := private.facet_bitmap(group_values);
    narrowed := coalesce(narrowed & chosen, chosen);
    group_names := group_names || group_name;
    group_sets := group_sets || chosen;
  end loop;

  if parsed.wide is null and cardinality(filters) <= (match = 'all')::integer then
    -- Counted when the solutions were approved.
    select coalesce(jsonb_object_agg(c.other, c.solutions), '{}') into counts from (
      select k.other, sum(k.solutions) as solutions from private.facet_counts k
      where k.value = coalesce(filters[1], '') and k.audience = any (audiences) group by k.other
    ) c;
    total := coalesce((counts ->> '')::bigint, 0);
  else
    total := bit_count(narrowed);
    -- A solution has one value of most groups, so with one of those chosen it has no other.
    counts := private.count_facets(narrowed, array(
      select v from jsonb_each(groups) g, jsonb_array_elements_text(g.value) v
      where g.key <> all (group_names)
        and (match = 'any' or g.key in ('materials', 'age_group', 'evidence', 'measure') or not g.value ?| filters)
    ));
    if match = 'all' then
      counts := counts || (select coalesce(jsonb_object_agg(f, total), '{}') from unnest(filters) f);
    end if;
  end if;

  -- Within a group that has chosen values another value adds results: those beyond the results of the
  -- chosen ones.
  for n in 1 .. cardinality(group_names) loop
    others := coalesce(parsed.wide, readable, private.facet_bitmap('{""}')) & ~group_sets[n];
    for other in 1 .. cardinality(group_names) loop
      if other <> n then
        others := others & group_sets[other];
      end if;
    end loop;
    group_values := array(select jsonb_array_elements_text(groups -> group_names[n]));
    counts := counts || (
      select coalesce(jsonb_object_agg(v, total + coalesce((added ->> v)::bigint, 0)), '{}')
      from unnest(group_values) v, private.count_facets(others, array(select unnest(group_values) except select unnest(filters))) as added
    );
  end loop;

  cursor := coalesce(cursor, '');
  if parsed.exact is null or parsed.exact = parsed.wide then
    ids := private.page_of(narrowed, total, sort, cursor, page_size + 1);
    last_tier := 0;
  else
    chosen := narrowed & parsed.exact;
    exact_total := bit_count(chosen);
    if tier = 0 then
      ids := private.page_of(chosen, exact_total, sort, cursor, page_size + 1);
      cursor := '';
    end if;
    last_tier := case when cardinality(ids) >= page_size then 0 else 1 end;
    if cardinality(ids) <= page_size then
      ids := ids || private.page_of(narrowed & ~chosen, total - exact_total, sort, cursor, page_size + 1 - cardinality(ids));
    end if;
  end if;
  if cardinality(ids) > page_size then
    select concat_ws('~', s.created_at, s.id, case sort when 'tried' then s.tried_count else s.likes_count end, last_tier) into next_cursor
    from public.solutions s
    where s.id = ids[page_size];
  end if;

  -- Another search is worth its link only where it finds something.
  if total = 0 and parsed.suggested is not null then
    select p.wide into others from private.parse_search(parsed.suggested) p;
    if match = 'all' and filters <> '{}' then
      others := others & chosen_values;
    end if;
    for n in 1 .. cardinality(group_names) loop
      others := others & group_sets[n];
    end loop;
    suggested := case when bit_count(others) > 0 then parsed.suggested end;
  end if;

  return jsonb_build_object(
    'total', total,
    'facets', (
      select jsonb_object_agg(g.key,
        (select jsonb_object_agg(v, coalesce((counts ->> v)::bigint, 0)) from jsonb_array_elements_text(g.value) v))
      from jsonb_each(groups) g
    ),
    'items', private.solution_cards(ids[1:page_size]), 'next_cursor', next_cursor,
    'marks', parsed.marks, 'corrected', parsed.corrected, 'suggested', suggested,
    'partial', parsed.partial
  );
end
$$;

grant execute on function public.browse_solutions(text, text[], text, text, text, integer) to anon, authenticated;

/*
 * The approved solutions most like one that is approved, best first: the amputation level counts most, then
 * the device's function, its type, and materials and tags in common. The candidates are the most liked of the
 * same level and function, then of either, so that the work stays the same however many solutions there are.
 *
 * Security definer, because it reads the sets that browse searches with; of them only approved solutions of the caller's audiences.
 */
create function public.related_solutions(solution uuid, max_results integer default 3) returns setof public.solutions
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
    to_jsonb(best.row) - array['number', 'author_names', 'search_text', 'facets', 'extra_facets', 'submission_id', 'submission_digest',
      'checklist']
  ) shown
  where best.place <= least(greatest(coalesce(max_results, 3), 1), 12)
  order by best.place
$$;

grant execute on function public.related_solutions(uuid, integer) to anon, authenticated;
