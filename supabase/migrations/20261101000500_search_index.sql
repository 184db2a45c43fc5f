-- The sets of approved solutions that browse counts and searches with: for each facet value and each word one
-- bit a solution, at the solution's number, in chunks that fit a page. A million solutions are then 32 rows a
-- value, and the number of solutions with several values and words is found by and-ing bits.
create table private.solution_sets (
  -- A word, '=' before a facet value, or '=' alone for all approved solutions.
  key text collate "C" not null,
  chunk integer not null,
  bits bit(32000) not null,
  size integer not null,
  primary key (key, chunk)
) with (toast_tuple_target = 128);

-- Compressed where that helps, and never in another table, from which each chunk would have to be fetched.
alter table private.solution_sets alter column bits set storage main;

create table private.search_words (
  word text collate "C" primary key,
  solutions integer not null
);

-- Words by a part of them, and words spelt nearly the same.
create index search_words_trigram_idx on private.search_words using gin (word extensions.gin_trgm_ops);

alter table private.solution_sets enable row level security;
alter table private.search_words enable row level security;

/* A normalized text with nothing but spaces between its words. Signs are listed instead of testing which
   characters are letters, because that depends on the database's locale. */
create function private.without_punctuation(value text) returns text
language sql immutable parallel safe set search_path = ''
return translate(value, E'\n\r\t\u00A0.,;:!?"''`´()[]{}<>/\\|+-_=*&%$#@^~°×·•–—‘’“”…€£', repeat(' ', 60));

/* The words of a normalized text in their order. */
create function private.tokenize(value text) returns text[]
language sql immutable parallel safe set search_path = ''
return (
  select coalesce(array_agg(left(word, 40) order by place), '{}')
  from unnest(string_to_array(private.without_punctuation(value), ' ')) with ordinality as w (word, place)
  where word <> ''
);

create function private.index_keys(search_text text, facets text[]) returns text[]
language sql immutable parallel safe set search_path = ''
return array(select distinct key from unnest(private.tokenize(search_text) || array(select '=' || f from unnest(facets || ''::text) f)) as k (key));

/* Security definer, because no client can write the sets. */
create function private.index_solution() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  old_keys text[] := '{}';
  new_keys text[] := '{}';
  removed text[];
  added text[];
  solution_chunk integer := coalesce(new.number, old.number) / 32000;
  place integer := coalesce(new.number, old.number) % 32000;
begin
  if tg_op <> 'INSERT' and old.status = 'approved' then
    old_keys := private.index_keys(old.search_text, old.facets);
  end if;
  if tg_op <> 'DELETE' and new.status = 'approved' then
    new_keys := private.index_keys(new.search_text, new.facets);
  end if;
  removed := array(select unnest(old_keys) except select unnest(new_keys));
  added := array(select unnest(new_keys) except select unnest(old_keys));
  if cardinality(removed) + cardinality(added) = 0 then
    return null;
  end if;
  -- One decision at a time: two that share words would otherwise wait for each other.
  perform pg_advisory_xact_lock(hashtext('private.solution_sets'));

  update private.solution_sets s set bits = set_bit(s.bits, place, 0), size = s.size - 1
  where s.key = any (removed) and s.chunk = solution_chunk;
  delete from private.solution_sets s where s.key = any (removed) and s.chunk = solution_chunk and s.size = 0;
  update private.search_words w set solutions = w.solutions - 1 where w.word = any (removed);
  -- A word that only a withdrawn solution had must not be suggested to readers.
  delete from private.search_words w where w.word = any (removed) and w.solutions = 0;

  insert into private.solution_sets as s (key, chunk, bits, size)
  select key, solution_chunk, set_bit(0::bit(32000), place, 1), 1 from unnest(added) as c (key)
  on conflict (key, chunk) do update set bits = set_bit(s.bits, place, 1), size = s.size + 1;
  insert into private.search_words as w (word, solutions)
  select key, 1 from unnest(added) as c (key) where not starts_with(key, '=')
  on conflict (word) do update set solutions = w.solutions + 1;
  return null;
end
$$;

create trigger solutions_index_insert after insert on public.solutions
  for each row when (new.status = 'approved') execute function private.index_solution();
create trigger solutions_index_update after update on public.solutions
  for each row when (
    (old.status = 'approved' or new.status = 'approved')
    and (old.status, old.search_text, old.facets) is distinct from (new.status, new.search_text, new.facets)
  ) execute function private.index_solution();
create trigger solutions_index_delete after delete on public.solutions
  for each row when (old.status = 'approved') execute function private.index_solution();

/* Makes all sets anew, for solutions that were inserted in bulk with their triggers off. */
create function private.reindex_solutions() returns void
language plpgsql set search_path = ''
as $$
begin
  lock table public.solutions in share mode;
  truncate private.solution_sets, private.search_words;
  for next_chunk in 0 .. coalesce((select max(s.number) from public.solutions s), 0) / 32000 loop
    -- Does the work of index_keys, but without calling a function for each row, which would take longer than
    -- all the rest.
    insert into private.solution_sets (key, chunk, bits, size)
    select key, next_chunk, rpad(string_agg(repeat('0', gap) || '1', '' order by place), 32000, '0')::bit(32000), count(*)
    from (
      select key, place, place - coalesce(lag(place) over (partition by key order by place), -1) - 1 as gap
      from (
        select distinct k.key collate "C" as key, s.number % 32000 as place
        from public.solutions s, lateral (
          select left(word, 40) as key from unnest(string_to_array(private.without_punctuation(s.search_text), ' ')) as w (word) where word <> ''
          union all select '=' || facet from unnest(s.facets || ''::text) as f (facet)
        ) k
        where s.status = 'approved' and s.number between next_chunk * 32000 and next_chunk * 32000 + 31999
      ) d
    ) g
    group by key;
  end loop;
  insert into private.search_words (word, solutions)
  select key, sum(size) from private.solution_sets where not starts_with(key, '=') group by key;
end
$$;
