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
 * whole search in text; each finds something. Its last word is completed from the words of the solutions that the caller may read, from synonyms and,
 * when nothing begins with it, from words spelt nearly the same; solutions is the number that have that last
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
