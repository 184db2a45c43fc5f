create table private.removal_request_senders (
  -- The account, or a keyed hash of a network.
  sender text not null,
  sent_at timestamptz not null default now()
);

comment on table private.removal_request_senders is 'The recent senders of requests, to limit floods; deleted after a day.';

create index removal_request_senders_sender_idx on private.removal_request_senders (sender, sent_at);
alter table private.removal_request_senders enable row level security;

/*
 * Refuses another request of the same sender for now: five an hour from one account or network, twenty from
 * the networks around it together. Requests of others never close the form: a flood of them waits in the
 * queue, and moderators are alerted of it together (alert_moderators). Security definer, as senders cannot
 * read the requests of others.
 */
create function private.limit_removal_requests() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  sender_key text;
  place bigint;
  max_requests integer;
begin
  for sender_key, place, max_requests in
    select coalesce((select auth.uid())::text, encode(extensions.hmac(convert_to(n.network, 'UTF8'), k.key, 'sha256'), 'hex')), n.place,
      -- Requests without a known network share one count.
      case when n.place = 1 and n.network <> '' then 5 else 20 end
    from private.mail_key k, unnest(private.client_networks()) with ordinality as n (network, place)
    where n.place = 1 or (select auth.uid()) is null
  loop
    perform pg_advisory_xact_lock(hashtextextended('removal_requests of ' || sender_key, 0));
    if (
      select count(*) from private.removal_request_senders t where t.sender = sender_key and t.sent_at > now() - interval '1 hour'
    ) >= max_requests then
      perform private.raise_rate_limited('You have sent several requests within an hour. Please wait before the next one.', '1 hour');
    end if;
    insert into private.removal_request_senders (sender) values (sender_key);
  end loop;
end
$$;

/* What readers see of a public solution's images, videos and files, and of those of its trials, in the order of its page. */
create function private.shown_media(solution uuid) returns table (id uuid, trial_id uuid, place bigint)
language sql stable set search_path = ''
as $$
  select shown.id, shown.trial_id, row_number() over (order by shown.kind, shown.position)
  from (
    select m.id, m.trial_id, m.hidden_at, 0 as kind, m.position
    from public.solution_media m
    left join public.solution_trials t on t.id = m.trial_id
    where m.solution_id = solution and (m.trial_id is null or t.status = 'approved')
    union all
    select f.id, null, f.hidden_at, 1, f.position from public.solution_files f where f.solution_id = solution
  ) shown join public.solutions s on s.id = solution
  where s.status = 'approved' and shown.hidden_at is null
$$;

/*
 * Requests the removal of pictures of a public solution, as a person who is shown in them or speaks for one.
 *
 * tracking: a new random id that the sender makes, which opens the state of the request; sent again it
 * changes nothing; pictures: ids of solution_media or solution_files, null for all. Errors: 23514 with the fault to be mended,
 * PT404 when the pictures are not there, 429 when too many were sent. Security definer, because the requester
 * has no account and can read nothing of the table.
 */
