-- The searches of Browse, by the words of every script, and what was written before.

/*
 * Makes the sets of one chunk again: of the solutions with numbers from 32,000 times the chunk on, for solutions
 * that were inserted in bulk with their triggers off. Called for each chunk in a transaction of its own, by
 * several connections at once if need be, it holds up decisions on the solutions of that chunk, all other
 * decisions for a moment at its end, and other writes and searches not at all.
 */
create or replace function private.reindex_solutions(reindexed_chunk integer) returns void
language plpgsql set search_path = '' set work_mem = '128MB'
as $$
declare
  old_counts jsonb;
begin
  perform pg_advisory_xact_lock(hashtext('private.word_sets of a chunk'), reindexed_chunk);
  old_counts := (
    select coalesce(jsonb_object_agg(c.audience || ' ' || c.word, c.solutions), '{}') from private.word_counts(reindexed_chunk) c
  );
  delete from private.word_sets s where s.chunk = reindexed_chunk;

  -- Sets a bit in a twentieth of a chunk, because that copies the bits each time, and then puts those
  -- together. Words are not made distinct first, nor is word_keys called, which would take longer than all the
  -- rest.
  with words as materialized (
    select key, bit_or(bits::bit(32000) >> twentieth * 1600) as bits from (
      select left(w.word, 40) as key, w.number % 32000 / 1600 as twentieth, private.bits_agg(w.number % 1600, 1) as bits
      from (
        select s.number, unnest(string_to_array(private.spaced(s.search_text), ' ')) as word
        from public.solutions s
        where s.status = 'approved' and s.number between reindexed_chunk * 32000 and reindexed_chunk * 32000 + 31999
      ) w
      where w.word <> '' group by 1, 2
    ) twentieths group by key
  )
  insert into private.word_sets (key, chunk, bits, size)
  select key, reindexed_chunk, bits, bit_count(bits) from (
    select w.key, w.bits from words w
    union all
    select p.key, bit_or(w.bits) from words w, private.part_keys(w.key) as p (key) group by p.key
  ) sets;

  -- What the chunks have in common comes last, one chunk after the other.
  perform pg_advisory_xact_lock(hashtext('private.word_sets'));
  perform private.add_facet_counts(reindexed_chunk, -1);
  delete from private.facet_sets s where s.chunk = reindexed_chunk;
  insert into private.facet_sets (value, chunk, bits)
  select value, reindexed_chunk, bit_or(bits::bit(32000) >> twentieth * 1600) from (
    select f.value, s.number % 32000 / 1600 as twentieth, private.bits_agg(s.number % 1600, 1) as bits
    from public.solutions s, unnest(s.facets || array['', '~' || s.audience]) as f (value)
    where s.status = 'approved' and s.number between reindexed_chunk * 32000 and reindexed_chunk * 32000 + 31999
    group by 1, 2
  ) twentieths group by value;
  perform private.add_facet_counts(reindexed_chunk, 1);

  insert into private.search_words as w (word, audience, solutions)
  select split_part(key, ' ', 2), split_part(key, ' ', 1), coalesce(n.solutions, 0) - coalesce(o.solutions::integer, 0)
  from (select c.audience || ' ' || c.word as key, c.solutions from private.word_counts(reindexed_chunk) c) n
  full join jsonb_each_text(old_counts) as o (key, solutions) using (key)
  where n.solutions is distinct from o.solutions::integer
  on conflict (word, audience) do update set solutions = w.solutions + excluded.solutions;
  delete from private.search_words w where w.solutions <= 0;
end
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
create or replace function private.parse_search(
  search text, out exact bit varying, out wide bit varying, out corrected text, out suggested text, out marks text[], out partial boolean
)
language plpgsql stable set search_path = ''
as $$
declare
  typed text[] := private.search_words(left(search, 200));
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
            private.joined_words(words[at:at + span - 1])
            || array(
              select private.joined_words(words[at:at + span - 2] || s) from unnest(private.singulars(words[at + span - 1])) s
            )
          )
          and t <> private.joined_words(words[at:at + span - 1])
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
      foreach part in array private.search_words(equivalents[n]) loop
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
    corrected := private.joined_words(corrected_words);
  end if;
  if suggested_words <> corrected_words then
    suggested := private.joined_words(suggested_words);
  end if;
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
create or replace function public.suggest_searches(search text, max_results integer default 8) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  words text[] := (private.search_words(left(coalesce(search, ''), 200)))[1:8];
  last_word text := words[cardinality(words)];
  before text := private.joined_words(words[1:cardinality(words) - 1]);
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

-- What was written before is searched in the same way. Only the sets that searches read hold up decisions, and those of 32,000
-- solutions are made in seconds.
alter table public.solutions disable trigger user;
update public.solutions s set title = s.title, extra_facets = private.extra_facets(s);
alter table public.solutions enable trigger user;
select private.reindex_solutions(c.n) from generate_series(0, private.chunk_count() - 1) as c (n);

update public.search_synonyms y set terms = n.terms
from (select o.id, array(select distinct private.normalized(t) from unnest(o.terms) t) as terms from public.search_synonyms o) n
where n.id = y.id and not y.terms <@ n.terms and cardinality(n.terms) > 1
  and not exists (select from public.search_synonyms o where o.terms = n.terms);
delete from public.search_synonyms y where not private.are_terms(y.terms);

reindex index public.forum_topics_search_idx;
reindex index public.forum_posts_search_idx;
reindex index public.profiles_username_search_idx;
reindex index public.profiles_search_idx;
