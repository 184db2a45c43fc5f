-- The site as a whole: views of its pages, its counts, its map, its live tables, its uptime and its queues.

create table public.page_views (
  id bigint generated always as identity primary key,
  page_path text not null
    constraint "A page path starts with a slash and has no query" check (page_path ~ '^/[^?#]*$' and char_length(page_path) <= 300),
  user_id uuid references public.profiles on delete set null,
  session_id text constraint "A session id is at most 64 letters and digits" check (session_id ~ '^[A-Za-z0-9-]{1,64}$'),
  viewed_at timestamptz not null default now()
);

comment on table public.page_views is
  'The views of pages, with their times. Holds an account or session only where the visitor agreed to statistics.';

alter table public.page_views enable row level security;

create policy "Everybody can log a view of their own" on public.page_views
  for insert with check (user_id is null or user_id = (select auth.uid()));
create policy "Moderators can read page views" on public.page_views
  for select to authenticated using ((select private.is_moderator()));

-- Counts by month.
create index page_views_viewed_at_idx on public.page_views (viewed_at);
create index page_views_user_id_idx on public.page_views (user_id) where user_id is not null;

/* The time of a view is the server's; the client's clock is ignored. More views than a person can have in a
   minute are refused: 120 of a member, 600 of an address, which a whole hospital may share. */
create function private.stamp_page_view() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    new.viewed_at := now();
    if not private.within_rate_limit('page_view', case when (select auth.uid()) is null then 600 else 120 end) then
      perform private.raise_rate_limited('Too many page views within a minute', date_trunc('minute', now()) + interval '1 minute' - now());
    end if;
  end if;
  return new;
end
$$;

create trigger page_views_stamp before insert on public.page_views
  for each row execute function private.stamp_page_view();

-- Without the columns that identify the viewer of a page.
grant select (id, page_path, viewed_at) on public.page_views to authenticated;
grant insert (page_path, user_id, session_id, viewed_at) on public.page_views to anon, authenticated;

create trigger profiles_count_members after insert or delete or update of username on public.profiles
  for each row execute function private.keep_count('members', 'username is not null');
create trigger forum_topics_count after insert or delete on public.forum_topics
  for each row execute function private.keep_count('topics', 'true');
create trigger forum_topics_count_stories after insert or delete or update of category on public.forum_topics
  for each row execute function private.keep_count('success_stories', $$category = 'success-stories'$$);
-- The status of a solution changes without being named, and one is changed by each like.
create trigger solutions_count_pending after insert or delete on public.solutions
  for each row execute function private.keep_count('pending', $$status = 'pending' and revises is null$$);
create trigger solutions_count_pending_decided after update on public.solutions
  for each row when (old.status <> new.status) execute function private.keep_count('pending', $$status = 'pending' and revises is null$$);
create trigger solutions_count_rejected after insert or delete on public.solutions
  for each row execute function private.keep_count('rejected', $$status = 'rejected' and revises is null$$);
create trigger solutions_count_rejections after update on public.solutions
  for each row when (old.status <> new.status) execute function private.keep_count('rejected', $$status = 'rejected' and revises is null$$);

/* The number of published solutions of these audiences, new versions aside. Security definer, because no client can read the
   counts. */
create function private.count_published(audiences text[]) returns bigint
language sql stable security definer set search_path = ''
return coalesce(
  (select sum(c.solutions) from private.facet_counts c where c.value = '' and c.other = '' and c.audience = any (audiences)), 0
);

/* The home page's three numbers, of what everyone can see. */
create function public.site_counts() returns jsonb
language sql stable security definer set search_path = ''
return jsonb_build_object(
  'members', private.kept_count('members'),
  'solutions', private.count_published('{public}'),
  'success_stories', private.kept_count('success_stories')
);

grant execute on function public.site_counts() to anon, authenticated;

/*
 * The number of solutions in each state, new versions of published ones aside, and of views of pages in the current month (UTC), for
 * the dashboard: {approved, pending, rejected, page_views}; null for who is no moderator. Security definer, so that counting needs
 * no reading of the rows.
 */
create function public.site_activity() returns jsonb
language sql stable security definer set search_path = ''
return case when private.is_moderator() then jsonb_build_object(
  'approved', private.count_published(private.audiences()),
  'pending', private.kept_count('pending'),
  'rejected', private.kept_count('rejected'),
  'page_views', (
    select count(*) from public.page_views v
    where v.viewed_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
  )
) end;

grant execute on function public.site_activity() to authenticated;

/*
 * The pages that search engines may find, for the site's map: addresses by number of page, 1,000 on each.
 * Both functions name what everyone sees. Of each thousand members a page has those who have shared public content, so that none has
 * to be counted. Security definer the first, because no client can read the counts.
 */
create function public.sitemap_sizes() returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object(
    'solutions', shared, 'topics', private.kept_count('topics'),
    'members', case when shared > 0 then private.kept_count('members') else 0 end
  )
  from private.count_published('{public}') shared
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
      order by s.id offset (greatest(page, 1) - 1) * 1000 limit 1000
    )
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

grant execute on function public.sitemap_sizes() to anon, authenticated;
grant execute on function public.sitemap_page(text, integer) to anon, authenticated;

