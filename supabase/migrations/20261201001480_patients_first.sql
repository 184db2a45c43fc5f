-- What moderators look at first: where a patient may be recognised or harmed, whatever the clock says. And what they need before they
-- decide: how many notes colleagues have left, and who has decided already.

-- Only of images of posts could a report say that they show a patient; a text, a case or a profile can tell who one is as well.
alter table public.content_reports drop constraint "Only images of a post are reported to show a patient";

-- The one thing that is kept of a reporter's answer to whether someone was hurt, or could have been. Their country is not sent.
alter table public.content_reports add column tells_of_harm boolean not null default false;
grant insert (tells_of_harm) on public.content_reports to authenticated;

-- Images are hidden of posts alone.
drop trigger content_reports_hide_images on public.content_reports;
create trigger content_reports_hide_images after insert on public.content_reports
  for each row when (new.shows_patient and new.content_type in ('topic', 'post')) execute function private.hide_reported_images();

-- The reports that wait, those about a patient first: they must not be behind the hundred that the queue has of a kind.
create index content_reports_at_risk_idx on public.content_reports ((shows_patient or tells_of_harm) desc, created_at, id)
  where status = 'pending';

/*
 * What waits for a moderator, of all kinds, for one list: of each kind the 100 that are due first. `at_risk` comes before the clock:
 * requests of persons shown, reports that a patient can be recognised or that someone may have been hurt, and images that were hidden
 * for that. These, other reports and translations of a safety notice are to be decided within a day, and come before the rest. `notes`
 * are those on the item itself; of images there are none. With the caller's own rights. Each kind is cut off before anything is looked
 * up for its items, so that a long queue costs no more than a short one.
 */
create or replace view public.review_queue with (security_invoker = true) as
select w.kind, w.id, w.title, w.user_id, w.submitted_at, w.due_at, w.picture, w.reason,
  case
    when w.sender is not null then w.sender
    when w.user_id is null then 'Former member'
    -- Not a join, and in no query with a name: so names are looked up for those alone that are listed.
    else coalesce((select coalesce(p.full_name, p.username) from public.profiles p where p.id = w.user_id), 'Anonymous')
  end as sender,
  c.moderator_id as claimed_by, c.claimed_at, w.at_risk, w.notes::integer as notes,
  w.kind = 'report' and exists (select from public.content_reports r where r.id = w.id and r.tells_of_harm) as tells_of_harm
