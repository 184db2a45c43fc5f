-- What the words of a search stand for and which solutions they find, and the words that complete it.

/* The facet groups of browse and their values. */
create function private.facet_groups() returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'amputation_level', to_jsonb(private.amputation_levels()),
  'occupation', to_jsonb(private.occupations()),
  'materials', to_jsonb(private.materials()),
  'prosthesis_type', to_jsonb(private.prosthesis_types()),
  'age_group', to_jsonb(private.age_groups()),
  'cost_range', to_jsonb(private.cost_ranges()),
  'evidence', to_jsonb(array['Has outcomes', 'Better by more than error', 'Has build files', 'Checked author', 'Tried by others']),
  'measure', (select jsonb_agg(m.abbreviation order by m.position) from public.outcome_measures m)
);

/* The words of the solutions that the caller may read, with their number. */
create view private.readable_words as
select w.word, sum(w.solutions)::integer as solutions
from private.search_words w where w.audience = any ((select private.readable_audiences())::text[]) group by w.word;

create aggregate private.bit_concat_agg(bit varying) (sfunc = bitcat, stype = bit varying);

/* The number of chunks that a set of all solutions has. */
create function private.chunk_count() returns integer
language sql stable set search_path = ''
return coalesce((select max(s.number) from public.solutions s), 0) / 32000 + 1;

/* The set of approved solutions that have one of the words: bit n stands for the solution with number n. */
create function private.word_bitmap(keys text[]) returns bit varying
language sql stable set search_path = ''
return (
  select private.bit_concat_agg(coalesce(b.bits, 0::bit(32000))::bit varying order by n)
  from generate_series(0, private.chunk_count() - 1) as c (n)
  left join (select s.chunk, bit_or(s.bits) as bits from private.word_sets s where s.key = any (keys) group by s.chunk) b on b.chunk = c.n
);

/* The set of approved solutions that have one of the facet values, or every one. */
create function private.facet_bitmap(facet_values text[], every boolean default false) returns bit varying
language sql stable set search_path = ''
return (
  select private.bit_concat_agg(coalesce(b.bits, 0::bit(32000))::bit varying order by n)
  from generate_series(0, private.chunk_count() - 1) as c (n)
  left join (
    select s.chunk, case when every then bit_and(s.bits) else bit_or(s.bits) end as bits
    from private.facet_sets s where s.value = any (facet_values)
    group by s.chunk having not every or count(*) = cardinality(facet_values)
  ) b on b.chunk = c.n
);

/* The set of approved solutions that the caller may read; null when these are all, so that it narrows nothing. */
create function private.readable_bitmap() returns bit varying
language plpgsql stable set search_path = ''
as $$
declare
  audiences constant text[] := private.readable_audiences();
begin
  if exists (
    select from private.facet_counts c where c.value = '' and c.other = '' and c.audience <> all (audiences) and c.solutions > 0
  ) then
    return private.facet_bitmap(array(select '~' || a from unnest(audiences) a));
  end if;
  return null;
end
$$;

/* The number of solutions of a set that have each of the facet values: {value: count}, without values that
   no solution has. */
create function private.count_facets(chosen bit varying, facet_values text[]) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  chunks bit varying[] := array(
    select substring(chosen from n * 32000 + 1 for 32000) from generate_series(0, length(chosen) / 32000 - 1) as c (n) order by n
  );
  met integer[] := array(select n - 1 from unnest(chunks) with ordinality as c (bits, n) where bit_count(bits) > 0);
begin
  return (
    select coalesce(jsonb_object_agg(value, solutions), '{}') from (
      -- Counted row by row first: rows grouped with their bits would be sorted on disk.
      select value, sum(chosen_with) as solutions from (
        select s.value, bit_count(s.bits & chunks[s.chunk + 1]) as chosen_with
        from private.facet_sets s where s.value = any (facet_values) and s.chunk = any (met) offset 0
      ) b group by value
    ) counts
  );
end
$$;

/*
 * The sets to look in for each of some parts of words, and the number of their rows. One to three letters have a
 * set of their own: of the words that begin with one or two, or contain three. More letters stand for the words
 * that contain them, the commonest first, as far as max_rows rows go for all parts together: parts with fewer
 * get all of theirs and the others equally many, and is_partial is then true.
 */
