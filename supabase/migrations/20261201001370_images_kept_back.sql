-- Readers are given the images of posts that are shown. What was declared about them, and those that are hidden, only who wrote the post
-- and moderators read, by images_of_post.

-- The images that readers see: none while they are hidden. Its own column, so that readers need no right to the other.
alter table public.forum_topics add column shown_images jsonb not null default '[]';
alter table public.forum_posts add column shown_images jsonb not null default '[]';

/* Keeps what readers see of a post's images. Where there are none any more, nothing is hidden. */
create function private.show_images() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.images_hidden_at := case when new.images <> '[]' then new.images_hidden_at end;
  new.shown_images := case when new.images_hidden_at is null then new.images else '[]' end;
  return new;
end
$$;

create trigger forum_topics_30_show_images before insert or update of images, images_hidden_at on public.forum_topics
  for each row execute function private.show_images();
create trigger forum_posts_30_show_images before insert or update of images, images_hidden_at on public.forum_posts
  for each row execute function private.show_images();

update public.forum_topics t set images = t.images where t.images <> '[]';
update public.forum_posts p set images = p.images where p.images <> '[]';

revoke select on public.forum_topics, public.forum_posts from anon, authenticated;
grant select (id, title, description, category, user_id, is_pinned, is_locked, views_count, posts_count, created_at, edited_at,
  submission_id, language, answer_id, summary, summary_language, summary_by, summary_at, shown_images, images_hidden_at)
  on public.forum_topics to anon, authenticated;
grant select (id, topic_id, user_id, content, created_at, edited_at, submission_id, language, shown_images, images_hidden_at)
  on public.forum_posts to anon, authenticated;

/* One topic whole, with its author, the members it mentions, the writer of its summary and the beginning of the answer that helped;
   null when there is none. */
create or replace function public.forum_topic(topic uuid) returns jsonb
language sql stable set search_path = ''
return (
  select jsonb_build_object(
    'id', t.id, 'title', t.title, 'description', t.description, 'category', t.category, 'language', t.language, 'user_id', t.user_id,
    'is_pinned', t.is_pinned, 'is_locked', t.is_locked, 'views_count', t.views_count, 'posts_count', t.posts_count,
    'created_at', t.created_at, 'edited_at', t.edited_at, 'author', private.author_card(t.user_id),
    'mentions', private.mentioned_usernames(concat_ws(E'\n\n', t.description, t.summary)),
    'images_hidden_at', t.images_hidden_at,
    'images', case when t.images_hidden_at is null then t.shown_images
      else coalesce(public.images_of_post(t.id) -> 'images', '[]') end,
    'summary', t.summary, 'summary_language', t.summary_language, 'summary_by', t.summary_by, 'summary_at', t.summary_at,
    'summary_author', private.author_card(t.summary_by),
    'answer', (
      select jsonb_build_object('id', p.id, 'user_id', p.user_id, 'created_at', p.created_at, 'author', private.author_card(p.user_id),
        'language', p.language, 'excerpt', left(p.content, 500))
      from public.forum_posts p where p.id = t.answer_id
    )
  )
  from public.forum_topics t where t.id = topic
);

/*
 * A piece of a topic's replies, oldest first.
 * cursor: next_cursor or previous_cursor of a piece that is known, or 'latest' for the end; post: begins shortly
 * before this reply instead, at the start when that does not exist; page_size: 1 to 100.
 * Returns {items [reply with author and mentions], previous_cursor, next_cursor}.
 * Errors: 22P02 or 22007 for a damaged cursor.
 */
create or replace function public.forum_replies(
  topic uuid, cursor text default null, post uuid default null, page_size integer default 30
) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  wanted integer := least(greatest(coalesce(page_size, 30), 1), 100);
  backwards boolean := coalesce(cursor = 'latest' or starts_with(cursor, 'before~'), false);
  edge_time timestamptz := case when cursor = 'latest' then 'infinity' else split_part(cursor, '~', 2)::timestamptz end;
  edge_id uuid := case when cursor = 'latest' then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else split_part(cursor, '~', 3)::uuid end;
  page_ids uuid[];
  first_post record;
  last_post record;
begin
  if post is not null then
    select p.created_at, p.id into edge_time, edge_id
    from public.forum_posts o join public.forum_posts p on p.topic_id = o.topic_id and (p.created_at, p.id) < (o.created_at, o.id)
    where o.id = forum_replies.post and o.topic_id = forum_replies.topic
    order by p.created_at desc, p.id desc offset 3 limit 1;
  end if;

  if backwards then
    page_ids := array(
      select p.id from public.forum_posts p
      where p.topic_id = forum_replies.topic and (p.created_at, p.id) < (edge_time, edge_id)
      order by p.created_at desc, p.id desc limit wanted
    );
  else
    page_ids := array(
      select p.id from public.forum_posts p
      where p.topic_id = forum_replies.topic and (edge_id is null or (p.created_at, p.id) > (edge_time, edge_id))
      order by p.created_at, p.id limit wanted
    );
  end if;
  select p.created_at, p.id into first_post from public.forum_posts p where p.id = any (page_ids) order by 1, 2 limit 1;
  select p.created_at, p.id into last_post from public.forum_posts p where p.id = any (page_ids) order by 1 desc, 2 desc limit 1;
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', p.id, 'topic_id', p.topic_id, 'user_id', p.user_id, 'content', p.content, 'language', p.language,
          'created_at', p.created_at, 'edited_at', p.edited_at, 'author', private.author_card(p.user_id),
          'mentions', private.mentioned_usernames(p.content),
          'images_hidden_at', p.images_hidden_at,
          'images', case when p.images_hidden_at is null then p.shown_images
            else coalesce(public.images_of_post(p.id) -> 'images', '[]') end
        )
        order by p.created_at, p.id
      ), '[]')
      from public.forum_posts p where p.id = any (page_ids)
    ),
    'previous_cursor', case when exists (
      select from public.forum_posts p
      where p.topic_id = forum_replies.topic and (p.created_at, p.id) < (first_post.created_at, first_post.id)
    ) then concat_ws('~', 'before', first_post.created_at, first_post.id) end,
    'next_cursor', case when exists (
      select from public.forum_posts p
      where p.topic_id = forum_replies.topic and (p.created_at, p.id) > (last_post.created_at, last_post.id)
    ) then concat_ws('~', 'after', last_post.created_at, last_post.id) end
  );
end
$$;
