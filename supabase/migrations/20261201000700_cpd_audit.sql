-- What a regulator's audit of CPD asks for, in the words of the Health and Care Professions Council: the type of learning, the
-- benefit to service users, why no entry followed for three months or more, and four to six activities told in detail. A gap is
-- explained on the entry before it, so that the explanation is exported, erased and kept with the record.
alter table public.cpd_entries
  add column kind text
    constraint "Please choose one of the listed types of learning"
    check (kind in ('work_based', 'professional', 'formal', 'self_directed', 'other')),
  add column benefit text
    constraint "The benefit to service users must be at most 1000 characters" check (char_length(benefit) <= 1000),
  add column in_detail boolean not null default false,
  add column gap_reason text
    constraint "The explanation of a gap must be at most 500 characters" check (char_length(gap_reason) <= 500);

grant insert (kind, benefit, in_detail) on public.cpd_entries to authenticated;
grant update (kind, benefit, in_detail, gap_reason) on public.cpd_entries to authenticated;

create index cpd_entries_in_detail_idx on public.cpd_entries (user_id) where in_detail;

/* An audit reads at most six activities in detail. Not security definer: it counts the rows that the member can see. */
create function private.guard_cpd_detail() returns trigger
language plpgsql set search_path = ''
as $$
begin
  -- Two entries that are marked at once are counted one after the other.
  perform pg_advisory_xact_lock(hashtextextended('public.cpd_entries in detail of ' || new.user_id, 0));
  if (select count(*) from public.cpd_entries e where e.user_id = new.user_id and e.in_detail and e.id <> new.id) >= 6 then
    raise check_violation using message = 'At most six entries can be told in detail';
  end if;
  return new;
end
$$;

create trigger cpd_entries_in_detail_limit before insert or update of in_detail on public.cpd_entries
  for each row when (new.in_detail) execute function private.guard_cpd_detail();

/*
 * The caller's record from one day to another: how many entries and minutes there are of each kind ({kind, entries, minutes}, the
 * most entries first), and the gaps of three months or more that touch this time ({id, since, until, reason}, the latest first;
 * `id` is of the entry before the gap, `until` is null for one that lasts). Not security definer: it adds up the caller's own rows.
 */
create function public.cpd_outline(since date default '-infinity', until date default 'infinity') returns jsonb
language sql stable set search_path = ''
as $$
  with own as (
    select e.id, e.day, e.kind, e.minutes, e.gap_reason, e.created_at
    from public.cpd_entries e where e.user_id = (select auth.uid())
  ), days as (
    -- Of the entries of one day, the one that has the explanation keeps it.
    select distinct on (o.day) o.id, o.day, o.gap_reason from own o order by o.day, o.gap_reason is null, o.created_at, o.id
  ), spans as (
    select d.id, d.day, d.gap_reason, lead(d.day) over (order by d.day) as next_day from days d
  ), gaps as (
    select s.id, s.day as since, s.next_day as until, s.gap_reason as reason
    from spans s
    where coalesce(s.next_day, (now() at time zone 'utc')::date) >= s.day + interval '3 months'
      and s.day <= cpd_outline.until and coalesce(s.next_day, 'infinity') >= cpd_outline.since
  ), kinds as (
    select o.kind, count(*) as entries, sum(o.minutes) as minutes
    from own o
    where o.day between cpd_outline.since and cpd_outline.until
    group by o.kind
  )
  select jsonb_build_object(
    'kinds', (select coalesce(jsonb_agg(to_jsonb(k) order by k.entries desc, k.kind nulls last), '[]') from kinds k),
    'gaps', (select coalesce(jsonb_agg(to_jsonb(g) order by g.since desc), '[]') from gaps g)
  )
$$;

grant execute on function public.cpd_outline(date, date) to authenticated;
