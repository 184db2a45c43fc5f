create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles on delete cascade,
  actor_id uuid references public.profiles on delete set null,
  type text not null check (type in (
    'comment', 'like', 'message', 'content_deleted',
    'solution_approved', 'solution_rejected', 'forum_reply', 'comment_reply', 'badge_earned',
    'takedown_request', 'media_hidden', 'media_removed', 'media_restored', 'safety_notice'
  )),
  solution_id uuid references public.solutions on delete cascade,
  comment_id uuid references public.comments on delete cascade,
  forum_topic_id uuid references public.forum_topics on delete cascade,
  forum_post_id uuid references public.forum_posts on delete cascade,
  message_id uuid references public.messages on delete cascade,
  badge_id uuid references public.badges on delete cascade,
  takedown_request_id uuid references public.takedown_requests on delete cascade,
  is_read boolean not null default false,
  created_at timestamptz not null default now()
);

comment on table public.notifications is 'What happened to a member''s things; written by triggers, gone when what it is about is gone.';

alter table public.notifications enable row level security;

create policy "Members can read their own notifications" on public.notifications
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can mark their own notifications read" on public.notifications
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "Members can delete their own notifications" on public.notifications
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "Moderators can tell a member that their content was deleted" on public.notifications
  for insert to authenticated
  with check (type = 'content_deleted' and (select private.may_moderate()) and actor_id = (select auth.uid()));

-- The latest 50 of a member, and the header's unread count.
create index notifications_user_id_idx on public.notifications (user_id, created_at desc);
create index notifications_unread_idx on public.notifications (user_id) where not is_read;
-- Foreign keys.
create index notifications_actor_id_idx on public.notifications (actor_id);
create index notifications_solution_id_idx on public.notifications (solution_id);
create index notifications_comment_id_idx on public.notifications (comment_id);
create index notifications_forum_topic_id_idx on public.notifications (forum_topic_id);
create index notifications_forum_post_id_idx on public.notifications (forum_post_id);
create index notifications_message_id_idx on public.notifications (message_id);
create index notifications_badge_id_idx on public.notifications (badge_id);
create index notifications_takedown_request_id_idx on public.notifications (takedown_request_id);

/* Tells a member, on the site unless they want no notifications and by mail if they want that, but nobody of their
   own acts. Security definer, because members cannot write each other's notifications. */
create function private.notify(notice public.notifications) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  written uuid;
begin
  if notice.user_id is null or notice.user_id = notice.actor_id then
    return;
  end if;
  insert into public.notifications (user_id, actor_id, type, solution_id, comment_id, forum_topic_id, forum_post_id, message_id, badge_id)
  select notice.user_id, notice.actor_id, notice.type, notice.solution_id, notice.comment_id, notice.forum_topic_id, notice.forum_post_id,
    notice.message_id, notice.badge_id
  from public.profiles p
  where p.id = notice.user_id and p.allow_notifications
  returning id into written;
  perform private.queue_mail(notice, written);
end
$$;

/* What each trigger below passes to private.notify: a notice with only these fields set. */
create function private.build_notification(recipient uuid, actor uuid, kind text, about jsonb) returns public.notifications
language sql stable set search_path = ''
return jsonb_populate_record(
  null::public.notifications,
  jsonb_build_object('user_id', recipient, 'actor_id', actor, 'type', kind) || about
);

/* Security definer, as are its siblings below, because they notify other members. */
create function private.notify_of_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  author uuid := (select s.user_id from public.solutions s where s.id = new.solution_id);
  parent_author uuid := (select c.user_id from public.comments c where c.id = new.parent_comment_id);
  about jsonb := jsonb_build_object('solution_id', new.solution_id, 'comment_id', new.id);
begin
  perform private.notify(private.build_notification(parent_author, new.user_id, 'comment_reply', about));
  if author is distinct from parent_author then
    perform private.notify(private.build_notification(author, new.user_id, 'comment', about));
  end if;
  return null;
end
$$;

create trigger comments_notify after insert on public.comments
  for each row execute function private.notify_of_comment();

create function private.delete_comment_notifications() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n where n.comment_id = new.id;
  return null;
end
$$;

create trigger comments_forget_notice after update of deleted_at on public.comments
  for each row when (new.deleted_at is not null) execute function private.delete_comment_notifications();

create function private.notify_of_like() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from public.notifications n where n.type = 'like' and n.actor_id = old.user_id and n.solution_id = old.solution_id;
  else
    perform private.notify(private.build_notification(
      (select s.user_id from public.solutions s where s.id = new.solution_id), new.user_id, 'like', jsonb_build_object('solution_id', new.solution_id)
    ));
  end if;
  return null;
end
$$;

create trigger likes_notify after insert or delete on public.likes
  for each row execute function private.notify_of_like();

create function private.notify_of_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(new.recipient_id, new.sender_id, 'message', jsonb_build_object('message_id', new.id, 'solution_id', new.solution_id)));
  return null;
end
$$;

create trigger messages_notify after insert on public.messages
  for each row execute function private.notify_of_message();

/* A message that is read needs no notice any more. Not security definer: the reader owns both. */
create function private.mark_message_notifications_read() returns trigger
language plpgsql set search_path = ''
as $$
begin
  update public.notifications n set is_read = true where n.message_id = new.id and not n.is_read;
  return null;
end
$$;

create trigger messages_read_notice after update of read on public.messages
  for each row when (new.read and not old.read) execute function private.mark_message_notifications_read();

create function private.notify_of_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(
    (select t.user_id from public.forum_topics t where t.id = new.topic_id), new.user_id, 'forum_reply',
    jsonb_build_object('forum_topic_id', new.topic_id, 'forum_post_id', new.id)
  ));
  return null;
end
$$;

create trigger forum_posts_notify after insert on public.forum_posts
  for each row execute function private.notify_of_post();

create function private.notify_of_badge() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(new.user_id, null, 'badge_earned', jsonb_build_object('badge_id', new.badge_id)));
  return null;
end
$$;

create trigger user_badges_notify after insert on public.user_badges
  for each row execute function private.notify_of_badge();

/* Tells the author of a decision: a notification for both outcomes, and for a rejection also a message with the
   reason, which reaches members who allow no messages too. */
create function private.notify_of_decision() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
begin
  perform private.notify(private.build_notification(new.user_id, actor, 'solution_' || new.status, jsonb_build_object('solution_id', new.id)));
  if new.status = 'rejected' and new.user_id is not null and actor is distinct from new.user_id then
    insert into public.messages (sender_id, recipient_id, subject, content, solution_id)
    values (actor, new.user_id, left('Your solution was not approved: ' || new.title, 200), new.rejection_reason, new.id);
  end if;
  return null;
end
$$;

create trigger solutions_notify after update of status on public.solutions
  for each row when (old.status = 'pending' and new.status in ('approved', 'rejected')) execute function private.notify_of_decision();

grant select, delete on public.notifications to authenticated;
grant update (is_read) on public.notifications to authenticated;
grant insert (user_id, actor_id, type, solution_id, comment_id, forum_topic_id, forum_post_id) on public.notifications to authenticated;
