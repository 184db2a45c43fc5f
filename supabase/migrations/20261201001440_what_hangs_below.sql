-- What ends with something else: reports of what hung below deleted content, the claims of a moderator who steps down. And a limit that
-- counted corrections.

/* The outcome reaches the reporter, by the moderator's name: a response as a message, also to a member who
   accepts no messages, and a dismissal as a notification. Security definer for both. */
create or replace function private.answer_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- No one, where the content went with something else.
  actor constant uuid := new.resolved_by;
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

/* Closes the reports of content that goes with what it hung below, as a moderator's deletion closes those of what they delete. Security
   definer, because who deletes need not moderate. */
create function private.close_reports() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.content_reports r
  set status = 'resolved', resolved_at = now(), resolved_by = case when private.is_moderator() then (select auth.uid()) end
  where r.content_id = old.id and r.content_type = tg_argv[0] and r.status = 'pending';
  return null;
end
$$;

-- Not of what is deleted by itself: its author does not close what was reported, and a moderator says what follows.
create trigger forum_posts_95_close_reports after delete on public.forum_posts
  for each row when (pg_trigger_depth() > 0) execute function private.close_reports('post');
create trigger comments_95_close_reports after delete on public.comments
  for each row when (pg_trigger_depth() > 0) execute function private.close_reports('comment');
create trigger solution_trials_95_close_reports after delete on public.solution_trials
  for each row when (pg_trigger_depth() > 0) execute function private.close_reports('trial');
create trigger solution_translations_95_close_reports after delete on public.solution_translations
  for each row when (pg_trigger_depth() > 0) execute function private.close_reports('translation');
create trigger collections_95_close_reports after delete on public.collections
  for each row when (pg_trigger_depth() > 0) execute function private.close_reports('collection');
create trigger profiles_95_close_reports after delete on public.profiles
  for each row when (pg_trigger_depth() > 0) execute function private.close_reports('profile');

/* Ends the claims of who moderates no more. Security definer, because another may have taken the role. */
create function private.end_claims() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.review_claims c
  where c.moderator_id = old.user_id
    and not exists (select from public.user_roles r where r.user_id = old.user_id and r.role in ('moderator', 'admin'));
  return null;
end
$$;

create trigger user_roles_end_claims after delete on public.user_roles
  for each row execute function private.end_claims();

/* Enforces rules that policies cannot express: which columns change together, and who may change them. Not security
   definer, because it checks which role the statement runs as. */
create or replace function private.guard_translation() returns trigger
language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if not private.is_client() then
    return new;
  end if;
  if tg_op = 'INSERT' or (old.user_id = me and new.status = 'pending') or (new.version, new.texts) is distinct from (old.version, old.texts)
  then
    if tg_op = 'UPDATE' and old.user_id is distinct from me then
      raise insufficient_privilege using message = 'Only the member who wrote a translation can change it';
    end if;
    if tg_op = 'UPDATE' and old.status not in ('pending', 'rejected') then
      raise check_violation using message = 'A public translation is changed by sending a new one';
    end if;
    if not exists (
      select from public.solution_versions v join public.solutions s on s.id = v.solution_id
      where v.solution_id = new.solution_id and v.version = new.version and v.content is not null and s.status = 'approved'
    ) then
      raise sqlstate 'PT404' using message = 'Solution not found';
    end if;
    new.texts := private.checked_translation(new);
    new.status := 'pending';
    new.rejection_reason := null;
    return new;
  end if;
  if new.status is distinct from old.status then
    if not private.may_moderate() or (old.user_id = me and not private.is_admin()) then
      raise insufficient_privilege using message = 'Only a moderator can decide on a translation, but not on their own';
    end if;
    if old.status <> 'pending' or new.status not in ('approved', 'rejected') then
      raise check_violation using message = 'Only a pending translation can be approved or rejected';
    end if;
  elsif new.rejection_reason is distinct from old.rejection_reason then
    raise insufficient_privilege using message = 'A decision cannot be reworded';
  end if;
  return new;
end
$$;

/* At most 20 translations a day by one member. After the insertion, so that a correction of one that waits is none. Not security definer:
   it counts the rows that the member can see. */
create function private.limit_translations() returns trigger
language plpgsql set search_path = ''
as $$
begin
  -- With the one that is there by now.
  perform private.enforce_row_limit('public.solution_translations', 'user_id', 21, '1 day',
    'You have sent 20 translations within a day. Please wait before the next one.');
  return null;
end
$$;

create trigger solution_translations_limit after insert on public.solution_translations
  for each row when (private.is_client()) execute function private.limit_translations();
