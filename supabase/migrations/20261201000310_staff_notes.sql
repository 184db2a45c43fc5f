-- What moderators write down for each other about a member or about an item of the review queue.

create table public.staff_notes (
  id uuid primary key default gen_random_uuid(),
  -- The member whom it is about: of a note on an item, who sent that. Never of a report or a request by a person shown, which are
  -- about others than who sent them. Kept by guard_staff_note.
  about_id uuid references public.profiles on delete cascade,
  -- The item; none for a note on a member.
  solution_id uuid references public.solutions on delete cascade,
  trial_id uuid references public.solution_trials on delete cascade,
  resource_suggestion_id uuid references public.resource_suggestions on delete cascade,
  content_report_id uuid references public.content_reports on delete cascade,
  removal_request_id uuid references public.removal_requests on delete cascade,
  registration_id uuid references public.member_registrations on delete cascade,
  held_post_id uuid references public.held_posts on delete cascade,
  content text not null
    constraint "A note cannot be empty" check (not private.is_blank(content))
    constraint "A note must be at most 2000 characters" check (char_length(content) <= 2000),
  -- Null once who wrote it has left.
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint "A note is about one member or one item" check (
    num_nonnulls(solution_id, trial_id, resource_suggestion_id, content_report_id, removal_request_id, registration_id, held_post_id)
      between (about_id is null)::integer and 1
  )
);

comment on table public.staff_notes is
  'Notes by moderators on members and on items of the review queue, for moderators alone. They go with what they are about; '
  'members get those about them with their data.';

alter table public.staff_notes enable row level security;

create policy "Moderators can read notes" on public.staff_notes
  for select to authenticated using ((select private.is_moderator()));
create policy "Moderators can write notes" on public.staff_notes
  for insert to authenticated with check (created_by = (select auth.uid()) and (select private.may_moderate()));
create policy "Moderators can remove their own notes, admins all" on public.staff_notes
  for delete to authenticated
  using ((created_by = (select auth.uid()) and (select private.may_moderate())) or (select private.may_administer()));

create index staff_notes_about_id_idx on public.staff_notes (about_id) where about_id is not null;
create index staff_notes_solution_id_idx on public.staff_notes (solution_id) where solution_id is not null;
create index staff_notes_trial_id_idx on public.staff_notes (trial_id) where trial_id is not null;
create index staff_notes_resource_suggestion_id_idx on public.staff_notes (resource_suggestion_id) where resource_suggestion_id is not null;
create index staff_notes_content_report_id_idx on public.staff_notes (content_report_id) where content_report_id is not null;
create index staff_notes_removal_request_id_idx on public.staff_notes (removal_request_id) where removal_request_id is not null;
create index staff_notes_registration_id_idx on public.staff_notes (registration_id) where registration_id is not null;
create index staff_notes_held_post_id_idx on public.staff_notes (held_post_id) where held_post_id is not null;
create index staff_notes_created_by_idx on public.staff_notes (created_by) where created_by is not null;

grant select, delete on public.staff_notes to authenticated;
grant insert (about_id, solution_id, trial_id, resource_suggestion_id, content_report_id, removal_request_id, registration_id, held_post_id,
    content, created_by)
  on public.staff_notes to authenticated;

select private.restrict_writes();

/* Says whom a note on an item is about, and puts one on a new version with the solution, which outlives it. Not security definer: a
   moderator sees all of these rows. */
create function private.guard_staff_note() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.content := btrim(new.content, E' \t\r\n');
  if new.solution_id is not null then
    select coalesce(s.revises, s.id), s.user_id into new.solution_id, new.about_id from public.solutions s where s.id = new.solution_id;
  elsif new.trial_id is not null then
    new.about_id := (select t.user_id from public.solution_trials t where t.id = new.trial_id);
  elsif new.resource_suggestion_id is not null then
    new.about_id := (select r.user_id from public.resource_suggestions r where r.id = new.resource_suggestion_id);
  elsif new.registration_id is not null then
    new.about_id := (select c.user_id from public.member_registrations c where c.id = new.registration_id);
  elsif new.held_post_id is not null then
    new.about_id := (select h.user_id from public.held_posts h where h.id = new.held_post_id);
  elsif num_nonnulls(new.content_report_id, new.removal_request_id) > 0 then
    new.about_id := null;
  end if;
  return new;
end
$$;

create trigger staff_notes_guard before insert on public.staff_notes
  for each row execute function private.guard_staff_note();

/* Writes into the audit log that a note was written or removed, and of what; never its text, which goes with the member it is about,
   where the log stays. Security definer, because clients cannot write the log. */
create function private.audit_staff_note() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  note constant jsonb := to_jsonb(case tg_op when 'INSERT' then new else old end) - array['id', 'content', 'created_by', 'created_at'];
begin
  if (select auth.uid()) is not null then
    perform private.audit(case tg_op when 'INSERT' then 'staff_note_written' else 'staff_note_removed' end, 'staff_note',
      (case tg_op when 'INSERT' then new else old end).id::text,
      case tg_op when 'DELETE' then jsonb_strip_nulls(note) end, case tg_op when 'INSERT' then jsonb_strip_nulls(note) end);
  end if;
  return null;
end
$$;

-- One that goes with what it is about is no act of its own.
create trigger staff_notes_audit after insert or delete on public.staff_notes
  for each row when (pg_trigger_depth() = 0) execute function private.audit_staff_note();
