-- Conversations, collections and their notes say the language of what is written in them.

/* A page of the caller's conversations, each with its latest message, the newest first. Not security definer: the caller's own
   rights decide. */
create or replace function public.conversations(cursor text default null, page_size integer default 30) returns jsonb
language sql stable set search_path = ''
as $$
  with page as (
    select m.*, row_number() over (order by c.latest_at desc, c.message_id desc) as place
    from private.conversations_after(cursor, least(greatest(coalesce(page_size, 30), 1), 50) + 1) c
    join public.messages m on m.id = c.message_id
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'other', private.author_card(case when p.sender_id = (select auth.uid()) then p.recipient_id else p.sender_id end),
      'unread', (
        select count(*) from public.messages u where u.recipient_id = (select auth.uid()) and u.pair = p.pair and not u.read
      ),
      'id', p.id, 'sender_id', p.sender_id, 'subject', p.subject, 'content', left(p.content, 200), 'language', p.language,
      'created_at', p.created_at
    ) order by p.place) filter (where p.place <= least(greatest(coalesce(page_size, 30), 1), 50)), '[]'),
    'next_cursor', max(concat_ws('~', p.created_at, p.id))
      filter (where p.place = least(greatest(coalesce(page_size, 30), 1), 50)
        and (select count(*) from page) > least(greatest(coalesce(page_size, 30), 1), 50))
  )
  from page p
$$;

/* A collection that the caller may open, with the notes by solution. Security definer, because its readers cannot read the collections of
   others; what they get of a solution is up to collection_page. */
create or replace function private.open_collection(collection uuid) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object('id', c.id, 'title', c.title, 'language', c.language, 'is_shared', c.is_shared,
    'link_removed_at', c.link_removed_at, 'user_id', c.user_id, 'notes', (
      select coalesce(jsonb_object_agg(l.solution_id, jsonb_build_object('note', l.note, 'language', l.language)), '{}')
      from (
        select i.* from public.collection_items i
        where i.collection_id = c.id and i.user_id = c.user_id order by i.created_at desc limit 500
      ) l
    ))
  from public.collections c
  where c.id = collection and (c.is_shared or (c.user_id = (select auth.uid()) and private.has_required_aal()))
);

/*
 * A collection with its newest 500 solutions: {id, title, language, is_shared, link_removed_at, user_id, owner, unseen, items
 * [{note, language, version, published_at, solution}]}; null for one that is neither the caller's nor shared. unseen: how many
 * others its owner saved in it, which their rights no longer show them; null for other readers. Not security definer: the caller
 * gets the approved solutions that their own rights show them, and no word of the others.
 */
create or replace function public.collection_page(collection uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select opened - 'notes' || jsonb_build_object(
    'owner', private.author_card((opened ->> 'user_id')::uuid),
    'unseen', case when (opened ->> 'user_id')::uuid = (select auth.uid())
      then (select count(*) from jsonb_object_keys(opened -> 'notes')) - cardinality(readable) end,
    'items', (
      select coalesce(jsonb_agg((opened -> 'notes' -> (card ->> 'id')) || jsonb_build_object(
        'version', v.version, 'published_at', v.published_at, 'solution', card
      ) order by place), '[]')
      from rows from (jsonb_array_elements(private.solution_cards(readable)), unnest(readable)) with ordinality as cards (card, id, place)
      join public.solutions s on s.id = cards.id
      left join public.solution_versions v on v.solution_id = s.id and v.version = s.version
    )
  )
  from private.open_collection(collection) as opened, lateral (
    select array(
      select s.id from public.solutions s
      -- An array, since a cast is not leakproof and so finds no index under row-level security.
      where s.status = 'approved' and s.id = any (array(select k::uuid from jsonb_object_keys(opened -> 'notes') k))
      order by s.title, s.id
    ) as readable
  ) as r
  where opened is not null
$$;

/*
 * The caller's collections, the first made first: [{id, title, language, is_shared, size, latest [{id, thumbnail_url}]}]. size: how
 * many solutions it holds; latest: the newest four of its newest 500 that its page shows. Not security definer, as collection_page.
 */
create or replace function public.own_collections() returns jsonb
language sql stable set search_path = ''
return (
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'title', c.title, 'language', c.language, 'is_shared', c.is_shared,
    'size', (select count(*) from public.collection_items i where i.collection_id = c.id and i.user_id = c.user_id),
    'latest', (
      select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'thumbnail_url', l.thumbnail_url) order by l.created_at desc), '[]')
      from (
        select s.id, s.thumbnail_url, h.created_at
        from (
          select i.solution_id, i.created_at from public.collection_items i
          where i.collection_id = c.id and i.user_id = c.user_id order by i.created_at desc limit 500
        ) h
        join public.solutions s on s.id = h.solution_id and s.status = 'approved'
        order by h.created_at desc limit 4
      ) l
    )
  ) order by c.created_at, c.id), '[]')
  from public.collections c
  where c.user_id = (select auth.uid())
);
