/*
 * The approved solutions most like one that is approved, best first: the amputation level counts most, then
 * the device's function, its type, and materials and tags in common. The candidates are the most liked of the
 * same level and function, then of either, so that the work stays the same however many solutions there are.
 *
 * Security definer, because array operators are not leakproof and so could not use the index under row-level
 * security; it reads approved solutions of the caller's audiences only.
 */
create function public.related_solutions(solution uuid, max_results integer default 3) returns setof public.solutions
language sql stable security definer rows 3 set search_path = ''
as $$
  with reader as materialized (select private.readable_audiences() as audiences),
  one as (
    select o.* from public.solutions o, reader r
    where o.id = solution and o.status = 'approved' and (o.audience = any (r.audiences) or o.user_id = (select auth.uid()))
  ),
  candidates as (
    select c.id from one o, lateral (
      (select s.id from public.solutions s
       where s.status = 'approved' and s.audience = any ((select audiences from reader)::text[]) and s.facets @> array[o.amputation_level, o.occupation] and s.id <> o.id
       order by s.likes_count desc, s.created_at desc, s.id desc limit 100)
      union
      (select s.id from public.solutions s
       where s.status = 'approved' and s.audience = any ((select audiences from reader)::text[]) and s.facets @> array[o.amputation_level] and s.id <> o.id
       order by s.likes_count desc, s.created_at desc, s.id desc limit 100)
      union
      (select s.id from public.solutions s
       where s.status = 'approved' and s.audience = any ((select audiences from reader)::text[]) and s.facets @> array[o.occupation] and s.id <> o.id
       order by s.likes_count desc, s.created_at desc, s.id desc limit 100)
    ) c
  )
  -- Without the columns that no reader may select.
  select shown.*
  from (
    select s as row, row_number() over (
      order by
        4 * (s.amputation_level = o.amputation_level)::integer
          + 3 * (s.occupation = o.occupation)::integer
          + 2 * (s.prosthesis_type = o.prosthesis_type)::integer
          + (s.age_group = o.age_group)::integer
          + (select count(*) from unnest(s.materials) m where m = any (o.materials))
          + 2 * (select count(*) from unnest(s.custom_tags) t where lower(t) in (select lower(u) from unnest(o.custom_tags) u)) desc,
        s.likes_count desc, s.created_at desc, s.id desc
    ) as place
    from one o, candidates c join public.solutions s on s.id = c.id
  ) best
  cross join lateral jsonb_populate_record(
    null::public.solutions,
    to_jsonb(best.row) - array['number', 'author_names', 'search_text', 'facets', 'extra_facets', 'submission_id', 'submission_digest', 'checklist']
  ) shown
  where best.place <= least(greatest(coalesce(max_results, 3), 1), 12)
  order by best.place
$$;

grant execute on function public.related_solutions(uuid, integer) to anon, authenticated;
