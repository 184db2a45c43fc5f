create table public.cpd_entries (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  activity text not null
    constraint "Please choose read, tried, reviewed or discussed" check (activity in ('read', 'tried', 'reviewed', 'discussed')),
  -- In the member's words, so that the record stays complete when the solution or topic is deleted.
  subject text not null
    constraint "Please say what it was about" check (not private.is_blank(subject))
    constraint "What it was about must be at most 200 characters" check (char_length(subject) <= 200),
  solution_id uuid references public.solutions on delete set null,
  topic_id uuid references public.forum_topics on delete set null,
  -- Where the member lives the day may have begun already.
  day date not null
    constraint "The date cannot be before 2000" check (day >= '2000-01-01')
    constraint "The date cannot be in the future" check (day <= (now() at time zone 'utc')::date + 1),
  minutes integer not null constraint "Minutes must be between 1 and 1,440" check (minutes between 1 and 1440),
  reflection text constraint "A reflection must be at most 1000 characters" check (char_length(reflection) <= 1000),
  created_at timestamptz not null default now(),
  constraint "An entry is about a solution or a topic" check (num_nonnulls(solution_id, topic_id) <= 1)
);

comment on table public.cpd_entries is
  'Continuing professional development as a member records it. Only the member can read it; no moderator can.';

alter table public.cpd_entries enable row level security;

create policy "Members can read their own CPD record" on public.cpd_entries
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can add to their own CPD record" on public.cpd_entries
  for insert to authenticated with check (user_id = (select auth.uid()) and (solution_id is null or private.sees_solution(solution_id)));
create policy "Members can change their own CPD record" on public.cpd_entries
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "Members can delete from their own CPD record" on public.cpd_entries
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.cpd_entries
  as restrictive for select to authenticated using ((select private.has_required_aal()));

-- The record in order, the latest day first.
create index cpd_entries_user_id_idx on public.cpd_entries (user_id, day desc, created_at desc);
create index cpd_entries_solution_id_idx on public.cpd_entries (solution_id) where solution_id is not null;
create index cpd_entries_topic_id_idx on public.cpd_entries (topic_id) where topic_id is not null;

grant select, delete on public.cpd_entries to authenticated;
grant insert (user_id, activity, subject, solution_id, topic_id, day, minutes, reflection) on public.cpd_entries to authenticated;
grant update (activity, subject, day, minutes, reflection) on public.cpd_entries to authenticated;

/* At most 200 new entries a day, and 5,000 a member. Not security definer: it counts the rows that the member can see. */
create function private.guard_cpd_entry() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    perform private.enforce_row_limit('public.cpd_entries', 'user_id', 200, '1 day',
      'You have added 200 entries within a day. Please wait before you add another.');
    if (select count(*) from public.cpd_entries e where e.user_id = new.user_id) >= 5000 then
      raise check_violation using message = 'A CPD record can have up to 5,000 entries';
    end if;
  end if;
  return new;
end
$$;

create trigger cpd_entries_guard before insert on public.cpd_entries
  for each row execute function private.guard_cpd_entry();

/* The years of the caller's record, the latest first: [{year, entries, minutes}]. Not security definer: they add up their own rows. */
create function public.cpd_years() returns jsonb
language sql stable set search_path = ''
return (
  select coalesce(jsonb_agg(to_jsonb(y) order by y.year desc), '[]')
  from (
    select to_char(e.day, 'YYYY') as year, count(*) as entries, sum(e.minutes) as minutes
    from public.cpd_entries e where e.user_id = (select auth.uid()) group by 1
  ) y
);

grant execute on function public.cpd_years() to authenticated;

/*
 * What the caller discussed, tried and reviewed in the last 90 days that the record does not have yet, the latest first: at most 20
 * of {activity, solution_id, topic_id, subject, day}, among the latest 200 of each kind. What a member reads is not watched, so it
 * is never among them. Not security definer: the caller gets what their own rights show them.
 */
create function public.cpd_suggestions() returns jsonb
language sql stable set search_path = ''
as $$
  with own as (
    (
      select 'discussed' as activity, c.solution_id, null::uuid as topic_id, c.created_at as at
      from public.comments c where c.user_id = (select auth.uid()) and c.deleted_at is null order by c.created_at desc limit 200
    )
    union all
    (
      select 'discussed', null, p.topic_id, p.created_at
      from public.forum_posts p where p.user_id = (select auth.uid()) order by p.created_at desc limit 200
    )
    union all
    (
      select 'discussed', null, t.id, t.created_at
      from public.forum_topics t where t.user_id = (select auth.uid()) order by t.created_at desc limit 200
    )
    union all
    (
      select 'tried', t.solution_id, null, t.created_at
      from public.solution_trials t where t.user_id = (select auth.uid()) order by t.created_at desc limit 200
    )
    union all
    (
      select 'reviewed', r.solution_id, null, r.created_at
      from public.solution_reviews r where r.reviewer_id = (select auth.uid()) and r.decision in ('approved', 'rejected')
      order by r.created_at desc limit 200
    )
  ), latest as (
    select o.activity, o.solution_id, o.topic_id, max(o.at) as at
    from own o
    where o.at > now() - interval '90 days'
      and not exists (
        select from public.cpd_entries e
        where e.user_id = (select auth.uid()) and e.activity = o.activity
          and (e.solution_id, e.topic_id) is not distinct from (o.solution_id, o.topic_id)
      )
    group by o.activity, o.solution_id, o.topic_id
  )
  select coalesce(jsonb_agg(to_jsonb(listed) - 'at' order by listed.at desc), '[]')
  from (
    select l.activity, l.solution_id, l.topic_id, coalesce(s.title, t.title) as subject, (l.at at time zone 'utc')::date as day, l.at
    from latest l
    left join public.solutions s on s.id = l.solution_id
    left join public.forum_topics t on t.id = l.topic_id
    where coalesce(s.title, t.title) is not null
    order by l.at desc limit 20
  ) as listed
$$;

grant execute on function public.cpd_suggestions() to authenticated;