create function public.request_removal(
  tracking uuid, solution uuid, asker text, pictures uuid[] default null, reason text default null, email text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  chosen uuid[] := array(
    select m.id from private.shown_media(solution) m where pictures is null or m.id = any (pictures) order by m.place
  );
begin
  if exists (select from public.removal_requests r where r.tracking_id = tracking) then
    return;
  end if;
  if asker = 'moderator' then
    raise check_violation using message = 'Please say who you are';
  end if;
  if cardinality(pictures) = 0 then
    raise check_violation using message = 'Choose at least one image';
  end if;
  if cardinality(chosen) = 0 then
    raise sqlstate 'PT404' using message = 'These images are no longer shown on the site';
  end if;
  perform private.limit_removal_requests();
  insert into public.removal_requests (tracking_id, solution_id, media_ids, asker, reason, email)
  values (tracking, solution, chosen, asker, nullif(btrim(reason), ''), nullif(btrim(email), ''));
end
$$;

/*
 * Hides what a reported solution or trial shows until a moderator has decided: a removal request of the moderator's own, which is
 * hidden at once and waits in the queue with its deadline. Errors: 42501 for those who may not moderate, PT404 when the report is
 * closed or nothing is shown. Security definer, because moderators make no requests.
 */
create function public.hide_reported_media(report uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  reported record;
  chosen uuid[];
  request uuid;
begin
  if not (private.may_moderate() and private.may_take_part()) then
    raise insufficient_privilege using message = 'Only moderators can hide what is reported';
  end if;
  -- Two moderators at once make one request.
  select r.reason, t.id as trial_id, coalesce(t.solution_id, r.content_id) as solution_id into reported
  from public.content_reports r left join public.solution_trials t on r.content_type = 'trial' and t.id = r.content_id
  where r.id = report and r.status = 'pending' and (r.content_type = 'solution' or t.id is not null)
  for update of r;
  chosen := array(
    select m.id from private.shown_media(reported.solution_id) m where m.trial_id is not distinct from reported.trial_id order by m.place
  );
  if cardinality(chosen) = 0 then
    raise sqlstate 'PT404' using message = 'These images are no longer shown on the site';
  end if;
  insert into public.removal_requests (tracking_id, solution_id, media_ids, asker, reason)
  values (gen_random_uuid(), reported.solution_id, chosen, 'moderator', reported.reason) returning id into request;
  update public.removal_requests set status = 'hidden' where id = request;
end
$$;

grant execute on function public.hide_reported_media(uuid) to authenticated;

/* The state of a request that its requester may know; null for an unknown id. Security definer for the same
   reason. */
create function public.removal_request_state(tracking uuid) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object(
    'status', r.status, 'pictures', cardinality(r.media_ids), 'created_at', r.created_at, 'hidden_at', r.hidden_at,
    'resolved_at', r.resolved_at, 'answer', r.answer, 'by_mail', r.email is not null,
    'solution_id', (select s.id from public.solutions s where s.id = r.solution_id and s.status = 'approved')
  )
  from public.removal_requests r where r.tracking_id = tracking
);

grant execute on function public.request_removal(uuid, uuid, text, uuid[], text, text), public.removal_request_state(uuid)
  to anon, authenticated;

/* Hides pictures from readers at once, or shows them again; the files follow by a job. Returns the number of
   pictures. Security definer, because moderators cannot write other members' media. */
create function private.withhold_media(solution uuid, media uuid[], withhold boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  changed integer;
  -- Of the solution itself, whose gallery says how many it lacks.
  changed_own integer;
  changed_files integer;
begin
  perform from public.solutions s where s.id = solution for update;
  with updated as (
    update public.solution_media m set hidden_at = case when withhold then now() end
    where m.id = any (media) and (m.hidden_at is null) = withhold
      -- Another request may still keep it hidden.
      and (withhold or not exists (select from public.removal_requests r where r.status = 'hidden' and r.media_ids @> array[m.id]))
    returning m.trial_id
  )
  select count(*), count(*) filter (where u.trial_id is null) into changed, changed_own from updated u;
  update public.solution_files f set hidden_at = case when withhold then now() end
  where f.id = any (media) and (f.hidden_at is null) = withhold
    and (withhold or not exists (select from public.removal_requests r where r.status = 'hidden' and r.media_ids @> array[f.id]));
  get diagnostics changed_files = row_count;
  changed := changed + changed_files;
  -- A revision that shows the same pictures follows.
  update public.solution_media c set hidden_at = m.hidden_at
  from public.solution_media m where m.id = c.copy_of and m.id = any (media);
  update public.solution_files c set hidden_at = f.hidden_at
  from public.solution_files f where f.id = c.copy_of and f.id = any (media);
  if changed > 0 then
    update public.solutions s
    set withheld_media = case
        when s.id = solution then greatest(0, s.withheld_media + case when withhold then changed_own else -changed_own end)
        else 0
      end,
      withheld_files = case
        when s.id = solution then greatest(0, s.withheld_files + case when withhold then changed_files else -changed_files end)
        else 0
      end,
      -- A card never shows a withheld picture, but another one where there is one.
      thumbnail_url = case
        when s.thumbnail_url is not null and exists (
          select from public.solution_media m
          where m.solution_id = s.id
            and m.trial_id is null
            and m.hidden_at is null
            and s.thumbnail_url in (m.media_url, m.compressed_url, m.thumbnail_url)
        ) then s.thumbnail_url
        else private.first_picture(s.id)
      end
    where s.id = solution or s.revises = solution;
    insert into public.media_jobs (solution_id)
    select s.id from public.solutions s where s.id = solution and (withhold or s.status = 'approved');
  end if;
  return changed;
end
$$;

/*
 * Alerts all moderators, whatever notifications they want: a picture of a patient may be public. A request
 * within an hour of an alert is in the queue as well, and one mail reports them when that hour is over, so
 * that a flood cannot fill mailboxes. Security definer, because visitors write neither notifications nor
 * mail.
 */
create function private.alert_moderators() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  last_alert_at timestamptz;
begin
  -- One at a time, or two at once would both be the first.
  perform pg_advisory_xact_lock(hashtextextended('alert_moderators', 0));
  select max(r.alerted_at) into last_alert_at from public.removal_requests r where r.alerted_at > now() - interval '1 hour';
  if last_alert_at is null then
    update public.removal_requests r set alerted_at = now() where r.id = new.id;
    with notified as (
      insert into public.notifications (user_id, type, solution_id, removal_request_id)
      select distinct r.user_id, 'removal_request', new.solution_id, new.id
      from public.user_roles r where r.role in ('moderator', 'admin')
      returning *
    )
    insert into private.mail_jobs (user_id, notice, notification_id, digest, due_at)
    select n.user_id, jsonb_build_object('user_id', n.user_id, 'type', n.type, 'solution_id', n.solution_id, 'removal_request_id', new.id),
      n.id, false, now()
    from notified n;
  else
    insert into private.mail_jobs (user_id, notice, digest, due_at)
    select distinct r.user_id, jsonb_build_object('user_id', r.user_id, 'type', 'removal_requests'), false,
      last_alert_at + interval '1 hour'
    from public.user_roles r
    where r.role in ('moderator', 'admin')
      and not exists (select from private.mail_jobs j where j.user_id = r.user_id and j.notice ->> 'type' = 'removal_requests');
  end if;
  perform private.mail_removal_requester(new);
  return null;
end
$$;

create trigger removal_requests_alert after insert on public.removal_requests
  for each row when (new.asker <> 'moderator') execute function private.alert_moderators();

/* Applies the decision to the pictures, notifies author and requester, and writes the audit log. Security
   definer for all of it. */
create function private.apply_removal_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Who added the pictures: the author of the solution, or members who tried it.
  writers uuid[] := array(
    select distinct case when m.trial_id is null then s.user_id else t.user_id end
    from public.solution_media m join public.solutions s on s.id = m.solution_id left join public.solution_trials t on t.id = m.trial_id
    where m.id = any (new.media_ids)
  );
  changed integer := 0;
begin
  if new.status = 'hidden' then
    changed := private.withhold_media(new.solution_id, new.media_ids, true);
  elsif new.status = 'removed' then
    changed := private.withhold_media(new.solution_id, new.media_ids, true);
    delete from public.solution_media m where m.id = any (new.media_ids);
    changed := changed + case when found then 1 else 0 end;
    delete from public.solution_files f where f.id = any (new.media_ids);
    changed := changed + case when found then 1 else 0 end;
  elsif old.status = 'hidden' then
    changed := private.withhold_media(new.solution_id, new.media_ids, false);
  end if;
  update public.notifications n set is_read = true where n.removal_request_id = new.id and not n.is_read;
  if changed > 0 then
    perform private.notify(private.build_notification(
      w.writer, null, case new.status when 'hidden' then 'media_hidden' when 'removed' then 'media_removed' else 'media_restored' end,
      jsonb_build_object('solution_id', new.solution_id)
    )) from unnest(writers) as w (writer);
  end if;
  perform private.mail_removal_requester(new);
  if (select auth.uid()) is not null then
    perform private.audit('removal_request_' || new.status, 'removal_request', new.id::text, jsonb_build_object('status', old.status),
      jsonb_build_object('status', new.status, 'solution_id', new.solution_id, 'media_ids', new.media_ids, 'answer', new.answer));
  end if;
  return null;
end
$$;

create trigger removal_requests_apply after update of status on public.removal_requests
  for each row when (old.status <> new.status) execute function private.apply_removal_request();

/* Resolves a request once its last picture was deleted, by any member. Security definer, because authors delete media too. */
create function private.resolve_removal_requests() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.removal_requests r set status = 'removed'
  where r.resolved_at is null and r.media_ids @> array[old.id]
    and not exists (select from public.solution_media m where m.id = any (r.media_ids))
    and not exists (select from public.solution_files f where f.id = any (r.media_ids));
  return null;
end
$$;

create trigger solution_media_resolve_removal_requests after delete on public.solution_media
  for each row execute function private.resolve_removal_requests();
create trigger solution_files_resolve_removal_requests after delete on public.solution_files
  for each row execute function private.resolve_removal_requests();