create function private.find_sets(
  parts text[], max_rows integer, out place bigint, out keys text[], out rows integer, out is_partial boolean
) returns setof record
language sql stable set search_path = ''
as $$
  with found as materialized (
    select p.place, k.key, sum(k.rows) over (partition by p.place order by k.rank) as rows_so_far
    from unnest(parts) with ordinality as p (part, place),
      lateral (
        select case char_length(p.part) when 3 then '~' else '^' end || p.part as key, 1 as rows, 1 as rank where char_length(p.part) <= 3
        union all
        select w.word, least(w.solutions, (select private.chunk_count())), row_number() over () from (
          select s.word, s.solutions from private.readable_words s
          where char_length(p.part) > 3 and s.word like '%' || p.part || '%' order by s.solutions desc, s.word limit max_rows + 1
        ) w
      ) k
  ),
  needs as (select f.place, max(f.rows_so_far) as rows from found f group by f.place),
  -- In the order of their needs: what each part can have, and as much all after it, once those before have theirs.
  shares as (
    select (max_rows - coalesce(sum(n.rows) over before, 0)) / (count(*) over () - count(*) over before) as rows
    from needs n window before as (order by n.rows, n.place rows between unbounded preceding and 1 preceding)
  )
  select p.place, coalesce(array_agg(f.key) filter (where f.rows_so_far <= s.rows), '{}'),
    coalesce(max(f.rows_so_far) filter (where f.rows_so_far <= s.rows), 0)::integer, coalesce(bool_or(f.rows_so_far > s.rows), false)
  from unnest(parts) with ordinality as p (part, place)
  left join found f using (place) cross join (select max(h.rows) as rows from shares h) s
  group by p.place order by p.place
$$;

/* The forms in which a word may be singular: "sockets" gives socket, "prostheses" gives prosthese and prosthesis. */
create function private.singulars(word text) returns text[]
language sql immutable parallel safe set search_path = ''
return case
  when char_length(word) < 4 or word !~ '[^s]s$' then '{}'
  when word ~ 'ies$' then array[left(word, -3) || 'y', left(word, -1)]
  when word ~ '(ch|sh|x|ss|z)es$' then array[left(word, -2)]
  when word ~ 'ses$' then array[left(word, -1), left(word, -2) || 'is']
  when word ~ 'ves$' then array[left(word, -1), left(word, -3) || 'f', left(word, -3) || 'fe']
  else array[left(word, -1)]
end;

/* The words that one slip of the hand turns into this one: two letters swapped, or one missing, added or wrong. */
create function private.near_spellings(word text) returns table (spelling text, is_swap boolean)
language sql immutable parallel safe rows 500 set search_path = ''
as $$
  select left(word, n - 1) || substr(word, n + 1, 1) || substr(word, n, 1) || substr(word, n + 2), true
  from generate_series(1, char_length(word) - 1) as n
  union all
  select left(word, n - 1) || substr(word, n + 1), false from generate_series(1, char_length(word)) as n
  union all
  select left(word, n - 1) || letter || substr(word, n + skipped), false
  from generate_series(1, char_length(word) + 1) as n, unnest(string_to_array('abcdefghijklmnopqrstuvwxyz', null)) as letter,
    generate_series(0, 1) as skipped
$$;

/* The words of approved solutions spelt most like one that occurs nowhere, with their likeness from 0 to 1: one slip
   counts as much as likeness in threes of letters does in a long word. */
create function private.similar_words(word text, max_results integer) returns table (word text, solutions integer, likeness real)
language sql stable set search_path = ''
as $$
  select f.word, f.solutions, max(f.likeness) from (
    select w.word, w.solutions, extensions.similarity(w.word, similar_words.word) as likeness
    from private.readable_words w where w.word operator(extensions.%) similar_words.word
    union all
    select w.word, w.solutions, case when n.is_swap then 0.7 else 0.5 end
    from private.near_spellings(left(similar_words.word, 20)) n
    join private.readable_words w on w.word = n.spelling
    where char_length(similar_words.word) <= 20
  ) f
  group by f.word, f.solutions order by 3 desc, 2 desc, 1 limit max_results
