-- What a member follows, and the news of it.

create table public.follows (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  -- One of five subjects. Every reply to a topic is told of; the news of the others waits to be looked for.
  member_id uuid references public.profiles on delete cascade
    constraint "You cannot follow yourself" check (member_id <> user_id),
  solution_id uuid references public.solutions on delete cascade,
  topic_id uuid references public.forum_topics on delete cascade,
  tag text
    constraint "A tag must be 1 to 40 characters" check (
      tag is null or (tag = btrim(lower(tag)) and not private.is_blank(tag) and char_length(tag) <= 40)
    ),
  -- A saved search: words, values of any facet group in alphabetical order, and how these combine, as for browse_solutions.
  search text
    constraint "A search must be at most 200 characters" check (char_length(search) <= 200),
  filters text[]
    constraint "A saved search can have at most 60 filters" check (cardinality(filters) <= 60)
    constraint "The filters of a saved search must be a plain list" check (array_ndims(filters) = 1),
  match text constraint "Match must be all or any" check (match in ('all', 'any')),
  created_at timestamptz not null default now(),
  constraint "Follow one thing at a time" check (num_nonnulls(member_id, solution_id, topic_id, tag, search) = 1),
  constraint "Only a saved search has filters" check ((search is null) = (filters is null) and (search is null) = (match is null)),
  constraint "Please search or filter before you save a search" check (not private.is_blank(search) or filters <> '{}'),
  unique (user_id, member_id),
  unique (user_id, solution_id),
  unique (user_id, topic_id),
  unique (user_id, tag),
  unique (user_id, search, filters, match)
);

comment on table public.follows is
  'Members, solutions, topics, tags and searches whose news a member wants. Only the member can read them.';

alter table public.follows enable row level security;

create policy "Members can read what they follow" on public.follows
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can follow what they can see" on public.follows
  for insert to authenticated with check (user_id = (select auth.uid()) and (solution_id is null or private.is_approved(solution_id)));
create policy "Members can unfollow" on public.follows
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.follows
  as restrictive for select to authenticated using ((select private.has_required_aal()));

-- Whom to tell of a safety notice, or of a reply.
create index follows_member_id_idx on public.follows (member_id) where member_id is not null;
create index follows_solution_id_idx on public.follows (solution_id) where solution_id is not null;
create index follows_topic_id_idx on public.follows (topic_id) where topic_id is not null;
create index follows_tag_idx on public.follows (tag) where tag is not null;
create index follows_search_idx on public.follows (match) where search is not null;
-- What is new: approved lately, whenever it was submitted.
create index solutions_approved_at_idx on public.solutions (approved_at desc) where status = 'approved';

grant select, delete on public.follows to authenticated;
grant insert (user_id, member_id, solution_id, topic_id, tag, search, filters, match) on public.follows to authenticated;

/* At most a hundred more a day, and in all 200 subjects beside topics, of which 50 are searches with filters that are known.
   Not security definer: it counts the rows that the member can see. */
create function private.guard_follow() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    -- Of two at once the second counts the first.
    perform pg_advisory_xact_lock(hashtext('public.follows'), hashtext(new.user_id::text));
    if new.topic_id is null
      and (select count(*) from public.follows f where f.user_id = new.user_id and f.topic_id is null) >= 200
    then
      raise check_violation using message = 'You can follow up to 200 members, solutions, tags and searches';
    end if;
    if new.search is not null and (select count(*) from public.follows f where f.user_id = new.user_id and f.search is not null) >= 50 then
      raise check_violation using message = 'You can save up to 50 searches';
    end if;
    perform private.enforce_row_limit('public.follows', 'user_id', 100, '1 day',
      'You have followed 100 members, solutions, topics, tags and searches within a day. Please wait before you follow more.');
    if not new.filters <@ array(select v from jsonb_each(private.facet_groups()) g, jsonb_array_elements_text(g.value) v) then
      raise check_violation using message = 'A saved search can use only the filters that Browse offers';
    end if;
  end if;
  return new;
end
$$;

create trigger follows_guard before insert on public.follows
  for each row execute function private.guard_follow();

/* The author of a topic follows it from the start. Security definer, so that it does not count as their own
   act for the limit. */
create function private.follow_own_topic() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.follows (topic_id, user_id) values (new.id, new.user_id);
  return null;
end
$$;

create trigger forum_topics_15_follow after insert on public.forum_topics
  for each row when (new.user_id is not null) execute function private.follow_own_topic();