-- The tables that the site follows live; row-level security decides which subscribers receive which row.
alter publication supabase_realtime add table
  public.audit_events, public.comment_counts, public.comments, public.content_reports, public.forum_posts, public.forum_topics,
  public.held_posts, public.message_deletions, public.messages, public.notifications,
  public.resource_suggestions, public.sanctions, public.solution_reviews, public.solutions, public.removal_requests, public.user_roles;

-- For a deleted row the log has its replica identity, and the deletion is sent to the readers who could have
-- read the row: the columns that the policies for reading refer to have to be in it. The forum's policies
-- refer to none; a solution changes with each like, so its log has only the status and the audience.
alter table public.comments replica identity full;
alter table public.held_posts replica identity full;
alter table public.messages replica identity full;
alter table public.notifications replica identity full;
alter table public.user_roles replica identity full;
create unique index solutions_replica_identity_idx on public.solutions (id, status, audience);
alter table public.solutions replica identity using index solutions_replica_identity_idx;

create table private.uptime (
  day date primary key,
  minutes tstzmultirange not null
);

comment on table private.uptime is
  'The minutes of each day (UTC) in which the site found itself able to serve. A minute without a record was one in which it was not.';

alter table private.uptime enable row level security;

/*
 * Records that the site is able to serve in this minute; repeated calls do no harm, and several servers may
 * call it. Security definer, as are its siblings below, because the record is read and written through them
 * alone.
 */
create function public.record_uptime() returns void
language sql security definer set search_path = ''
as $$
  insert into private.uptime (day, minutes)
  select (m.minute at time zone 'UTC')::date, tstzmultirange(tstzrange(m.minute, m.minute + interval '1 minute'))
  from (select date_trunc('minute', now()) as minute) m
  on conflict (day) do update set minutes = uptime.minutes + excluded.minutes;
$$;

/*
 * The number of the minutes since the record began in which the site was able to serve: in the last 24 hours,
 * 7, 30 and 90 days, and on each of the last 90 days (UTC), the oldest first. Minutes that are not over yet
 * do not count.
 */
create function public.uptime() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with record as (
    select min(lower(u.minutes)) as began, max(upper(u.minutes)) as latest, date_trunc('minute', now()) as until from private.uptime u
  ), spans as (
    select null::date as day, s.hours, r.until - s.hours * interval '1 hour' as from_time, r.until as to_time
    from record r, unnest(array[24, 168, 720, 2160]) as s (hours)
    union all
    select d.day::date, null, d.day at time zone 'UTC', (d.day + interval '1 day') at time zone 'UTC'
    from generate_series(
      date_trunc('day', now() at time zone 'UTC') - interval '89 days', date_trunc('day', now() at time zone 'UTC'), interval '1 day'
    ) as d (day)
  ), measured as (
    select s.*, tstzrange(r.began, r.until) * tstzrange(s.from_time, s.to_time) as period
    from spans s, record r where r.began < r.until
  ), counted as (
    select m.day, m.hours,
      coalesce(extract(epoch from upper(m.period) - lower(m.period)) / 60, 0)::integer as measured,
      coalesce((
        select sum(extract(epoch from upper(p) - lower(p))) / 60
        from private.uptime u, unnest(u.minutes * tstzmultirange(m.period)) as p
        where u.day between (m.from_time at time zone 'UTC')::date and (m.to_time at time zone 'UTC')::date
      ), 0)::integer as up
    from measured m
  )
  select jsonb_build_object(
    'began', (select r.began from record r),
    'latest', (select case when r.latest > now() then now() else r.latest end from record r),
    'spans', coalesce(
      jsonb_agg(
        jsonb_build_object('hours', c.hours, 'up', c.up, 'measured', c.measured) order by c.hours
      ) filter (where c.hours is not null),
      '[]'
    ),
    'days', coalesce(
      jsonb_agg(jsonb_build_object('day', c.day, 'up', c.up, 'measured', c.measured) order by c.day) filter (where c.day is not null), '[]'
    )
  )
  from counted c;
$$;

grant execute on function public.uptime() to anon, authenticated;

/*
 * The queues that an operator monitors: their lengths, and the age of the oldest item. Mail that waits for
 * its time of day does not count. Names and units are those of the metrics.
 */
create function public.queue_metrics() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with waiting (queue, since) as (
    select case when private.is_given_up(j) then 'media_given_up' else 'media' end, j.created_at from public.media_jobs j
    union all
    select 'mail', case when j.digest then j.due_at else j.created_at end from private.mail_jobs j where j.due_at <= now() or j.attempts > 0
    union all
    select 'solutions', s.submitted_at from public.solutions s where s.status = 'pending'
    union all
    select 'resources', r.created_at from public.resource_suggestions r where r.status = 'pending'
    union all
    select 'reports', r.created_at from public.content_reports r where r.status = 'pending'
    union all
    select 'removal_requests', r.created_at from public.removal_requests r where r.resolved_at is null
    union all
    select 'registrations', c.submitted_at from public.member_registrations c where c.state = 'waiting'
    union all
    select 'first_posts', h.created_at from public.held_posts h
  )
  select jsonb_object_agg(q.queue, jsonb_build_object(
    'waiting', (select count(*) from waiting w where w.queue = q.queue),
    'oldest_seconds', coalesce((select greatest(0, extract(epoch from now() - min(w.since))) from waiting w where w.queue = q.queue), 0)
  ))
  from unnest(array[
    'media', 'media_given_up', 'mail', 'solutions', 'resources', 'reports', 'removal_requests', 'registrations', 'first_posts'
  ]) as q (queue);
$$;
