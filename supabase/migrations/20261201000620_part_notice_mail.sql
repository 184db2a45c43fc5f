-- An email says in which language the title is that it names, answers the question whether a device is still in use, and names a part.

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
