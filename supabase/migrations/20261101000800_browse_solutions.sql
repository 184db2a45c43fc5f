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

create aggregate private.bit_concat_agg(bit varying) (sfunc = bitcat, stype = bit varying);

/* The set of approved solutions that have one of the keys: bit n stands for the solution with number n. */
create function private.solution_bitmap(keys text[]) returns bit varying
language sql stable set search_path = ''
return (
  select private.bit_concat_agg(coalesce(b.bits, 0::bit(32000))::bit varying order by n)
  from generate_series(0, coalesce((select max(s.number) from public.solutions s), 0) / 32000) as c (n)
  left join (select s.chunk, bit_or(s.bits) as bits from private.solution_sets s where s.key = any (keys) group by s.chunk) b on b.chunk = c.n
);

/* How many solutions of a set have each facet value: {value: count}, without those that none has. */
create function private.count_facets(chosen bit varying) returns jsonb
language sql stable set search_path = ''
return (
  select coalesce(jsonb_object_agg(substr(key, 2), n), '{}') from (
    select s.key, sum(bit_count(s.bits & c.bits)) as n
    from (
      select p.n, substring(chosen from p.n * 32000 + 1 for 32000)::bit varying as bits from generate_series(0, length(chosen) / 32000 - 1) as p (n)
    ) c
    join private.solution_sets s on s.chunk = c.n and s.key > '=' and s.key < '>'
    where bit_count(c.bits) > 0
    group by s.key
  ) counts where n > 0
);

/* Words that contain a part, the commonest first; one or two letters must be where the word begins. */
create function private.words_containing(part text) returns text[]
language plpgsql stable set search_path = ''
as $$
begin
  if char_length(part) < 3 then
    return array(select w.word from private.search_words w where w.word >= part and w.word < part || U&'\FFFF' order by w.solutions desc limit 500);
  end if;
  return array(select w.word from private.search_words w where w.word like '%' || part || '%' order by w.solutions desc limit 500);
end
$$;

/*
 * What a search stands for. exact: solutions in which every word occurs; wide: those and the ones found through
 * synonyms or by taking a word that occurs nowhere for the one most like it.
 * corrected: the search as it was taken, if a word was; suggested: a search that would find more, when a word
 * has no likeness good enough to be taken for; marks: what to show as found; partial: true when not all that was
 * typed could be looked for, so that there may be more.
 *
 * Eight words are looked for. Each stands for the words of solutions it is a part of, and so do synonyms: at most 500 for
 * one, and 1,000 for all eight and for all synonyms, where those with the most give way and keep the commonest.
 */
create function private.parse_search(
  search text, out exact bit varying, out wide bit varying, out corrected text, out suggested text, out marks text[], out partial boolean
)
language plpgsql stable set search_path = ''
as $$
declare
  typed text[] := private.tokenize(private.normalized(left(search, 200)));
  words text[] := typed[1:8];
  max_words constant integer := 1000;
  -- For each word those it is a part of, with spaces between them, and how many of them are taken at most.
  parts_of text[] := array(select array_to_string(private.words_containing(w), ' ') from unnest(words) with ordinality as t (w, place) order by place);
  counts integer[] := array(select cardinality(string_to_array(p, ' ')) from unnest(parts_of) as p);
  share integer;
  spare integer := max_words;
  taken text[] := words;
  likely text[] := words;
  literal bit varying;
  with_synonyms bit varying;
  synonym_matches bit varying;
  found bit varying;
  others text[];
  matching text[];
  nearest text;
  likeness real;
  part text;
  at integer := 1;
  span integer;
