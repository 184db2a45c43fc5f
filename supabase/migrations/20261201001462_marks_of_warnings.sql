-- What names a solution says whether readers are warned of it, so that no page, mail or list shows its title without.

drop function public.family_tree(uuid);

/*
 * The family of a solution as the caller may see it: what it is based on ('source'), what is based on it ('adaptation'), and
 * theirs in turn, up to four generations each way and 60 links, the nearest first. parent_id is the relative that a link
 * comes from, the solution itself at first. Not security definer: the policies of both tables decide, and a link that is
 * hidden ends its branch.
 */
create function public.family_tree(solution uuid) returns table (kind text, parent_id uuid, solution_id uuid, title text, safety_kind text)
language sql stable set search_path = ''
as $$
  with recursive sources as (
    select b.solution_id as parent_id, b.source_id as id, b.position, 1 as generation
    from public.solution_sources b
    where b.solution_id = solution
    union
    select b.solution_id, b.source_id, b.position, t.generation + 1
    from sources t join public.solution_sources b on b.solution_id = t.id where t.generation < 4
  ), adaptations as (
    select b.source_id as parent_id, b.solution_id as id, 1 as generation
    from public.solution_sources b join public.solutions s on s.id = b.solution_id where b.source_id = solution and s.status = 'approved'
    union
    select b.source_id, b.solution_id, t.generation + 1
    from adaptations t join public.solution_sources b on b.source_id = t.id join public.solutions s on s.id = b.solution_id
    where t.generation < 4 and s.status = 'approved'
  )
  -- The limits end the search, which goes generation by generation.
  (select 'source', t.parent_id, t.id, s.title, s.safety_kind from (select * from sources limit 60) t join public.solutions s on s.id = t.id
   order by t.generation, t.position)
  union all
  (select 'adaptation', t.parent_id, t.id, s.title, s.safety_kind
   from (select * from adaptations limit 60) t join public.solutions s on s.id = t.id order by t.generation, s.approved_at)
$$;

grant execute on function public.family_tree(uuid) to anon, authenticated;

/*
 * What a link in an email asks: {id, months, title, safety_kind, state} with state open, answered or closed, and title and
 * safety_kind while it is open; null
 * where the link is not one of ours. Security definer, because the reader of an email need not be signed in.
 */
create or replace function public.use_question(token text) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object('id', q.id, 'months', q.months, 'state', private.use_link_state(q),
    'title', s.title, 'safety_kind', s.safety_kind)
  from private.use_question_of(token) q
  left join public.solutions s on s.id = q.solution_id and private.use_link_state(q) = 'open'
  where q.id is not null
);

/*
 * What has been reported on the measures: counts, and the newest outcomes themselves.
 *
 * measure, level, type: an abbreviation of the catalogue, an amputation level and a prosthesis type; '' for all of them.
 * max_points: 0 to 5,000. Returns {counts: [{measure, type, cases, people, outcomes}], points: [{solution_id, trial_id, title,
 * safety_kind, measure, before, after, people_before, people, weeks, device_before, level, type, published_at}]}; a case counts once for
 * a measure, with the most people of its outcomes. Unknown values give nothing.
 *
 * Outcomes that may not be shown beside their author come after the others, in no order that means anything, with nothing but
 * measure, scores, people and weeks; they are counted under the type ''. No level or type finds them, and those of a measure
 * and an audience are left out while they are of fewer than ten cases.
 *
 * Security definer, because it reads the counts and the kept columns in place of the policies; it reads outcomes of approved
 * solutions and trials of the caller's audiences only.
 */
create or replace function public.evidence(measure text default '', level text default '', type text default '',
  max_points integer default 200)
returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  audiences constant text[] := private.readable_audiences();
  -- The measures and audiences of which enough cases are shown apart from their authors.
  enough constant text[] := array(
    select r.measure || '/' || r.audience from private.report_counts r
    where r.amputation_level = '' and r.cases >= private.fewest_in_a_cell() and r.audience = any (audiences)
  );
  counts jsonb := (
    select coalesce(jsonb_agg(jsonb_build_object('measure', c.measure, 'type', c.prosthesis_type, 'cases', c.cases, 'people', c.people,
      'outcomes', c.outcomes) order by c.measure, c.prosthesis_type), '[]')
    from (
      select r.measure, r.prosthesis_type, sum(r.cases) as cases, sum(r.people) as people, sum(r.outcomes) as outcomes
      from private.report_counts r
      where r.audience = any (audiences) and (evidence.measure = '' or r.measure = evidence.measure)
        and (evidence.level = '' or r.amputation_level = evidence.level)
        and (evidence.type = '' or r.prosthesis_type = evidence.type)
        and (r.amputation_level <> '' or r.measure || '/' || r.audience = any (enough))
      group by r.measure, r.prosthesis_type having sum(r.cases) > 0
    ) c
  );
  most constant integer := least(greatest(coalesce(max_points, 200), 0), 5000);
  of_measure constant text := case when measure <> '' then ' and o.measure = $1' else '' end;
  -- Written as text at once: 5,000 points take a fifth of what they take as jsonb.
  points json;
