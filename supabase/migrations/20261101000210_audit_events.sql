create table public.audit_events (
  id bigint generated always as identity primary key,
  actor_id uuid,
  action text not null,
  target_type text not null,
  target_id text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now()
);

comment on table public.audit_events is
  'One row for each privileged act, written in the act''s own transaction and never changed. '
  'Actors are kept by id alone, so that the record outlives the account.';

alter table public.audit_events enable row level security;

create policy "Admins can read the audit log" on public.audit_events
  for select to authenticated using ((select private.is_admin()));

-- The log is read newest first, filtered by what was done, and searched by target.
create index audit_events_created_at_idx on public.audit_events (created_at desc, id desc);
create index audit_events_action_idx on public.audit_events (action, id desc);
create index audit_events_target_idx on public.audit_events (target_type, target_id);
-- A plan for all actions is to take the index: for a rare one it would otherwise read the whole log.
alter table public.audit_events alter column action set (n_distinct = 1000);

revoke insert, update, delete on public.audit_events from service_role;
grant select on public.audit_events to authenticated;

/* Security definer, because the actors must not write the log by hand. */
create function private.audit(action text, target_type text, target_id text, before jsonb default null, after jsonb default null)
returns void
language sql security definer set search_path = ''
as $$
  insert into public.audit_events (actor_id, action, target_type, target_id, before, after)
  values ((select auth.uid()), action, target_type, target_id, before, after);
$$;
