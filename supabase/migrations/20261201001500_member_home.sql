-- What was sent back to a member, of however much they have written.
create index solutions_sent_back_idx on public.solutions (user_id, updated_at) where status = 'rejected';
create index solution_trials_sent_back_idx on public.solution_trials (user_id, updated_at) where status = 'rejected';
create index solution_translations_sent_back_idx on public.solution_translations (user_id, updated_at) where status = 'rejected';

/*
 * What the home page of a member begins with: {waiting, warnings, news, pictures}.
 *
 * waiting: what asks something of the caller, at most 20 of each kind: the questions "Still in use?" without an answer, what was sent
 * back to them (solution, trial, translation), and their solutions with comments of the last 90 days in whose thread they have not
 * written. warnings: the safety notices in force, on a solution or one of its parts, of what the caller shared, tried, saved or
 * follows, recalls first, at most 100. news: following_news of 30 days without what has none. pictures: those of the newest news.
 *
 * Not security definer: the caller reads what they may read. Its cost has an end for the busiest member: it looks at the newest 500 of
 * what they shared, tried and saved, at the newest 20 comments of each of these solutions, and at the newest 200 questions.
 */
create function public.member_home() returns jsonb
language sql stable set search_path = ''
as $$
  with
  asked as (
    select distinct on (q.solution_id, q.trial_id) q.id, q.solution_id, q.months, q.answer, q.audience, q.created_at
    from (
      select * from public.use_questions q where q.user_id = (select auth.uid()) order by q.created_at desc limit 200
    ) q
    order by q.solution_id, q.trial_id, q.months desc
  ),
  own as materialized (
    select s.id, s.title, s.language, s.thumbnail_url from public.solutions s
    where s.user_id = (select auth.uid()) and s.status = 'approved'
    order by s.created_at desc limit 500
  ),
  waiting as (
    (select 1 as place, 'question' as kind, q.id, s.id as solution_id, s.title, s.language, s.thumbnail_url, null as text,
        null as text_language, q.months::bigint as number, q.created_at as at
      from asked q join public.solutions s on s.id = q.solution_id
      where q.answer is null and q.audience is not null
      order by q.created_at desc limit 20)
    union all
    (select 2, 'solution', s.id, coalesce(s.revises, s.id), s.title, s.language, s.thumbnail_url, s.rejection_reason, null, null,
        s.updated_at
      from public.solutions s
      where s.user_id = (select auth.uid()) and s.status = 'rejected'
      order by s.updated_at desc limit 20)
    union all
    (select 2, 'trial', t.id, s.id, s.title, s.language, s.thumbnail_url, t.rejection_reason, null, null, t.updated_at
      from public.solution_trials t join public.solutions s on s.id = t.solution_id
      where t.user_id = (select auth.uid()) and t.status = 'rejected'
      order by t.updated_at desc limit 20)
    union all
    -- The language into which it was translated stands in the place of that of a text.
    (select 2, 'translation', t.id, s.id, s.title, s.language, s.thumbnail_url, t.rejection_reason, t.language, null, t.updated_at
      from public.solution_translations t join public.solutions s on s.id = t.solution_id
      where t.user_id = (select auth.uid()) and t.status = 'rejected'
      order by t.updated_at desc limit 20)
    union all
    (select 3, 'comments', c.newest, o.id, o.title, o.language, o.thumbnail_url, c.text, c.language, c.number, c.at
      from own o, lateral (
        select count(*) as number, max(u.created_at) as at, (array_agg(u.id order by u.created_at desc))[1] as newest,
          (array_agg(left(u.content, 300) order by u.created_at desc))[1] as text,
          (array_agg(u.language order by u.created_at desc))[1] as language
        from (
          select c.id, c.content, c.language, c.created_at from public.comments c
          where c.solution_id = o.id
            and c.parent_comment_id is null
            and c.deleted_at is null
            and c.created_at > now() - interval '90 days'
            and c.user_id is distinct from (select auth.uid())
          order by c.created_at desc, c.id desc limit 20
        ) u
        where not exists (
          select from public.comments r where r.thread_id = u.id and r.user_id = (select auth.uid()) and r.deleted_at is null
        )
      ) c
      where c.number > 0
      order by c.at desc limit 20)
  ),
  concerned as materialized (
    select c.id, jsonb_agg(distinct c.why) as why from (
      select o.id, 'shared' as why from own o
      union all
      (select t.solution_id, 'tried' from public.solution_trials t
        where t.user_id = (select auth.uid()) order by t.created_at desc limit 500)
      union all
      (select i.solution_id, 'saved' from public.collection_items i
        where i.user_id = (select auth.uid()) order by i.created_at desc limit 500)
      union all
      select f.solution_id, 'follow' from public.follows f where f.user_id = (select auth.uid()) and f.solution_id is not null
    ) c group by c.id
  ),
  notices as (
    select c.id as solution_id, c.why, n.id, n.kind, n.content, n.language, null as part, n.created_at
    from concerned c join public.safety_notices n on n.solution_id = c.id and n.ended_at is null
    union all
    select distinct c.id, c.why, n.id, n.kind, n.content, n.language, concat_ws(' ', n.maker, n.part_number), n.created_at
    from concerned c
      join public.solution_parts p on p.solution_id = c.id and p.part_number is not null
      join public.part_notices n on n.part = private.part_key(p.maker, p.part_number) and n.ended_at is null
    -- No part is compared with nothing.
    where exists (select from public.part_notices n where n.ended_at is null)
  ),
  warnings as (
    select n.*, s.title, s.language as title_language from notices n join public.solutions s on s.id = n.solution_id
    where s.status = 'approved'
    order by n.kind desc, n.created_at desc, n.id, n.solution_id limit 100
  ),
  news as materialized (
    select n.value, n.ordinality
    from jsonb_array_elements(public.following_news(now() - interval '30 days')) with ordinality n
    where n.value -> 'items' <> '[]'
  ),
  pictured as (
    select (i.value ->> 'solution_id')::uuid as id, max(i.value ->> 'at') as at
    from news n, jsonb_array_elements(n.value -> 'items') i
    where i.value ->> 'solution_id' is not null
    group by 1 order by 2 desc limit 12
  )
  select jsonb_build_object(
    'waiting', coalesce((select jsonb_agg(to_jsonb(w) - 'place' order by w.place, w.at desc, w.id) from waiting w), '[]'),
    'warnings', coalesce(
      (select jsonb_agg(to_jsonb(w) - 'created_at' order by w.kind desc, w.created_at desc, w.id, w.solution_id) from warnings w), '[]'
    ),
    'news', coalesce((select jsonb_agg(n.value order by n.ordinality) from news n), '[]'),
    'pictures', coalesce(
      (select jsonb_agg(jsonb_build_object('id', s.id, 'thumbnail_url', s.thumbnail_url))
        from pictured p join public.solutions s on s.id = p.id), '[]'
    )
  )
$$;

grant execute on function public.member_home() to authenticated;
