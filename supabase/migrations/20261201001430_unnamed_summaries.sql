-- Where moderators are not named, neither a summary that one writes nor what one does about the images of a post names them.

/* Whether a notification of this kind tells of what a moderator did, or can do so. */
create or replace function private.is_moderation_notice(kind text) returns boolean
language sql immutable parallel safe set search_path = ''
return kind in ('content_deleted', 'solution_approved', 'solution_rejected', 'version_approved', 'suggestion_approved',
  'suggestion_rejected', 'report_resolved', 'report_dismissed', 'registration_checked', 'registration_declined', 'trial_approved',
  'trial_rejected', 'translation_approved', 'translation_rejected', 'collection_unshared', 'post_published', 'safety_notice',
  'images_hidden', 'images_removed', 'images_restored', 'media_hidden', 'media_removed', 'media_restored', 'part_notice',
  'topic_summarised');

/* Whether a notice names a moderator: one of these kinds, but neither a safety notice by the solution's own author nor a summary by who
   opened the topic. Security definer, as its reader may no longer see either. */
create function private.names_a_moderator(notice public.notifications) returns boolean
language sql stable security definer set search_path = ''
return notice.actor_id is not null and private.is_moderation_notice(notice.type)
  and not (
    notice.type = 'safety_notice'
    and exists (select from public.solutions s where s.id = notice.solution_id and s.user_id = notice.actor_id)
  )
  and not (
    notice.type = 'topic_summarised'
    and exists (select from public.forum_topics t where t.id = notice.forum_topic_id and t.user_id = notice.actor_id)
  );

grant execute on function private.names_a_moderator(public.notifications) to authenticated, service_role;

/* Leaves out who acted. Not security definer: it changes its own row alone. */
create or replace function private.unname_notification() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.names_a_moderator(new) and not private.may_name_moderators() then
    new.actor_id := null;
  end if;
  return new;
end
$$;

/* As private.unname_notification, for the mail of it. Not security definer: mail is queued by definers. */
create or replace function private.unname_mail() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.names_a_moderator(jsonb_populate_record(null::public.notifications, new.notice)) and not private.may_name_moderators() then
    new.notice := new.notice - 'actor_id';
  end if;
  return new;
end
$$;

-- Of a topic that a moderator who did not open it has summarised.
create trigger forum_topics_40_unname before update of summary_by on public.forum_topics
  for each row when (new.summary_by is not null and new.summary_by is distinct from new.user_id)
  execute function private.unname_decision('summary_by');

/* Takes the names out of what is there already. Security definer, because an admin can write none of these rows. */
create or replace function private.unname_earlier() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notifications n set actor_id = null where private.names_a_moderator(n);
  update private.mail_jobs j set notice = j.notice - 'actor_id'
  where private.names_a_moderator(jsonb_populate_record(null::public.notifications, j.notice));
  update public.messages m set sender_id = null where m.notification_type <> 'message' and m.sender_id is not null;
  update public.content_reports r set resolved_by = null where r.resolved_by is not null;
  update public.member_registrations c set decided_by = null where c.decided_by is not null;
  update public.safety_notices n set ended_by = n.ended_by where n.user_id is not null or n.ended_by is not null;
  update public.forum_topics t set summary_by = null where t.summary_by is not null and t.summary_by is distinct from t.user_id;
  return null;
end
$$;

drop function private.names_a_moderator(text, uuid, uuid);

-- Those that were written since names were turned off.
do $$
begin
  if not private.names_moderators() then
    update public.notifications n set actor_id = null where private.names_a_moderator(n);
    update private.mail_jobs j set notice = j.notice - 'actor_id'
    where private.names_a_moderator(jsonb_populate_record(null::public.notifications, j.notice));
    update public.forum_topics t set summary_by = null where t.summary_by is not null and t.summary_by is distinct from t.user_id;
  end if;
end
$$;