/*
 * Which of these solutions are news for which subjects of a member, or of all. A search finds a solution by its first eight
 * words, as in Browse, which all occur in it, or terms that mean the same, and by its filters; without the corrections that
 * Browse makes for a reader who can see them. Each word is looked for once, however many searches have it. Security definer,
 * because readers have no use for the columns that search keeps, and members cannot read what others follow.
 */
create function private.concerned(solutions uuid[], member uuid default null) returns table (follow_id uuid, solution_id uuid)
language sql stable security definer set search_path = ''
as $$
  with news as materialized (
    select s.id, s.user_id, s.facets, s.search_text, array(select lower(t) from unnest(s.custom_tags) t) as tags
    from public.solutions s where s.id = any (concerned.solutions) and s.status = 'approved'
  ),
  searches as materialized (
    select f.id, f.filters, f.match, array(select distinct w from unnest((private.tokenize(private.normalized(f.search)))[1:8]) w) as words
    from public.follows f where f.search is not null and (member is null or f.user_id = member)
  ),
  words as materialized (
    select w.word, array(
      select t from public.search_synonyms y, unnest(y.terms) t where y.terms @> array[w.word]
    ) as terms
    from (select distinct unnest(s.words) as word from searches s) w
  ),
  occurrences as materialized (
    select w.word, n.id
    from words w, news n
    where strpos(n.search_text, w.word) > 0
      or exists (select from unnest(w.terms) t where strpos(' ' || n.search_text || ' ', ' ' || t || ' ') > 0)
  ),
  -- What a search's filters leave out. With match any one of the chosen values of each group is enough.
  left_out as materialized (
    select s.id, n.id as solution_id from searches s, news n where s.match = 'all' and not n.facets @> s.filters
    union
    select g.id, n.id from (
      select s.id, array(select jsonb_array_elements_text(g.value) intersect select unnest(s.filters)) as chosen
      from searches s, jsonb_each(private.facet_groups()) g
      where s.match = 'any' and g.value ?| s.filters offset 0
    ) g, news n
    where not g.chosen && n.facets
  ),
  -- Of a search without words all are.
  worded as (
    select s.id, o.id as solution_id
    from searches s, unnest(s.words) w, occurrences o where o.word = w
    group by s.id, s.words, o.id having count(*) = cardinality(s.words)
    union all
    select s.id, n.id from searches s, news n where s.words = '{}'
  )
  select f.id, n.id from news n join public.follows f on (member is null or f.user_id = member)
    and (f.member_id = n.user_id or f.solution_id = n.id or f.tag = any (n.tags))
  union all
  select w.id, w.solution_id from worded w
  where not exists (select from left_out l where l.id = w.id and l.solution_id = w.solution_id)
$$;

/* Which of these solutions are news for which subjects of the caller. Security definer, because no one asks for those of
   others. */
create function private.own_news(solutions uuid[]) returns table (follow_id uuid, solution_id uuid)
language sql stable security definer set search_path = ''
as $$
  select c.follow_id, c.solution_id
  from private.concerned(own_news.solutions, coalesce((select auth.uid()), '00000000-0000-0000-0000-000000000000')) c;
$$;

/* The subjects of all members, or of one, that a solution is news for. Security definer, because members cannot read what
   others follow. */
create function private.follows_of(solution uuid, member uuid default null) returns setof public.follows
language sql stable security definer set search_path = ''
as $$
  select f.* from private.concerned(array[solution], member) c join public.follows f on f.id = c.follow_id;
$$;

/*
 * What is new between two times for each subject that the caller follows: [{id, kind, label, subject, filters, match, is_known,
 * items [{kind, solution_id, topic_id, title, author, number, at}]}], with at most ten items a subject, the newest
 * first. subject is the id of a solution or topic, or a member's username. kind of a subject: member,
 * solution, tag, search or topic; of an item: solution, version, comments, trials or replies, the last three with their
 * number. is_known is false for a search whose filters Browse no longer offers. Not security definer: the caller reads what they may read.
 */
