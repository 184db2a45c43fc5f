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
  where not exists (select from public.topic_follows f where f.topic_id = new.topic_id and f.user_id = member)
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
