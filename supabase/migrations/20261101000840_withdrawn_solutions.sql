create table public.withdrawn_solutions (
  -- No foreign key: the solution is gone.
  id uuid primary key,
  -- Kept where the reason that was chosen makes it harmless, and everyone could read it.
  title text,
  -- By the author: replaced, error, author; by a moderator: safety, rules, copyright, moderator; null where nothing is said.
  reason text check (reason in ('replaced', 'error', 'author', 'safety', 'rules', 'copyright', 'moderator')),
  withdrawn_at timestamptz not null default now(),
  check (title is null or coalesce(reason in ('replaced', 'error', 'safety', 'rules', 'copyright'), false))
);

comment on table public.withdrawn_solutions is
  'Solutions that were public once and were deleted, so that links and citations find out why; '
  'written by trigger, without any of their text or pictures.';

alter table public.withdrawn_solutions enable row level security;

create policy "Everybody can read what was withdrawn" on public.withdrawn_solutions for select using (true);

grant select on public.withdrawn_solutions to anon, authenticated;

/*
 * Leaves the reason at the address of a solution that was public. Nothing but the time when a person shown had asked for the
 * removal of pictures, or when the account of its author is deleted with it, since title and reason would point to what has
 * to be forgotten. Security definer, because no client writes the table.
 */
create function private.record_withdrawal() returns trigger
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
  insert into public.withdrawn_solutions as w (id, title, reason)
  values (old.id, case when chosen not in ('author', 'moderator') and old.audience = 'public' then old.title end, chosen)
  on conflict (id) do update set title = excluded.title, reason = excluded.reason, withdrawn_at = excluded.withdrawn_at;
  return old;
end
$$;

-- Before the deletion, which takes the links of removal requests away.
create trigger solutions_withdraw before delete on public.solutions
  for each row when (old.version > 0 and old.revises is null) execute function private.record_withdrawal();

/*
 * Deletes a solution as its author or as a moderator, and says why at its address.
 *
 * reason: replaced or error for its author, safety, rules or copyright for a moderator; none says nothing, not who
 * withdrew it either; any other, or null, says by whom alone. Errors: PT404 when the caller cannot delete such a
 * solution. Not security definer: the caller's own rights decide.
 */
create function public.withdraw_solution(solution uuid, reason text default null) returns void
language plpgsql set search_path = ''
as $$
begin
  perform set_config('withdrawal.reason', coalesce(reason, ''), true);
  delete from public.solutions s where s.id = solution;
  if not found then
    raise sqlstate 'PT404' using message = 'Solution not found';
  end if;
  perform set_config('withdrawal.reason', '', true);
end
$$;

grant execute on function public.withdraw_solution(uuid, text) to authenticated;
