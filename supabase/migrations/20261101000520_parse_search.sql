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

/* The number of solutions of a set that have each facet value: {value: count}, without values that none has. */
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
 * The words for which a search stands. exact: solutions in which every word occurs; wide: those and the ones
 * found through synonyms or by replacing a word that occurs nowhere by the most similar one. corrected: the
 * search with the replacement, if a word was replaced; suggested: a search that would find more, when a word
 * has no equivalent similar enough to replace it; marks: the words to highlight; partial: true when only a
 * part of the typed words could be looked for, so that there may be more.
 *
 * Eight words are looked for. Each stands for the words of solutions that contain it, and so do synonyms: at
 * most 500 for one, and 1,000 for all eight and for all synonyms, where those with the most give way and keep
 * the commonest.
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
  -- For each word the words that contain it, with spaces between them, and the most that are taken.
  containing text[] := array(select array_to_string(private.words_containing(w), ' ') from unnest(words) with ordinality as t (w, place) order by place);
  counts integer[] := array(select cardinality(string_to_array(p, ' ')) from unnest(containing) as p);
  max_per_word integer;
  synonym_words_left integer := max_words;
  corrected_words text[] := words;
  suggested_words text[] := words;
  literal_matches bit varying;
  with_synonyms bit varying;
  synonym_matches bit varying;
  matches bit varying;
  equivalents text[];
  index_words text[];
  most_similar text;
  word_similarity real;
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
  max_per_word := (select max(n) from generate_series(1, 500) as n where (select sum(least(c, n)) from unnest(counts) c) <= max_words);
  partial := char_length(search) > 200 or cardinality(typed) > 8 or (select max(c) from unnest(counts) c) >= 500;

  while at <= cardinality(words) loop
    -- The longest run of words that has synonyms, else one word.
    for n in reverse least(4, cardinality(words) - at + 1) .. 1 loop
      span := n;
      equivalents := array(
        select distinct t from public.search_synonyms y, unnest(y.terms) t
        where y.terms @> array[array_to_string(words[at:at + span - 1], ' ')] and t <> array_to_string(words[at:at + span - 1], ' ')
      );
      exit when cardinality(equivalents) > 0 or span = 1;
    end loop;

    literal_matches := null;
    for n in at .. at + span - 1 loop
      index_words := string_to_array(containing[n], ' ');
      if cardinality(index_words) = 0 and cardinality(equivalents) = 0 and char_length(words[n]) >= 4 then
        select w.word, extensions.similarity(w.word, words[n]) into most_similar, word_similarity
        from private.search_words w where w.word operator(extensions.%) words[n]
        order by extensions.similarity(w.word, words[n]) desc, w.solutions desc limit 1;
        if word_similarity >= 0.4 then
          corrected_words[n] := most_similar;
          marks := marks || most_similar;
          with_synonyms := private.solution_bitmap(private.words_containing(most_similar));
        end if;
        suggested_words[n] := coalesce(most_similar, words[n]);
      end if;
      partial := partial or cardinality(index_words) > max_per_word;
      matches := private.solution_bitmap(index_words[1:max_per_word]);
      literal_matches := coalesce(literal_matches & matches, matches);
    end loop;
    with_synonyms := coalesce(literal_matches | with_synonyms, literal_matches);

    for n in 1 .. cardinality(equivalents) loop
      synonym_matches := null;
      foreach part in array string_to_array(equivalents[n], ' ') loop
        -- An abbreviation must be the whole word: "tt" is not in "fitting".
        index_words := case when char_length(part) < 5 then array[part] else private.words_containing(part) end;
        partial := partial or cardinality(index_words) > synonym_words_left;
        index_words := index_words[1:synonym_words_left];
        synonym_words_left := synonym_words_left - cardinality(index_words);
        matches := private.solution_bitmap(index_words);
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
  if corrected_words <> words then
    corrected := array_to_string(corrected_words, ' ');
  end if;
  if suggested_words <> corrected_words then
    suggested := array_to_string(suggested_words, ' ');
  end if;
end
$$;
