import type pg from 'pg';

/* Statements that must hold of the rows at any time. Each is a query for the rows that break it. */

/** True between any two transactions. */
export const INVARIANTS: Record<string, string> = {
  'the ledger of points is what members deserve by what there is': `
    select user_id, deserved.points as deserved, ledger.points as credited
    from (
      select user_id, sum(points)::int as points from (
        select user_id, 50 as points from public.solutions where status = 'approved'
        union all select user_id, 20 from public.solution_trials where status = 'approved'
        union all select user_id, 20 from public.forum_topics
        union all select user_id, 10 from public.comments where deleted_at is null
        union all select user_id, 10 from public.forum_posts
        union all select s.user_id, 5 from public.likes l join public.solutions s on s.id = l.solution_id where l.user_id <> s.user_id
      ) each where user_id is not null group by user_id
    ) deserved full join (
      select user_id, sum(points)::int as points from public.point_events group by user_id
    ) ledger using (user_id)
    where deserved.points is distinct from ledger.points`,
  'the total of points is that of the ledger': `
    select user_id, p.total_points as total, ledger.points as credited
    from public.user_points p full join (
      select user_id, sum(points)::int as points from public.point_events group by user_id
    ) ledger using (user_id)
    where coalesce(p.total_points, 0) <> coalesce(ledger.points, 0)`,
  'likes are counted': `
    select s.id, s.likes_count from public.solutions s
    where s.likes_count <> (select count(*) from public.likes l where l.solution_id = s.id)`,
  'comments are counted': `
    select s.id, n.comments_count from public.solutions s left join public.comment_counts n on n.solution_id = s.id
    where coalesce(n.comments_count, 0) <> (
      select count(*) from public.comments c
      where c.solution_id = s.id and c.deleted_at is null and private.covers_audience(c.audience, s.audience)
    )`,
  'a solution has the mark of the notices on it and its parts': `
    select s.id, s.safety_kind from public.solutions s where s.safety_kind is distinct from private.safety_kind_of(s.id)`,
  'members who tried a solution are counted': `
    select s.id, s.tried_count from public.solutions s
    where s.tried_count <> (
      select count(distinct coalesce(t.user_id, t.id)) from public.solution_trials t
      where t.solution_id = s.id and t.status = 'approved' and private.covers_audience(t.audience, s.audience)
    )`,
  'facets that follow from other tables are kept': `
    select s.id, s.extra_facets from public.solutions s where s.extra_facets <> private.extra_facets(s)`,
  'reported outcomes are counted': `
    select coalesce(counted.measure, there.measure) as measure, counted.outcomes as counted, there.outcomes as there
    from (
      select measure, prosthesis_type, amputation_level, sum(cases) as cases, sum(outcomes) as outcomes
      from private.report_counts group by 1, 2, 3 having sum(outcomes) > 0
    ) counted full join (
      select r.measure, case when shown then type else '' end as prosthesis_type, case when shown then level else '' end as amputation_level,
        count(distinct case_id) as cases, count(*) as outcomes
      from (
        select o.measure, coalesce(t.id, s.id) as case_id, coalesce(t.prosthesis_type, s.prosthesis_type) as type,
          coalesce(t.amputation_level, s.amputation_level) as level,
          o.people >= 10 or case when t.id is null then c.basis else t.consent_basis end in ('patient_written', 'guardian_written')
            and (t.id is not null or private.covers_audience(c.audience, s.audience)) as shown
        from public.solution_outcomes o join public.solutions s on s.id = o.solution_id
        left join public.solution_trials t on t.id = o.trial_id left join public.solution_consents c on c.solution_id = s.id
        where s.status = 'approved' and (o.trial_id is null or t.status = 'approved')
      ) r group by 1, 2, 3
    ) there using (measure, prosthesis_type, amputation_level)
    where (counted.cases, counted.outcomes) is distinct from (there.cases, there.outcomes)`,
  'what “Still in use?” was asked and answered is counted, of public cases': `
    select months, audience, answer, reason, counted.questions as counted, there.questions as there
    from (select * from private.use_counts where questions <> 0) counted full join (
      select q.months, private.narrowest(s.audience, t.audience) as audience, coalesce(q.answer, '') as answer, coalesce(q.reason, '') as reason, count(*) as questions
      from public.use_questions q join public.solutions s on s.id = q.solution_id left join public.solution_trials t on t.id = q.trial_id
      where s.status = 'approved' and (q.trial_id is null or t.status = 'approved') group by 1, 2, 3, 4
    ) there using (months, audience, answer, reason)
    where counted.questions is distinct from there.questions`,
  'readers see the images of a post that are not hidden, and no others': `
    select p.id from (
      select id, images, shown_images, images_hidden_at from public.forum_topics
      union all select id, images, shown_images, images_hidden_at from public.forum_posts
    ) p where p.shown_images <> case when p.images_hidden_at is null then p.images else '[]' end`,
  'a member has one notification of a question at most': `
    select use_question_id from public.notifications where use_question_id is not null group by 1 having count(*) > 1`,
  'replies to comments are counted': `
    select c.id, n.replies, below.replies as there
    from public.comments c join public.solutions s on s.id = c.solution_id left join private.reply_counts n on n.thread_id = c.id, lateral (
      with recursive replies as (
        select r.* from public.comments r where r.parent_comment_id = c.id
        union all select r.* from replies b join public.comments r on r.parent_comment_id = b.id
      ) select count(*) filter (where deleted_at is null and private.covers_audience(audience, s.audience)) as replies from replies
    ) below
    where c.parent_comment_id is null and coalesce(n.replies, 0) <> below.replies`,
  'members, topics, success stories, solutions by state and what waits are counted': `
    select counted.* from (
      values ('members', (select count(*) from public.profiles where username is not null)),
        ('topics', (select count(*) from public.forum_topics)),
        ('success_stories', (select count(*) from public.forum_topics where category = 'success-stories')),
        ('waiting solution', (select count(*) from public.solutions where status = 'pending')),
        ('pending', (select count(*) from public.solutions where status = 'pending' and revises is null)),
        ('rejected', (select count(*) from public.solutions where status = 'rejected' and revises is null)),
        ('waiting trial', (select count(*) from public.solution_trials where status = 'pending')),
        ('waiting resource', (select count(*) from public.resource_suggestions where status = 'pending')),
        ('waiting report', (select count(*) from public.content_reports where status = 'pending')),
        ('waiting removal_request', (select count(*) from public.removal_requests where resolved_at is null and solution_id is not null)),
        ('waiting post', (select count(*) from public.held_posts)),
        ('waiting registration', (select count(*) from public.member_registrations where state = 'waiting'))
    ) counted (name, there) where there <> private.kept_count(name)`,
  'the latest message of each conversation is known, to each side': `
    select latest.member_id, latest.pair, latest.id, c.message_id
    from (
      select distinct on (side.id, m.pair) side.id as member_id, m.pair, m.id
      from public.messages m, unnest(array[m.sender_id, m.recipient_id]) as side (id)
      where side.id is not null and not exists (
        select from public.message_deletions d where d.message_id = m.id and d.user_id = side.id
      )
      order by side.id, m.pair, m.created_at desc, m.id desc
    ) latest full join private.conversations c using (member_id, pair)
    where latest.id is distinct from c.message_id`,
  'replies are counted': `
    select t.id, t.posts_count from public.forum_topics t
    where t.posts_count <> (select count(*) from public.forum_posts p where p.topic_id = t.id)`,
  'an answer is a reply of its topic, and who summarised a topic is a member': `
    select t.id from public.forum_topics t
    where (t.answer_id is not null
        and not exists (select from public.forum_posts p where p.id = t.answer_id and p.topic_id = t.id))
      or (t.summary_by is not null and not exists (select from public.profiles p where p.id = t.summary_by))`,
  'a solution stands where the last step of its review put it': `
    select s.id, s.status, last.decision
    from public.solutions s left join lateral (
      select case when r.decision in ('approved', 'rejected') then r.decision else 'pending' end as decision
      from public.solution_reviews r where r.solution_id = s.id order by r.id desc limit 1
    ) last on true
    where s.revises is null
      and s.status is distinct from last.decision
      -- Of a published solution the last steps may be those of a new version, or its end.
      and not (s.status = 'approved' and s.version > 0)`,
  'a new version stands where the last step of the review put it': `
    select r.id, r.status, last.decision
    from public.solutions r left join lateral (
      select v.decision from public.solution_reviews v where v.solution_id = r.revises order by v.id desc limit 1
    ) last on true
    where r.revises is not null
      and r.status is distinct from case when last.decision = 'resubmitted' then 'pending' else last.decision end`,
  'the current version of a published solution is kept, and no later one': `
    select s.id, s.version from public.solutions s
    where s.revises is null and s.version is distinct from
      coalesce((select max(v.version) from public.solution_versions v where v.solution_id = s.id), 0)`,
  'a decision is in the audit log, once and at its moment': `
    select r.solution_id, r.decision, r.created_at from public.solution_reviews r
    where r.decision in ('approved', 'rejected') and r.reviewer_id is not null
      and 1 <> (
        select count(*) from public.audit_events a
        where a.action = 'solution_' || r.decision and a.target_id = r.solution_id::text
          and a.actor_id = r.reviewer_id and a.created_at = r.created_at
      )`,
  'the audit log has no decision that was not made': `
    select a.target_id, a.action, a.created_at
    from public.audit_events a join public.solutions s on s.id::text = a.target_id
    where a.action in ('solution_approved', 'solution_rejected') and not exists (
      select from public.solution_reviews r
      where r.solution_id = s.id and 'solution_' || r.decision = a.action and r.created_at = a.created_at
    )`,
};

