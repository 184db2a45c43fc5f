-- The index that searches read, and the terms that they treat as equal.

-- The sets of approved solutions that browse counts and searches with: for each facet value and each word one
-- bit a solution, at the solution's number, in chunks that fit a page. A million solutions are then 32 rows a
-- value, and the number of solutions with several values and words is found by and-ing bits.
create table private.word_sets (
  -- A word, '^' before the one or two letters that words begin with, or '~' before three in a row of a word.
  key text collate "C" not null,
  chunk integer not null,
  bits bit(32000) not null,
  size integer not null,
  primary key (key, chunk)
) with (toast_tuple_target = 128);

-- Compressed where that helps, and never in another table, from which each chunk would have to be fetched.
alter table private.word_sets alter column bits set storage main;

create table private.facet_sets (
  -- A facet value, '' for all approved solutions, or '~' before an audience for those that it may read.
  value text collate "C" not null,
  chunk integer not null,
  bits bit(32000) not null,
  primary key (value, chunk)
);

-- Never compressed: there are few, and each browse reads them all.
alter table private.facet_sets alter column bits set storage plain;

-- The number of approved solutions for an audience that have both values, '' standing for any solution.
create table private.facet_counts (
  value text collate "C" not null,
  other text collate "C" not null,
  audience text not null,
  solutions integer not null,
  primary key (value, other, audience)
);

create table private.search_words (
  word text collate "C" not null,
  audience text not null,
  solutions integer not null,
  primary key (word, audience)
) with (fillfactor = 50);

-- Words by a part of them, and words spelt nearly the same.
create index search_words_trigram_idx on private.search_words using gin (word extensions.gin_trgm_ops);

alter table private.word_sets enable row level security;
alter table private.facet_sets enable row level security;
alter table private.facet_counts enable row level security;
alter table private.search_words enable row level security;

/* A normalized text with nothing but spaces between its words. Signs are listed instead of testing which
   characters are letters, because that depends on the database's locale. */
create function private.without_punctuation(value text) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(value, '[\n\r\t\u00A0.,;:!?"''`´()\[\]{}<>/\\|+\-_=*&%$#@^~°×·•–—‘’“”…€£]+', ' ', 'g');

/* The words of a normalized text in their order. */
create function private.tokenize(value text) returns text[]
language sql immutable parallel safe set search_path = ''
return (
  select coalesce(array_agg(left(word, 40) order by place), '{}')
  from unnest(string_to_array(private.without_punctuation(value), ' ')) with ordinality as w (word, place)
  where word <> ''
);

/* The keys of the sets of parts that words with one to three letters in common share. */
create function private.part_keys(word text) returns setof text
language sql immutable parallel safe rows 10 set search_path = ''
as $$
  select '^' || left(word, n) from generate_series(1, least(char_length(word), 2)) as n
  union all
  select '~' || substr(word, n, 3) from generate_series(1, char_length(word) - 2) as n
$$;

/* The keys of all sets that a normalized text belongs to. */
create function private.word_keys(search_text text) returns text[]
language sql immutable parallel safe set search_path = ''
return array(
  select w.word from unnest(private.tokenize(search_text)) as w (word)
  union
  select private.part_keys(w.word) from unnest(private.tokenize(search_text)) as w (word)
);

/* Security definer, because no client can write the sets. */
create function private.index_solution() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  old_keys text[] := '{}';
  new_keys text[] := '{}';
  old_values text[] := '{}';
  new_values text[] := '{}';
  removed text[];
  added text[];
  solution_chunk integer := coalesce(new.number, old.number) / 32000;
  place integer := coalesce(new.number, old.number) % 32000;
