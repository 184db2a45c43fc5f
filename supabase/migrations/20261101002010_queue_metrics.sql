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
    select 'solutions', coalesce((
      select max(r.created_at) from public.solution_reviews r where r.solution_id = coalesce(s.revises, s.id) and r.decision in ('submitted', 'resubmitted')
    ), s.created_at)
    from public.solutions s where s.status = 'pending'
    union all
    select 'resources', r.created_at from public.resource_suggestions r where r.status = 'pending'
    union all
    select 'reports', r.created_at from public.content_reports r where r.status = 'pending'
    union all
    select 'takedowns', r.created_at from public.takedown_requests r where r.resolved_at is null
    union all
    select 'credentials', c.submitted_at from public.member_credentials c where c.state = 'waiting'
  )
  select jsonb_object_agg(q.queue, jsonb_build_object(
    'waiting', (select count(*) from waiting w where w.queue = q.queue),
    'oldest_seconds', coalesce((select greatest(0, extract(epoch from now() - min(w.since))) from waiting w where w.queue = q.queue), 0)
  ))
  from unnest(array['media', 'media_given_up', 'mail', 'solutions', 'resources', 'reports', 'takedowns', 'credentials']) as q (queue);
$$;