begin
  marks := words;
  if cardinality(words) = 0 then
    exact := private.solution_bitmap('{}');
    wide := exact;
    partial := false;
    return;
  end if;
  share := (select max(n) from generate_series(1, 500) as n where (select sum(least(c, n)) from unnest(counts) c) <= max_words);
  partial := char_length(search) > 200 or cardinality(typed) > 8 or (select max(c) from unnest(counts) c) >= 500;

  while at <= cardinality(words) loop
    -- The longest run of words that has synonyms, else one word.
    for n in reverse least(4, cardinality(words) - at + 1) .. 1 loop
      span := n;
      others := array(
        select distinct t from public.search_synonyms y, unnest(y.terms) t
        where y.terms @> array[array_to_string(words[at:at + span - 1], ' ')] and t <> array_to_string(words[at:at + span - 1], ' ')
      );
      exit when cardinality(others) > 0 or span = 1;
    end loop;

    literal := null;
    for n in at .. at + span - 1 loop
      matching := string_to_array(parts_of[n], ' ');
      if cardinality(matching) = 0 and cardinality(others) = 0 and char_length(words[n]) >= 4 then
        select w.word, extensions.similarity(w.word, words[n]) into nearest, likeness
        from private.search_words w where w.word operator(extensions.%) words[n]
        order by extensions.similarity(w.word, words[n]) desc, w.solutions desc limit 1;
        if likeness >= 0.4 then
          taken[n] := nearest;
          marks := marks || nearest;
          with_synonyms := private.solution_bitmap(private.words_containing(nearest));
        end if;
        likely[n] := coalesce(nearest, words[n]);
      end if;
      partial := partial or cardinality(matching) > share;
      found := private.solution_bitmap(matching[1:share]);
      literal := coalesce(literal & found, found);
    end loop;
    with_synonyms := coalesce(literal | with_synonyms, literal);

    for n in 1 .. cardinality(others) loop
      synonym_matches := null;
      foreach part in array string_to_array(others[n], ' ') loop
        -- An abbreviation must be the whole word: "tt" is not in "fitting".
        matching := case when char_length(part) < 5 then array[part] else private.words_containing(part) end;
        partial := partial or cardinality(matching) > spare;
        matching := matching[1:spare];
        spare := spare - cardinality(matching);
        found := private.solution_bitmap(matching);
        synonym_matches := coalesce(synonym_matches & found, found);
      end loop;
      with_synonyms := with_synonyms | synonym_matches;
      marks := marks || others[n];
    end loop;

    exact := coalesce(exact & literal, literal);
    wide := coalesce(wide & with_synonyms, with_synonyms);
    with_synonyms := null;
    at := at + span;
  end loop;
  if taken <> words then
    corrected := array_to_string(taken, ' ');
  end if;
  if likely <> taken then
    suggested := array_to_string(likely, ' ');
  end if;
end
$$;

/*
 * The first solutions of a set (null for all approved) after a cursor, in order.
 *
 * Where the set is dense, walking the list and leaving out what is not in it comes to an end soon; where it is
 * sparse, sorting all of it does. Which it is follows from its size; a walk that meets too few, because what was
 * asked for lies at the far end, gives up and sorts.
 */
create function private.page_of(chosen bit varying, size bigint, sort text, cursor text, max_size integer) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  ordering text := case sort
    when 'newest' then 's.created_at desc, s.id desc'
    when 'oldest' then 's.created_at, s.id'
    else 's.likes_count desc, s.created_at desc, s.id desc'
  end;
  after text := '';
  max_walk constant integer := 50000;
  page uuid[];
