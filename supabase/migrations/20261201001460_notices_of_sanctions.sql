-- A sanction is told apart from other messages, so that it stands first until it is read.

alter table public.notifications drop constraint notifications_type_check;
alter table public.notifications add constraint notifications_type_check check (type in (
  'comment', 'like', 'message', 'sanction', 'content_deleted',
  'solution_approved', 'solution_rejected', 'forum_reply', 'comment_reply', 'badge_earned',
  'removal_request', 'media_hidden', 'media_removed', 'media_restored', 'safety_notice',
  'suggestion_approved', 'suggestion_rejected', 'report_resolved', 'report_dismissed', 'version_approved', 'adaptation',
  'registration_checked', 'registration_declined', 'registration_lapsed',
  'trial_received', 'trial_approved', 'trial_rejected', 'trial_answered', 'collection_unshared', 'post_published',
  'answer_marked', 'topic_summarised',
  'still_in_use', 'part_notice',
  'translation_approved', 'translation_rejected', 'solution_translated',
  'images_hidden', 'images_removed', 'images_restored',
  'licence_missing'
)) not valid;
alter table public.notifications validate constraint notifications_type_check;
alter table public.messages drop constraint messages_notification_type_check;
alter table public.messages add constraint messages_notification_type_check check (
  notification_type in ('message', 'sanction', 'solution_rejected', 'report_resolved', 'collection_unshared')
) not valid;
alter table public.messages validate constraint messages_notification_type_check;

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

/* Whether a message tells of a decision whose moderator may stay unnamed. A sanction has a sender, to whom its member can answer. */
create function private.is_unsigned_message(kind text) returns boolean
language sql immutable parallel safe set search_path = ''
return kind not in ('message', 'sanction');

grant execute on function private.is_unsigned_message(text) to authenticated, service_role;

drop trigger messages_05_unname on public.messages;
create trigger messages_05_unname before insert on public.messages
  for each row when (private.is_unsigned_message(new.notification_type)) execute function private.unname_message();

/* Takes the names out of what is there already. Security definer, because an admin can write none of these rows. */
create or replace function private.unname_earlier() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notifications n set actor_id = null where private.names_a_moderator(n);
  update private.mail_jobs j set notice = j.notice - 'actor_id'
  where private.names_a_moderator(jsonb_populate_record(null::public.notifications, j.notice));
  update public.messages m set sender_id = null where private.is_unsigned_message(m.notification_type) and m.sender_id is not null;
  update public.content_reports r set resolved_by = null where r.resolved_by is not null;
  update public.member_registrations c set decided_by = null where c.decided_by is not null;
  update public.safety_notices n set ended_by = n.ended_by where n.user_id is not null or n.ended_by is not null;
  update public.forum_topics t set summary_by = null where t.summary_by is not null and t.summary_by is distinct from t.user_id;
  return null;
end
$$;

/* Messages and decisions are sent at once; the rest waits for seven in the morning, London winter time. */
create or replace function private.queue_mail(notice public.notifications, notification uuid) returns void
language sql set search_path = ''
as $$
  insert into private.mail_jobs (user_id, notice, notification_id, digest, due_at)
  select notice.user_id, jsonb_strip_nulls(to_jsonb(notice)), notification, not timing.at_once,
    case when timing.at_once then now() else date_trunc('day', now() + interval '17 hours', 'UTC') + interval '7 hours' end
  from public.profiles p,
    (select notice.type in ('message', 'sanction', 'solution_approved', 'solution_rejected', 'content_deleted', 'media_hidden',
      'media_removed', 'media_restored', 'safety_notice', 'suggestion_approved', 'suggestion_rejected', 'report_resolved',
      'report_dismissed', 'version_approved', 'registration_checked', 'registration_declined', 'trial_approved', 'trial_rejected',
      'translation_approved', 'translation_rejected', 'collection_unshared', 'post_published', 'images_hidden', 'images_removed',
      'images_restored') as at_once) timing
  where p.id = notice.user_id and p.email_notifications;
$$;

-- Sanctions in force whose message was not read yet.
update public.notifications n set type = 'sanction'
from public.messages m join public.sanctions s on s.user_id = m.recipient_id and s.created_by = m.sender_id and s.reason = m.content
where n.message_id = m.id and n.type = 'message' and not n.is_read and s.lifted_at is null;