begin
  -- Written for what is asked, so that the newest are found by an index.
  execute 'select coalesce(json_agg(q), ''[]'') from (
      select case when p.amputation_level is not null then p.solution_id end as solution_id,
        case when p.amputation_level is not null then p.trial_id end as trial_id,
        case when p.amputation_level is not null then s.title end as title,
        case when p.amputation_level is not null then s.safety_kind end as safety_kind, p.measure, p.score_before as before,
        p.score_after as after, p.people_before, p.people, p.follow_up_weeks as weeks,
        case when p.amputation_level is not null then p.device_before end as device_before,
        p.amputation_level as level, p.prosthesis_type as type,
        case when p.amputation_level is not null then p.published_at end as published_at
      from (
        (select o.* from public.solution_outcomes o
        where o.published_at is not null and o.amputation_level is not null and o.audience = any ($5)'
    || of_measure
    || case when level <> '' then ' and o.amputation_level = $2' else '' end
    || case when type <> '' then ' and o.prosthesis_type = $3' else '' end
    || ' order by o.published_at desc, o.id limit $4)'
    || case when level = '' and type = '' and cardinality(enough) > 0 then '
        union all
        (select o.* from public.solution_outcomes o
        where o.published_at is not null and o.amputation_level is null and o.measure || ''/'' || o.audience = any ($6)'
    || of_measure || ' order by o.id limit $4)' else '' end
    || '
      ) p join public.solutions s on s.id = p.solution_id
      order by p.amputation_level is null, case when p.amputation_level is not null then p.published_at end desc, p.id limit $4
    ) q'
  into points using measure, level, type, most, audiences, enough;
  return json_build_object('counts', counts, 'points', points);
end
$$;

/*
 * What is new between two times for each subject that the caller follows: [{id, kind, label, safety_kind, subject, filters, match,
 * is_known, items [{kind, solution_id, topic_id, title, safety_kind, author, number, at}]}], with at most ten items a subject, the newest
 * first. subject is the id of a solution or topic, or a member's username. kind of a subject: member,
 * solution, tag, search or topic; of an item: solution, version, comments, trials or replies, the last three with their
 * number. is_known is false for a search whose filters Browse no longer offers. Not security definer: the caller reads what they may read.
 */
create or replace function public.following_news(since timestamptz, until timestamptz default 'infinity') returns jsonb
language sql stable set search_path = ''
as $$
  with period as (select greatest(since, now() - interval '92 days') as start, until as stop),
  recent as materialized (
    select s.id, s.title, s.safety_kind, s.user_id, s.approved_at from public.solutions s, period
    where s.status = 'approved'
      and s.approved_at > period.start
      and s.approved_at <= period.stop
      and s.user_id is distinct from (select auth.uid())
    order by s.approved_at desc limit 500
  ),
  -- The newest ten of each subject; a solution itself has other news.
  news as materialized (
    select c.follow_id, c.id, c.title, c.safety_kind, c.user_id, c.approved_at from (
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
      (select s.safety_kind from public.solutions s where s.id = f.solution_id) as safety_kind,
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
      jsonb_build_object('id', u.id, 'kind', u.kind, 'label', u.label, 'safety_kind', u.safety_kind, 'subject', u.subject,
        'filters', u.filters, 'match', u.match, 'is_known', u.is_known, 'items', n.items)
      order by u.created_at desc, u.id
    ),
    '[]'
  )
  from subjects u, lateral (
    select coalesce(jsonb_agg(to_jsonb(i) order by i.at desc), '[]') as items from (
      select 'solution' as kind, n.id as solution_id, null::uuid as topic_id, n.title, n.safety_kind,
        private.author_card(n.user_id) as author, null::bigint as number, n.approved_at as at
      from news n where n.follow_id = u.id and u.kind in ('member', 'tag', 'search') and u.is_known
      union all
      select 'version', v.solution_id, null, u.label, u.safety_kind, null, v.version, v.published_at
      from public.solution_versions v, period
      where u.kind = 'solution'
        and v.solution_id = u.subject_id
        and v.version > 1
        and v.published_at > period.start
        and v.published_at <= period.stop
      union all
      select 'comments', c.solution_id, null, u.label, u.safety_kind, null, count(*), max(c.created_at)
      from public.comments c, period
      where u.kind = 'solution'
        and c.solution_id = u.subject_id
        and c.created_at > period.start
        and c.created_at <= period.stop
        and c.deleted_at is null
        and c.user_id is distinct from (select auth.uid())
      group by c.solution_id
      union all
      select 'trials', t.solution_id, null, u.label, u.safety_kind, null, count(*), max(t.approved_at)
      from public.solution_trials t, period
      where u.kind = 'solution'
        and t.solution_id = u.subject_id
        and t.status = 'approved'
        and t.approved_at > period.start
        and t.approved_at <= period.stop
        and t.user_id is distinct from (select auth.uid())
      group by t.solution_id
      union all
      select 'replies', null, p.topic_id, u.label, null, null, count(*), max(p.created_at)
      from public.forum_posts p, period
      where u.kind = 'topic'
        and p.topic_id = u.subject_id
        and p.created_at > period.start
        and p.created_at <= period.stop
        and p.user_id is distinct from (select auth.uid())
      group by p.topic_id
      order by 8 desc limit 10
    ) i
  ) n
  where u.label is not null
$$;

/*
 * The next mail to send: one notice, or all of a member's day. The worker that claims it has until the next
 * try, which comes later each time, to report the result. Null when nothing is due. Members who want no mail
 * any more, have no confirmed address or one that is refused, or may not sign in get none; removal requests reach moderators
 * whatever they want.
 */
create or replace function public.claim_mail() returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  next_job private.mail_jobs;
  claimed bigint[];
  mail jsonb;
begin
  loop
    select j.* into next_job from private.mail_jobs j
    where j.due_at <= now() and not (j.digest and exists (
      -- One row stands for the member's day, so that two workers never send half of it each.
      select from private.mail_jobs o where o.user_id = j.user_id and o.digest and o.due_at <= now() and o.id < j.id
    ))
    order by j.due_at, j.id limit 1
    for update skip locked;
    if not found then
      return null;
    end if;

    with taken as (
      update private.mail_jobs j
      set attempts = j.attempts + 1, due_at = now() + least(interval '1 minute' * power(2, least(j.attempts, 10)), interval '6 hours')
      where j.id = next_job.id or (next_job.digest and j.user_id = next_job.user_id and j.digest and j.due_at <= now())
      returning j.id
    )
    select array_agg(t.id) into claimed from taken t;

    delete from private.mail_jobs j
    where j.id = any (claimed) and not (
      private.is_notification_current(jsonb_populate_record(null::public.notifications, j.notice), j.notification_id)
      and case
        when j.address is not null then true
        when j.user_id is null then exists (
          select from public.removal_requests r
          where r.id = (j.notice ->> 'removal_request_id')::uuid and r.email is not null
        )
        else exists (
          select from public.profiles p join auth.users u on u.id = p.id
          where p.id = j.user_id
            and (p.email_notifications or j.notice ->> 'type' in ('removal_request', 'removal_requests', 'weekly_digest'))
            and u.email_confirmed_at is not null and u.deleted_at is null and coalesce(u.banned_until < now(), true)
            and not exists (select from public.refused_addresses a where a.user_id = u.id and a.address = u.email)
        )
      end
    );

    select jsonb_build_object(
      'ids', jsonb_agg(j.id order by j.id),
      'digest', next_job.digest,
      'to', coalesce((select u.email from auth.users u where u.id = next_job.user_id), next_job.address, min(r.email)),
      'unsubscribe', case
        when next_job.notice ->> 'type' = 'weekly_digest' then private.unsubscribe_token(next_job.user_id, 'digest')
        when next_job.notice ->> 'type' = 'still_in_use' then private.unsubscribe_token(next_job.user_id, 'still-in-use')
        when next_job.notice ->> 'type' not in ('removal_request', 'removal_requests') then private.unsubscribe_token(next_job.user_id)
      end,
      -- Of a weekly digest: whose it is and the time that it covers, and for each subject the token that ends following it.
      'member', case when next_job.notice ->> 'type' = 'weekly_digest' then next_job.user_id end,
      'since', next_job.notice ->> 'since',
      'until', next_job.notice ->> 'until',
      'unfollow', case
        when next_job.notice ->> 'type' = 'weekly_digest' then (
          select jsonb_object_agg(f.id, private.unsubscribe_token(next_job.user_id, f.id::text))
          from public.follows f where f.user_id = next_job.user_id
        )
        -- Of a safety notice: what its reader follows that it is about.
        when next_job.notice ->> 'type' = 'safety_notice' then (
          select jsonb_object_agg(f.id, private.unsubscribe_token(next_job.user_id, f.id::text))
          from private.follows_of((next_job.notice ->> 'solution_id')::uuid, next_job.user_id) f
        )
      end,
      'notices', jsonb_agg(jsonb_build_object(
        'type', n.type,
        'actor', coalesce(a.full_name, a.username, 'Someone'),
        'solution_id', n.solution_id,
        'topic_id', n.forum_topic_id,
        'post_id', n.forum_post_id,
        'title', coalesce(s.title, t.title, b.name, g.resource_name, concat_ws(' ', w.maker, w.part_number)),
        'safety_kind', coalesce(w.kind, s.safety_kind),
        'language', coalesce(s.language, t.language, g.language),
        'subject', coalesce(m.subject, '(no subject)'),
        -- The link that answers without signing in, and the one that ends the questions about this case.
        'use_question', case when q.id is not null then jsonb_build_object('id', q.id, 'months', q.months,
          'token', private.use_question_token(q.id, next_job.user_id),
          'stop', private.unsubscribe_token(next_job.user_id, 'still-in-use-' || q.id)) end,
        'removal_request_id', r.id,
        -- For the requester alone.
        'tracking_id', case when next_job.user_id is null then r.tracking_id end,
        'answer', case when next_job.user_id is null then r.answer end
      ) order by j.id)
    ) into mail
    from private.mail_jobs j
    cross join lateral jsonb_populate_record(null::public.notifications, j.notice) n
    left join public.profiles a on a.id = n.actor_id
    left join public.solutions s on s.id = n.solution_id and private.may_read_solution(j.user_id, s.id)
    left join public.forum_topics t on t.id = n.forum_topic_id
    left join public.badges b on b.id = n.badge_id
    left join public.messages m on m.id = n.message_id
    left join public.removal_requests r on r.id = n.removal_request_id
    left join public.use_questions q on q.id = n.use_question_id and q.user_id = next_job.user_id
    left join public.resource_suggestions g on g.id = n.resource_suggestion_id
    left join public.part_notices w on w.id = n.part_notice_id
    where j.id = any (claimed)
    having count(*) > 0;
    if mail is not null then
      return mail;
    end if;
  end loop;
end
$$;