/** Also true when members delete no notification and no job is left. */
export const INVARIANTS_AT_REST: Record<string, string> = {
  'no job is left': `
    select 'media' as queue, coalesce(j.solution_id::text, j.object_names::text) as what, j.last_error from public.media_jobs j
    union all
    select 'mail', j.notice ->> 'type', j.last_error from private.mail_jobs j where not j.digest`,
  'a decision was told to its author, a rejection in a message too': `
    select r.solution_id, r.decision from public.solution_reviews r
    join public.solutions s on s.id = r.solution_id
    join public.profiles p on p.id = s.user_id and p.allow_notifications and p.id <> r.reviewer_id
    where r.decision in ('approved', 'rejected') and (
      not exists (
        select from public.notifications n
        where n.type in ('solution_' || r.decision, 'version_' || r.decision) and n.solution_id = s.id and n.user_id = p.id and n.created_at = r.created_at
      )
      or r.decision = 'rejected' and not exists (
        select from public.messages m where m.solution_id = s.id and m.recipient_id = p.id and m.created_at = r.created_at
      )
    )`,
  'a file is public exactly when it was approved for everyone': `
    select m.id, s.status, m.media_url
    from public.solution_media m join public.solutions s on s.id = m.solution_id left join public.solution_trials t on t.id = m.trial_id
    left join public.solutions published on published.id = s.revises
    where (coalesce(published.audience, s.audience) = 'public' and (s.status = 'approved' and coalesce(t.status, 'approved') = 'approved' or m.copy_of is not null) and m.hidden_at is null) <> (m.media_url like '/storage/v1/object/public/solution-media/%')
    union all
    select f.id, s.status, f.file_url
    from public.solution_files f join public.solutions s on s.id = f.solution_id left join public.solutions published on published.id = s.revises
    where (coalesce(published.audience, s.audience) = 'public' and (s.status = 'approved' or f.copy_of is not null) and f.hidden_at is null) <> (f.file_url like '/storage/v1/object/public/solution-media/%')`,
  'every address of a file leads to one': `
    select places.url from (
      select n.url from private.stored_urls() as n (url)
      union select s.thumbnail_url from public.solutions s
    ) places
    where places.url is not null and not exists (
      select from storage.objects o
      where o.bucket_id || '/' || o.name = regexp_replace(places.url, '^/storage/v1/object/(public|authenticated)/', '')
    )`,
  'every stored picture and clip has an owner, once it is a day old': `
    select o.bucket_id, o.name from storage.objects o
    where o.bucket_id in ('pending-media', 'solution-media') and o.created_at < now() - interval '1 day' and not exists (
      select from (
        select n.url from private.stored_urls() as n (url)
      ) places
      where regexp_replace(places.url, '^/storage/v1/object/(public|authenticated)/', '') = o.bucket_id || '/' || o.name
    )`,
};

