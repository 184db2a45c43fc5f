/* The members whom a text mentions as @username, at most ten; not in its quotes or code. */
create function private.mentioned_members(content text) returns setof uuid
language sql stable set search_path = ''
as $$
  select p.id
  from (
    select distinct lower(m[1]) as name
    from regexp_matches(
      regexp_replace(regexp_replace(content, '```.*?(```|$)|`[^`]*`', ' ', 'g'), '^ {0,3}>.*$', ' ', 'gn'),
      '(?<![[:alnum:]_@/.-])@([A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9])(?![A-Za-z0-9])', 'g'
    ) m
    limit 10
  ) n
  join public.profiles p on lower(p.username) = n.name
$$;

/* The names mentioned in a text that belong to members. Not security definer, as the others below: all visitors can read
   the forum and the public part of profiles. */
create function private.mentioned_usernames(content text) returns jsonb
language sql stable set search_path = ''
return (
  select coalesce(jsonb_agg(p.username order by p.username), '[]')
  from public.profiles p
  where p.id in (select private.mentioned_members(content))
);

grant execute on function private.mentioned_members(text), private.mentioned_usernames(text), private.tokenize(text),
  private.without_punctuation(text)
  to anon, authenticated, service_role;

/*
 * A page of topics, pinned first, then newest. category: of this one alone; search: words that must all
 * occur, in any part of a word and ignoring case and accents, in a topic's title, description or replies;
 * cursor: next_cursor of the page before; page_size: 1 to 50. Returns {items [topic with author, and with the
 * matching reply, if one matched], next_cursor, total, partial}; total is the number of topics that a search
 * found; partial: there may be more, because only a part was searched.
 *
 * Eight words are looked for. Those in at most 1,000 topics and replies are found through the index, wherever
 * they are; commoner ones, and parts of one or two letters, which no index finds, are looked for in the
 * results of the others, or without others in the latest texts: 2,000 topics and as many replies, or a quarter of
 * them where these have 50 topics to show. Errors: 22P02 or 22007 for a damaged cursor.
 */
create function public.browse_forum(
  category text default null,
  search text default '',
  cursor text default null,
  page_size integer default 20
) returns jsonb
-- An absent filter must not prevent the rest from using the index.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  wanted integer := least(greatest(coalesce(page_size, 20), 1), 50);
  typed text[] := private.tokenize(private.normalized(left(coalesce(search, ''), 200)));
  words text[] := typed[1:8];
  patterns text[] := array(select distinct '%' || w || '%' from unnest(words) w);
  pattern text;
  common text[] := '{}';
  matching uuid[];
  hits uuid[];
  latest integer;
  found uuid[];
  is_cut boolean;
  partial boolean := char_length(search) > 200 or cardinality(typed) > 8;
  items jsonb;
  next_cursor text;
