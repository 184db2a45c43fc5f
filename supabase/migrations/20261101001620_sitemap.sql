/*
 * The pages that search engines may find, for the site's map: addresses by number of page, 10,000 on each.
 * Both functions see the rows that the caller sees, of solutions those that everyone sees. Members are those who have shared public content.
 */
create function public.sitemap_sizes() returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'solutions', (select count(*) from public.solutions s where s.status = 'approved' and s.audience = 'public'),
  'topics', (select count(*) from public.forum_topics t),
  'members', (
    select count(*) from public.profiles p
    where p.username is not null
      and exists (select from public.solutions s where s.user_id = p.id and s.status = 'approved' and s.audience = 'public')
  )
);

/*
 * One page of the map: an array of [path, time of the last change if it is known], in an order that does not
 * change.
 *
 * kind: solutions, topics or members; any other value gives an empty page. page: from 1.
 */
create function public.sitemap_page(kind text, page integer) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_array(e.path, e.changed)), '[]')
  from (
    (
      select '/solutions/' || s.id as path, s.updated_at as changed
      from public.solutions s
      where kind = 'solutions' and s.status = 'approved' and s.audience = 'public'
      order by s.id offset (greatest(page, 1) - 1) * 10000 limit 10000
    )
    union all
    (
      select '/forum/' || t.id, coalesce(t.edited_at, t.created_at)
      from public.forum_topics t
      where kind = 'topics'
      order by t.id offset (greatest(page, 1) - 1) * 10000 limit 10000
    )
    union all
    (
      select '/members/' || p.username, null
      from public.profiles p
      where kind = 'members' and p.username is not null
        and exists (select from public.solutions s where s.user_id = p.id and s.status = 'approved' and s.audience = 'public')
      order by p.id offset (greatest(page, 1) - 1) * 10000 limit 10000
    )
  ) e;
$$;

grant execute on function public.sitemap_sizes() to anon, authenticated;
grant execute on function public.sitemap_page(text, integer) to anon, authenticated;
