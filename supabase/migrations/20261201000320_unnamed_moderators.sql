-- Sites where authors see "a moderator" and no name. Staff read who decided in the history of a review, admins in the audit log.

alter table public.site_settings add column names_moderators boolean not null default true;

comment on column public.site_settings.names_moderators is
  'Whether authors see who decided on what they sent. Turned off, the rows that they can read name no moderator, earlier ones included.';

grant update (names_moderators) on public.site_settings to authenticated;

create function private.names_moderators() returns boolean
language sql stable set search_path = ''
return coalesce((select s.names_moderators from public.site_settings s), true);

/* The same for what is written now, and so until the end of the transaction: the setting is changed before or after it, and takes the
   names out of all that is there. Security definer, because only who may change a row can hold it. */
create function private.may_name_moderators() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  answer boolean;
begin
  select s.names_moderators into answer from public.site_settings s for share;
  return coalesce(answer, true);
end
$$;

grant execute on function private.names_moderators() to anon, authenticated, service_role;
grant execute on function private.may_name_moderators() to authenticated, service_role;

-- The history of a review.

drop policy "Authors and moderators can read the history of a review" on public.solution_reviews;
create policy "Authors and moderators can read the history of a review" on public.solution_reviews
  for select to authenticated using (
    (select private.is_moderator())
    or (
      -- Where moderators are not named, the steps that are not the author's own come by review_history alone.
      ((select private.names_moderators()) or reviewer_id is null or reviewer_id = (select auth.uid()))
      and (
        select true from public.solutions s
        where s.id = solution_id and s.user_id = (select auth.uid()) and (select private.has_required_aal())
      )
    )
  );

/* The steps of a solution's review, oldest first, for its author and the moderators; the author reads who decided only where the
   site names moderators. Security definer, because the rows themselves say who. */
create function public.review_history(solution uuid)
returns table (id bigint, decision text, reason text, checklist jsonb, replaced jsonb, created_at timestamptz, reviewer text)
language sql stable security definer set search_path = ''
as $$
  select r.id, r.decision, r.reason, r.checklist, r.replaced, r.created_at,
    (
      select coalesce(p.full_name, p.username) from public.profiles p
      where p.id = r.reviewer_id
        and (private.is_moderator() or private.names_moderators() or r.reviewer_id = (select auth.uid()))
    )
  from public.solution_reviews r
  where r.solution_id = review_history.solution and (
    (select private.is_moderator())
    or exists (
      select from public.solutions s where s.id = r.solution_id and s.user_id = (select auth.uid()) and (select private.has_required_aal())
    )
  )
  order by r.id;
$$;

grant execute on function public.review_history(uuid) to authenticated;

-- What is written for the author.

/* Whether a notification of this kind tells of what a moderator did, or can do so. Security definer, since no client reads the list. */
create function private.is_moderation_notice(kind text) returns boolean
language sql stable security definer set search_path = ''
return exists (select from private.notice_types t where t.type = kind and t.by_moderator);

grant execute on function private.is_moderation_notice(text) to authenticated, service_role;

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
create function private.unname_notification() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.names_a_moderator(new) and not private.may_name_moderators() then
    new.actor_id := null;
  end if;
  return new;
end
$$;

create trigger notifications_unname before insert on public.notifications
  for each row when (new.actor_id is not null) execute function private.unname_notification();

-- Of a moderator's own insertion, too.
drop policy "Moderators can tell a member that their content was deleted" on public.notifications;
create policy "Moderators can tell a member that their content was deleted" on public.notifications
  for insert to authenticated
  with check (
    type = 'content_deleted' and (select private.may_moderate())
    and (actor_id = (select auth.uid()) or (actor_id is null and not (select private.names_moderators())))
    and (
      message_id is null
      or exists (
        select from public.messages m
        where m.id = message_id and m.sender_id = (select auth.uid()) and m.recipient_id = notifications.user_id
      )
    )
  );

/* As private.unname_notification, for the mail of it. Not security definer: mail is queued by definers. */
create function private.unname_mail() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.names_a_moderator(jsonb_populate_record(null::public.notifications, new.notice)) and not private.may_name_moderators() then
    new.notice := new.notice - 'actor_id';
  end if;
  return new;
