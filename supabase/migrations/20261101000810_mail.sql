create table private.mail_jobs (
  id bigint generated always as identity primary key,
  -- Null for the sender of a removal request, who need not be a member: the request has the address. Null too for a
  -- member whose account has just been deleted, and whose address stands here until the mail is sent.
  user_id uuid references public.profiles on delete cascade,
  address text,
  -- The notification that private.notify received. The item it names may have been deleted when the mail is
  -- due; then no mail is sent.
  notice jsonb not null,
  -- Deleted or read on the site: no mail either.
  notification_id uuid references public.notifications on delete cascade,
  -- Sent with the other mail of the day, or at once.
  digest boolean not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  check (user_id is not null or ((notice ? 'removal_request_id' or address is not null) and not digest))
);

comment on table private.mail_jobs is
  'Mail that is still to be sent to members, and to patients who requested the removal of an image. '
  'Written in the transaction of its event; the function process-mail-jobs sends it.';

alter table private.mail_jobs enable row level security;

-- The next mail to send.
create index mail_jobs_due_at_idx on private.mail_jobs (due_at, id);
create index mail_jobs_user_id_idx on private.mail_jobs (user_id);
create index mail_jobs_notification_id_idx on private.mail_jobs (notification_id);

create table public.refused_addresses (
  user_id uuid primary key references public.profiles on delete cascade,
  address text not null,
  refused_at timestamptz not null default now()
);

comment on table public.refused_addresses is
  'Members'' addresses that a mail server has refused for good: '
  'no mail is sent to them until the member has another one or takes the row away. Written by mail_failed.';

alter table public.refused_addresses enable row level security;
create policy "Members can read that their own address is refused" on public.refused_addresses
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can have their own address tried again" on public.refused_addresses
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.refused_addresses
  as restrictive for select to authenticated using ((select private.has_required_aal()));

grant select, delete on public.refused_addresses to authenticated;

/* Messages and decisions are sent at once; the rest waits for seven in the morning, London winter time. */
create function private.queue_mail(notice public.notifications, notification uuid) returns void
language sql set search_path = ''
as $$
  insert into private.mail_jobs (user_id, notice, notification_id, digest, due_at)
  select notice.user_id, jsonb_strip_nulls(to_jsonb(notice)), notification, not timing.at_once,
    case when timing.at_once then now() else date_trunc('day', now() + interval '17 hours', 'UTC') + interval '7 hours' end
  from public.profiles p,
    (select notice.type in ('message', 'solution_approved', 'solution_rejected', 'content_deleted', 'media_hidden', 'media_removed',
      'media_restored', 'safety_notice', 'suggestion_approved', 'suggestion_rejected', 'report_resolved', 'report_dismissed',
      'version_approved', 'registration_checked', 'registration_declined', 'trial_approved', 'trial_rejected',
      'collection_unshared', 'post_published') as at_once) timing
  where p.id = notice.user_id and p.email_notifications;
$$;

/* Sends the sender of a removal request its outcome, if they left an address. An address gets at most three
   receipts a day, since people other than its owner can give it. */
create function private.mail_removal_requester(request public.removal_requests) returns void
language sql set search_path = ''
as $$
  insert into private.mail_jobs (notice, digest, due_at)
  select jsonb_build_object('type', 'removal_request_' || request.status, 'removal_request_id', request.id), false, now()
  where request.email is not null
    and not (request.status = 'received' and (
      select count(*) from public.removal_requests r
      where lower(r.email) = lower(request.email) and r.created_at > now() - interval '1 day'
    ) > 3);
$$;

/* The last mail to a member, in the transaction that deletes their account. */
create function private.mail_farewell(member uuid, shared text) returns void
language sql set search_path = ''
as $$
  insert into private.mail_jobs (address, notice, digest, due_at)
  select u.email, jsonb_build_object('type', 'account_deleted_' || shared), false, now()
  from auth.users u where u.id = member and u.email_confirmed_at is not null;
$$;

/* The one notice that moderators write themselves. It takes the place of the notice and the mail of the message
   that comes with it. Security definer, because moderators can write neither. */
create function private.mail_content_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n where n.message_id = new.message_id and n.type = 'message';
  delete from private.mail_jobs j where j.user_id = new.user_id and j.notice ->> 'message_id' = new.message_id::text;
  perform private.queue_mail(new, new.id);
  return null;
end
$$;

create trigger notifications_mail_deleted after insert on public.notifications
  for each row when (new.type = 'content_deleted') execute function private.mail_content_deleted();

