-- Readers report a translation by itself: a number that it has wrong can hurt, and the original says nothing of it.

alter table public.content_reports drop constraint content_reports_content_type_check;
alter table public.content_reports add constraint content_reports_content_type_check check (
  content_type in ('topic', 'post', 'solution', 'translation', 'trial', 'comment', 'message', 'profile', 'collection')
);

/* Whether the content exists and the reporter could see it: a message only by its recipient. Not security
   definer, so that a report cannot be used to ask about hidden rows. */
create or replace function private.can_report(kind text, target uuid) returns boolean
language sql stable set search_path = ''
return case kind
  when 'topic' then exists (select from public.forum_topics t where t.id = target)
  when 'post' then exists (select from public.forum_posts p where p.id = target)
  when 'solution' then exists (select from public.solutions s where s.id = target)
  when 'translation' then exists (select from public.solution_translations t where t.id = target)
  when 'trial' then exists (select from public.solution_trials t where t.id = target)
  when 'comment' then exists (select from public.comments c where c.id = target)
  when 'message' then exists (select from public.messages m where m.id = target and m.recipient_id = (select auth.uid()))
  when 'collection' then coalesce((private.open_collection(target) ->> 'is_shared')::boolean, false)
  when 'profile' then exists (select from public.profiles p where p.id = target)
  else false
end;

/* What a reader calls reported content: its title, or that of what it stands in. With the caller's own rights. */
create or replace function public.reported_title(report public.content_reports) returns text
language sql stable set search_path = ''
return coalesce(
  case report.content_type
    when 'solution' then (select s.title from public.solutions s where s.id = report.content_id)
    when 'translation' then (select t.texts ->> 'title' from public.solution_translations t where t.id = report.content_id)
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
