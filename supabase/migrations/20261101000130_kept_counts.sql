-- How many rows there are of some kinds, kept for those who ask more often than one comes or goes; how many solutions are public is
-- among the counts of facets.
create table private.kept_counts (
  name text primary key,
  rows bigint not null
);

alter table private.kept_counts enable row level security;

/* Counts a row under a name while a condition holds for it. Arguments: the name, and the condition in SQL. Security definer, because
   no client can write the counts. */
create function private.keep_count() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  holds constant text := format('select (%s)::integer from (select ($1).*) r', tg_argv[1]);
  before integer := 0;
  after integer := 0;
begin
  if tg_op <> 'INSERT' then
    execute holds into before using old;
  end if;
  if tg_op <> 'DELETE' then
    execute holds into after using new;
  end if;
  if before <> after then
    insert into private.kept_counts as c (name, rows) values (tg_argv[0], after - before)
    on conflict (name) do update set rows = c.rows + excluded.rows;
  end if;
  return null;
end
$$;

create function private.kept_count(name text) returns bigint
language sql stable security definer set search_path = ''
return coalesce((select c.rows from private.kept_counts c where c.name = kept_count.name), 0);
