-- A sanction is told apart from other messages, so that it stands first until it is read.

insert into private.notice_types (type, at_once, by_moderator, warns) values ('sanction', true, false, true);
alter table public.messages drop constraint messages_notification_type_check;
alter table public.messages add constraint messages_notification_type_fkey
  foreign key (notification_type) references private.notice_types (type) not valid;
alter table public.messages validate constraint messages_notification_type_fkey;

-- The few unread warnings among many other unread notifications are found by their types, and the latest unread ones in their order.
drop index public.notifications_unread_idx;
create index notifications_unread_idx on public.notifications (user_id, created_at desc) where not is_read;
create index notifications_unread_type_idx on public.notifications (user_id, type) where not is_read;

/* Notifies the member by a message, which they can answer, and writes the audit log. Security definer for both. */
create or replace function private.announce_sanction() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
  subject_line text := case new.kind
    when 'warning' then 'A warning from the moderators'
    when 'suspension' then 'You are suspended until ' || to_char(new.until at time zone 'UTC', 'FMDD FMMonth YYYY')
    else 'You are banned from taking part'
  end;
begin
  if actor is null then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into public.messages (sender_id, recipient_id, subject, content, notification_type)
    values (actor, new.user_id, subject_line, new.reason, 'sanction');
    perform private.audit('member_' || case new.kind when 'warning' then 'warned' when 'suspension' then 'suspended' else 'banned' end,
      'profile', new.user_id::text, null, jsonb_build_object('reason', new.reason, 'until', new.until));
  else
    -- What no longer holds warns no longer; the message stays.
    update public.notifications n set is_read = true
    from public.messages m
    where n.user_id = new.user_id and n.type = 'sanction' and not n.is_read and m.id = n.message_id and m.content = new.reason;
    insert into public.messages (sender_id, recipient_id, subject, content)
    values (actor, new.user_id, 'Lifted: ' || subject_line, 'This no longer holds. You can take part as before.');
    perform private.audit('sanction_lifted', 'profile', new.user_id::text, jsonb_build_object('kind', new.kind, 'until', new.until), null);
  end if;
  return null;
end
$$;

-- Sanctions in force whose message was not read yet.
update public.notifications n set type = 'sanction'
from public.messages m join public.sanctions s on s.user_id = m.recipient_id and s.created_by = m.sender_id and s.reason = m.content
where n.message_id = m.id and n.type = 'message' and not n.is_read and s.lifted_at is null;
