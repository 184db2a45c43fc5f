-- The list of topics says which are answered, and its search looks through their summaries.

/*
 * A page of topics, pinned first, then newest. category: of this one alone; search: words that must all
 * occur, in any part of a word and ignoring case and accents, in a topic's title, description, summary or replies;
 * cursor: next_cursor of the page before; page_size: 1 to 50. Returns {items [topic with author, and with the
 * matching reply, if one matched], next_cursor, total, partial}; total is the number of topics that a search
 * found; partial: there may be more, because only a part was searched.
 *
 * Eight words are looked for. Those in at most 1,000 topics and replies are found through the index, wherever
 * they are; commoner ones, and what no index finds, such as parts of one or two letters, are looked for in the
 * results of the others, or without others in the latest texts: 2,000 topics and as many replies, or a quarter of
 * them where these have 50 topics to show. Errors: 22P02 or 22007 for a damaged cursor.
 */
create or replace function public.browse_forum(
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
      -- The index knows the letters of the database's locale: where that is C, it finds none of other scripts.
      if char_length(pattern) < 5 or not exists (select from unnest(extensions.show_trgm(pattern)) t where t !~ ' ') then
        common := common || pattern;
        continue;
      end if;
      matching := array(
        (
          select t.id from public.forum_topics t
          where private.normalized(t.title || ' ' || coalesce(t.description, '') || ' ' || coalesce(t.summary, '')) like pattern
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
            (select t.id as topic,
               private.normalized(t.title || ' ' || coalesce(t.description, '') || ' ' || coalesce(t.summary, '')) as text
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
        'id', t.id, 'title', t.title, 'excerpt', left(t.description, 240), 'category', t.category, 'language', t.language,
        'user_id', t.user_id,
        'is_pinned', t.is_pinned, 'is_locked', t.is_locked, 'views_count', t.views_count, 'posts_count', t.posts_count,
        'created_at', t.created_at, 'is_answered', t.answer_id is not null, 'author', private.author_card(t.user_id),
        'found', case
          when hits is not null
            and not private.normalized(t.title || ' ' || coalesce(t.description, '') || ' ' || coalesce(t.summary, '')) like all (patterns)
          then (
            select jsonb_build_object('id', p.id, 'language', p.language,
              'excerpt', substr(p.content, greatest(strpos(private.normalized(p.content), words[1]) - 60, 1), 200))
            from (
              select r.id, r.content, r.language, r.created_at
              from public.forum_posts r where r.topic_id = t.id order by r.created_at desc limit 1000
            ) p
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
      select t.id, t.title, t.description, t.summary, t.category, t.language, t.user_id, t.is_pinned, t.is_locked, t.views_count,
        t.posts_count, t.created_at, t.answer_id
      from public.forum_topics t
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
