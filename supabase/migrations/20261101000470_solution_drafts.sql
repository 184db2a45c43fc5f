create table public.solution_drafts (
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  -- Null while the solution is new.
  solution_id uuid references public.solutions on delete cascade,
  content jsonb not null
    constraint "A draft must be an object" check (jsonb_typeof(content) = 'object')
    constraint "A draft must be at most 200 KB" check (octet_length(content::text) <= 204800),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (user_id, solution_id)
);

-- Foreign key.
create index solution_drafts_solution_id_idx on public.solution_drafts (solution_id);

comment on table public.solution_drafts is 'The unsent content of a member''s submission form, for another device or another day: one for a new solution and one for each that is edited.';

alter table public.solution_drafts enable row level security;

-- Moderators as well see only their own: a draft is its author's alone until it is sent.
create policy "Members can read their own draft" on public.solution_drafts
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can keep a draft of their own" on public.solution_drafts
  for insert to authenticated with check (user_id = (select auth.uid()) and (solution_id is null or private.owns_solution(solution_id)));
create policy "Members can change their own draft" on public.solution_drafts
  for update to authenticated using (user_id = (select auth.uid()));
create policy "Members can discard their own draft" on public.solution_drafts
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.solution_drafts
  as restrictive for select to authenticated using ((select private.has_required_aal()));
create policy "A second step comes before any insert" on public.solution_drafts
  as restrictive for insert to authenticated with check ((select private.has_required_aal()));
create policy "A second step comes before any update" on public.solution_drafts
  as restrictive for update to authenticated using ((select private.has_required_aal()));
create policy "A second step comes before any delete" on public.solution_drafts
  as restrictive for delete to authenticated using ((select private.has_required_aal()));
create policy "Suspended and banned members add nothing" on public.solution_drafts
  as restrictive for insert to authenticated with check ((select private.may_take_part()));
create policy "Suspended and banned members change nothing" on public.solution_drafts
  as restrictive for update to authenticated using ((select private.may_take_part()));

create trigger solution_drafts_touch before update on public.solution_drafts
  for each row execute function private.touch();

grant select, delete on public.solution_drafts to authenticated;
grant insert (user_id, solution_id, content) on public.solution_drafts to authenticated;
grant update (content) on public.solution_drafts to authenticated;
