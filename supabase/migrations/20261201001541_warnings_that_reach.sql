-- A warning reaches who wants no other notifications, and stands first only while it is true.

/* Notifies a member, of a solution only who may read it: on the site unless they want no notifications and it warns of nothing, and by
   mail if they want that, but never of their own acts. Security definer, because members cannot write each other's notifications. */
create or replace function private.notify(notice public.notifications) returns void
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
  from public.profiles p, private.notice_types t
  where p.id = notice.user_id and t.type = notice.type and (p.allow_notifications or t.warns)
  returning id into notification_id;
  perform private.queue_mail(notice, notification_id);
end
$$;

/* Applies the decision to the pictures, notifies author and requester, and writes the audit log. Security
   definer for all of it. */
create or replace function private.apply_removal_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Who added the pictures: the author of the solution, or members who tried it.
  writers uuid[] := array(
    select distinct case when m.trial_id is null then s.user_id else t.user_id end
    from public.solution_media m join public.solutions s on s.id = m.solution_id left join public.solution_trials t on t.id = m.trial_id
    where m.id = any (new.media_ids)
  );
  changed integer := 0;
begin
  if new.status = 'hidden' then
    changed := private.withhold_media(new.solution_id, new.media_ids, true);
  elsif new.status = 'removed' then
    changed := private.withhold_media(new.solution_id, new.media_ids, true);
    delete from public.solution_media m where m.id = any (new.media_ids);
    changed := changed + case when found then 1 else 0 end;
    delete from public.solution_files f where f.id = any (new.media_ids);
    changed := changed + case when found then 1 else 0 end;
  elsif old.status = 'hidden' then
    changed := private.withhold_media(new.solution_id, new.media_ids, false);
  end if;
  update public.notifications n set is_read = true where n.removal_request_id = new.id and not n.is_read;
  -- That images are hidden for now is true while a request keeps some hidden.
  update public.notifications n set is_read = true
  where n.solution_id = new.solution_id and n.type = 'media_hidden' and not n.is_read
    and not exists (select from public.removal_requests r where r.solution_id = new.solution_id and r.status = 'hidden');
  if changed > 0 then
    perform private.notify(private.build_notification(
      w.writer, null, case new.status when 'hidden' then 'media_hidden' when 'removed' then 'media_removed' else 'media_restored' end,
      jsonb_build_object('solution_id', new.solution_id)
    )) from unnest(writers) as w (writer);
  end if;
  perform private.mail_removal_requester(new);
  if (select auth.uid()) is not null then
    perform private.audit('removal_request_' || new.status, 'removal_request', new.id::text, jsonb_build_object('status', old.status),
      jsonb_build_object('status', new.status, 'solution_id', new.solution_id, 'media_ids', new.media_ids, 'answer', new.answer));
  end if;
  return null;
end
$$;

/* Tells the author of a post, of which this is the row, what has become of its images; not of what they did themselves.
   That the images are hidden for now is true no longer. */
create or replace function private.tell_of_images(post jsonb, actor uuid, what text) returns void
language plpgsql set search_path = ''
as $$
begin
  update public.notifications n set is_read = true
  where n.user_id = (post ->> 'user_id')::uuid and n.type = 'images_hidden' and not n.is_read
    and coalesce(n.forum_post_id, n.forum_topic_id) = (post ->> 'id')::uuid;
  if (post ->> 'user_id')::uuid is distinct from actor then
    perform private.notify(private.build_notification((post ->> 'user_id')::uuid, actor, what, case
      when post ? 'topic_id' then jsonb_build_object('forum_topic_id', post -> 'topic_id', 'forum_post_id', post -> 'id')
      else jsonb_build_object('forum_topic_id', post -> 'id')
    end));
  end if;
end
$$;

-- What was decided before.
update public.notifications n set is_read = true
where n.type = 'media_hidden' and not n.is_read
  and not exists (select from public.removal_requests r where r.solution_id = n.solution_id and r.status = 'hidden');
update public.notifications n set is_read = true
where n.type = 'images_hidden' and not n.is_read
  and not exists (
    select from public.forum_posts p where p.id = n.forum_post_id and p.images_hidden_at is not null
    union all
    select from public.forum_topics t where n.forum_post_id is null and t.id = n.forum_topic_id and t.images_hidden_at is not null
  );
