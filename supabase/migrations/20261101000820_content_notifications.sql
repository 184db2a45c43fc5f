-- The notifications that content gives rise to, those of mentions among them.

/* Notifies a member, of a solution only who may read it: on the site unless they want no notifications and by mail if they
   want that, but never of their own acts. Security definer, because members cannot write each other's notifications. */
create function private.notify(notice public.notifications) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  notification_id uuid;
begin
  if notice.user_id is null or notice.user_id = notice.actor_id
    or (notice.solution_id is not null and notice.message_id is null and not private.may_read_solution(notice.user_id, notice.solution_id))
  then
    return;
  end if;
  insert into public.notifications (user_id, actor_id, type, solution_id, trial_id, comment_id, forum_topic_id, forum_post_id, message_id,
    badge_id, resource_suggestion_id, content_report_id)
  select notice.user_id, notice.actor_id, notice.type, notice.solution_id, notice.trial_id, notice.comment_id, notice.forum_topic_id,
    notice.forum_post_id, notice.message_id, notice.badge_id, notice.resource_suggestion_id, notice.content_report_id
  from public.profiles p
  where p.id = notice.user_id and p.allow_notifications
  returning id into notification_id;
  perform private.queue_mail(notice, notification_id);
end
$$;

/* The fields that each trigger below passes to private.notify: a notice with only these set. */
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
  if parent_author is not null then
    perform private.notify(private.build_notification(parent_author, new.user_id, 'comment_reply', about));
  end if;
  if author is distinct from parent_author then
    perform private.notify(private.build_notification(author, new.user_id, 'comment', about));
  end if;
  return null;
end
$$;

create trigger comments_20_notify after insert on public.comments
  for each row execute function private.notify_of_comment();

create function private.delete_comment_notifications() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n where n.comment_id = new.id;
  return null;
end
$$;

create trigger comments_delete_notifications after update of deleted_at on public.comments
  for each row when (new.deleted_at is not null) execute function private.delete_comment_notifications();

create function private.notify_of_like() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from public.notifications n where n.type = 'like' and n.actor_id = old.user_id and n.solution_id = old.solution_id;
  else
    perform private.notify(private.build_notification(
      (select s.user_id from public.solutions s where s.id = new.solution_id), new.user_id, 'like',
      jsonb_build_object('solution_id', new.solution_id)
    ));
  end if;
  return null;
end
$$;

create trigger likes_20_notify after insert or delete on public.likes
  for each row execute function private.notify_of_like();

create function private.notify_of_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(
    private.build_notification(new.recipient_id, new.sender_id, new.notification_type,
      jsonb_build_object('message_id', new.id, 'solution_id', new.solution_id))
  );
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

create trigger messages_mark_notifications_read after update of read on public.messages
  for each row when (new.read and not old.read) execute function private.mark_message_notifications_read();

/* What a member deletes from their side takes its notification along. Security definer, because members cannot delete
   notifications. */
create function private.delete_message_notification() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n where n.message_id = new.message_id and n.user_id = new.user_id;
  return null;
end
$$;

create trigger message_deletions_10_notifications after insert on public.message_deletions
  for each row execute function private.delete_message_notification();

/* The text of a rejection and of the answer to a report stands where its notification leads, so a member who
   has opened that has read the message as well. Not security definer: the reader owns both. */
create function private.mark_notified_message_read() returns trigger
language plpgsql set search_path = ''
as $$
begin
  update public.messages m set read = true where m.id = new.message_id and not m.read;
  return null;
end
$$;

create trigger notifications_mark_message_read after update of is_read on public.notifications
  for each row when (new.is_read and not old.is_read and new.type in ('solution_rejected', 'report_resolved'))
  execute function private.mark_notified_message_read();

create function private.notify_of_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(f.user_id, new.user_id, 'forum_reply',
    jsonb_build_object('forum_topic_id', new.topic_id, 'forum_post_id', new.id)))
  from public.follows f where f.topic_id = new.topic_id;
  return null;
end
$$;

create trigger forum_posts_20_notify after insert on public.forum_posts
  for each row execute function private.notify_of_post();

create function private.notify_of_badge() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.shows_points() then
    perform private.notify(private.build_notification(new.user_id, null, 'badge_earned', jsonb_build_object('badge_id', new.badge_id)));
  end if;
  return null;
end
$$;

create trigger user_badges_notify after insert on public.user_badges
  for each row execute function private.notify_of_badge();

/* Notifies the author of a decision: of an approval by a notification; of a rejection by a message with the
   reason, which reaches members who accept no messages too, and has the notification of the rejection. */
create function private.notify_of_decision() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
  -- A revision is deleted once it is published, and its notice leads to the solution.
  decided uuid := coalesce(new.revises, new.id);
begin
  if new.status = 'approved' then
    perform private.notify(private.build_notification(new.user_id, actor,
      case when new.revises is null then 'solution_approved' else 'version_approved' end, jsonb_build_object('solution_id', decided)));
  elsif new.user_id is not null and actor is distinct from new.user_id then
    insert into public.messages (sender_id, recipient_id, subject, content, solution_id, notification_type)
    values (actor, new.user_id, left('Your solution was not approved: ' || new.title, 200), new.rejection_reason, decided,
      'solution_rejected');
  end if;
  return null;
end
$$;