begin
  if size = 0 then
    return '{}';
  end if;
  if cursor <> '' then
    after := case sort
      when 'newest' then format(' and (s.created_at, s.id) < (%L::timestamptz, %L::uuid)', split_part(cursor, '~', 1), split_part(cursor, '~', 2))
      when 'oldest' then format(' and (s.created_at, s.id) > (%L::timestamptz, %L::uuid)', split_part(cursor, '~', 1), split_part(cursor, '~', 2))
      else format(' and (s.likes_count, s.created_at, s.id) < (%L::integer, %L::timestamptz, %L::uuid)',
        split_part(cursor, '~', 3), split_part(cursor, '~', 1), split_part(cursor, '~', 2))
    end;
  end if;
  if chosen is null then
    execute format('select array(select s.id from public.solutions s where s.status = ''approved''%s order by %s limit $1)', after, ordering)
    into page using max_size;
    return page;
  end if;

  if size * size > max_size::bigint * length(chosen) then
    execute format(
      'select array(select w.id from (
         select s.id, s.number, s.status from public.solutions s where true%s order by %s limit $3
       ) w where w.status = ''approved'' and get_bit($1, w.number) = 1 limit $2)', after, ordering)
    into page using chosen, max_size, max_walk;
    if cardinality(page) = max_size then
      return page;
    end if;
  end if;

  -- A chunk written as text and cut at each 1 gives the gaps between its solutions.
  execute format(
    'select array(select s.id from public.solutions s where s.number = any (array(
       select c.n * 32000 + g.place from generate_series(0, length($1) / 32000 - 1) as c (n),
         lateral (select substring($1 from c.n * 32000 + 1 for 32000) as bits) b,
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
    'id', p.id, 'title', p.title, 'description', left(p.description, 240), 'thumbnail_url', p.thumbnail_url,
    'occupation', p.occupation, 'amputation_level', p.amputation_level, 'materials', p.materials,
    'custom_tags', p.custom_tags, 'likes_count', p.likes_count, 'comments_count', p.comments_count,
    'created_at', p.created_at, 'user_id', p.user_id, 'author', a.author, 'badges', b.badges, 'video_seconds', v.seconds,
    'safety_kind', p.safety_kind
  ) order by i.place), '[]')
  from unnest(ids) with ordinality as i (id, place)
  join public.solutions p on p.id = i.id
  left join lateral (
    select jsonb_build_object('id', m.id, 'username', m.username, 'full_name', m.full_name, 'profession', m.profession,
      'avatar_url', m.avatar_url) as author
    from public.profiles m where m.id = p.user_id
  ) a on true
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
    where m.solution_id = p.id and m.media_type = 'video' and m.hidden_at is null order by m.position limit 1
  ) v on true
);

/*
 * One page of browse in one call.
 *
 * search: words that must all occur in title, description, occupation, materials or tags, ignoring case and
 * accents, or terms that mean the same; filters: values of any facet group; match: 'all' asks for every value,
 * 'any' for one value of each group that has some; sort: 'newest', 'oldest' or 'popular'; cursor: next_cursor of
 * the page before; page_size: 1 to 100.
 * Returns {total, facets {group: {value: count}}, items [card], next_cursor, marks, corrected, suggested, partial}. Exact
 * matches come before those through synonyms or likeness; partial: there may be more, because the search stands for more
 * words than are looked for. A facet's count is how many results the list would
 * have with that value chosen as well.
 * Errors: 22023 for an unknown match or sort, 22P02 or 22007 for a damaged cursor.
 *
 * Security definer, because nobody may read the sets it is answered from; it reads approved solutions only and
 * takes nothing that says who asks.
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
  found record;
  narrowed bit varying;
  chosen bit varying;
  others bit varying;
  counts jsonb;
  facets jsonb;
  total bigint;
  exact_total bigint;
  tier integer := coalesce(nullif(split_part(cursor, '~', 4), '')::integer, 0);
  picked uuid[];
  ids uuid[] := '{}';
  last_tier integer;
  next_cursor text;
  groups jsonb := private.facet_groups();
  group_name text;
  group_values text[];
  other_name text;
begin
  if match not in ('all', 'any') or sort not in ('newest', 'oldest', 'popular') then
    raise invalid_parameter_value using message = 'match must be all or any, and sort newest, oldest or popular';
  end if;
  page_size := least(greatest(coalesce(page_size, 24), 1), 100);
  filters := array(select distinct f from unnest(coalesce(filters[1:60], '{}')) f);

  select null::bit varying as exact, null::bit varying as wide, null::text as corrected, null::text as suggested, '{}'::text[] as marks, false as partial into found;
  if btrim(search) <> '' then
    select * into found from private.parse_search(search);
    narrowed := found.wide;
  end if;

  if match = 'all' then
    for n in 1 .. cardinality(filters) loop
      chosen := private.solution_bitmap(array['=' || filters[n]]);
      narrowed := coalesce(narrowed & chosen, chosen);
    end loop;
  else
    -- A value of no group is a group of its own, which no solution has a value of.
    for group_values in
      select array_agg('=' || f) from unnest(filters) f left join jsonb_each(groups) g on g.value ? f group by g.key
    loop
      chosen := private.solution_bitmap(group_values);
      narrowed := coalesce(narrowed & chosen, chosen);
    end loop;
  end if;

  if narrowed is null then
    select coalesce(jsonb_object_agg(substr(key, 2), n), '{}') into counts
    from (select s.key, sum(s.size) as n from private.solution_sets s where s.key >= '=' and s.key < '>' group by s.key) c;
    total := coalesce((counts ->> '')::bigint, 0);
  else
    total := bit_count(narrowed);
    counts := private.count_facets(narrowed);
  end if;
  select jsonb_object_agg(g.key, (select jsonb_object_agg(v, coalesce((counts ->> v)::bigint, 0)) from jsonb_array_elements_text(g.value) v))
  into facets from jsonb_each(groups) g;

  if match = 'any' then
    -- Within a group that has chosen values another value adds results: those it has beyond the chosen ones' own.
    for group_name, group_values in
      select g.key, array_agg('=' || f) from unnest(filters) f join jsonb_each(groups) g on g.value ? f group by g.key
    loop
      others := coalesce(found.wide, private.solution_bitmap('{=}'));
      for other_name in select g.key from jsonb_each(groups) g where g.key <> group_name loop
        if exists (select from unnest(filters) f where groups -> other_name ? f) then
          others := others & private.solution_bitmap(array(select '=' || f from unnest(filters) f where groups -> other_name ? f));
        end if;
      end loop;
      counts := private.count_facets(others & ~private.solution_bitmap(group_values));
      facets := facets || jsonb_build_object(group_name, (
        select jsonb_object_agg(v, total + coalesce((counts ->> v)::bigint, 0)) from jsonb_array_elements_text(groups -> group_name) v
      ));
    end loop;
  end if;

  cursor := coalesce(cursor, '');
  if found.exact is null or found.exact = found.wide then
    ids := private.page_of(narrowed, total, sort, cursor, page_size + 1);
    last_tier := 0;
  else
    chosen := narrowed & found.exact;
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
    select concat_ws('~', s.created_at, s.id, s.likes_count, last_tier) into next_cursor from public.solutions s where s.id = ids[page_size];
  end if;

  return jsonb_build_object(
    'total', total, 'facets', facets, 'items', private.solution_cards(ids[1:page_size]), 'next_cursor', next_cursor,
    'marks', found.marks, 'corrected', found.corrected, 'suggested', case when total = 0 then found.suggested end,
    'partial', found.partial
  );
end
$$;

grant execute on function public.browse_solutions(text, text[], text, text, text, integer) to anon, authenticated;

/*
 * Searches that begin with what was typed so far, the most fruitful first: [{text, solutions}], with the whole
 * search in text. Its last word is completed from the words of approved solutions, from synonyms and, when
 * nothing begins with it, from words spelt nearly the same; solutions is how many have that last word, and null for
 * a synonym.
 *
 * Security definer like browse_solutions, and for the same reasons.
 */
