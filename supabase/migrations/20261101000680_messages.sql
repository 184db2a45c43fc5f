-- Messages between members, the members whom they block, and their conversations.

create table public.member_blocks (
  blocker_id uuid not null default auth.uid() references public.profiles on delete cascade,
  blocked_id uuid not null references public.profiles on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  constraint "Members cannot block themselves" check (blocker_id <> blocked_id)
);

comment on table public.member_blocks is
  'The senders whose messages a member does not want. Only that member can read it, not the blocked.';

alter table public.member_blocks enable row level security;

create policy "Members can read whom they block" on public.member_blocks
  for select to authenticated using (blocker_id = (select auth.uid()));
create policy "Members can block others" on public.member_blocks
  for insert to authenticated with check (blocker_id = (select auth.uid()));
create policy "Members can unblock others" on public.member_blocks
  for delete to authenticated using (blocker_id = (select auth.uid()));
create policy "A second step comes before reading" on public.member_blocks
  as restrictive for select to authenticated using ((select private.has_required_aal()));

create index member_blocks_blocker_id_idx on public.member_blocks (blocker_id, created_at desc);
create index member_blocks_blocked_id_idx on public.member_blocks (blocked_id);

grant select, delete on public.member_blocks to authenticated;
grant insert (blocker_id, blocked_id) on public.member_blocks to authenticated;

/* Whether the caller may write to the member: one answer for all reasons, so that it does not reveal who is
   blocked. Security definer, so that it does not depend on the caller's view of the recipient. */
create function private.accepts_messages(member uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.profiles p where p.id = member and p.allow_messages)
  and not exists (select from public.member_blocks b where b.blocker_id = member and b.blocked_id = (select auth.uid()));

grant execute on function private.accepts_messages(uuid) to authenticated, service_role;

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  -- Null once the member has left: "Former member".
  sender_id uuid default auth.uid() references public.profiles on delete set null,
  recipient_id uuid references public.profiles on delete set null,
  subject text constraint "A subject must be at most 200 characters" check (char_length(subject) <= 200),
  content text not null
    constraint "A message cannot be empty" check (not private.is_blank(content))
    constraint "A message must be at most 10000 characters" check (char_length(content) <= 10000),
  read boolean not null default false,
  solution_id uuid references public.solutions on delete set null,
  created_at timestamptz not null default now(),
  -- The type of the one notification by which the recipient learns of the message and of the event it is about.
  notification_type text not null default 'message' check (
    notification_type in ('message', 'solution_rejected', 'report_resolved', 'collection_unshared')
  ),
  -- The form's own number for its submission, so that sending it twice writes it once.
  submission_id uuid,
  -- Whose conversation it belongs to: both members, the lesser id first. Where one has left, twice the other, since all who have
  -- left are one conversation. Kept by pair_message: the log of changes has no generated columns.
  pair text not null default '',
  unique (sender_id, submission_id),
  constraint "A message needs another member to receive it" check (sender_id <> recipient_id)
);

comment on table public.messages is
  'Private messages. Only sender and recipient can read one, not moderators, and each of them until they delete it from their own side.';

alter table public.messages enable row level security;

create table public.message_deletions (
  message_id uuid not null references public.messages on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  primary key (message_id, user_id)
);

comment on table public.message_deletions is
  'From whose side a message was deleted. Members read their own deletions, by which their other tabs and devices hear of them; '
  'the other side learns nothing.';

create index message_deletions_user_id_idx on public.message_deletions (user_id);

alter table public.message_deletions enable row level security;

create policy "Members can read what they deleted from their own side" on public.message_deletions
  for select to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.message_deletions
  as restrictive for select to authenticated using ((select private.has_required_aal()));

revoke insert, update, delete on public.message_deletions from service_role;
grant select on public.message_deletions to authenticated;

/* Whether the caller has deleted a message from their side. Security definer, so that it is the same in every session. */
create function private.has_deleted(message uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.message_deletions d where d.message_id = message and d.user_id = (select auth.uid()));

grant execute on function private.has_deleted(uuid) to authenticated, service_role;

create policy "Members can read messages they sent or received" on public.messages
  for select to authenticated
  using ((recipient_id = (select auth.uid()) or sender_id = (select auth.uid())) and not private.has_deleted(id));
create policy "Members can write to members who allow it and moderators to all" on public.messages
  for insert to authenticated with check (
    sender_id = (select auth.uid())
    and (private.accepts_messages(recipient_id) or (select private.may_moderate()))
    and (solution_id is null or private.sees_solution(solution_id))
  );
create policy "Recipients can mark their messages read" on public.messages
  for update to authenticated
  using (recipient_id = (select auth.uid()) and not private.has_deleted(id)) with check (recipient_id = (select auth.uid()));