end
$$;

create trigger mail_jobs_unname before insert on private.mail_jobs
  for each row execute function private.unname_mail();

/* A message that a decision writes has no sender then; what a moderator writes themselves has, and a sanction, whose member can answer.
   Not security definer: it changes its own row alone. */
create function private.unname_message() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if not private.may_name_moderators() then
    new.sender_id := null;
  end if;
  return new;
end
$$;

-- Before messages_pair, which says whose conversation it belongs to.
alter trigger messages_guard on public.messages rename to messages_10_guard;
create trigger messages_05_unname before insert on public.messages
  for each row when (private.is_moderation_notice(new.notification_type)) execute function private.unname_message();

-- The rows that author and reporter can read.

/* Leaves out who decided. Not security definer: it changes its own row alone. */
create function private.unname_decision() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if not private.may_name_moderators() then
    new := jsonb_populate_record(new, jsonb_build_object(tg_argv[0], null));
  end if;
  return new;
end
$$;

-- After the triggers that fill these in, which carry a number for that.
alter trigger content_reports_stamp on public.content_reports rename to content_reports_10_stamp;
create trigger content_reports_20_unname before update on public.content_reports
  for each row when (new.resolved_by is not null) execute function private.unname_decision('resolved_by');
create trigger member_registrations_90_unname before update on public.member_registrations
  for each row when (new.decided_by is not null) execute function private.unname_decision('decided_by');

/* Leaves out a moderator who wrote or ended a safety notice, and no author. Not security definer: readers of a notice see its
   solution. */
create function private.unname_safety_notice() returns trigger
language plpgsql set search_path = ''
as $$
declare
  author constant uuid := (select s.user_id from public.solutions s where s.id = new.solution_id);
begin
  if not private.may_name_moderators() then
    new.user_id := case when new.user_id = author then author end;
    new.ended_by := case when new.ended_by = author then author end;
  end if;
  return new;
end
$$;

alter trigger safety_notices_replace on public.safety_notices rename to safety_notices_10_replace;
alter trigger safety_notices_stamp on public.safety_notices rename to safety_notices_10_stamp;
create trigger safety_notices_20_unname before insert or update on public.safety_notices
  for each row execute function private.unname_safety_notice();

drop policy "Authors and moderators can write notices on what is public" on public.safety_notices;
create policy "Authors and moderators can write notices on what is public" on public.safety_notices
  for insert to authenticated with check (
    (user_id = (select auth.uid()) or (user_id is null and not (select private.names_moderators()) and (select private.may_moderate())))
    and exists (
      select from public.solutions s
      where s.id = solution_id and s.status = 'approved' and (s.user_id = (select auth.uid()) or (select private.may_moderate()))
    )
  );

-- Of a topic that a moderator who did not open it has summarised.
create trigger forum_topics_40_unname before update of summary_by on public.forum_topics
  for each row when (new.summary_by is not null and new.summary_by is distinct from new.user_id)
  execute function private.unname_decision('summary_by');

/* Takes the names out of what is there already. Security definer, because an admin can write none of these rows. */
create function private.unname_earlier() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notifications n set actor_id = null where private.names_a_moderator(n);
  update private.mail_jobs j set notice = j.notice - 'actor_id'
  where private.names_a_moderator(jsonb_populate_record(null::public.notifications, j.notice));
  update public.messages m set sender_id = null where private.is_moderation_notice(m.notification_type) and m.sender_id is not null;
  update public.content_reports r set resolved_by = null where r.resolved_by is not null;
  update public.member_registrations c set decided_by = null where c.decided_by is not null;
  update public.safety_notices n set ended_by = n.ended_by where n.user_id is not null or n.ended_by is not null;
  update public.forum_topics t set summary_by = null where t.summary_by is not null and t.summary_by is distinct from t.user_id;
  return null;
end
$$;

create trigger site_settings_unname after update on public.site_settings
  for each row when (old.names_moderators and not new.names_moderators) execute function private.unname_earlier();
