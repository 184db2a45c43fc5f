/* A comment as the discussion shows it. Not security definer: the reader's own rights decide. */
create function private.comment_card(c public.comments) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'id', c.id, 'user_id', c.user_id, 'content', c.content, 'parent_comment_id', c.parent_comment_id,
  'created_at', c.created_at, 'deleted_at', c.deleted_at,
  'author', (
    select jsonb_build_object('id', p.id, 'username', p.username, 'full_name', p.full_name, 'profession', p.profession, 'avatar_url', p.avatar_url)
    from public.profiles p where p.id = c.user_id
  )
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

/*
 * One page of a solution's discussion in one call: first-level comments, newest first, each with the first
 * replies below it. cursor: next_cursor of the page before; page_size: 1 to 50.
 * Returns {items [comment with replies {items, next_cursor}], next_cursor}.
 */
create function public.comment_threads(solution uuid, cursor text default null, page_size integer default 20) returns jsonb
language sql stable set search_path = ''
as $$
  with page as (
    select c.id, c.created_at, row_number() over (order by c.created_at desc, c.id desc) as place
    from public.comments c
    where c.solution_id = solution and c.parent_comment_id is null
      and (cursor is null or (c.created_at, c.id) < (split_part(cursor, '~', 1)::timestamptz, split_part(cursor, '~', 2)::uuid))
    order by c.created_at desc, c.id desc
    limit least(greatest(coalesce(page_size, 20), 1), 50) + 1
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(private.comment_card(c) || jsonb_build_object('replies', public.comment_replies(c.id)) order by p.place)
      filter (where p.place <= least(greatest(coalesce(page_size, 20), 1), 50)), '[]'),
    'next_cursor', max(concat_ws('~', p.created_at, p.id))
      filter (where p.place = least(greatest(coalesce(page_size, 20), 1), 50)
        and (select count(*) from page) > least(greatest(coalesce(page_size, 20), 1), 50))
  )
  from page p join public.comments c on c.id = p.id
$$;

grant execute on function private.comment_card(public.comments) to anon, authenticated, service_role;
grant execute on function public.comment_replies(uuid, text, integer), public.comment_threads(uuid, text, integer)
  to anon, authenticated, service_role;
