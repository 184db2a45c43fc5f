-- Comments, topics and replies say the language of their texts, also while they wait for a moderator.

/* A comment as the discussion shows it. Not security definer: the reader's own rights decide. */
create or replace function private.comment_card(c public.comments) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'id', c.id, 'user_id', c.user_id, 'content', c.content, 'language', c.language, 'audience', c.audience,
  'parent_comment_id', c.parent_comment_id,
  'created_at', c.created_at, 'edited_at', c.edited_at, 'deleted_at', c.deleted_at,
  'author', private.author_card(c.user_id)
);

/* Shows readers that a comment is no longer as its author first wrote it. Not security definer: it checks which role
   the statement runs as. */
create or replace function private.mark_edited_comment() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    new.content := btrim(new.content, E' \t\r\n');
    new.edited_at := case when (new.content, new.language) = (old.content, old.language) then old.edited_at else now() end;
  end if;
  return new;
end
$$;

drop trigger comments_mark_edited on public.comments;
create trigger comments_mark_edited before update of content, language on public.comments
  for each row execute function private.mark_edited_comment();

/* The columns of a topic that a caller may change, which policies cannot distinguish: authors change their
   text, moderators its place and lock. Not security definer: it checks who the caller is. */
create or replace function private.guard_topic() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.title := btrim(new.title, E' \t\r\n');
  new.description := nullif(btrim(new.description, E' \t\r\n'), '');
  if tg_op = 'INSERT' or not private.is_client() then
    return new;
  end if;
  if (old.is_pinned, old.is_locked) is distinct from (new.is_pinned, new.is_locked) and not private.may_moderate() then
    raise insufficient_privilege using message = 'Only moderators can pin and lock topics';
  end if;
  if (old.title, old.description, old.category, old.language)
    is distinct from (new.title, new.description, new.category, new.language) then
    if old.user_id is distinct from (select auth.uid()) or old.created_at <= now() - interval '15 minutes' or old.is_locked then
      raise insufficient_privilege using message = 'A topic can be edited by its author for 15 minutes';
    end if;
    new.edited_at := now();
  end if;
  return new;
end
$$;

/* Not security definer: it checks who the caller is, and all visitors can read topics. The policy refuses
   replies to locked topics as well; this one gives the reason. */
create or replace function private.guard_post() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.content := btrim(new.content, E' \t\r\n');
  if private.is_client() then
    if tg_op = 'INSERT' and exists (select from public.forum_topics t where t.id = new.topic_id and t.is_locked) then
      raise insufficient_privilege using message = 'This topic is locked';
    end if;
    if tg_op = 'UPDATE' and (new.content, new.language) is distinct from (old.content, old.language) then
      new.edited_at := now();
    end if;
  end if;
  return new;
end
$$;

/* Puts a post among those that wait instead of where others would see it, so that all that follows a post follows its
   publication. One sent again after that is refused as any other. Not security definer: the policies of held_posts decide,
   since those of its own table are asked about no row that is not added. */
create or replace function private.hold_post() returns trigger
language plpgsql set search_path = ''
as $$
declare
  post constant jsonb := to_jsonb(new);
  is_published boolean;
begin
  if new.user_id is distinct from (select auth.uid()) or not private.holds_posts() then
    return new;
  end if;
  execute format('select exists (select from %I.%I p where p.user_id = $1 and p.submission_id = $2)', tg_table_schema, tg_table_name)
    into is_published using new.user_id, new.submission_id;
  if is_published then
    return new;
  end if;
  insert into public.held_posts (user_id, solution_id, parent_comment_id, topic_id, title, category, content, language,
    images, image_consent, submission_id)
  values (new.user_id, (post ->> 'solution_id')::uuid, (post ->> 'parent_comment_id')::uuid, (post ->> 'topic_id')::uuid,
    post ->> 'title', post ->> 'category', coalesce(post ->> 'content', post ->> 'description'),
    post ->> 'language', coalesce(post -> 'images', '[]'), post ->> 'image_consent', new.submission_id)
  on conflict (user_id, submission_id) do nothing;
  return null;
end
$$;

/*
 * Publishes a waiting post, which is then as new as any other, or removes it; its author is told. Errors: 42501 for callers who are
 * no moderators, 23514 when it no longer waits, has another text or its solution is no longer public. Security definer, because no
 * client writes posts in another's name.
 *
 * version: of the text that the caller has read
 */
create or replace function public.decide_held_post(post uuid, publish boolean, version integer) returns void
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
    insert into public.comments (id, solution_id, user_id, content, language, audience, parent_comment_id, submission_id)
    values (held.id, held.solution_id, held.user_id, held.content, held.language, held.audience, held.parent_comment_id,
      held.submission_id);
    place := jsonb_build_object('solution_id', held.solution_id, 'comment_id', held.id);
  elsif held.topic_id is not null then
    insert into public.forum_posts (id, topic_id, user_id, content, language, images, image_consent, images_checked_at, submission_id)
    values (held.id, held.topic_id, held.user_id, held.content, held.language, held.images, held.image_consent,
      case when held.images <> '[]' then now() end, held.submission_id);
    place := jsonb_build_object('forum_topic_id', held.topic_id, 'forum_post_id', held.id);
  else
    insert into public.forum_topics (id, title, description, category, language, user_id, images, image_consent, images_checked_at,
      submission_id)
    values (held.id, held.title, held.content, held.category, held.language, held.user_id, held.images, held.image_consent,
      case when held.images <> '[]' then now() end, held.submission_id);
    place := jsonb_build_object('forum_topic_id', held.id);
  end if;
  perform private.audit(case when publish then 'held_post_published' else 'held_post_removed' end, 'held_post', held.id::text,
    jsonb_strip_nulls(jsonb_build_object('title', held.title, 'content', held.content, 'user_id', held.user_id)), null);
  perform private.notify(private.build_notification(held.user_id, (select auth.uid()),
    case when publish then 'post_published' else 'content_deleted' end, place));
end
$$;
