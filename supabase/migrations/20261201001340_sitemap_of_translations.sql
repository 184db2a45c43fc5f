-- A page of the site's map names the translations of its solutions too; see 20261101000910_site.sql.
create or replace function public.sitemap_page(kind text, page integer) returns jsonb
language sql stable set search_path = ''
as $$
  with shared as (
    select s.id, s.updated_at
    from public.solutions s
    where kind = 'solutions' and s.status = 'approved' and s.audience = 'public'
    order by s.id offset (greatest(page, 1) - 1) * 1000 limit 1000
  )
  select coalesce(jsonb_agg(jsonb_build_array(e.path, e.changed)), '[]')
  from (
    select '/solutions/' || s.id as path, s.updated_at as changed from shared s
    union all
    select '/solutions/' || t.solution_id || '/translations/' || t.language, t.approved_at
    from shared s join public.solution_translations t on t.solution_id = s.id and t.status = 'approved'
    union all
    (
      select '/forum/' || t.id, coalesce(t.edited_at, t.created_at)
      from public.forum_topics t
      where kind = 'topics'
      order by t.id offset (greatest(page, 1) - 1) * 1000 limit 1000
    )
    union all
    (
      select '/members/' || p.username, null
      from (
        select m.id, m.username from public.profiles m
        where kind = 'members' and m.username is not null
        order by m.id offset (greatest(page, 1) - 1) * 1000 limit 1000
      ) p
      where exists (select from public.solutions s where s.user_id = p.id and s.status = 'approved' and s.audience = 'public')
      order by p.id
    )
  ) e;
$$;