create function public.suggest_searches(search text, max_results integer default 8) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  words text[] := (private.tokenize(private.normalized(left(coalesce(search, ''), 200))))[1:8];
  last_word text := words[cardinality(words)];
  before text := array_to_string(words[1:cardinality(words) - 1] || ''::text, ' ');
  answer jsonb;
begin
  max_results := least(greatest(coalesce(max_results, 8), 1), 20);
  if last_word is null then
    return '[]';
  end if;
  select jsonb_agg(jsonb_build_object('text', before || s.text, 'solutions', s.solutions) order by s.place, s.solutions desc, s.text) into answer from (
    select * from (
      select min(place) as place, t.text, max(t.solutions) as solutions from (
        select 0 as place, o as text, null::integer as solutions from public.search_synonyms y, unnest(y.terms) o
        where y.terms @> array[last_word] and o <> last_word and char_length(o) > 3
        union all
        (select 1, w.word, w.solutions from private.search_words w
         where w.word >= last_word and w.word < last_word || U&'\FFFF' and char_length(w.word) > 2 order by w.solutions desc limit max_results)
      ) t group by t.text
    ) u order by place, solutions desc nulls last limit max_results
  ) s;
  if answer is null and char_length(last_word) >= 4 then
    select jsonb_agg(jsonb_build_object('text', before || s.word, 'solutions', s.solutions) order by s.likeness desc) into answer from (
      select w.word, w.solutions, extensions.similarity(w.word, last_word) as likeness from private.search_words w
      where w.word operator(extensions.%) last_word order by likeness desc, w.solutions desc limit 3
    ) s;
  end if;
  return coalesce(answer, '[]');
end
$$;

grant execute on function public.suggest_searches(text, integer) to anon, authenticated;
