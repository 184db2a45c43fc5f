-- What moderators decide on the first posts of new members.

/*
 * Publishes a waiting post, which is then as new as any other, or removes it; its author is told. Errors: 42501 for callers who are
 * no moderators, 23514 when it no longer waits, has another text or its solution is no longer public. Security definer, because no
 * client writes posts in another's name.
 *
 * version: of the text that the caller has read
 */
create function public.decide_held_post(post uuid, publish boolean, version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  held public.held_posts;
  place jsonb;
begin
  if not (private.may_moderate() and private.may_take_part()) then
    raise insufficient_privilege using message = 'Only moderators can decide on posts';
  end if;
  delete from public.held_posts h where h.id = post returning * into held;
  if held.id is null then
    raise check_violation using message = 'This post no longer waits for review';
  end if;
  if held.version is distinct from decide_held_post.version then
    raise check_violation using message = 'The author has changed this post since you opened it. Please read it again.';
  end if;
  if not coalesce(publish, false) then
    place := jsonb_build_object('solution_id', held.solution_id, 'forum_topic_id', held.topic_id);
  elsif held.solution_id is not null then
    if not private.is_approved(held.solution_id) then
      raise check_violation using message = 'The solution is no longer public, so this comment can only be removed';
    end if;
    insert into public.comments (id, solution_id, user_id, content, parent_comment_id, submission_id)
    values (held.id, held.solution_id, held.user_id, held.content, held.parent_comment_id, held.submission_id);
    place := jsonb_build_object('solution_id', held.solution_id, 'comment_id', held.id);
  elsif held.topic_id is not null then
    insert into public.forum_posts (id, topic_id, user_id, content, submission_id)
    values (held.id, held.topic_id, held.user_id, held.content, held.submission_id);
    place := jsonb_build_object('forum_topic_id', held.topic_id, 'forum_post_id', held.id);
  else
    insert into public.forum_topics (id, title, description, category, user_id, submission_id)
    values (held.id, held.title, held.content, held.category, held.user_id, held.submission_id);
    place := jsonb_build_object('forum_topic_id', held.id);
  end if;
  perform private.audit(case when publish then 'held_post_published' else 'held_post_removed' end, 'held_post', held.id::text,
    jsonb_strip_nulls(jsonb_build_object('title', held.title, 'content', held.content, 'user_id', held.user_id)), null);
  perform private.notify(private.build_notification(held.user_id, (select auth.uid()),
    case when publish then 'post_published' else 'content_deleted' end, place));
end
$$;

grant execute on function public.decide_held_post(uuid, boolean, integer) to authenticated;