from (
  select 'solution' as kind, w.id, case when w.revises is null then w.title else 'New version: ' || w.title end as title, w.user_id,
    w.submitted_at, null::timestamptz as due_at, w.thumbnail_url as picture, null as reason, null as sender, false as at_risk,
    -- A new version has the notes of its solution.
    (select count(*) from public.staff_notes n where n.solution_id = coalesce(w.revises, w.id)) as notes
  from (
    select s.id, s.title, s.user_id, s.revises, s.submitted_at, s.thumbnail_url
    from public.solutions s where s.status = 'pending' order by s.submitted_at, s.id limit 100
  ) w
  union all
  select 'trial', w.id, s.title, w.user_id, w.updated_at, null, s.thumbnail_url, null, null, false,
    (select count(*) from public.staff_notes n where n.trial_id = w.id)
  from (
    select t.id, t.solution_id, t.user_id, t.updated_at
    from public.solution_trials t where t.status = 'pending' order by t.updated_at, t.id limit 100
  ) w
  join public.solutions s on s.id = w.solution_id
  union all
  select 'translation', w.id, coalesce(w.texts ->> 'title', s.title), w.user_id, w.updated_at,
    -- Of a notice on a part nothing is translated.
    case when exists (select from public.safety_notices n where n.solution_id = s.id and n.ended_at is null)
      then w.updated_at + interval '1 day' end, s.thumbnail_url, null, null, false,
    (select count(*) from public.staff_notes n where n.translation_id = w.id)
  from (
    select t.id, t.solution_id, t.texts, t.user_id, t.updated_at
    from public.solution_translations t where t.status = 'pending' order by t.updated_at, t.id limit 100
  ) w
  join public.solutions s on s.id = w.solution_id
  union all
  select 'resource', w.id, w.resource_name, w.user_id, w.created_at, null, null, null, null, false,
    (select count(*) from public.staff_notes n where n.resource_suggestion_id = w.id)
  from (
    select r.id, r.resource_name, r.user_id, r.created_at
    from public.resource_suggestions r where r.status = 'pending' order by r.created_at, r.id limit 100
  ) w
  union all
  select 'report', w.id, public.reported_title(w.report), w.reporter_id, w.created_at, w.created_at + interval '1 day',
    case w.content_type when 'solution' then (select s.thumbnail_url from public.solutions s where s.id = w.content_id) end, w.reason, null,
    w.shows_patient or w.tells_of_harm, (select count(*) from public.staff_notes n where n.content_report_id = w.id)
  from (
    select r.*, r as report from public.content_reports r
    where r.status = 'pending' order by (r.shows_patient or r.tells_of_harm) desc, r.created_at, r.id limit 100
  ) w
  union all
  select 'removal_request', w.id, s.title, null, w.created_at, w.due_at, s.thumbnail_url, null,
    case w.asker
      when 'moderator' then 'A moderator, after a report'
      when 'guardian' then 'Parent or guardian'
      when 'representative' then 'Representative'
      else 'Person shown'
    end, true, (select count(*) from public.staff_notes n where n.removal_request_id = w.id)
  from (
    select r.id, r.solution_id, r.asker, r.created_at, r.due_at
    from public.removal_requests r where r.resolved_at is null order by r.due_at, r.created_at, r.id limit 100
  ) w
  join public.solutions s on s.id = w.solution_id
  union all
  select 'registration', w.id, w.register || ' registration', w.user_id, w.submitted_at, null, null, null, null, false,
    (select count(*) from public.staff_notes n where n.registration_id = w.id)
  from (
    select c.id, c.register, c.user_id, c.submitted_at
    from public.member_registrations c where c.state = 'waiting' order by c.submitted_at, c.id limit 100
  ) w
  union all
  select 'post', w.id, coalesce('Comment on: ' || s.title, 'Reply in: ' || t.title, 'Topic: ' || w.title), w.user_id, w.created_at,
    null, null, null, null, false, (select count(*) from public.staff_notes n where n.held_post_id = w.id)
  from (
    select h.id, h.user_id, h.solution_id, h.topic_id, h.title, h.created_at from public.held_posts h order by h.created_at, h.id limit 100
  ) w
  left join public.solutions s on s.id = w.solution_id
  left join public.forum_topics t on t.id = w.topic_id
  union all
  select 'image', w.id, w.title, w.user_id, w.created_at, w.hidden_at + interval '1 day', w.picture, null, null,
    w.hidden_at is not null, 0
  from private.posts_with_waiting_images() w
) w
left join public.review_claims c on c.kind = w.kind and c.item_id = w.id and c.claimed_at > now() - interval '15 minutes'
where (select private.is_moderator());

/*
 * How many items of each kind wait for a moderator, those where a patient may be recognised or harmed, and the first of the others;
 * nothing for other callers.
 *
 * Returns {counts, at_risk: [{kind, id, due_at}], first: {kind, id, due_at, submitted_at}}, both in the order of the list.
 */
create or replace function public.review_summary() returns jsonb
language sql stable set search_path = ''
return (
  with waiting as materialized (select q.kind, q.id, q.due_at, q.submitted_at, q.at_risk from public.review_queue q)
  select jsonb_build_object(
    'counts', private.count_waiting(),
    'at_risk', (
      select coalesce(
        jsonb_agg(jsonb_build_object('kind', w.kind, 'id', w.id, 'due_at', w.due_at) order by w.due_at, w.submitted_at, w.id), '[]'
      )
      from waiting w where w.at_risk
    ),
    'first', (
      select jsonb_build_object('kind', w.kind, 'id', w.id, 'due_at', w.due_at, 'submitted_at', w.submitted_at)
      from waiting w where not w.at_risk order by w.due_at, w.submitted_at, w.id limit 1
    )
  )
);

/*
 * What was decided last on an item of the review queue, for moderators, who must not decide a second time: by the audit log, since some
 * items are no more. Null where the log has nothing, and for other callers. Security definer, because moderators cannot read the log.
 *
 * item: of a new version, its solution
 * Returns {action, at, by, mine}; by is null for who has left.
 */
create function public.review_outcome(item uuid) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object('action', a.action, 'at', a.created_at, 'mine', a.actor_id is not distinct from (select auth.uid()),
    'by', (select coalesce(p.full_name, p.username) from public.profiles p where p.id = a.actor_id))
  from public.audit_events a
  where (select private.is_moderator())
    and (
      a.target_type in ('solution', 'trial', 'translation', 'resource_suggestion', 'content_report', 'removal_request', 'held_post', 'post')
        and a.target_id = item::text
      -- Of a registration the log has the member.
      or a.target_type = 'profile' and a.target_id = (select r.user_id from public.member_registrations r where r.id = item)::text
    )
    and a.action ~ '^(solution|trial|translation|resource|report|removal_request|held_post|images|registration)_[a-z]+$'
  order by a.id desc limit 1
);

grant execute on function public.review_outcome(uuid) to authenticated;