create table private.mail_key (
  only_row boolean primary key default true check (only_row),
  key bytea not null default extensions.gen_random_bytes(32)
);

comment on table private.mail_key is 'Signs the links by which members stop mails without signing in.';

alter table private.mail_key enable row level security;
insert into private.mail_key default values;

/* Lets the member who reads a mail stop all mails of its kind, or what `subject` names: 'digest', or the id of a follow or topic. */
create function private.unsubscribe_token(member uuid, subject text default null) returns text
language sql stable set search_path = ''
return case when member is not null then concat_ws('.', member, subject, (
  select encode(extensions.hmac(convert_to('no mail to ' || concat_ws(' about ', member, subject), 'UTF8'), k.key, 'sha256'), 'hex')
  from private.mail_key k
)) end;

/*
 * Stops mails to the member whom the link was sent to: all of them, the weekly digest, or the news of what they no longer
 * follow. False when the link is not one of ours. Security definer, because the reader of a mail need not be signed in.
 */
create function public.unsubscribe_from_mail(token text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  parts text[] := string_to_array(token, '.');
  member uuid;
  subject text;
begin
  if token !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.digest|\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?\.[0-9a-f]{64}$' then
    return false;
  end if;
  member := parts[1];
  subject := case when cardinality(parts) = 3 then parts[2] end;
  if private.unsubscribe_token(member, subject) <> token then
    return false;
  end if;
  if subject is null then
    update public.profiles p set email_notifications = false, weekly_digest = false where p.id = member;
  elsif subject = 'digest' then
    update public.profiles p set weekly_digest = false where p.id = member;
  else
    delete from public.follows f where f.id = subject::uuid and f.user_id = member;
  end if;
  return exists (select from public.profiles p where p.id = member);
end
$$;

grant execute on function public.unsubscribe_from_mail(text) to anon, authenticated;

/* Whether the notice's news still holds, and its reader does not know it yet. */
create function private.is_notification_current(notice public.notifications, notification uuid) returns boolean
language sql stable set search_path = ''
return not exists (select from public.notifications n where n.id = notification and n.is_read)
  -- Its audience may have become smaller.
  and (notice.message_id is not null or private.may_read_solution(notice.user_id, notice.solution_id)
    or not exists (select from public.solutions s where s.id = notice.solution_id))
  and case notice.type
    when 'message' then exists (select from public.messages m where m.id = notice.message_id and not m.read)
    when 'report_resolved' then exists (select from public.messages m where m.id = notice.message_id and not m.read)
    when 'like' then exists (select from public.likes l where l.user_id = notice.actor_id and l.solution_id = notice.solution_id)
    when 'comment' then exists (select from public.comments c where c.id = notice.comment_id and c.deleted_at is null)
    when 'comment_reply' then exists (select from public.comments c where c.id = notice.comment_id and c.deleted_at is null)
    when 'forum_reply' then exists (
      select from public.forum_topics t left join public.forum_posts f on f.id = notice.forum_post_id
      where t.id = notice.forum_topic_id and (notice.forum_post_id is null or f.id is not null)
    )
    when 'post_published' then
      exists (select from public.comments c where c.id = notice.comment_id and c.deleted_at is null)
      or exists (select from public.forum_posts f where f.id = notice.forum_post_id)
      or (notice.forum_post_id is null and exists (select from public.forum_topics t where t.id = notice.forum_topic_id))
    when 'badge_earned' then private.shows_points()
      and exists (select from public.user_badges b where b.user_id = notice.user_id and b.badge_id = notice.badge_id)
    when 'solution_approved' then exists (select from public.solutions s where s.id = notice.solution_id and s.status = 'approved')
    when 'version_approved' then exists (select from public.solutions s where s.id = notice.solution_id and s.status = 'approved')
    when 'adaptation' then exists (
      select from public.solution_sources b join public.solutions s on s.id = b.solution_id
      where b.source_id = notice.solution_id and s.status = 'approved' and s.user_id is not distinct from notice.actor_id
    )
    -- Of a solution, or of a new version of it.
    when 'solution_rejected' then exists (
      select from public.solutions s where notice.solution_id in (s.id, s.revises) and s.status = 'rejected'
    )
    when 'safety_notice' then exists (select from public.solutions s where s.id = notice.solution_id and s.safety_kind is not null)
    when 'registration_checked'
      then exists (select from public.member_registrations c where c.user_id = notice.user_id and c.state = 'checked')
    when 'registration_declined'
      then exists (select from public.member_registrations c where c.user_id = notice.user_id and c.state = 'declined')
    when 'registration_lapsed'
      then exists (select from public.member_registrations c where c.user_id = notice.user_id and c.state = 'lapsed')
    when 'weekly_digest' then exists (select from public.profiles p where p.id = notice.user_id and p.weekly_digest)
    when 'removal_requests' then exists (select from public.removal_requests r where r.status = 'received')
    when 'removal_request'
      then exists (select from public.removal_requests r where r.id = notice.removal_request_id and r.status = 'received')
    when 'removal_request_hidden'
      then exists (select from public.removal_requests r where r.id = notice.removal_request_id and r.status = 'hidden')
    else true
  end;

/* The next Monday at seven in the morning, London winter time. Not security definer: it only fills the row in. */
create function private.schedule_digest() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.digest_due_at := case
    when new.weekly_digest then date_trunc('week', now() - interval '7 hours', 'UTC') + interval '7 days 7 hours'
  end;
  return new;
end
$$;

create trigger profiles_schedule_digest before insert or update of weekly_digest on public.profiles
  for each row execute function private.schedule_digest();

create index profiles_digest_due_at_idx on public.profiles (digest_due_at) where weekly_digest;

/* Queues the weekly digests that are due, a thousand at a time; each covers the time from the end of the one before to the
   beginning of this week, however late it is sent, so that none of the news is told twice or left out. A notice of this
   kind has no notification. Security definer, because clients cannot write mail. */
create function private.queue_digests() returns void
language sql security definer set search_path = ''
as $$
  with due as (
    update public.profiles p
    set digest_due_at = date_trunc('week', now() - interval '7 hours', 'UTC') + interval '7 days 7 hours'
    from (
      select d.id, d.digest_due_at from public.profiles d
      where d.weekly_digest and d.digest_due_at <= now() order by d.digest_due_at limit 1000 for update skip locked
    ) old
    where p.id = old.id
    returning p.id, old.digest_due_at - interval '7 days' as since, p.digest_due_at - interval '7 days' as until
  )
  insert into private.mail_jobs (user_id, notice, digest, due_at)
  select d.id, jsonb_build_object('user_id', d.id, 'type', 'weekly_digest', 'since', d.since, 'until', d.until), false, now() from due d;
$$;

/* The number of mails that are due; mail that has waited for eight days is given up and counted. Security
   definer, as are its siblings below, because the queue is closed to all clients, the service included. */
create function public.mail_due(out due integer, out given_up integer)
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.queue_digests();
  delete from private.mail_jobs j where j.created_at < now() - interval '8 days';
  get diagnostics given_up = row_count;
  select count(*) into due from private.mail_jobs j where j.due_at <= now();
end
$$;

/*
 * The next mail to send: one notice, or all of a member's day. The worker that claims it has until the next
 * try, which comes later each time, to report the result. Null when nothing is due. Members who want no mail
 * any more, have no confirmed address or one that is refused, or may not sign in get none; removal requests reach moderators
 * whatever they want.
 */
create function public.claim_mail() returns jsonb
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
        'title', coalesce(s.title, t.title, b.name, g.resource_name, ''),
        'subject', coalesce(m.subject, '(no subject)'),
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
    left join public.resource_suggestions g on g.id = n.resource_suggestion_id
    where j.id = any (claimed)
    having count(*) > 0;
    if mail is not null then
      return mail;
    end if;
  end loop;
end
$$;

create function public.mail_sent(ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from private.mail_jobs j where j.id = any (ids);
$$;

/*
 * Keeps the mail for the next try; after the twentieth, about three days later, it is given up: then true. One whose
 * address is refused for good ends at once, and its member is told so instead of the operator.
 */
create function public.mail_failed(ids bigint[], reason text, refused_address text default null) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if refused_address is not null then
    insert into public.refused_addresses (user_id, address)
    select distinct j.user_id, refused_address from private.mail_jobs j where j.id = any (ids) and j.user_id is not null
    on conflict (user_id) do update set address = excluded.address, refused_at = now();
    delete from private.mail_jobs j where j.id = any (ids);
    return false;
  end if;
  delete from private.mail_jobs j where j.id = any (ids) and j.attempts >= 20;
  if found then
    return true;
  end if;
  update private.mail_jobs j set last_error = left(reason, 500) where j.id = any (ids);
  return false;
end
$$;
