create table public.likes (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  created_at timestamptz not null default now(),
  unique (solution_id, user_id)
);

comment on table public.likes is 'The likes of solutions by members; the count is kept on the solution.';

alter table public.likes enable row level security;

create policy "Whoever sees a solution sees its likes" on public.likes
  for select using (private.sees_solution(solution_id));
create policy "Members can like approved solutions" on public.likes
  for insert to authenticated with check (user_id = (select auth.uid()) and private.is_approved(solution_id));
create policy "Members can take back their own likes" on public.likes
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before any insert" on public.likes
  as restrictive for insert to authenticated with check ((select private.has_required_aal()));
create policy "A second step comes before any delete" on public.likes
  as restrictive for delete to authenticated using ((select private.has_required_aal()));
create policy "Suspended and banned members add nothing" on public.likes
  as restrictive for insert to authenticated with check ((select private.may_take_part()));

create index likes_user_id_idx on public.likes (user_id, created_at);

/* Keeps the count and the author's points in step; an author's like of their own solution counts but earns
   nothing. Security definer, because clients can write neither. */
create function private.sync_like() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    update public.solutions s set likes_count = s.likes_count + 1 where s.id = new.solution_id;
    perform private.award_points(s.user_id, 'like', new.id)
    from public.solutions s where s.id = new.solution_id and s.user_id <> new.user_id;
  else
    update public.solutions s set likes_count = s.likes_count - 1 where s.id = old.solution_id;
    perform private.revoke_points('like', old.id);
  end if;
  return null;
end
$$;

create trigger likes_10_sync after insert or delete on public.likes
  for each row execute function private.sync_like();

grant select on public.likes to anon, authenticated;
grant insert (solution_id, user_id) on public.likes to authenticated;
grant delete on public.likes to authenticated;