$$;

/*
 * The words for which a search stands, in the solutions that the caller may read. exact: solutions in which every word
 * occurs; wide: those and the ones found through synonyms, through the singular or by replacing a word that occurs nowhere
 * by the most similar one. corrected: the search with the replacement, if a word was replaced; suggested: a search that
 * would find more, when a word has no equivalent similar enough to replace it; marks: the words to highlight; partial: true when only a
 * part of what was typed could be looked for, so that there may be more.
 *
 * Eight words are looked for. Each stands for the words of solutions that contain it, and so do synonyms:
 * 800 rows of sets are read for all eight, and as many for synonyms and replacements, the commonest words
 * first.
 */
create function private.parse_search(
  search text, out exact bit varying, out wide bit varying, out corrected text, out suggested text, out marks text[], out partial boolean
)
language plpgsql stable set search_path = ''
as $$
declare
  typed text[] := private.tokenize(private.normalized(left(search, 200)));
  words text[] := typed[1:8];
  max_rows constant integer := 800;
  rows_left integer := max_rows;
  -- For each word the keys of its sets, with spaces between them.
  found_keys text[];
  found record;
  corrected_words text[] := words;
  suggested_words text[] := words;
  literal_matches bit varying;
  with_singulars bit varying;
  with_synonyms bit varying;
  synonym_matches bit varying;
  matches bit varying;
  equivalents text[];
  -- A word's singular forms that occur.
  singulars text[];
  most_similar text;
  word_similarity real;
  part text;
  at integer := 1;
  span integer;
begin
  marks := words;
  if cardinality(words) = 0 then
    exact := private.word_bitmap('{}');
    wide := exact;
    partial := false;
    return;
  end if;
  select array_agg(array_to_string(f.keys, ' ') order by f.place), bool_or(f.is_partial) into found_keys, partial
  from private.find_sets(words, max_rows) f;
  partial := partial or char_length(search) > 200 or cardinality(typed) > 8;

  while at <= cardinality(words) loop
    -- The longest run of words that has synonyms, else one word.
    for n in reverse least(4, cardinality(words) - at + 1) .. 1 loop
      span := n;
      equivalents := array(
        select distinct t from public.search_synonyms y, unnest(y.terms) t
        where y.terms && (
            array_to_string(words[at:at + span - 1], ' ')
            || array(
              select array_to_string(words[at:at + span - 2] || s, ' ') from unnest(private.singulars(words[at + span - 1])) s
            )
          )
          and t <> array_to_string(words[at:at + span - 1], ' ')
      );
      exit when cardinality(equivalents) > 0 or span = 1;
    end loop;

    literal_matches := null;
    for n in at .. at + span - 1 loop
      singulars := array(select w.word from private.readable_words w where w.word = any (private.singulars(words[n])));
      if found_keys[n] = '' and cardinality(equivalents) = 0 and cardinality(singulars) = 0 and char_length(words[n]) >= 4 then
        select w.word, w.likeness into most_similar, word_similarity
        from unnest(words[n] || private.singulars(words[n])) s, private.similar_words(s, 1) w
        order by w.likeness desc, w.solutions desc limit 1;
        if word_similarity >= 0.4 then
          corrected_words[n] := most_similar;
          marks := marks || most_similar;
          select * into found from private.find_sets(array[most_similar], rows_left);
          partial := partial or found.is_partial;
          rows_left := rows_left - found.rows;
          with_synonyms := private.word_bitmap(found.keys);
        end if;
        suggested_words[n] := coalesce(most_similar, words[n]);
      end if;
      matches := private.word_bitmap(string_to_array(found_keys[n], ' '));
      literal_matches := coalesce(literal_matches & matches, matches);
      if cardinality(singulars) > 0 then
        matches := matches | private.word_bitmap(singulars);
        marks := marks || singulars;
      end if;
      with_singulars := coalesce(with_singulars & matches, matches);
    end loop;
    with_synonyms := coalesce(with_singulars | with_synonyms, with_singulars);
    with_singulars := null;

    for n in 1 .. cardinality(equivalents) loop
      synonym_matches := null;
      foreach part in array string_to_array(equivalents[n], ' ') loop
        if char_length(part) < 5 then
          -- An abbreviation must be the whole word: "tt" is not in "fitting".
          matches := private.word_bitmap(array[part]);
        else
          select * into found from private.find_sets(array[part], rows_left);
          partial := partial or found.is_partial;
          rows_left := rows_left - found.rows;
          matches := private.word_bitmap(found.keys);
        end if;
        synonym_matches := coalesce(synonym_matches & matches, matches);
      end loop;
      with_synonyms := with_synonyms | synonym_matches;
      marks := marks || equivalents[n];
    end loop;

    exact := coalesce(exact & literal_matches, literal_matches);
    wide := coalesce(wide & with_synonyms, with_synonyms);
    with_synonyms := null;
    at := at + span;
  end loop;
  matches := private.readable_bitmap();
  exact := exact & coalesce(matches, exact);
  wide := wide & coalesce(matches, wide);
  if corrected_words <> words then
    corrected := array_to_string(corrected_words, ' ');
  end if;
  if suggested_words <> corrected_words then
    suggested := array_to_string(suggested_words, ' ');
  end if;
