/*
 * Searches that begin with the text typed so far, the most fruitful first: [{text, solutions}], with the
 * whole search in text. Its last word is completed from the words of approved solutions, from synonyms and,
 * when nothing begins with it, from words spelt nearly the same; solutions is the number that have that last
 * word, and null for a synonym.
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
