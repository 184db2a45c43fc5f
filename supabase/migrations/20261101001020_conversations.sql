/*
 * The caller's conversations, the one with the latest message first: {items, next_cursor}. An item is
 * {other, unread, id, sender_id, subject, content, created_at}: the other member, or null for members who have left,
 * who are one conversation; the number of unread messages; and of the latest message the first 200 characters.
 * cursor: next_cursor of the page before; page_size: 1 to 50. Not security definer: it sees the messages that
 * the caller sees.
 */
create function public.conversations(cursor text default null, page_size integer default 30) returns jsonb
language sql stable set search_path = ''
as $$
  with exchanged as (
    select m.id, m.sender_id, m.subject, m.content, m.created_at, m.read,
      case when m.sender_id = (select auth.uid()) then m.recipient_id else m.sender_id end as other_id
    from public.messages m
    where m.recipient_id = (select auth.uid()) or m.sender_id = (select auth.uid())
  ),
  latest as (
    select distinct on (e.other_id) e.*,
      count(*) filter (where not e.read and e.sender_id is distinct from (select auth.uid())) over (partition by e.other_id) as unread
    from exchanged e
    order by e.other_id, e.created_at desc, e.id desc
  ),
  page as (
    select l.*, row_number() over (order by l.created_at desc, l.id desc) as place
    from latest l
    where cursor is null or (l.created_at, l.id) < (split_part(cursor, '~', 1)::timestamptz, split_part(cursor, '~', 2)::uuid)
    order by l.created_at desc, l.id desc
    limit least(greatest(coalesce(page_size, 30), 1), 50) + 1
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'other', private.author_card(p.other_id),
      'unread', p.unread, 'id', p.id, 'sender_id', p.sender_id, 'subject', p.subject, 'content', left(p.content, 200), 'created_at', p.created_at
    ) order by p.place) filter (where p.place <= least(greatest(coalesce(page_size, 30), 1), 50)), '[]'),
    'next_cursor', max(concat_ws('~', p.created_at, p.id))
      filter (where p.place = least(greatest(coalesce(page_size, 30), 1), 50)
        and (select count(*) from page) > least(greatest(coalesce(page_size, 30), 1), 50))
  )
  from page p
$$;

grant execute on function public.conversations(text, integer) to authenticated;
