create table private.uptime (
  day date primary key,
  minutes tstzmultirange not null
);

comment on table private.uptime is 'The minutes of each day (UTC) in which the site found itself able to serve. A minute without a record was one in which it was not.';

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
    from generate_series(date_trunc('day', now() at time zone 'UTC') - interval '89 days', date_trunc('day', now() at time zone 'UTC'), interval '1 day') as d (day)
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
    'spans', coalesce(jsonb_agg(jsonb_build_object('hours', c.hours, 'up', c.up, 'measured', c.measured) order by c.hours) filter (where c.hours is not null), '[]'),
    'days', coalesce(jsonb_agg(jsonb_build_object('day', c.day, 'up', c.up, 'measured', c.measured) order by c.day) filter (where c.day is not null), '[]')
  )
  from counted c;
$$;

grant execute on function public.uptime() to anon, authenticated;
