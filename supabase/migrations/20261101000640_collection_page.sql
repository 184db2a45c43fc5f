grant execute on function private.solution_cards(uuid[]) to anon, authenticated;

/*
 * A collection with its newest 500 solutions: {id, title, is_shared, link_removed_at, user_id, owner, unseen, items [{note, version,
 * published_at, solution}]}; null for one that is neither the caller's nor shared. unseen: how many others its owner saved in
 * it, which their rights no longer show them; null for other readers. Not security definer: the caller gets the approved solutions that their own
 * rights show them, and no word of the others.
 */
create function public.collection_page(collection uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select opened - 'notes' || jsonb_build_object(
    'owner', private.author_card((opened ->> 'user_id')::uuid),
    'unseen', case when (opened ->> 'user_id')::uuid = (select auth.uid())
      then (select count(*) from jsonb_object_keys(opened -> 'notes')) - cardinality(readable) end,
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'note', opened -> 'notes' -> (card ->> 'id'), 'version', v.version, 'published_at', v.published_at, 'solution', card
      ) order by place), '[]')
      from jsonb_array_elements(private.solution_cards(readable)) with ordinality as cards (card, place)
      join public.solutions s on s.id = (card ->> 'id')::uuid
      left join public.solution_versions v on v.solution_id = s.id and v.version = s.version
    )
  )
  from private.open_collection(collection) as opened, lateral (
    select array(
      select s.id from public.solutions s
      where s.status = 'approved' and s.id in (select k::uuid from jsonb_object_keys(opened -> 'notes') k)
      order by s.title, s.id
    ) as readable
  ) as r
  where opened is not null
$$;

grant execute on function public.collection_page(uuid) to anon, authenticated;
