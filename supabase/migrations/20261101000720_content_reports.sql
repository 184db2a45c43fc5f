create table public.content_reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid default auth.uid() references public.profiles on delete set null,
  content_type text not null check (content_type in ('topic', 'post', 'solution', 'trial', 'comment', 'message', 'profile', 'collection')),
  -- No foreign key: the report outlives its subject.
  content_id uuid not null,
  reason text not null
    constraint "Please provide a reason for the report" check (not private.is_blank(reason))
    constraint "A reason must be at most 2000 characters" check (char_length(reason) <= 2000),
  status text not null default 'pending' check (status in ('pending', 'resolved', 'dismissed')),
  admin_response text constraint "A response must be at most 5000 characters" check (char_length(admin_response) <= 5000),
  resolved_at timestamptz,
  resolved_by uuid references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint "A response cannot be blank" check (admin_response is null or not private.is_blank(admin_response)),
  constraint "A closed report says when" check ((status = 'pending') = (resolved_at is null))
);

comment on table public.content_reports is 'Reports of content by members, for moderators.';

alter table public.content_reports enable row level security;

/* Whether the content exists and the reporter could see it: a message only by its recipient. Not security
   definer, so that a report cannot be used to ask about hidden rows. */
create function private.can_report(kind text, target uuid) returns boolean
language sql stable set search_path = ''
return case kind
  when 'topic' then exists (select from public.forum_topics t where t.id = target)
  when 'post' then exists (select from public.forum_posts p where p.id = target)
  when 'solution' then exists (select from public.solutions s where s.id = target)
  when 'trial' then exists (select from public.solution_trials t where t.id = target)
  when 'comment' then exists (select from public.comments c where c.id = target)
  when 'message' then exists (select from public.messages m where m.id = target and m.recipient_id = (select auth.uid()))
  when 'collection' then coalesce((private.open_collection(target) ->> 'is_shared')::boolean, false)
  when 'profile' then exists (select from public.profiles p where p.id = target)
  else false
end;

grant execute on function private.can_report(text, uuid) to authenticated, service_role;

create policy "Members can read their own reports and moderators all" on public.content_reports
  for select to authenticated
  using ((reporter_id = (select auth.uid()) and (select private.has_required_aal())) or (select private.is_moderator()));
create policy "Members can report what they can see" on public.content_reports
  for insert to authenticated with check (reporter_id = (select auth.uid()) and private.can_report(content_type, content_id));
create policy "Moderators can close reports" on public.content_reports
  for update to authenticated
  using (status = 'pending' and (select private.may_moderate()))
  with check (status in ('resolved', 'dismissed'));

-- One open report by a member for each item.
create unique index content_reports_open_key on public.content_reports (reporter_id, content_type, content_id) where status = 'pending';
-- The moderators' queue.
create index content_reports_status_idx on public.content_reports (status, created_at, id);
-- A member's own.
create index content_reports_reporter_id_idx on public.content_reports (reporter_id, created_at desc);
create index content_reports_resolved_by_idx on public.content_reports (resolved_by);

/* At most twenty reports a day from a member who does not moderate. Not security definer: it counts the rows
   that the reporter can see. */
create function private.guard_report() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() and not private.is_moderator() then
    perform private.enforce_row_limit('public.content_reports', 'reporter_id', 20, '1 day',
      'You have made 20 reports within a day. Please wait before the next one.');
  end if;
  return new;
end
$$;

create trigger content_reports_guard before insert on public.content_reports
  for each row execute function private.guard_report();

-- Closing all reports of one item, and what was decided on earlier ones.
create index content_reports_content_idx on public.content_reports (content_id, resolved_at desc);

/* The content of a reported message, for a moderator while the report is open; each reading is in the audit
   log. Security definer, because only sender and recipient can read the table, not moderators. */