begin
  if btrim(coalesce(search, '')) <> '' then
    if cardinality(patterns) = 0 then
      hits := '{}';
    end if;
    foreach pattern in array patterns loop
      if char_length(pattern) < 5 then
        common := common || pattern;
        continue;
      end if;
      matching := array(
        (
          select t.id from public.forum_topics t
          where private.normalized(t.title || ' ' || coalesce(t.description, '')) like pattern
          limit 1001
        )
        union all
        (select p.topic_id from public.forum_posts p where private.normalized(p.content) like pattern limit 1001)
      );
      if cardinality(matching) > 1000 then
        common := common || pattern;
      else
        hits := array(select distinct m from unnest(matching) m where hits is null or m = any (hits));
      end if;
    end loop;
    if cardinality(common) > 0 then
      foreach latest in array array[500, 2000] loop
        -- Each text is read once; an absent pattern is null, and so neither found nor missing.
        select coalesce(array_agg(g.topic) filter (where g.has_all), '{}'), coalesce(sum(g.texts), 0) >= latest into found, is_cut
        from (
          select x.topic, count(*) as texts,
            bool_or(x.text like common[1]) is not false and bool_or(x.text like common[2]) is not false
            and bool_or(x.text like common[3]) is not false and bool_or(x.text like common[4]) is not false
            and bool_or(x.text like common[5]) is not false and bool_or(x.text like common[6]) is not false
            and bool_or(x.text like common[7]) is not false and bool_or(x.text like common[8]) is not false as has_all
          from (
            (select t.id as topic, private.normalized(t.title || ' ' || coalesce(t.description, '')) as text
             from public.forum_topics t where hits is null or t.id = any (hits) order by t.created_at desc limit latest)
            union all
            (select p.topic_id, private.normalized(p.content)
             from public.forum_posts p where hits is null or p.topic_id = any (hits) order by p.created_at desc limit latest)
          ) x group by x.topic
        ) g;
        exit when not is_cut or (hits is null and cardinality(found) >= 50);
      end loop;
      hits := found;
      partial := partial or is_cut;
    end if;
  end if;

  select
    coalesce(jsonb_agg(
      jsonb_build_object(
        'id', t.id, 'title', t.title, 'excerpt', left(t.description, 240), 'category', t.category, 'user_id', t.user_id,
        'is_pinned', t.is_pinned, 'is_locked', t.is_locked, 'views_count', t.views_count, 'posts_count', t.posts_count,
        'created_at', t.created_at, 'author', private.author_card(t.user_id),
        'found', case
          when hits is not null and not private.normalized(t.title || ' ' || coalesce(t.description, '')) like all (patterns)
          then (
            select jsonb_build_object('id', p.id,
              'excerpt', substr(p.content, greatest(strpos(private.normalized(p.content), words[1]) - 60, 1), 200))
            from (select r.* from public.forum_posts r where r.topic_id = t.id order by r.created_at desc limit 1000) p
            where private.normalized(p.content) like any (patterns)
            order by private.normalized(p.content) like all (patterns) desc, p.created_at, p.id
            limit 1
          )
        end
      ) order by t.place
    ) filter (where t.place <= wanted), '[]'),
    max(concat_ws('~', t.is_pinned, t.created_at, t.id)) filter (where t.place = wanted and t.more)
  into items, next_cursor
  from (
    select page.*, row_number() over () as place, count(*) over () > wanted as more
    from (
      select * from public.forum_topics t
      where (browse_forum.category is null or t.category = browse_forum.category)
        and (hits is null or t.id = any (hits))
        and (cursor is null or (t.is_pinned, t.created_at, t.id)
          < (split_part(cursor, '~', 1)::boolean, split_part(cursor, '~', 2)::timestamptz, split_part(cursor, '~', 3)::uuid))
      order by t.is_pinned desc, t.created_at desc, t.id desc
      limit wanted + 1
    ) page
  ) t;
  return jsonb_build_object(
    'items', items, 'next_cursor', next_cursor,
    'total', case when category is null then cardinality(hits) when hits is not null then (
      select count(*) from public.forum_topics t where t.id = any (hits) and t.category = browse_forum.category
    ) end,
    'partial', coalesce(partial, false)
  );
end
$$;

/* One topic whole, with its author and the members it mentions; null when there is none. */
create function public.forum_topic(topic uuid) returns jsonb
language sql stable set search_path = ''
return (
  select to_jsonb(t) || jsonb_build_object('author', private.author_card(t.user_id), 'mentions', private.mentioned_usernames(t.description))
  from public.forum_topics t where t.id = topic
);

/*
 * A piece of a topic's replies, oldest first.
 * cursor: next_cursor or previous_cursor of a piece that is known, or 'latest' for the end; post: begins shortly
 * before this reply instead, at the start when that does not exist; page_size: 1 to 100.
 * Returns {items [reply with author and mentions], previous_cursor, next_cursor}.
 * Errors: 22P02 or 22007 for a damaged cursor.
 */
create function public.forum_replies(
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
  first_post public.forum_posts;
  last_post public.forum_posts;
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
  select * into first_post from public.forum_posts p where p.id = any (page_ids) order by p.created_at, p.id limit 1;
  select * into last_post from public.forum_posts p where p.id = any (page_ids) order by p.created_at desc, p.id desc limit 1;
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(
        to_jsonb(p) || jsonb_build_object('author', private.author_card(p.user_id), 'mentions', private.mentioned_usernames(p.content))
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

grant execute on function public.browse_forum(text, text, text, integer), public.forum_topic(uuid),
  public.forum_replies(uuid, text, uuid, integer)
  to anon, authenticated, service_role;
