create table public.removal_requests (
  id uuid primary key default gen_random_uuid(),
  -- Opens the page on which the requester follows the request; only the requester knows it.
  tracking_id uuid not null unique,
  -- Null once the solution was deleted.
  solution_id uuid references public.solutions on delete set null,
  -- No foreign keys: the request outlives its subject.
  media_ids uuid[] not null check (cardinality(media_ids) > 0),
  -- A moderator, when they hide what a report is about.
  asker text not null
    constraint "Please say who you are" check (asker in ('patient', 'guardian', 'representative', 'moderator')),
  reason text constraint "Use 2,000 characters or fewer" check (char_length(reason) <= 2000),
  email text
    constraint "Enter an email address, such as name@example.org" check (
      email ~ '^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$' and char_length(email) <= 254
    ),
  status text not null default 'received' check (status in ('received', 'hidden', 'removed', 'kept')),
  answer text constraint "An answer must be at most 2000 characters" check (char_length(answer) <= 2000),
  created_at timestamptz not null default now(),
  -- Promised to the requester.
  due_at timestamptz not null default now() + interval '24 hours',
  hidden_at timestamptz,
  -- When moderators were alerted of this request; null when one mail reports it together with others.
  alerted_at timestamptz,
  resolved_at timestamptz,
  resolved_by uuid references public.profiles on delete set null,
  constraint "Please say why the images can stay" check (status <> 'kept' or not private.is_blank(answer)),
  constraint "Only a decided request has an answer" check (answer is null or status in ('removed', 'kept')),
  constraint "A decided request says when" check ((status in ('removed', 'kept')) = (resolved_at is not null))
);

comment on table public.removal_requests is
  'Requests by people who are shown in pictures to have these removed; made without an account. '
  'Address and reason are erased 30 days after the outcome.';

alter table public.removal_requests enable row level security;

create policy "Moderators can read requests" on public.removal_requests
  for select to authenticated using ((select private.is_moderator()));
-- Four eyes: every moderator may hide, but only an admin decides that pictures of their own can stay.
create policy "Moderators can act on open requests" on public.removal_requests
  for update to authenticated
  using (status in ('received', 'hidden') and (select private.may_moderate()))
  with check (
    status <> 'kept' or (select private.is_admin())
    or not (private.owns_solution(solution_id) or exists (
      select from public.solution_media m where m.id = any (media_ids) and private.owns_trial(m.trial_id, m.solution_id)
    ))
  );

-- The moderators' list, and foreign keys.
create index removal_requests_open_idx on public.removal_requests (due_at, created_at, id) where resolved_at is null;
create index removal_requests_resolved_at_idx on public.removal_requests (resolved_at desc);
create index removal_requests_solution_id_idx on public.removal_requests (solution_id);
create index removal_requests_resolved_by_idx on public.removal_requests (resolved_by);
-- The last alert.
create index removal_requests_alerted_at_idx on public.removal_requests (alerted_at);
-- The receipts of a day.
create index removal_requests_email_idx on public.removal_requests (lower(email), created_at);
-- Open requests about a picture.
create index removal_requests_media_idx on public.removal_requests using gin (media_ids) where resolved_at is null;

grant select (id, solution_id, media_ids, asker, reason, email, status, answer, created_at, due_at, hidden_at, resolved_at, resolved_by)
  on public.removal_requests to authenticated;
grant update (status, answer) on public.removal_requests to authenticated;

/* Received, then hidden or not, then removed or kept, and never back. Not security definer: it checks which
   role the statement runs as. */
create function private.guard_removal_request() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.status = old.status then
    if private.is_client() then
      raise check_violation using message = 'Only a decision changes a request';
    end if;
    return new;
  end if;
  if old.status not in ('received', 'hidden') or new.status = 'received' then
    raise check_violation using message = 'This request has been decided on';
  end if;
  if new.status = 'hidden' then
    new.hidden_at := now();
  else
    new.answer := nullif(btrim(new.answer), '');
    new.resolved_at := now();
    new.resolved_by := (select auth.uid());
  end if;
  return new;
end
$$;

create trigger removal_requests_guard before update on public.removal_requests
  for each row execute function private.guard_removal_request();