create function public.following_news(since timestamptz, until timestamptz default 'infinity') returns jsonb
language sql stable set search_path = ''
as $$
  with period as (select greatest(since, now() - interval '92 days') as start, until as stop),
  recent as materialized (
    select s.id, s.title, s.user_id, s.approved_at from public.solutions s, period
    where s.status = 'approved'
      and s.approved_at > period.start
      and s.approved_at <= period.stop
      and s.user_id is distinct from (select auth.uid())
    order by s.approved_at desc limit 500
  ),
  -- The newest ten of each subject; a solution itself has other news.
  news as materialized (
    select c.follow_id, c.id, c.title, c.user_id, c.approved_at from (
      select o.follow_id, r.*, row_number() over (partition by o.follow_id order by r.approved_at desc, r.id) as place
      from private.own_news(array(select r.id from recent r)) o join recent r on r.id = o.solution_id
    ) c where c.place <= 10
  ),
  subjects as (
    select f.id, f.created_at,
      case
        when f.member_id is not null then 'member'
        when f.solution_id is not null then 'solution'
        when f.topic_id is not null then 'topic'
        when f.tag is not null then 'tag'
        else 'search'
      end as kind,
      coalesce(f.tag, f.search, (select coalesce(p.full_name, p.username, 'Anonymous') from public.profiles p where p.id = f.member_id),
        (select s.title from public.solutions s where s.id = f.solution_id),
        (select t.title from public.forum_topics t where t.id = f.topic_id)) as label,
      coalesce(f.solution_id, f.topic_id) as subject_id,
      coalesce(f.solution_id::text, f.topic_id::text, (select p.username from public.profiles p where p.id = f.member_id)) as subject,
      f.filters, f.match,
      f.filters is null
        or f.filters <@ array(select v from jsonb_each(private.facet_groups()) g, jsonb_array_elements_text(g.value) v) as is_known
    from public.follows f
    where f.topic_id is null
      or f.id in (select o.id from public.follows o where o.topic_id is not null order by o.created_at desc limit 200)
  )
  select coalesce(
    jsonb_agg(
      jsonb_build_object('id', u.id, 'kind', u.kind, 'label', u.label, 'subject', u.subject, 'filters', u.filters,
        'match', u.match, 'is_known', u.is_known, 'items', n.items)
      order by u.created_at desc, u.id
    ),
    '[]'
  )
  from subjects u, lateral (
    select coalesce(jsonb_agg(to_jsonb(i) order by i.at desc), '[]') as items from (
      select 'solution' as kind, n.id as solution_id, null::uuid as topic_id, n.title, private.author_card(n.user_id) as author,
        null::bigint as number, n.approved_at as at
      from news n where n.follow_id = u.id and u.kind in ('member', 'tag', 'search') and u.is_known
      union all
      select 'version', v.solution_id, null, u.label, null, v.version, v.published_at
      from public.solution_versions v, period
      where u.kind = 'solution'
        and v.solution_id = u.subject_id
        and v.version > 1
        and v.published_at > period.start
        and v.published_at <= period.stop
      union all
      select 'comments', c.solution_id, null, u.label, null, count(*), max(c.created_at)
      from public.comments c, period
      where u.kind = 'solution'
        and c.solution_id = u.subject_id
        and c.created_at > period.start
        and c.created_at <= period.stop
        and c.deleted_at is null
        and c.user_id is distinct from (select auth.uid())
      group by c.solution_id
      union all
      select 'trials', t.solution_id, null, u.label, null, count(*), max(t.approved_at)
      from public.solution_trials t, period
      where u.kind = 'solution'
        and t.solution_id = u.subject_id
        and t.status = 'approved'
        and t.approved_at > period.start
        and t.approved_at <= period.stop
        and t.user_id is distinct from (select auth.uid())
      group by t.solution_id
      union all
      select 'replies', null, p.topic_id, u.label, null, count(*), max(p.created_at)
      from public.forum_posts p, period
      where u.kind = 'topic'
        and p.topic_id = u.subject_id
        and p.created_at > period.start
        and p.created_at <= period.stop
        and p.user_id is distinct from (select auth.uid())
      group by p.topic_id
      order by 7 desc limit 10
    ) i
  ) n
  where u.label is not null
$$;

grant execute on function private.own_news(uuid[]), private.facet_groups() to authenticated, service_role;
grant execute on function public.following_news(timestamptz, timestamptz) to authenticated;

/* What following_news answers to a member, for their weekly email. Not security definer: it takes on the member's own role
   and claims, so that the email holds nothing that they may not read. */
create function public.weekly_digest(member uuid, since timestamptz, until timestamptz) returns jsonb
language plpgsql set search_path = ''
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', member, 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
  return public.following_news(since, until);
end
$$;

grant execute on function public.weekly_digest(uuid, timestamptz, timestamptz) to service_role;
