/* A comment as the discussion shows it. Not security definer: the reader's own rights decide. */
create function private.comment_card(c public.comments) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'id', c.id, 'user_id', c.user_id, 'content', c.content, 'parent_comment_id', c.parent_comment_id,
  'created_at', c.created_at, 'edited_at', c.edited_at, 'deleted_at', c.deleted_at,
  'author', private.author_card(c.user_id)
);

/*
 * The next replies below a first-level comment, at any depth and in the order of the conversation, so that
 * none comes before the one it answers. A row of {items [comment], next_cursor}; next_cursor is null at the
 * end.
 */
create function public.comment_replies(thread uuid, cursor text default null, page_size integer default 40) returns jsonb
language sql stable set search_path = ''
as $$
  with recursive below as (
    select c.* from public.comments c where c.parent_comment_id = thread
    union all
    select c.* from below b join public.comments c on c.parent_comment_id = b.id and c.solution_id = b.solution_id
  ),
  page as (
    select b.*, row_number() over (order by b.created_at, b.depth, b.id) as place
    from below b
    where cursor is null or (b.created_at, b.depth, b.id)
      > (split_part(cursor, '~', 1)::timestamptz, split_part(cursor, '~', 2)::smallint, split_part(cursor, '~', 3)::uuid)
    order by b.created_at, b.depth, b.id
    limit least(greatest(coalesce(page_size, 40), 1), 100) + 1
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(private.comment_card(c) order by p.place) filter (where p.place <= least(greatest(coalesce(page_size, 40), 1), 100)), '[]'),
    'next_cursor', max(concat_ws('~', p.created_at, p.depth, p.id))
      filter (where p.place = least(greatest(coalesce(page_size, 40), 1), 100)
        and (select count(*) from page) > least(greatest(coalesce(page_size, 40), 1), 100))
  )
  from page p join public.comments c on c.id = p.id
$$;

/* How many replies a first-level comment has, at any depth, without removed ones. */
create function private.count_replies(thread uuid) returns bigint
language sql stable set search_path = ''
as $$
  with recursive below as (
    select c.id, c.solution_id, c.deleted_at from public.comments c where c.parent_comment_id = thread
    union all
    select c.id, c.solution_id, c.deleted_at from below b join public.comments c on c.parent_comment_id = b.id and c.solution_id = b.solution_id
  )
  select count(*) from below b where b.deleted_at is null
$$;

/*
 * One page of a solution's discussion in one call: first-level comments in the order of `sort`, 'newest' or 'oldest'
 * first, each with the first replies below it. cursor: next_cursor of the page before, in the same order;
 * page_size: 1 to 50. Returns {items [comment with reply_count and replies {items, next_cursor}], next_cursor}.
 */
create function public.comment_threads(solution uuid, cursor text default null, page_size integer default 20, sort text default 'newest') returns jsonb
language sql stable set search_path = ''
as $$
  with newest as (
    select c.id, c.created_at, row_number() over (order by c.created_at desc, c.id desc) as place
    from public.comments c
    where sort <> 'oldest' and c.solution_id = solution and c.parent_comment_id is null
      and (cursor is null or (c.created_at, c.id) < (split_part(cursor, '~', 1)::timestamptz, split_part(cursor, '~', 2)::uuid))
    order by c.created_at desc, c.id desc
    limit least(greatest(coalesce(page_size, 20), 1), 50) + 1
  ),
  oldest as (
    select c.id, c.created_at, row_number() over (order by c.created_at, c.id) as place
    from public.comments c
    where sort = 'oldest' and c.solution_id = solution and c.parent_comment_id is null
      and (cursor is null or (c.created_at, c.id) > (split_part(cursor, '~', 1)::timestamptz, split_part(cursor, '~', 2)::uuid))
    order by c.created_at, c.id
    limit least(greatest(coalesce(page_size, 20), 1), 50) + 1
  ),
  page as (select * from newest union all select * from oldest)
  select jsonb_build_object(
    'items', coalesce(
      jsonb_agg(
        private.comment_card(c) || jsonb_build_object('reply_count', private.count_replies(c.id), 'replies', public.comment_replies(c.id))
        order by p.place
      ) filter (where p.place <= least(greatest(coalesce(page_size, 20), 1), 50)), '[]'),
    'next_cursor', max(concat_ws('~', p.created_at, p.id))
      filter (where p.place = least(greatest(coalesce(page_size, 20), 1), 50)
        and (select count(*) from page) > least(greatest(coalesce(page_size, 20), 1), 50))
  )
  from page p join public.comments c on c.id = p.id
$$;

/*
 * The thread of a comment at any depth, for a link that leads to it: as one of `comment_threads`, with the replies up to
 * it at least where there are at most 100 of them. Null when there is no such comment.
 */
create function public.comment_thread(comment uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with recursive above as (
    select c.id, c.parent_comment_id from public.comments c where c.id = comment
    union all
    select c.id, c.parent_comment_id from above a join public.comments c on c.id = a.parent_comment_id
  )
  select private.comment_card(c) || jsonb_build_object('reply_count', private.count_replies(c.id), 'replies', public.comment_replies(c.id, page_size => 100))
  from above a join public.comments c on c.id = a.id where a.parent_comment_id is null
$$;

grant execute on function private.comment_card(public.comments), private.count_replies(uuid) to anon, authenticated, service_role;
grant execute on function public.comment_replies(uuid, text, integer), public.comment_threads(uuid, text, integer, text), public.comment_thread(uuid)
  to anon, authenticated, service_role;
