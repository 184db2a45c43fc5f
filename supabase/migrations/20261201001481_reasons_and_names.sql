-- Who suggested a resource reads why it was not added, and a message about a report names what that was about.

alter table public.resource_suggestions
  add column rejection_reason text
    constraint "A reason must be at most 2000 characters" check (char_length(rejection_reason) <= 2000)
    constraint "A reason cannot be blank" check (rejection_reason is null or not private.is_blank(rejection_reason)),
  add constraint "Only what was rejected has a reason" check (rejection_reason is null or status = 'rejected');

comment on column public.resource_suggestions.rejection_reason is 'Why it was not added, for the member who suggested it.';

grant update (rejection_reason) on public.resource_suggestions to authenticated;

/* The outcome reaches the reporter, by the moderator's name: a response as a message, also to a member who
   accepts no messages, and a dismissal as a notification. The message names what was reported by its title, and what is no more by what
   the reporter wrote of it. Security definer for both. */
create or replace function private.answer_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- No one, where the content went with something else.
  actor constant uuid := new.resolved_by;
  title constant text := public.reported_title(new);
  response uuid;
begin
  if new.reporter_id is null or new.reporter_id = actor then
    return null;
  end if;
  if new.status = 'resolved' and new.admin_response is not null then
    insert into public.messages (sender_id, recipient_id, subject, content, notification_type)
    values (
      actor, new.reporter_id,
      'About your report: '
        || left(regexp_replace(case when title = 'Deleted ' || new.content_type then new.reason else title end, '\s+', ' ', 'g'), 150),
      new.admin_response, 'report_resolved'
    )
    returning id into response;
    update public.notifications n set content_report_id = new.id where n.message_id = response;
  else
    perform private.notify(private.build_notification(new.reporter_id, actor, 'report_' || new.status,
      jsonb_build_object('content_report_id', new.id)));
  end if;
  return null;
end
$$;
