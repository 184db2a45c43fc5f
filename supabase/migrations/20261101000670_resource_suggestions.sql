create table public.resource_suggestions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid default auth.uid() references public.profiles on delete set null,
  resource_name text not null
    constraint "Resource name is required" check (not private.is_blank(resource_name))
    constraint "Name must be less than 200 characters" check (char_length(resource_name) <= 200),
  resource_url text not null
    -- http or https, a host with a dot, no user name before it: the text that a reader can see is the link's
    -- target.
    constraint "Please enter a valid URL" check (
      resource_url ~* '^https?://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*'
        '\.[a-z][a-z0-9-]*[a-z0-9](:[0-9]{1,5})?([/?#][^\s<>"]*)?$'
    )
    constraint "URL must be less than 500 characters" check (char_length(resource_url) <= 500),
  description text not null
    constraint "Description must be at least 10 characters" check (
      char_length(btrim(description)) >= 10 and not private.is_blank(description)
    )
    constraint "Description must be less than 1000 characters" check (char_length(description) <= 1000),
  category text not null
    constraint "Please select a category" check (category in (
      'Professional Organizations', 'Educational Resources', 'Research & Publications', 'Design & Manufacturing Tools',
      'Standards & Guidelines', 'Patient Resources'
    )),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  created_at timestamptz not null default now()
);

comment on table public.resource_suggestions is
  'Links members suggest; approved ones are listed on the resources page. The server never fetches them.';

alter table public.resource_suggestions enable row level security;

create policy "Visitors can read approved suggestions" on public.resource_suggestions
  for select to anon using (status = 'approved');
create policy "Members can read what is approved or theirs, moderators all" on public.resource_suggestions
  for select to authenticated
  using (status = 'approved' or (user_id = (select auth.uid()) and (select private.has_required_aal())) or (select private.is_moderator()));
create policy "Members can suggest resources" on public.resource_suggestions
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "Moderators can decide on pending suggestions" on public.resource_suggestions
  for update to authenticated
  using (status = 'pending' and (select private.may_moderate()))
  with check (status in ('approved', 'rejected'));

/* Ten suggestions a day from one member, whatever their outcome. Not security definer: it sees the rows that
   the member sees, which are all of their own. */
create function private.guard_suggestion() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() and not private.is_moderator() then
    perform private.enforce_row_limit('public.resource_suggestions', 'user_id', 10, '1 day',
      'You have suggested 10 resources within a day. Please wait before the next one.');
  end if;
  return new;
end
$$;

create trigger resource_suggestions_guard before insert on public.resource_suggestions
  for each row execute function private.guard_suggestion();

-- The resources page, newest first, and the review queue, oldest first.
create index resource_suggestions_status_idx on public.resource_suggestions (status, created_at desc, id desc);
create index resource_suggestions_queue_idx on public.resource_suggestions (created_at, id) where status = 'pending';
-- A member's own.
create index resource_suggestions_user_id_idx on public.resource_suggestions (user_id, created_at desc);

/* Security definer, because it writes the audit log. */
create function private.audit_suggestion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform private.audit('resource_' || new.status, 'resource_suggestion', new.id::text,
      jsonb_build_object('status', old.status), jsonb_build_object('status', new.status));
  end if;
  return null;
end
$$;

create trigger resource_suggestions_audit after update of status on public.resource_suggestions
  for each row when (old.status is distinct from new.status) execute function private.audit_suggestion();

grant select (id, resource_name, resource_url, description, category, status, created_at) on public.resource_suggestions to anon;
grant select on public.resource_suggestions to authenticated;
grant insert (user_id, resource_name, resource_url, description, category) on public.resource_suggestions to authenticated;
grant update (status) on public.resource_suggestions to authenticated;
