grant execute on function private.solution_cards(uuid[]) to anon, authenticated;

/*
 * A collection with its newest 500 solutions: {id, title, is_shared, user_id, owner, items [{note, solution}]}; null for one
 * that is neither the caller's nor shared. Not security definer: the caller gets the approved solutions that their own
 * rights show them, and no word of the others.
 */
create function public.collection_page(collection uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select opened - 'notes' || jsonb_build_object(
    'owner', private.author_card((opened ->> 'user_id')::uuid),
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object('note', opened -> 'notes' -> (card ->> 'id'), 'solution', card) order by place), '[]')
      from jsonb_array_elements(private.solution_cards(array(
        select s.id from public.solutions s
        where s.status = 'approved' and s.id in (select k::uuid from jsonb_object_keys(opened -> 'notes') k)
        order by s.title, s.id
      ))) with ordinality as cards (card, place)
    )
  )
  from private.open_collection(collection) as opened
  where opened is not null
$$;

grant execute on function public.collection_page(uuid) to anon, authenticated;
