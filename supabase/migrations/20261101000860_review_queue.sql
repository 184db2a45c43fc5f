create table public.review_claims (
  kind text not null check (kind in ('solution', 'trial', 'resource', 'report', 'removal_request', 'registration', 'post')),
  -- No foreign key: it leads to one of several tables. A claim that is over leaves with its item, or is taken over.
  item_id uuid not null,
  moderator_id uuid not null default auth.uid() references public.profiles on delete cascade,
  claimed_at timestamptz not null default now(),
  primary key (kind, item_id)
);

comment on table public.review_claims is
  'The items that moderators have open for review, so that two do not do the same work. '
  'A courtesy: the first decision holds, with or without a claim.';

alter table public.review_claims enable row level security;

create index review_claims_moderator_id_idx on public.review_claims (moderator_id);

/* Whether the item waits for a moderator. Not security definer: a caller who does not see the item does not
   see that it waits. */
create function private.is_pending_review(kind text, item uuid) returns boolean
language sql stable set search_path = ''
return case kind
  when 'solution' then exists (select from public.solutions s where s.id = item and s.status = 'pending')
  when 'trial' then exists (select from public.solution_trials t where t.id = item and t.status = 'pending')
  when 'resource' then exists (select from public.resource_suggestions r where r.id = item and r.status = 'pending')
  when 'report' then exists (select from public.content_reports r where r.id = item and r.status = 'pending')
  when 'removal_request' then exists (select from public.removal_requests r where r.id = item and r.resolved_at is null)
  when 'registration' then exists (select from public.member_registrations c where c.id = item and c.state = 'waiting')
  when 'post' then exists (select from public.held_posts h where h.id = item)
  else false
end;

grant execute on function private.is_pending_review(text, uuid) to authenticated, service_role;

create policy "Moderators can see claims" on public.review_claims
  for select to authenticated using ((select private.is_moderator()));
create policy "Moderators can claim what is pending" on public.review_claims
  for insert to authenticated with check (
    moderator_id = (select auth.uid()) and (select private.may_moderate()) and private.is_pending_review(kind, item_id)
  );
create policy "Moderators can renew their claims and take over old ones" on public.review_claims
  for update to authenticated
  using ((select private.may_moderate()) and (moderator_id = (select auth.uid()) or claimed_at < now() - interval '15 minutes'))
  with check (moderator_id = (select auth.uid()));
create policy "Moderators can give up their claims" on public.review_claims
  for delete to authenticated using (moderator_id = (select auth.uid()));

grant select, delete on public.review_claims to authenticated;
grant insert (kind, item_id, moderator_id, claimed_at), update (moderator_id, claimed_at) on public.review_claims to authenticated;

/* The time of a claim is the server's. Not security definer: it only fills the row in. */
create function private.stamp_claim() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    new.claimed_at := now();
  end if;
  return new;
end
$$;

create trigger review_claims_stamp before insert or update on public.review_claims
  for each row execute function private.stamp_claim();

/* Ends the claim of an item that no longer waits. Security definer, because the moderator who decides may be
   another than the one who claimed. */
create function private.end_claim() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.review_claims c where c.kind = tg_argv[0] and c.item_id = old.id;
  return null;
end
$$;

create trigger solutions_end_claim after update of status or delete on public.solutions
  for each row execute function private.end_claim('solution');
create trigger solution_trials_end_claim after update of status or delete on public.solution_trials
  for each row execute function private.end_claim('trial');
create trigger resource_suggestions_end_claim after update of status or delete on public.resource_suggestions
  for each row execute function private.end_claim('resource');
create trigger content_reports_end_claim after update of status or delete on public.content_reports
  for each row execute function private.end_claim('report');
create trigger removal_requests_end_claim after update of status or delete on public.removal_requests
  for each row execute function private.end_claim('removal_request');
create trigger member_registrations_end_claim after update of state or delete on public.member_registrations
  for each row execute function private.end_claim('registration');
create trigger held_posts_end_claim after delete on public.held_posts
  for each row execute function private.end_claim('post');

/* Claims a waiting item for the caller, unless another moderator did within the last 15 minutes: then returns
   that moderator. Not security definer: the policies decide. */
create function public.claim_review(kind text, item uuid) returns jsonb
language plpgsql set search_path = ''
as $$
#variable_conflict use_column
declare
  me uuid := (select auth.uid());
begin
  insert into public.review_claims as held (kind, item_id, moderator_id) values (claim_review.kind, item, me)
  on conflict (kind, item_id) do update set moderator_id = me, claimed_at = now()
  where held.moderator_id = me or held.claimed_at < now() - interval '15 minutes';
  return (
    select jsonb_build_object('name', coalesce(p.full_name, p.username, 'Another moderator'), 'claimed_at', c.claimed_at)
    from public.review_claims c join public.profiles p on p.id = c.moderator_id
    where c.kind = claim_review.kind and c.item_id = item and c.moderator_id <> me
  );
end
$$;

grant execute on function public.claim_review(text, uuid) to authenticated;

/*
 * What waits for a moderator, of all kinds, for one list: of each kind the 100 that are due first. Requests of persons shown, as
 * they are promised, and reports, which may be about a patient, are to be decided within a day, and come before the others. With
 * the caller's own rights. Each kind is cut off before anything is looked up for its items, so that a long queue costs no more
 * than a short one.
 */
