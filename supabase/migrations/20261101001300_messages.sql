create table public.messages (
  id uuid primary key default gen_random_uuid(),
  -- Null once the sender has left: "Unknown".
  sender_id uuid default auth.uid() references public.profiles on delete set null,
  recipient_id uuid not null references public.profiles on delete cascade,
  subject text constraint "A subject must be at most 200 characters" check (char_length(subject) <= 200),
  content text not null
    constraint "A message cannot be empty" check (not private.is_blank(content))
    constraint "A message must be at most 10000 characters" check (char_length(content) <= 10000),
  read boolean not null default false,
  solution_id uuid references public.solutions on delete set null,
  created_at timestamptz not null default now(),
  constraint "A message needs another member to receive it" check (sender_id <> recipient_id)
);

comment on table public.messages is 'Private messages. Nobody but sender and recipient can read one, moderators included.';

alter table public.messages enable row level security;

/* Security definer, so that the answer does not depend on what the sender may see of the recipient. */
create function private.accepts_messages(member uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.profiles p where p.id = member and p.allow_messages);

grant execute on function private.accepts_messages(uuid) to authenticated, service_role;

create policy "Members can read messages they sent or received" on public.messages
  for select to authenticated using (recipient_id = (select auth.uid()) or sender_id = (select auth.uid()));
create policy "Members can write to members who allow it and moderators to all" on public.messages
  for insert to authenticated with check (
    sender_id = (select auth.uid())
    and (private.accepts_messages(recipient_id) or (select private.may_moderate()))
    and (solution_id is null or private.sees_solution(solution_id))
  );
create policy "Recipients can mark their messages read" on public.messages
  for update to authenticated using (recipient_id = (select auth.uid())) with check (recipient_id = (select auth.uid()));
create policy "Recipients can delete messages from their inbox" on public.messages
  for delete to authenticated using (recipient_id = (select auth.uid()));

-- The inbox, newest first, and the header's unread count.
create index messages_recipient_id_idx on public.messages (recipient_id, created_at desc);
create index messages_unread_idx on public.messages (recipient_id) where not read;
create index messages_sender_id_idx on public.messages (sender_id, created_at desc);
create index messages_solution_id_idx on public.messages (solution_id);

revoke all on public.messages from anon, authenticated;
grant select, delete on public.messages to authenticated;
grant insert (sender_id, recipient_id, subject, content, solution_id) on public.messages to authenticated;
grant update (read) on public.messages to authenticated;