create function public.read_reported_message(report uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  reported record;
begin
  if not private.may_moderate() then
    raise insufficient_privilege using message = 'Only moderators can read reported messages';
  end if;
  select m.id, m.sender_id, m.subject, m.content, m.created_at,
    case when m.sender_id is null then 'Former member' else coalesce(p.full_name, p.username, 'Anonymous') end as sender
  into reported
  from public.content_reports r
  join public.messages m on m.id = r.content_id
  left join public.profiles p on p.id = m.sender_id
  where r.id = report and r.content_type = 'message' and r.status = 'pending';
  if not found then
    return null;
  end if;
  perform private.audit('reported_message_read', 'message', reported.id::text, null, jsonb_build_object('report', report));
  return to_jsonb(reported) - 'id';
end
$$;

grant execute on function public.read_reported_message(uuid) to authenticated;

/* What a reader calls reported content: its title, or that of what it stands in. With the caller's own rights. */
create function public.reported_title(report public.content_reports) returns text
language sql stable set search_path = ''
return coalesce(
  case report.content_type
    when 'solution' then (select s.title from public.solutions s where s.id = report.content_id)
    when 'trial' then (
      select s.title from public.solution_trials t join public.solutions s on s.id = t.solution_id where t.id = report.content_id
    )
    when 'comment' then (
      select s.title from public.comments c join public.solutions s on s.id = c.solution_id where c.id = report.content_id
    )
    when 'topic' then (select t.title from public.forum_topics t where t.id = report.content_id)
    when 'post' then (
      select t.title from public.forum_posts p join public.forum_topics t on t.id = p.topic_id where p.id = report.content_id
    )
    when 'profile' then (select coalesce(p.full_name, p.username) from public.public_profiles p where p.id = report.content_id)
    when 'message' then 'Private message'
    else 'Shared collection'
  end,
  'Deleted ' || report.content_type
);

grant execute on function public.reported_title(public.content_reports) to authenticated;

/* The server sets who closed a report, and when. Not security definer: it only fills the row in. */
create function private.stamp_report() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() and new.status <> 'pending' then
    new.resolved_at := now();
    new.resolved_by := (select auth.uid());
  end if;
  return new;
end
$$;

create trigger content_reports_stamp before update on public.content_reports
  for each row execute function private.stamp_report();

/* Security definer, because it writes the audit log. */
create function private.audit_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform private.audit('report_' || new.status, 'content_report', new.id::text, jsonb_build_object('status', old.status),
      jsonb_build_object('status', new.status, 'response', new.admin_response, 'content_type', new.content_type,
        'content_id', new.content_id));
  end if;
  return null;
end
$$;

create trigger content_reports_audit after update of status on public.content_reports
  for each row when (old.status is distinct from new.status) execute function private.audit_report();

grant select on public.content_reports to authenticated;
grant insert (reporter_id, content_type, content_id, reason) on public.content_reports to authenticated;
grant update (status, admin_response, resolved_at, resolved_by) on public.content_reports to authenticated;

/* Takes the link of a shared collection away: for good, with the reason in a message to its owner, and all reports of it
   closed. The collection and its notes stay its owner's. Security definer, because only its owner can change a collection,
   and members who accept no messages get this one. */
create function public.stop_sharing(collection uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  unshared public.collections;
begin
  if not (private.may_moderate() and private.may_take_part()) then
    raise insufficient_privilege using message = 'Only moderators can remove the link of a collection';
  elsif private.is_blank(reason) then
    raise invalid_parameter_value using message = 'Please give the owner a reason';
  end if;
  update public.collections c set is_shared = false, link_removed_at = now()
  where c.id = stop_sharing.collection and c.is_shared returning c.* into unshared;
  if not found then
    raise invalid_parameter_value using message = 'This collection is no longer shared';
  end if;
  if unshared.user_id <> (select auth.uid()) then
    insert into public.messages (sender_id, recipient_id, subject, content, notification_type)
    values ((select auth.uid()), unshared.user_id, 'Your collection is no longer shared', reason, 'collection_unshared');
  end if;
  perform private.audit('collection_unshared', 'collection', unshared.id::text, jsonb_build_object('title', unshared.title),
    jsonb_build_object('reason', reason));
  update public.content_reports r
  set status = 'resolved', admin_response = 'The collection is no longer shared.', resolved_at = now(), resolved_by = (select auth.uid())
  where r.content_type = 'collection' and r.content_id = unshared.id and r.status = 'pending';
end
$$;

grant execute on function public.stop_sharing(uuid, text) to authenticated;