create view public.review_queue with (security_invoker = true) as
select w.kind, w.id, w.title, w.user_id, w.submitted_at, w.due_at, w.picture, w.reason,
  case
    when w.sender is not null then w.sender
    when w.user_id is null then 'Former member'
    -- Not a join, and in no query with a name: so names are looked up for those alone that are listed.
    else coalesce((select coalesce(p.full_name, p.username) from public.profiles p where p.id = w.user_id), 'Anonymous')
  end as sender,
  c.moderator_id as claimed_by, c.claimed_at
from (
  select 'solution' as kind, w.id, case when w.revises is null then w.title else 'New version: ' || w.title end as title, w.user_id,
    w.submitted_at, null::timestamptz as due_at, w.thumbnail_url as picture, null as reason, null as sender
  from (
    select s.id, s.title, s.user_id, s.revises, s.submitted_at, s.thumbnail_url
    from public.solutions s where s.status = 'pending' order by s.submitted_at, s.id limit 100
  ) w
  union all
  select 'trial', w.id, s.title, w.user_id, w.updated_at, null, s.thumbnail_url, null, null
  from (
    select t.id, t.solution_id, t.user_id, t.updated_at
    from public.solution_trials t where t.status = 'pending' order by t.updated_at, t.id limit 100
  ) w
  join public.solutions s on s.id = w.solution_id
  union all
  select 'resource', w.id, w.resource_name, w.user_id, w.created_at, null, null, null, null
  from (select r.* from public.resource_suggestions r where r.status = 'pending' order by r.created_at, r.id limit 100) w
  union all
  select 'report', w.id, public.reported_title(w.report), w.reporter_id, w.created_at, w.created_at + interval '1 day', null, w.reason, null
  from (select r.*, r as report from public.content_reports r where r.status = 'pending' order by r.created_at, r.id limit 100) w
  union all
  select 'removal_request', w.id, s.title, null, w.created_at, w.due_at, s.thumbnail_url, null,
    case w.asker when 'moderator' then 'A moderator, after a report' else 'Person shown' end
  from (
    select r.id, r.solution_id, r.asker, r.created_at, r.due_at
    from public.removal_requests r where r.resolved_at is null order by r.due_at, r.created_at, r.id limit 100
  ) w
  join public.solutions s on s.id = w.solution_id
  union all
  select 'registration', w.id, w.register || ' registration', w.user_id, w.submitted_at, null, null, null, null
  from (
    select c.id, c.register, c.user_id, c.submitted_at
    from public.member_registrations c where c.state = 'waiting' order by c.submitted_at, c.id limit 100
  ) w
  union all
  select 'post', w.id, coalesce('Comment on: ' || s.title, 'Reply in: ' || t.title, 'Topic: ' || w.title), w.user_id, w.created_at,
    null, null, null, null
  from (select h.* from public.held_posts h order by h.created_at, h.id limit 100) w
  left join public.solutions s on s.id = w.solution_id
  left join public.forum_topics t on t.id = w.topic_id
) w
left join public.review_claims c on c.kind = w.kind and c.item_id = w.id and c.claimed_at > now() - interval '15 minutes'
where (select private.is_moderator());

comment on view public.review_queue is
  'Solutions, trials, resource suggestions, reports, removal requests, registrations and first posts that wait for a moderator, of '
  'each at most the first 100; empty for other callers.';

grant select on public.review_queue to authenticated;

-- How many items of each kind wait. The status of a solution changes without being named, and one is changed by each like.
create trigger solutions_count_waiting after insert or delete on public.solutions
  for each row execute function private.keep_count('waiting solution', $$status = 'pending'$$);
create trigger solutions_count_decided after update on public.solutions
  for each row when (old.status <> new.status) execute function private.keep_count('waiting solution', $$status = 'pending'$$);
create trigger solution_trials_count_waiting after insert or delete or update on public.solution_trials
  for each row execute function private.keep_count('waiting trial', $$status = 'pending'$$);
create trigger resource_suggestions_count_waiting after insert or delete or update on public.resource_suggestions
  for each row execute function private.keep_count('waiting resource', $$status = 'pending'$$);
create trigger content_reports_count_waiting after insert or delete or update on public.content_reports
  for each row execute function private.keep_count('waiting report', $$status = 'pending'$$);
create trigger removal_requests_count_waiting after insert or delete or update on public.removal_requests
  for each row execute function private.keep_count('waiting removal_request', 'resolved_at is null and solution_id is not null');
create trigger member_registrations_count_waiting after insert or delete or update on public.member_registrations
  for each row execute function private.keep_count('waiting registration', $$state = 'waiting'$$);
create trigger held_posts_count_waiting after insert or delete on public.held_posts
  for each row execute function private.keep_count('waiting post', 'true');

/* The number of each kind, one without items left out; nothing for who is no moderator. Security definer, because no client can
   read the counts. */
create function private.count_waiting() returns jsonb
language sql stable security definer set search_path = ''
return (
  select coalesce(jsonb_object_agg(split_part(c.name, ' ', 2), c.rows), '{}')
  from private.kept_counts c where starts_with(c.name, 'waiting ') and c.rows > 0 and (select private.is_moderator())
);

grant execute on function private.count_waiting() to authenticated;

/* How many items of each kind wait for a moderator, and the one that is first in the list; nothing for other callers. */
create function public.review_summary() returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'counts', private.count_waiting(),
  'next', (
    select jsonb_build_object('kind', q.kind, 'id', q.id, 'due_at', q.due_at)
    from public.review_queue q order by q.due_at, q.submitted_at, q.id limit 1
  )
);

grant execute on function public.review_summary() to authenticated;
