create table public.solution_sources (
  solution_id uuid not null references public.solutions on delete cascade,
  source_id uuid not null references public.solutions on delete cascade,
  position smallint not null default 0 check (position between 0 and 4),
  -- What a version keeps of the link: readers of a version may not see the source, whose id would tell that it exists.
  source_mark text not null generated always as (md5(source_id::text)) stored,
  primary key (solution_id, source_id)
);

comment on table public.solution_sources is
  'What a solution is based on: up to five published solutions, which show it among their adaptations. '
  'Part of its content, and reviewed with it.';

alter table public.solution_sources enable row level security;

create policy "Readers of both solutions see that one is based on the other" on public.solution_sources
  for select using (
    (select true from public.solutions s where s.id = solution_id) and (select true from public.solutions s where s.id = source_id)
  );
create policy "Authors can say what their own solutions are based on" on public.solution_sources
  for insert to authenticated with check (private.owns_solution(solution_id));
create policy "Authors can order what their own solutions are based on" on public.solution_sources
  for update to authenticated using (private.owns_solution(solution_id)) with check (private.owns_solution(solution_id));
create policy "Authors can unsay what their own solutions are based on" on public.solution_sources
  for delete to authenticated using (private.owns_solution(solution_id));

-- The adaptations of a solution.
create index solution_sources_source_id_idx on public.solution_sources (source_id);

grant select on public.solution_sources to anon, authenticated;

/* The ids of some marks. Security definer, because row-level security would keep it from using the index; which of them a
   caller may read is decided after it. */
create function private.ids_of_marks(marks text[]) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select s.id from public.solutions s where md5(s.id::text) = any (marks[1:10])
$$;

/* The published solutions of some marks, as far as the caller sees them. */
create function public.marked_solutions(marks text[]) returns table (mark text, id uuid, title text)
language sql stable set search_path = ''
as $$
  select md5(s.id::text), s.id, s.title from public.solutions s
  where s.id in (select private.ids_of_marks(marks)) and s.status = 'approved' and s.revises is null
$$;

create index solutions_mark_idx on public.solutions (md5(id::text));
grant execute on function private.ids_of_marks(text[]), public.marked_solutions(text[]) to anon, authenticated;
grant insert (solution_id, source_id, position), update (solution_id, source_id, position), delete on public.solution_sources
  to authenticated;

/* Whether a solution is based on another, directly or through others. Security definer, so that links which the caller does
   not see count as well. */
create function private.descends_from(solution uuid, ancestor uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  with recursive ancestors as (
    select b.source_id as id from public.solution_sources b where b.solution_id = solution
    union
    select b.source_id from ancestors a join public.solution_sources b on b.solution_id = a.id
  )
  select exists (select from ancestors a where a.id = ancestor)
$$;

/*
 * Keeps the links between solutions a family tree: to published solutions, at most five, never in a circle. Security
 * definer, so that it sees all links; it compares the role by the claims of the caller for the one rule that
 * concerns members alone.
 */
create function private.check_source() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  adapted public.solutions;
begin
  select s.* into adapted from public.solutions s where s.id = new.solution_id for update;
  if new.source_id in (adapted.id, adapted.revises) then
    raise check_violation using message = 'A solution cannot be based on itself';
  end if;
  if not exists (select from public.solutions s where s.id = new.source_id and s.status = 'approved' and s.revises is null) then
    raise check_violation using message = 'A solution can be based on published solutions only';
  end if;
  if private.descends_from(new.source_id, coalesce(adapted.revises, adapted.id)) then
    raise check_violation using message = 'This solution is already based on yours, directly or through others';
  end if;
  if (select count(*) from public.solution_sources b where b.solution_id = new.solution_id and b.source_id <> new.source_id) >= 5 then
    raise check_violation using message = 'A solution can be based on at most 5 others';
  end if;
  return new;
end
$$;

create trigger solution_sources_20_check before insert or update on public.solution_sources
  for each row execute function private.check_source();

/* Refuses changes of what a published solution is based on, which come with a new version, and solutions that the author
   cannot read. Not security definer: it
   checks which role the statement runs as. */
create function private.refuse_changed_sources() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if not private.is_client() then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op <> 'INSERT' then
    perform private.refuse_decided(old.solution_id);
  end if;
  if tg_op <> 'DELETE' then
    perform private.refuse_decided(new.solution_id);
  end if;
  if tg_op = 'INSERT' and not private.sees_solution(new.source_id) then
    raise check_violation using message = 'A solution can be based on published solutions only';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create trigger solution_sources_10_refuse before insert or update or delete on public.solution_sources
  for each row execute function private.refuse_changed_sources();

/* What a solution is based on is part of the version under review, which a decision names by its `updated_at`. */
create trigger solution_sources_touch after insert or update or delete on public.solution_sources
  for each row execute function private.touch_solution();

/*
 * The family of a solution as the caller may see it: what it is based on ('source'), what is based on it ('adaptation'), and
 * theirs in turn, up to four generations each way and 60 links, the nearest first. parent_id is the relative that a link
 * comes from, the solution itself at first. Not security definer: the policies of both tables decide, and a link that is
 * hidden ends its branch.
 */
create function public.family_tree(solution uuid) returns table (kind text, parent_id uuid, solution_id uuid, title text)
language sql stable set search_path = ''
as $$
  with recursive sources as (
    select b.solution_id as parent_id, b.source_id as id, b.position, 1 as generation
    from public.solution_sources b
    where b.solution_id = solution
    union
    select b.solution_id, b.source_id, b.position, t.generation + 1
    from sources t join public.solution_sources b on b.solution_id = t.id where t.generation < 4
  ), adaptations as (
    select b.source_id as parent_id, b.solution_id as id, 1 as generation
    from public.solution_sources b join public.solutions s on s.id = b.solution_id where b.source_id = solution and s.status = 'approved'
    union
    select b.source_id, b.solution_id, t.generation + 1
    from adaptations t join public.solution_sources b on b.source_id = t.id join public.solutions s on s.id = b.solution_id
    where t.generation < 4 and s.status = 'approved'
  )
  -- The limits end the search, which goes generation by generation.
  (select 'source', t.parent_id, t.id, s.title from (select * from sources limit 60) t join public.solutions s on s.id = t.id
   order by t.generation, t.position)
  union all
  (select 'adaptation', t.parent_id, t.id, s.title from (select * from adaptations limit 60) t join public.solutions s on s.id = t.id
   order by t.generation, s.approved_at)
$$;

grant execute on function public.family_tree(uuid) to anon, authenticated;
