-- What a notification can be about: here what 1.0 has, and with each later noun its own.

create table private.notice_types (
  type text primary key,
  -- It is mailed at once; the rest waits for the summary of the day.
  at_once boolean not null default false,
  -- It tells of what a moderator did, or can do so, and names them only where the site does.
  by_moderator boolean not null default false,
  -- It warns: it stands first until it is read, and no setting keeps it back.
  warns boolean not null default false
);

comment on table private.notice_types is
  'What a notification can be about, and how it reaches its reader. Its words are with the noun that it is about, in app/.';

alter table private.notice_types enable row level security;

insert into private.notice_types (type, at_once, by_moderator, warns) values
  ('adaptation', false, false, false),
  ('badge_earned', false, false, false),
  ('collection_unshared', true, true, true),
  ('comment', false, false, false),
  ('comment_reply', false, false, false),
  ('content_deleted', true, true, true),
  ('forum_reply', false, false, false),
  ('like', false, false, false),
  ('media_hidden', true, true, true),
  ('media_removed', true, true, true),
  ('media_restored', true, true, false),
  ('message', true, false, false),
  ('post_published', true, true, false),
  ('registration_checked', true, true, false),
  ('registration_declined', true, true, false),
  ('registration_lapsed', false, false, false),
  -- Moderators have a mail of its own.
  ('removal_request', false, false, true),
  ('report_dismissed', true, true, false),
  ('report_resolved', true, true, false),
  ('safety_notice', true, true, true),
  ('solution_approved', true, true, false),
  ('solution_rejected', true, true, false),
  ('suggestion_approved', true, true, false),
  ('suggestion_rejected', true, true, false),
  ('trial_answered', false, false, false),
  ('trial_approved', true, true, false),
  ('trial_received', false, false, false),
  ('trial_rejected', true, true, false),
  ('version_approved', true, true, false);

alter table public.notifications drop constraint notifications_type_check;
alter table public.notifications add constraint notifications_type_fkey
  foreign key (type) references private.notice_types (type) not valid;
alter table public.notifications validate constraint notifications_type_fkey;

/* A notice is mailed at once, or waits for seven in the morning, London winter time. */
create or replace function private.queue_mail(notice public.notifications, notification uuid) returns void
language sql set search_path = ''
as $$
  insert into private.mail_jobs (user_id, notice, notification_id, digest, due_at)
  select notice.user_id, jsonb_strip_nulls(to_jsonb(notice)), notification, not t.at_once,
    case when t.at_once then now() else date_trunc('day', now() + interval '17 hours', 'UTC') + interval '7 hours' end
  from public.profiles p, private.notice_types t
  where p.id = notice.user_id and p.email_notifications and t.type = notice.type;
$$;
