create table public.solution_consents (
  solution_id uuid primary key references public.solutions on delete cascade,
  basis text not null
    constraint "Please choose a consent statement" check (basis in ('patient_written', 'guardian_written', 'no_identifiable_person')),
  statement_version text not null
    constraint "This version of the statement is not known" check (statement_version = any (private.text_versions('consent'))),
  -- The widest audience that it covers: the solution's when it was stated.
  audience text not null default 'public' check (audience = any (private.audiences())),
  recorded_by uuid default auth.uid() references public.profiles on delete set null,
  recorded_at timestamptz not null default now()
);

comment on table public.solution_consents is
  'The ground on which pictures of a case may be public: the author''s statement, its time, and the version of its text. '
  'Never a patient''s name.';

alter table public.solution_consents enable row level security;

create policy "Authors and moderators can read the consent statement" on public.solution_consents
  for select to authenticated using (
    (select private.is_moderator())
    or (
      select true from public.solutions s
      where s.id = solution_id and s.user_id = (select auth.uid()) and (select private.has_required_aal())
    )
  );
create policy "Authors can state consent for their own solutions" on public.solution_consents
  for insert to authenticated with check (private.owns_solution(solution_id) and recorded_by = (select auth.uid()));
create policy "Authors can restate consent for their own solutions" on public.solution_consents
  for update to authenticated
  using (private.owns_solution(solution_id))
  with check (private.owns_solution(solution_id) and recorded_by = (select auth.uid()));

create index solution_consents_recorded_by_idx on public.solution_consents (recorded_by);

grant select on public.solution_consents to authenticated;
grant insert (solution_id, basis, statement_version, recorded_by) on public.solution_consents to authenticated;
grant update (basis, statement_version, recorded_by) on public.solution_consents to authenticated;

/*
 * Keeps a consent statement as it was when its solution was decided on, against every role, the service key
 * included: to state another one, the author sends the solution to review again. A statement renewed while
 * the solution waits has the time of its renewal. Security definer, so that it sees and holds the solution
 * whatever the caller may.
 */
create function private.guard_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  decided boolean;
begin
  -- The member who stated it may leave the site.
  if tg_op = 'UPDATE' and new.recorded_by is null and to_jsonb(new) - 'recorded_by' = to_jsonb(old) - 'recorded_by' then
    return new;
  end if;
  -- A revision that is being published brings the statement on which its approval rests; at no other time is one approved.
  if tg_op = 'UPDATE' and exists (
    select from public.solutions r join public.solution_consents c on c.solution_id = r.id
    where r.revises = old.solution_id and r.status = 'approved'
      and (c.basis, c.statement_version, c.audience, c.recorded_by, c.recorded_at)
        is not distinct from (new.basis, new.statement_version, new.audience, new.recorded_by, new.recorded_at)
  ) then
    return new;
  end if;
  select s.status <> 'pending' into decided from public.solutions s where s.id = old.solution_id for update;
  if decided then
    raise check_violation using message = 'A consent statement cannot be changed once its solution was decided on';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if (select auth.uid()) is not null then
    new.recorded_at := now();
    new.audience := (select s.audience from public.solutions s where s.id = new.solution_id);
  end if;
  return new;
end
$$;

create trigger solution_consents_guard before update or delete on public.solution_consents
  for each row execute function private.guard_consent();
/* A statement is one for the solution's audience of that moment. Security definer, so that it sees the solution whatever the
   caller may. */
create function private.address_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.audience := (select s.audience from public.solutions s where s.id = new.solution_id);
  return new;
end
$$;

create trigger solution_consents_audience before insert on public.solution_consents
  for each row execute function private.address_consent();
create trigger solution_consents_touch after insert or update on public.solution_consents
  for each row execute function private.touch_solution();