create policy "Sender and recipient can delete a message from their own side" on public.messages
  for delete to authenticated
  using ((recipient_id = (select auth.uid()) or sender_id = (select auth.uid())) and not private.has_deleted(id));

create policy "Suspended and banned members write only to who sanctioned them" on public.messages
  as restrictive for insert to authenticated with check (
    case
      when exists (select from public.sanctions s where s.user_id = (select auth.uid()) and s.created_by = messages.recipient_id) then true
      else private.may_take_part()
    end
  );
create policy "A second step comes before reading" on public.messages
  as restrictive for select to authenticated using ((select private.has_required_aal()));

/* Gives the reason in words when a message is refused, and limits their number: 30 in an hour, and in the
   first day of an account to ten members who have not written before. Moderation is exempt from both. Not
   security definer: it sees the rows that the sender sees. */
create function private.guard_message() returns trigger
language plpgsql set search_path = ''
as $$
declare
  me uuid := (select auth.uid());
  joined_at timestamptz;
begin
  if not private.is_client() or private.may_moderate() then
    return new;
  end if;
  -- A message that was sent already is refused as a duplicate, also at a limit.
  if exists (select from public.messages m where m.sender_id = me and m.submission_id = new.submission_id) then
    return new;
  end if;
  if not private.accepts_messages(new.recipient_id) then
    raise insufficient_privilege using message = 'This member does not accept messages';
  end if;
  if exists (select from public.member_blocks b where b.blocker_id = me and b.blocked_id = new.recipient_id) then
    raise insufficient_privilege using message = 'You have blocked this member';
  end if;

  perform private.enforce_row_limit('public.messages', 'sender_id', 30, '1 hour',
    'You have sent 30 messages within an hour. Please wait a little before the next one.');

  select p.created_at into joined_at from public.profiles p where p.id = me;
  if joined_at > now() - interval '1 day'
    and not exists (
      select from public.messages m
      where (m.sender_id = me and m.recipient_id = new.recipient_id) or (m.sender_id = new.recipient_id and m.recipient_id = me)
    )
    and (select count(distinct m.recipient_id) from public.messages m where m.sender_id = me) >= 10
  then
    perform private.raise_rate_limited('On your first day you can write to ten members. Please wait until tomorrow to write to others.',
      joined_at + interval '1 day' - now());
  end if;
  return new;
end
$$;

create trigger messages_guard before insert on public.messages
  for each row execute function private.guard_message();