create trigger solutions_20_notify after update of status on public.solutions
  for each row when (old.status = 'pending' and new.status in ('approved', 'rejected')) execute function private.notify_of_decision();

/* Notifies the authors of solutions on which a new version is based, once: where the version before was not. */
create function private.notify_of_adaptation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(source.user_id, s.user_id, 'adaptation', jsonb_build_object('solution_id', source.id)))
  from public.solutions s
  join public.solution_sources b on b.solution_id = s.id
  join public.solutions source on source.id = b.source_id
  where s.id = new.solution_id and private.may_read_solution(source.user_id, s.id) and not exists (
    select from public.solution_versions v
    where v.solution_id = new.solution_id and v.version < new.version and v.content -> 'based_on' ? b.source_mark
  );
  return null;
end
$$;

create trigger solution_versions_notify after insert on public.solution_versions
  for each row execute function private.notify_of_adaptation();

/* Names the moderator and the decision to the member who suggested the resource. */
create function private.notify_of_suggestion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(new.user_id, (select auth.uid()), 'suggestion_' || new.status,
    jsonb_build_object('resource_suggestion_id', new.id)));
  return null;
end
$$;

create trigger resource_suggestions_notify after update of status on public.resource_suggestions
  for each row when (old.status = 'pending' and new.status <> 'pending') execute function private.notify_of_suggestion();

/* The outcome reaches the reporter, by the moderator's name: a response as a message, also to a member who
   accepts no messages, and a dismissal as a notification. Security definer for both. */
create function private.answer_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
  response uuid;
begin
  if new.reporter_id is null or new.reporter_id = actor then
    return null;
  end if;
  if new.status = 'resolved' and new.admin_response is not null then
    insert into public.messages (sender_id, recipient_id, subject, content, notification_type)
    values (actor, new.reporter_id, 'About your report', new.admin_response, 'report_resolved')
    returning id into response;
    update public.notifications n set content_report_id = new.id where n.message_id = response;
  else
    perform private.notify(private.build_notification(new.reporter_id, actor, 'report_' || new.status,
      jsonb_build_object('content_report_id', new.id)));
  end if;
  return null;
end
$$;

create trigger content_reports_answer after update of status on public.content_reports
  for each row when (old.status = 'pending' and new.status <> 'pending') execute function private.answer_report();

/* Names the moderator and the decision to the member whose registration it is, or asks them to confirm it. The reason
   and the number stay in the settings. */
create function private.notify_of_registration() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(
    new.user_id, case when new.state <> 'lapsed' then (select auth.uid()) end, 'registration_' || new.state, '{}'
  ));
  return null;
end
$$;

create trigger member_registrations_30_notify after update of state on public.member_registrations
  for each row when (old.state <> new.state and new.state <> 'waiting') execute function private.notify_of_registration();

/* The outcome of a review reaches the writer of the trial, and its first approval the author of the solution as well. The
   writer is told of the first answer alone: an author could take it away and write it again without end. */
create function private.notify_of_trial() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  author uuid := (select s.user_id from public.solutions s where s.id = new.solution_id);
  about jsonb := jsonb_build_object('solution_id', new.solution_id, 'trial_id', new.id);
begin
  if old.status = 'pending' and new.status <> 'pending' then
    perform private.notify(private.build_notification(new.user_id, (select auth.uid()), 'trial_' || new.status, about));
    if new.status = 'approved' and old.replaced is null then
      perform private.notify(private.build_notification(author, new.user_id, 'trial_received', about));
    end if;
  elsif new.author_answer is not null and old.answered_at is null then
    perform private.notify(private.build_notification(new.user_id, author, 'trial_answered', about));
  end if;
  return null;
end
$$;

create trigger solution_trials_20_notify after update of status, author_answer on public.solution_trials
  for each row execute function private.notify_of_trial();

/* Notifies members that a reply mentions them: once for a reply however often it is edited, and not those who
   follow the topic, who are notified of every reply. Security definer, because it notifies other members. */
create function private.notify_mentioned_in_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(member, new.user_id, 'forum_reply',
    jsonb_build_object('forum_topic_id', new.topic_id, 'forum_post_id', new.id)))
  from (
    select private.mentioned_members(new.content) as member
    except select private.mentioned_members(old.content) where tg_op = 'UPDATE'
  ) m
  where not exists (select from public.follows f where f.topic_id = new.topic_id and f.user_id = member)
    and not exists (select from public.notifications n where n.user_id = member and n.forum_post_id = new.id);
  return null;
end
$$;

create trigger forum_posts_30_notify_mentioned after insert or update of content on public.forum_posts
  for each row execute function private.notify_mentioned_in_post();

/* As above, for a topic's own text. Security definer for the same reason. */
create function private.notify_mentioned_in_topic() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(private.build_notification(member, new.user_id, 'forum_reply', jsonb_build_object('forum_topic_id', new.id)))
  from (
    select private.mentioned_members(new.description) as member
    except select private.mentioned_members(old.description) where tg_op = 'UPDATE'
  ) m
  where not exists (
    select from public.notifications n
    where n.user_id = member and n.forum_topic_id = new.id and n.forum_post_id is null and n.type = 'forum_reply'
  );
  return null;
end
$$;

create trigger forum_topics_20_notify_mentioned after insert or update of description on public.forum_topics
  for each row execute function private.notify_mentioned_in_topic();