/**
 * Acknowledged writes are stored; each query gets the facts of its kind as JSON (tests/operation/chaos/load.ts).
 */
export const ACKNOWLEDGED: Record<string, string> = {
  comment: `not exists (select from public.comments c where c.submission_id::text = fact ->> 'id')
    and exists (select from public.solutions s where s.id::text = fact ->> 'solution')`,
  reply: `not exists (select from public.forum_posts p where p.submission_id::text = fact ->> 'id')`,
  message: `not exists (select from public.messages m where m.submission_id::text = fact ->> 'id')`,
  'page view': `not exists (select from public.page_views v where v.session_id = fact ->> 'id')`,
  solution: `not exists (select from public.solutions s where s.submission_id::text = fact ->> 'id' and s.id::text = fact ->> 'solution')`,
  withdrawal: `exists (select from public.solutions s where s.id::text = fact ->> 'id')`,
  decision: `not exists (select from public.solutions s where s.id::text = fact ->> 'id' and s.status = fact ->> 'status')`,
  like: `not exists (select from public.likes l where l.solution_id::text = fact ->> 'solution' and l.user_id::text = fact ->> 'member')
    and exists (select from public.solutions s where s.id::text = fact ->> 'solution')`,
  'like taken back': `exists (select from public.likes l where l.solution_id::text = fact ->> 'solution' and l.user_id::text = fact ->> 'member')`,
  upload: `exists (
      select from jsonb_array_elements_text(fact -> 'names') as wanted (name)
      where not exists (select from storage.objects o where o.bucket_id in ('pending-media', 'solution-media') and o.name = wanted.name)
    )`,
};

type Run = (sql: string, values?: unknown[]) => Promise<pg.QueryResultRow[]>;

/** The broken invariants, by name, with a few of the rows that show it; empty when all hold. */
export async function brokenAmong(invariants: Record<string, string>, run: Run): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, sql] of Object.entries(invariants)) broken.push(...violations(name, await run(sql)));
  return broken;
}

/** The acknowledged facts that are not true. */
export async function lostAmong(facts: { kind: string }[], run: Run): Promise<string[]> {
  const lost: string[] = [];
  for (const [kind, isLost] of Object.entries(ACKNOWLEDGED)) {
    const those = JSON.stringify(facts.filter((fact) => fact.kind === kind));
    const rows = await run(`select fact from jsonb_array_elements($1::jsonb) as fact where ${isLost}`, [
      those,
    ]);
    lost.push(...violations(`${kind}: what was acknowledged is so`, rows));
  }
  return lost;
}

const violations = (name: string, rows: pg.QueryResultRow[]) =>
  rows.length === 0
    ? []
    : [`${name}: ${rows.length} are not so, such as ${JSON.stringify(rows.slice(0, 3))}`];
