create table public.review_claims (
  solution_id uuid primary key references public.solutions on delete cascade,
  moderator_id uuid not null default auth.uid() references public.profiles on delete cascade,
  claimed_at timestamptz not null default now()
);

comment on table public.review_claims is 'Which moderator has which solution open for review, so that two do not do the same work. A courtesy: the first decision holds, whoever claimed.';

alter table public.review_claims enable row level security;

create policy "Moderators can see claims" on public.review_claims
  for select to authenticated using ((select private.is_moderator()));
create policy "Moderators can claim what is pending" on public.review_claims
  for insert to authenticated with check (
    moderator_id = (select auth.uid()) and (select private.may_moderate())
    and exists (select from public.solutions s where s.id = solution_id and s.status = 'pending')
  );
create policy "Moderators can renew their claims and take over old ones" on public.review_claims
  for update to authenticated
  using ((select private.may_moderate()) and (moderator_id = (select auth.uid()) or claimed_at < now() - interval '15 minutes'))
  with check (moderator_id = (select auth.uid()));
create policy "Moderators can give up their claims" on public.review_claims
  for delete to authenticated using (moderator_id = (select auth.uid()));

create index review_claims_moderator_id_idx on public.review_claims (moderator_id);

revoke all on public.review_claims from anon, authenticated;
grant select, delete on public.review_claims to authenticated;
grant insert (solution_id, moderator_id, claimed_at), update (moderator_id, claimed_at) on public.review_claims to authenticated;

/* The time of a claim is the server's. Not security definer: it only fills the row in. */
create function private.stamp_claim() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    new.claimed_at := now();
  end if;
  return new;
end
$$;

create trigger review_claims_stamp before insert or update on public.review_claims
  for each row execute function private.stamp_claim();

/* Claims a pending solution for the caller, unless somebody else did within the last 15 minutes: then says who.
   Not security definer: the policies decide. */
create function public.claim_review(solution uuid) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  me uuid := (select auth.uid());
begin
  insert into public.review_claims as held (solution_id, moderator_id) values (solution, me)
  on conflict (solution_id) do update set moderator_id = me, claimed_at = now()
  where held.moderator_id = me or held.claimed_at < now() - interval '15 minutes';
  return (
    select jsonb_build_object('name', coalesce(p.full_name, p.username, 'Another moderator'), 'claimed_at', c.claimed_at)
    from public.review_claims c join public.profiles p on p.id = c.moderator_id
    where c.solution_id = solution and c.moderator_id <> me
  );
end
$$;

revoke execute on function public.claim_review(uuid) from anon;
grant execute on function public.claim_review(uuid) to authenticated;
