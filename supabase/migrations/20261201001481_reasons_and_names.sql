-- Who suggested a resource reads why it was not added; a message about a report names what that was about, and one event is told once.

alter table public.resource_suggestions
  add column rejection_reason text
    constraint "A reason must be at most 2000 characters" check (char_length(rejection_reason) <= 2000)
    constraint "A reason cannot be blank" check (rejection_reason is null or not private.is_blank(rejection_reason)),
  add constraint "Only what was rejected has a reason" check (rejection_reason is null or status = 'rejected');

comment on column public.resource_suggestions.rejection_reason is 'Why it was not added, for the member who suggested it.';

grant update (rejection_reason) on public.resource_suggestions to authenticated;

/* The outcome reaches the reporter, by the moderator's name: a response as a message, also to a member who
   accepts no messages, and a dismissal as a notification. The message names what was reported by its title, and what is no more by what
   the reporter wrote of it. Security definer for both. */
create or replace function private.answer_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- No one, where the content went with something else.
  actor constant uuid := new.resolved_by;
  title constant text := public.reported_title(new);
  response uuid;
begin
  if new.reporter_id is null or new.reporter_id = actor then
    return null;
  end if;
  if new.status = 'resolved' and new.admin_response is not null then
    insert into public.messages (sender_id, recipient_id, subject, content, notification_type)
    values (
      actor, new.reporter_id,
      'About your report: '
        || left(regexp_replace(case when title = 'Deleted ' || new.content_type then new.reason else title end, '\s+', ' ', 'g'), 150),
      new.admin_response, 'report_resolved'
    )
    returning id into response;
    update public.notifications n set content_report_id = new.id where n.message_id = response;
  -- What ends together is one event to who has reported several parts of it.
  elsif new.status = 'dismissed' or not exists (
    select from public.notifications n
    where n.user_id = new.reporter_id and n.actor_id is not distinct from actor and n.type = 'report_resolved'
      and n.message_id is null and n.created_at = now()
  ) then
    perform private.notify(private.build_notification(new.reporter_id, actor, 'report_' || new.status,
      jsonb_build_object('content_report_id', new.id)));
  end if;
  return null;
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
    -- One that was closed with what it hung below has no message.
    when 'report_resolved' then notice.message_id is null
      or exists (select from public.messages m where m.id = notice.message_id and not m.read)
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
    when 'safety_notice'
      then exists (select from public.safety_notices n where n.solution_id = notice.solution_id and n.ended_at is null)
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