end
$$;

/* A suggestion as a list of one, or of none where it would find nothing. `solutions` is null for a synonym. */
create function private.found_suggestion(before text, found_before bit varying, term text, solutions integer) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  found bigint := solutions;
  matches bit varying;
begin
  if solutions is null then
    select p.wide into matches from private.parse_search(term) p;
    found := bit_count(coalesce(found_before & matches, matches));
  elsif found_before is not null then
    found := bit_count(found_before & private.word_bitmap(array[term]));
  end if;
  if found = 0 then
    return '[]';
  end if;
  return jsonb_build_array(jsonb_build_object(
    'text', btrim(before || ' ' || term), 'solutions', case when solutions is not null then found end
  ));
end
$$;

/*
 * Searches that begin with the text typed so far, the most fruitful first: [{text, solutions}], with the
 * whole search in text; each finds something. Its last word is completed from the words of the solutions that the caller
 * may read, from synonyms and, when nothing begins with it, from words spelt nearly the same; solutions is the number that have that last
 * word besides what is found by the words before it, and null for a synonym.
 *
 * Security definer like browse_solutions, and for the same reasons.
 */
create function public.suggest_searches(search text, max_results integer default 8) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  words text[] := (private.tokenize(private.normalized(left(coalesce(search, ''), 200))))[1:8];
  last_word text := words[cardinality(words)];
  before text := array_to_string(words[1:cardinality(words) - 1], ' ');
  found_before bit varying;
  answer jsonb := '[]';
  candidate record;
begin
  max_results := least(greatest(coalesce(max_results, 8), 1), 20);
  if last_word is null then
    return '[]';
  end if;
  if before <> '' then
    select p.wide into found_before from private.parse_search(before) p;
  end if;
  for candidate in
    select o as text, null::integer as solutions, 0 as place from public.search_synonyms y, unnest(y.terms) o
    where y.terms @> array[last_word] and o <> last_word and char_length(o) > 3
    union all
    (select w.word, w.solutions, 1 from private.readable_words w
     where w.word >= last_word and w.word < last_word || U&'\FFFF' and char_length(w.word) > 2
       and not exists (select from public.search_synonyms y where y.terms @> array[last_word, w.word] and w.word <> last_word)
     order by w.solutions desc limit 20)
    order by 3, 2 desc, 1
  loop
    exit when jsonb_array_length(answer) >= max_results;
    answer := answer || private.found_suggestion(before, found_before, candidate.text, candidate.solutions);
  end loop;
  if answer = '[]' and char_length(last_word) >= 4 then
    for candidate in select w.word as text, w.solutions from private.similar_words(last_word, 3) w loop
      answer := answer || private.found_suggestion(before, found_before, candidate.text, candidate.solutions);
    end loop;
  end if;
  return answer;
end
$$;

grant execute on function public.suggest_searches(text, integer) to anon, authenticated;