begin
  if tg_op <> 'INSERT' and old.status = 'approved' then
    old_keys := private.word_keys(old.search_text);
    old_values := old.facets || array['', '~' || old.audience];
  end if;
  if tg_op <> 'DELETE' and new.status = 'approved' then
    new_keys := private.word_keys(new.search_text);
    new_values := new.facets || array['', '~' || new.audience];
  end if;
  perform pg_advisory_xact_lock(hashtext('private.word_sets of a chunk'), solution_chunk);
  -- One decision at a time: two that share words would otherwise wait for each other.
  perform pg_advisory_xact_lock(hashtext('private.word_sets'));

  removed := array(select unnest(old_keys) except select unnest(new_keys));
  added := array(select unnest(new_keys) except select unnest(old_keys));
  update private.word_sets s set bits = set_bit(s.bits, place, 0), size = s.size - 1
  where s.key = any (removed) and s.chunk = solution_chunk;
  delete from private.word_sets s where s.key = any (removed) and s.chunk = solution_chunk and s.size = 0;
  if tg_op = 'UPDATE' and old.audience <> new.audience then
    removed := old_keys;
    added := new_keys;
  end if;
  update private.search_words w set solutions = w.solutions - 1 where w.word = any (removed) and w.audience = old.audience;
  -- A word that only a withdrawn solution had must not be suggested to readers.
  delete from private.search_words w where w.word = any (removed) and w.audience = old.audience and w.solutions = 0;
  insert into private.word_sets as s (key, chunk, bits, size)
  select key, solution_chunk, set_bit(0::bit(32000), place, 1), 1 from unnest(added) as a (key)
  on conflict (key, chunk) do update set bits = set_bit(s.bits, place, 1), size = s.size + 1;
  insert into private.search_words as w (word, audience, solutions)
  select key, new.audience, 1 from unnest(added) as a (key) where key !~ '^[~^]'
  on conflict (word, audience) do update set solutions = w.solutions + 1;

  update private.facet_sets s set bits = set_bit(s.bits, place, 0)
  where s.value in (select unnest(old_values) except select unnest(new_values)) and s.chunk = solution_chunk;
  insert into private.facet_sets as s (value, chunk, bits)
  select value, solution_chunk, set_bit(0::bit(32000), place, 1)
  from (select unnest(new_values) except select unnest(old_values)) as a (value)
  on conflict (value, chunk) do update set bits = set_bit(s.bits, place, 1);
  insert into private.facet_counts as c (value, other, audience, solutions)
  select value, other, audience, sum(change) from (
    select value, other, old.audience, -1 as change from unnest(old_values) as v (value), unnest(old_values) as o (other)
    union all
    select value, other, new.audience, 1 from unnest(new_values) as v (value), unnest(new_values) as o (other)
  ) pairs
  where value !~ '^~' and other !~ '^~'
  group by value, other, audience having sum(change) <> 0
  on conflict (value, other, audience) do update set solutions = c.solutions + excluded.solutions;
  return null;
end
$$;

create trigger solutions_index_insert after insert on public.solutions
  for each row when (new.status = 'approved') execute function private.index_solution();
create trigger solutions_index_update after update on public.solutions
  for each row when (
    (old.status = 'approved' or new.status = 'approved') and new.revises is null
    and (old.status, old.search_text, old.facets, old.audience) is distinct from (new.status, new.search_text, new.facets, new.audience)
  ) execute function private.index_solution();
create trigger solutions_index_delete after delete on public.solutions
  for each row when (old.status = 'approved' and old.revises is null) execute function private.index_solution();

-- The places of a twentieth of a chunk as bits, of which there are none at first.
create aggregate private.bits_agg(integer, integer) (
  sfunc = pg_catalog.set_bit, stype = bit,
  initcond = 'x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'
    '0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'
    '0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'
    '0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'
);

/* The number of solutions of one chunk that have a word, for each audience. */
create function private.word_counts(counted_chunk integer) returns table (word text, audience text, solutions integer)
language sql stable set search_path = ''
as $$
  select w.key, substr(a.value, 2), bit_count(w.bits & a.bits)::integer
  from private.word_sets w join private.facet_sets a using (chunk)
  where w.chunk = counted_chunk and w.key !~ '^[~^]' and a.value ~ '^~' and bit_count(w.bits & a.bits) > 0
$$;

/* Adds the solutions of one chunk to the counts of pairs of values, or takes them away with the factor -1. */
create function private.add_facet_counts(counted_chunk integer, factor integer) returns void
language sql set search_path = ''
as $$
  insert into private.facet_counts as c (value, other, audience, solutions)
  select s.value, o.value, substr(a.value, 2), factor * bit_count(s.bits & o.bits & a.bits)
  from private.facet_sets s join private.facet_sets o using (chunk) join private.facet_sets a using (chunk)
  where s.chunk = counted_chunk and s.value !~ '^~' and o.value !~ '^~' and a.value ~ '^~'
  on conflict (value, other, audience) do update set solutions = c.solutions + excluded.solutions;
$$;

/*
 * Makes the sets of one chunk again: of the solutions with numbers from 32,000 times the chunk on, for solutions
 * that were inserted in bulk with their triggers off. Called for each chunk in a transaction of its own, by
 * several connections at once if need be, it holds up decisions on the solutions of that chunk, all other
 * decisions for a moment at its end, and other writes and searches not at all.
 */
create function private.reindex_solutions(reindexed_chunk integer) returns void
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
        select s.number, unnest(string_to_array(private.without_punctuation(s.search_text), ' ')) as word
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

