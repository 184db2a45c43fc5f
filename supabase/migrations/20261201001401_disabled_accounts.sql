-- What a disabled account had begun ends with it, and the link of a question says no more than its member may read.

/* Whether its member is let in no more. Security definer, because accounts lie with Auth. */
create function private.is_disabled(member uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from auth.users u where u.id = member and (u.banned_until > now() or u.deleted_at is not null));

/*
 * What keeps a member from taking part: a code for programs and the words that the member reads; no row when nothing
 * does. For the policies, and for our own functions, which work with the service key.
 */
create or replace function public.participation_refusal(member uuid) returns table (code text, message text)
language sql stable security definer set search_path = ''
begin atomic
  select 'sanctioned', s.message from private.sanction_message(member) as s (message) where s.message is not null
  union all
  select 'sanctioned', 'This account can’t sign in' where private.is_disabled(member)
  union all
  select 'profile_incomplete', 'Please complete your profile first' where not private.has_completed_profile(member)
  limit 1;
end;

/* A signed address lasts for two hours, and is good once: no longer than its row awaits a clip of a member who may sign in.
   Security definer, because the storage service need not see the table. */
create or replace function private.require_begun_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.incoming_uploads i where i.name = new.name and not private.is_disabled(i.user_id)) then
    raise insufficient_privilege using message = 'This upload was not begun, or is over';
  end if;
  return new;
end
$$;

/* Whether a link can still answer: 60 days long, once, and while the case is public and its member may sign in and read it. */
create or replace function private.use_link_state(question public.use_questions) returns text
language sql stable set search_path = ''
return case
  when question.answer is not null then 'answered'
  when question.audience is not null and question.asked_at between now() - interval '60 days' and now()
    and not private.is_disabled(question.user_id) and private.may_read_solution(question.user_id, question.solution_id) then 'open'
  else 'closed'
end;

/* What an admin sees of a member's account: {disabled, second_step}; null for others. Security definer, as are its siblings
   below, because accounts lie with Auth. */
create or replace function public.member_account(member uuid) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object(
    'disabled', private.is_disabled(u.id),
    'second_step', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status::text = 'verified')
  )
  from auth.users u where u.id = member and private.is_admin()
);