/* Security definer, because members cannot write the table. */
create function private.delete_from_own_side(message uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into public.message_deletions (message_id, user_id) values (message, (select auth.uid())) on conflict do nothing;
$$;

grant execute on function private.delete_from_own_side(uuid) to authenticated;

/* A member's deletion concerns their own side alone. Not security definer: it checks which role the statement
   runs as. */
create function private.keep_other_side() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if not private.is_client() then
    return old;
  end if;
  perform private.delete_from_own_side(old.id);
  return null;
end
$$;

create trigger messages_keep_other_side before delete on public.messages
  for each row execute function private.keep_other_side();

/* Deletes a message that neither side has any more. Security definer, because it deletes for both. */
create function private.purge_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  message constant uuid := case tg_table_name when 'messages' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'message_id' end;
begin
  delete from public.messages m
  where m.id = message
    and not exists (
      select from unnest(array[m.sender_id, m.recipient_id]) as side (id)
      where side.id is not null
        and not exists (select from public.message_deletions d where d.message_id = m.id and d.user_id = side.id)
    );
  return null;
end
$$;

create trigger message_deletions_20_purge after insert on public.message_deletions
  for each row execute function private.purge_message();
create trigger messages_purge after update of sender_id, recipient_id on public.messages
  for each row when (new.sender_id is null or new.recipient_id is null) execute function private.purge_message();

/* Not security definer: it only fills the row in. */
create function private.pair_message() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.pair := concat_ws(' ', least(new.sender_id, new.recipient_id), greatest(new.sender_id, new.recipient_id));
  return new;
end
$$;

create trigger messages_pair before insert or update of sender_id, recipient_id on public.messages
  for each row execute function private.pair_message();

-- The inbox, newest first, and the header's unread count.
create index messages_recipient_id_idx on public.messages (recipient_id, created_at desc);
create index messages_unread_idx on public.messages (recipient_id, pair) where not read;
-- A conversation, newest first.
create index messages_pair_idx on public.messages (pair, created_at desc, id desc);
create index messages_sender_id_idx on public.messages (sender_id, created_at desc);
create index messages_solution_id_idx on public.messages (solution_id);

grant select, delete on public.messages to authenticated;
grant insert (sender_id, recipient_id, subject, content, solution_id, submission_id) on public.messages to authenticated;
grant update (read) on public.messages to authenticated;

-- The latest message of each conversation of a member that they have not deleted, so that a list of conversations reads none but
-- those. Kept by keep_conversation.
create table private.conversations (
  member_id uuid not null references public.profiles on delete cascade,
  pair text not null,
  message_id uuid not null references public.messages on delete cascade,
  latest_at timestamptz not null,
  primary key (member_id, pair)
);

create index conversations_latest_idx on private.conversations (member_id, latest_at desc, message_id desc);
create index conversations_message_id_idx on private.conversations (message_id);

alter table private.conversations enable row level security;

/* Looks for the latest message of a conversation again, for one member. Security definer, as it is for both sides whoever writes. */
create function private.find_latest_message(member uuid, pair text) returns void
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  latest public.messages;
begin
  -- One after the other, or each of two writers would miss the other's message.
  perform pg_advisory_xact_lock(hashtext('private.conversations'), hashtext(find_latest_message.pair));
  select m.* into latest from public.messages m
  where m.pair = find_latest_message.pair and member in (m.sender_id, m.recipient_id)
    and not exists (select from public.message_deletions d where d.message_id = m.id and d.user_id = member)
  order by m.created_at desc, m.id desc limit 1;
  if latest.id is null then
    delete from private.conversations c where c.member_id = member and c.pair = find_latest_message.pair;
  else
    insert into private.conversations (member_id, pair, message_id, latest_at)
    select p.id, latest.pair, latest.id, latest.created_at from public.profiles p where p.id = member
    on conflict (member_id, pair) do update set message_id = excluded.message_id, latest_at = excluded.latest_at;
  end if;
end
$$;

create function private.keep_conversation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'message_deletions' then
    perform private.find_latest_message(new.user_id, m.pair) from public.messages m where m.id = new.message_id;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    perform private.find_latest_message(side, old.pair) from unnest(array[old.sender_id, old.recipient_id]) side where side is not null;
  end if;
  if tg_op <> 'DELETE' then
    perform private.find_latest_message(side, new.pair) from unnest(array[new.sender_id, new.recipient_id]) side where side is not null;
  end if;
  return null;
end
$$;

create trigger message_deletions_10_conversation after insert on public.message_deletions
  for each row execute function private.keep_conversation();
create trigger messages_10_conversation after insert or delete or update of sender_id, recipient_id, created_at on public.messages
  for each row execute function private.keep_conversation();

/* The caller's conversations after a cursor, the one with the latest message first. Security definer, because no member can read
   the table; it returns the caller's own alone, of which `conversations` shows what their rights show of the messages. */
create function private.conversations_after(cursor text, max_results integer) returns setof private.conversations
language sql stable security definer rows 30 set search_path = ''
begin atomic
  select c.* from private.conversations c
  where c.member_id = (select auth.uid())
    and (c.latest_at, c.message_id) < (
      coalesce(split_part(cursor, '~', 1)::timestamptz, 'infinity'),
      coalesce(split_part(cursor, '~', 2)::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
  order by c.latest_at desc, c.message_id desc limit max_results;
end;

grant execute on function private.conversations_after(text, integer) to authenticated;

/*
 * The caller's conversations, the one with the latest message first: {items, next_cursor}. An item is
 * {other, unread, id, sender_id, subject, content, created_at}: the other member, or null for members who have left,
 * who are one conversation; the number of unread messages; and of the latest message the first 200 characters.
 * cursor: next_cursor of the page before; page_size: 1 to 50. Not security definer: it sees the messages that
 * the caller sees.
 */
create function public.conversations(cursor text default null, page_size integer default 30) returns jsonb
language sql stable set search_path = ''
as $$
  with page as (
    select m.*, row_number() over (order by c.latest_at desc, c.message_id desc) as place
    from private.conversations_after(cursor, least(greatest(coalesce(page_size, 30), 1), 50) + 1) c
    join public.messages m on m.id = c.message_id
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'other', private.author_card(case when p.sender_id = (select auth.uid()) then p.recipient_id else p.sender_id end),
      'unread', (
        select count(*) from public.messages u where u.recipient_id = (select auth.uid()) and u.pair = p.pair and not u.read
      ),
      'id', p.id, 'sender_id', p.sender_id, 'subject', p.subject, 'content', left(p.content, 200), 'created_at', p.created_at
    ) order by p.place) filter (where p.place <= least(greatest(coalesce(page_size, 30), 1), 50)), '[]'),
    'next_cursor', max(concat_ws('~', p.created_at, p.id))
      filter (where p.place = least(greatest(coalesce(page_size, 30), 1), 50)
        and (select count(*) from page) > least(greatest(coalesce(page_size, 30), 1), 50))
  )
  from page p
$$;

grant execute on function public.conversations(text, integer) to authenticated;
