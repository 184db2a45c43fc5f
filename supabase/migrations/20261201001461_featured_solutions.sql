-- What the home page features carries no recall.

/*
 * The most liked solutions that the caller can read, without those that must not be used or have a part that must not, as cards; the
 * facets count all that the caller finds. Of the hundred most liked at most, so that the work stays the same however many are recalled.
 * Security definer, because it reads the sets that browse searches with.
 */
create function public.featured_solutions(max_results integer default 6) returns jsonb
language sql stable security definer set search_path = '' set work_mem = '32MB'
as $$
  select public.browse_solutions(sort => 'popular', page_size => 1) || jsonb_build_object('next_cursor', null, 'items',
    private.solution_cards(array(
      select s.id
      from private.readable_bitmap() readable,
        unnest(private.page_of(readable, coalesce(bit_count(readable), 1), 'popular', '', 100)) with ordinality as liked (id, place)
        join public.solutions s on s.id = liked.id
      where coalesce(s.safety_kind, '') not in ('recall', 'part_recall')
      order by liked.place limit least(greatest(coalesce(max_results, 6), 1), 24)
    )))
$$;

grant execute on function public.featured_solutions(integer) to anon, authenticated;