/* Terms as search compares them: one to four words, lower-case and without accents, each once. */
create function private.are_terms(terms text[]) returns boolean
language sql immutable parallel safe set search_path = ''
return cardinality(terms) between 2 and 12 and (
  select bool_and(
    term = array_to_string(private.tokenize(private.normalized(term)), ' ')
    and cardinality(private.tokenize(term)) between 1 and 4
    and char_length(term) <= 60
  )
    and count(*) = count(distinct term)
  from unnest(terms) as t (term)
);

grant execute on function private.are_terms(text[]), private.tokenize(text), private.without_punctuation(text)
  to authenticated, service_role;

create table public.search_synonyms (
  id uuid primary key default gen_random_uuid(),
  terms text[] not null unique
    constraint "Terms must be 2 to 12, in lower case, each of 1 to 4 words" check (private.are_terms(terms)),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now()
);

comment on table public.search_synonyms is
  'Terms that search treats as equal: abbreviations of the profession, and British and American spelling. Moderators add to it.';

alter table public.search_synonyms enable row level security;

create policy "Everybody can read synonyms" on public.search_synonyms for select using (true);
create policy "Moderators can add synonyms" on public.search_synonyms
  for insert to authenticated with check ((select private.may_moderate()) and created_by = (select auth.uid()));
create policy "Moderators can change synonyms" on public.search_synonyms
  for update to authenticated using ((select private.may_moderate())) with check ((select private.may_moderate()));
create policy "Moderators can remove synonyms" on public.search_synonyms
  for delete to authenticated using ((select private.may_moderate()));

create index search_synonyms_terms_idx on public.search_synonyms using gin (terms);
create index search_synonyms_created_by_idx on public.search_synonyms (created_by);

grant select (id, terms) on public.search_synonyms to anon, authenticated;
grant insert (terms, created_by) on public.search_synonyms to authenticated;
grant update (terms) on public.search_synonyms to authenticated;
grant delete on public.search_synonyms to authenticated;

insert into public.search_synonyms (terms) values
  ('{bk,tt,bka,tta,transtibial,trans tibial,below knee}'),
  ('{ak,tf,aka,tfa,transfemoral,trans femoral,above knee}'),
  ('{be,tr,bea,tra,transradial,trans radial,below elbow}'),
  ('{ae,th,aea,tha,transhumeral,trans humeral,above elbow}'),
  ('{pf,pff,partial foot}'),
  ('{kd,knee disarticulation,through knee}'),
  ('{hd,hip disarticulation}'),
  ('{wd,wrist disarticulation}'),
  ('{sd,shoulder disarticulation}'),
  ('{myo,myoelectric,emg}'),
  ('{bp,body powered}'),
  ('{oi,osseointegrated,osseointegration,bone anchored}'),
  ('{td,terminal device}'),
  ('{pla,polylactic acid,polylactide}'),
  ('{tpu,thermoplastic polyurethane}'),
  ('{pp,polypropylene}'),
  ('{3d printed,3d printing,additive manufacturing}'),
  ('{cad,computer aided design}'),
  ('{mpk,microprocessor knee}'),
  ('{esar,energy storing foot,energy storage and return}'),
  ('{sach,solid ankle cushion heel}'),
  ('{ptb,patellar tendon bearing}'),
  ('{tsb,total surface bearing}'),
  ('{rom,range of motion}'),
  ('{adl,daily living activities,activities of daily living}'),
  ('{stump,residual limb,residuum}'),
  ('{paed,paeds,paediatric,paediatrics,pediatric,child,children,kid,kids}'), ('{foot,feet}'), ('{tooth,teeth}'), ('{man,men}'),
  ('{woman,women}'),
  ('{fibre,fiber}'), ('{fibres,fibers}'), ('{aluminium,aluminum}'), ('{mould,mold}'), ('{moulded,molded}'), ('{moulding,molding}'),
  ('{colour,color}'), ('{grey,gray}'), ('{centre,center}'), ('{metre,meter}'), ('{tyre,tire}'), ('{orthopaedic,orthopedic}'),
  ('{stabilise,stabilize}'), ('{customised,customized}'), ('{customise,customize}'), ('{optimised,optimized}'),
  ('{lightweight,light weight}'),
  ('{prosthesis,prosthetic,prosthetics,prostheses}'), ('{programme,program}'), ('{plough,plow}'), ('{travelling,traveling}'),
  ('{pedalling,pedaling}'),
  ('{behaviour,behavior}'), ('{practise,practice}'), ('{haemophilia,hemophilia}'), ('{oedema,edema}'), ('{ischaemia,ischemia}'),
  ('{anaesthesia,anesthesia}');
