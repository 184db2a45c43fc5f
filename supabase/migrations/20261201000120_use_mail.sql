-- The emails that ask "Still in use?", and how they are stopped: those about one case, or all of them.

/*
 * Stops mails to the member whom the link was sent to: all of them, the weekly digest, the questions "Still in use?" about one case
 * or about all, or the news of what they no longer follow. False when the link is not one of ours. Security definer, because the
 * reader of a mail need not be signed in.
 */
create or replace function public.unsubscribe_from_mail(token text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  uuid constant text := '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  parts text[] := string_to_array(token, '.');
  member uuid;
  subject text;
begin
  if token !~ format('^%1$s(\.(digest|still-in-use|(still-in-use-)?%1$s))?\.[0-9a-f]{64}$', uuid) then
    return false;
  end if;
  member := parts[1];
  subject := case when cardinality(parts) = 3 then parts[2] end;
  if private.unsubscribe_token(member, subject) <> token then
    return false;
  end if;
  if subject is null then
    update public.profiles p set email_notifications = false, weekly_digest = false where p.id = member;
  elsif subject = 'digest' then
    update public.profiles p set weekly_digest = false where p.id = member;
  elsif subject = 'still-in-use' then
    update public.profiles p set asks_still_in_use = false where p.id = member;
  elsif subject like 'still-in-use-%' then
    update public.use_questions q set stopped_at = now()
    where q.id = replace(subject, 'still-in-use-', '')::uuid and q.user_id = member and q.stopped_at is null;
  else
    delete from public.follows f where f.id = subject::uuid and f.user_id = member;
  end if;
  return exists (select from public.profiles p where p.id = member);
end
$$;

/* Whether the notice's news still holds, and its reader does not know it yet. */
create or replace function private.is_notification_current(notice public.notifications, notification uuid) returns boolean
language sql stable set search_path = ''
return not exists (select from public.notifications n where n.id = notification and n.is_read)
  -- Its audience may have become smaller.
  and (notice.message_id is not null or private.may_read_solution(notice.user_id, notice.solution_id)
    or not exists (select from public.solutions s where s.id = notice.solution_id))
  and case notice.type
    when 'message' then exists (select from public.messages m where m.id = notice.message_id and not m.read)
    when 'report_resolved' then exists (select from public.messages m where m.id = notice.message_id and not m.read)
    when 'like' then exists (select from public.likes l where l.user_id = notice.actor_id and l.solution_id = notice.solution_id)
    when 'comment' then exists (select from public.comments c where c.id = notice.comment_id and c.deleted_at is null)
    when 'comment_reply' then exists (select from public.comments c where c.id = notice.comment_id and c.deleted_at is null)
    when 'forum_reply' then exists (
      select from public.forum_topics t left join public.forum_posts f on f.id = notice.forum_post_id
      where t.id = notice.forum_topic_id and (notice.forum_post_id is null or f.id is not null)
    )
    when 'post_published' then
      exists (select from public.comments c where c.id = notice.comment_id and c.deleted_at is null)
      or exists (select from public.forum_posts f where f.id = notice.forum_post_id)
      or (notice.forum_post_id is null and exists (select from public.forum_topics t where t.id = notice.forum_topic_id))
    when 'badge_earned' then private.shows_points()
      and exists (select from public.user_badges b where b.user_id = notice.user_id and b.badge_id = notice.badge_id)
    when 'solution_approved' then exists (select from public.solutions s where s.id = notice.solution_id and s.status = 'approved')
    when 'version_approved' then exists (select from public.solutions s where s.id = notice.solution_id and s.status = 'approved')
    when 'adaptation' then exists (
      select from public.solution_sources b join public.solutions s on s.id = b.solution_id
      where b.source_id = notice.solution_id and s.status = 'approved' and s.user_id is not distinct from notice.actor_id
    )
    -- Of a solution, or of a new version of it.
    when 'solution_rejected' then exists (
      select from public.solutions s where notice.solution_id in (s.id, s.revises) and s.status = 'rejected'
    )
    when 'safety_notice' then exists (select from public.solutions s where s.id = notice.solution_id and s.safety_kind is not null)
    when 'registration_checked'
      then exists (select from public.member_registrations c where c.user_id = notice.user_id and c.state = 'checked')
    when 'registration_declined'
      then exists (select from public.member_registrations c where c.user_id = notice.user_id and c.state = 'declined')
    when 'registration_lapsed'
      then exists (select from public.member_registrations c where c.user_id = notice.user_id and c.state = 'lapsed')
    when 'still_in_use' then exists (
      select from public.use_questions q join public.profiles p on p.id = q.user_id
      where q.id = notice.use_question_id and q.answer is null and q.stopped_at is null and q.audience is not null and p.asks_still_in_use
    )
    when 'weekly_digest' then exists (select from public.profiles p where p.id = notice.user_id and p.weekly_digest)
    when 'removal_requests' then exists (select from public.removal_requests r where r.status = 'received')
    when 'removal_request'
      then exists (select from public.removal_requests r where r.id = notice.removal_request_id and r.status = 'received')
    when 'removal_request_hidden'
      then exists (select from public.removal_requests r where r.id = notice.removal_request_id and r.status = 'hidden')
    else true
  end;

/* The number of mails that are due; mail that has waited for eight days is given up and counted. Security
   definer, as are its siblings below, because the queue is closed to all clients, the service included. */
create or replace function public.mail_due(out due integer, out given_up integer)
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.queue_digests();
  perform private.ask_use_questions();
  delete from private.mail_jobs j where j.created_at < now() - interval '8 days';
  get diagnostics given_up = row_count;
  select count(*) into due from private.mail_jobs j where j.due_at <= now();
end
$$;
