-- Who could not read a solution does not learn of its withdrawal either.

alter table public.withdrawn_solutions add column audience text not null default 'public'
  constraint "What was withdrawn had one of the audiences of solutions" check (audience = any (private.audiences()));

drop policy "Everybody can read what was withdrawn" on public.withdrawn_solutions;
create policy "Its readers can read that a solution was withdrawn" on public.withdrawn_solutions
  for select using (audience = 'public' or audience = any ((select private.readable_audiences())::text[]));

/*
 * Leaves the reason at the address of a solution that was public. Nothing but the time when a person shown had asked for the
 * removal of pictures, or when the account of its author is deleted with it, since title and reason would point to what has
 * to be forgotten. Security definer, because no client writes the table.
 */
create or replace function private.record_withdrawal() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
  is_author boolean := actor is not null and actor is not distinct from old.user_id;
  -- Of withdraw_solution and erase_account, in this transaction alone.
  chosen text := nullif(current_setting('withdrawal.reason', true), '');
begin
  if chosen = 'none' or actor is null
    or exists (select from public.removal_requests r where r.solution_id = old.id and r.status <> 'kept')
  then
    chosen := null;
  elsif not coalesce(
    chosen = any (case when is_author then array['replaced', 'error'] else array['safety', 'rules', 'copyright'] end), false
  ) then
    chosen := case when is_author then 'author' else 'moderator' end;
  end if;
  insert into public.withdrawn_solutions as w (id, title, reason, audience)
  values (old.id, case when chosen not in ('author', 'moderator') and old.audience = 'public' then old.title end, chosen,
    old.audience)
  on conflict (id) do update set title = excluded.title, reason = excluded.reason, audience = excluded.audience,
    withdrawn_at = excluded.withdrawn_at;
  return old;
end
$$;
