create table public.user_points (
  user_id uuid primary key references public.profiles on delete cascade,
  total_points integer not null default 0 check (total_points >= 0)
);

comment on table public.user_points is 'Sum of a member''s point_events, kept by trigger.';

alter table public.user_points enable row level security;

create policy "Everybody can read points, where shown" on public.user_points
  for select using ((select private.shows_points()));

revoke insert, update, delete on public.user_points from service_role;
grant select on public.user_points to anon, authenticated;

create table public.point_events (
  id bigint generated always as identity primary key,
  user_id uuid not null references public.profiles on delete cascade,
  cause text not null check (cause in ('solution', 'trial', 'topic', 'comment', 'post', 'like')),
  -- The solution, trial, topic, comment, post or like; no foreign key, since it is one of six tables.
  source_id uuid not null,
  points integer not null check (points > 0),
  created_at timestamptz not null default now(),
  unique (cause, source_id)
);

comment on table public.point_events is 'The ledger of points: a row exists exactly as long as its cause does.';

alter table public.point_events enable row level security;

create policy "Members can read their own ledger" on public.point_events
  for select to authenticated using (user_id = (select auth.uid()) and (select private.shows_points()));
create policy "A second step comes before reading" on public.point_events
  as restrictive for select to authenticated using ((select private.has_required_aal()));

-- A member's ledger, newest first. With the cause, by which badges are awarded.
create index point_events_user_id_idx on public.point_events (user_id, created_at desc) include (cause);

revoke insert, update, delete on public.point_events from service_role;
grant select on public.point_events to authenticated;

/* Security definer, because members cannot write totals. */
create function private.sum_points() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into public.user_points as p (user_id, total_points) values (new.user_id, new.points)
    on conflict (user_id) do update set total_points = p.total_points + excluded.total_points;
  else
    update public.user_points set total_points = total_points - old.points where user_id = old.user_id;
  end if;
  return null;
end
$$;

create trigger point_events_10_sum after insert or delete on public.point_events
  for each row execute function private.sum_points();

/* Credits a member for a contribution, once. Values as in the specification's points guide. Security definer,
   because members cannot write the ledger. */
create function private.award_points(member uuid, cause text, source uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into public.point_events (user_id, cause, source_id, points)
  select member, award_points.cause, source,
    case award_points.cause when 'solution' then 50 when 'trial' then 20 when 'topic' then 20 when 'like' then 5 else 10 end
  where member is not null
  on conflict do nothing;
$$;

create function private.revoke_points(cause text, source uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from public.point_events e where e.cause = revoke_points.cause and e.source_id = source;
$$;

create table public.badges (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  description text not null,
  icon_url text not null check (icon_url ~ '^/badges/[a-z0-9-]+\.svg$'),
  tier smallint not null check (tier between 1 and 3),
  criterion text not null check (criterion in ('solution', 'comment', 'topic', 'like', 'points')),
  threshold integer not null check (threshold > 0),
  unique (criterion, threshold)
);

comment on table public.badges is 'The catalogue of badges and their conditions; a higher tier is shown first.';

alter table public.badges enable row level security;

create policy "Everybody can read the badges, where shown" on public.badges
  for select using ((select private.shows_points()));

grant select on public.badges to anon, authenticated;

insert into public.badges (name, description, icon_url, tier, criterion, threshold) values
  ('First Solution', 'Shared a first solution that was approved', '/badges/solution-1.svg', 1, 'solution', 1),
  ('Case Builder', 'Shared 5 approved solutions', '/badges/solution-2.svg', 2, 'solution', 5),
  ('Master Prosthetist', 'Shared 20 approved solutions', '/badges/solution-3.svg', 3, 'solution', 20),
  ('Good Colleague', 'Wrote 5 comments or replies', '/badges/comment-1.svg', 1, 'comment', 5),
  ('Trusted Adviser', 'Wrote 50 comments or replies', '/badges/comment-2.svg', 2, 'comment', 50),
  ('Pillar of the Commons', 'Wrote 250 comments or replies', '/badges/comment-3.svg', 3, 'comment', 250),
  ('Conversation Starter', 'Opened a first forum topic', '/badges/topic-1.svg', 1, 'topic', 1),
  ('Discussion Lead', 'Opened 10 forum topics', '/badges/topic-2.svg', 2, 'topic', 10),
  ('Forum Convener', 'Opened 50 forum topics', '/badges/topic-3.svg', 3, 'topic', 50),
  ('Appreciated', 'Received 10 likes', '/badges/like-1.svg', 1, 'like', 10),
  ('Widely Appreciated', 'Received 100 likes', '/badges/like-2.svg', 2, 'like', 100),
  ('Reference Work', 'Received 500 likes', '/badges/like-3.svg', 3, 'like', 500),
  ('Contributor', 'Reached 100 points', '/badges/points-1.svg', 1, 'points', 100),
  ('Senior Contributor', 'Reached 1,000 points', '/badges/points-2.svg', 2, 'points', 1000),
  ('Distinguished Contributor', 'Reached 5,000 points', '/badges/points-3.svg', 3, 'points', 5000);

create table public.user_badges (
  user_id uuid not null references public.profiles on delete cascade,
  badge_id uuid not null references public.badges on delete cascade,
  earned_at timestamptz not null default now(),
  primary key (user_id, badge_id)
);

comment on table public.user_badges is 'Badges members have earned. A badge once earned stays, even when points are taken back.';

alter table public.user_badges enable row level security;

create policy "Everybody can read who earned which badge, where shown" on public.user_badges
  for select using ((select private.shows_points()));

-- The latest badges of an author, shown on cards.
create index user_badges_earned_at_idx on public.user_badges (user_id, earned_at desc);
create index user_badges_badge_id_idx on public.user_badges (badge_id);

revoke insert, update, delete on public.user_badges from service_role;
grant select on public.user_badges to anon, authenticated;

/* Awards the badges that an event has earned its member: those not earned yet that count its cause, or all
   points. Security definer, because members cannot award badges. */
create function private.award_badges() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- A reply in the forum counts as a comment.
  causes text[] := case when new.cause in ('comment', 'post') then array['comment', 'post'] else array[new.cause] end;
begin
  insert into public.user_badges (user_id, badge_id)
  select new.user_id, b.id
  from (
    -- "offset" keeps the order: nothing is counted for what is earned already.
    select b.* from public.badges b
    where b.criterion in (causes[1], 'points')
      and not exists (select from public.user_badges u where u.user_id = new.user_id and u.badge_id = b.id)
    offset 0
  ) b
  where b.threshold <= case b.criterion
    when 'points' then (select p.total_points from public.user_points p where p.user_id = new.user_id)
    -- A filter, because an index on the cause would give the events of all members.
    else (select count(*) filter (where e.cause = any (causes)) from public.point_events e where e.user_id = new.user_id)
  end
  on conflict do nothing;
  return null;
end
$$;

-- Reads the total that point_events_10_sum has written.
create trigger point_events_20_award after insert on public.point_events
  for each row execute function private.award_badges();
