-- How "Still in use?" is asked and answered, and the sums that readers see.

alter table public.notifications add column use_question_id uuid references public.use_questions on delete cascade;
create index notifications_use_question_id_idx on public.notifications (use_question_id) where use_question_id is not null;

/* Whether the member of a question is to be asked: they want it, may take part and may read the solution. Security definer, because
   it reads what its caller need not be able to read. */
create function private.wants_use_question(member uuid, solution uuid, trial uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.profiles p where p.id = member and p.asks_still_in_use)
  and not exists (select from public.participation_refusal(member))
  and private.may_read_solution(member, solution)
  and not exists (
    select from public.use_questions q
    where q.solution_id = solution and q.trial_id is not distinct from trial and q.stopped_at is not null
  );

/* The notice of a question, on the site and by email as its member wants: by itself and at once, for the sake of its link. A reminder
   brings the notification back. Security definer, because members cannot write each other's notifications. */
create function private.tell_of_use_question(question public.use_questions) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  notification uuid;
begin
  if question.reminded_at is null then
    insert into public.notifications (user_id, type, solution_id, use_question_id)
    select p.id, 'still_in_use', question.solution_id, question.id
    from public.profiles p where p.id = question.user_id and p.allow_notifications
    returning id into notification;
  else
    update public.notifications n set is_read = false where n.use_question_id = question.id returning n.id into notification;
  end if;
  insert into private.mail_jobs (user_id, notice, notification_id, digest, due_at)
  select p.id, jsonb_build_object('user_id', p.id, 'type', 'still_in_use', 'solution_id', question.solution_id,
    'use_question_id', question.id), notification, false, now()
  from public.profiles p where p.id = question.user_id and p.email_notifications;
end
$$;

/*
 * Asks what is due, a hundred at a time: of a case whose time has come more than once, as on a site that was down, the latest
 * question alone, and a member at most once a day. What is not public waits until it is, and after 18 months is not asked about
 * any more. Its row is written where its member cannot be asked too, so that the sums leave no case out. Security definer, because
 * clients cannot write questions.
 */
create function private.ask_use_questions() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  due private.use_subjects;
  question public.use_questions;
  member uuid;
  passed interval;
  mark smallint;
begin
  -- Questions hold their solutions until all are asked, and two servers would come to them in different orders.
  if not pg_try_advisory_xact_lock(hashtext('private.ask_use_questions')) then
    return;
  end if;
  for due in
    select u.* from private.use_subjects u where u.due_at <= now() order by u.due_at, u.id limit 100 for update skip locked
  loop
    passed := now() - due.started_at;
    mark := case when passed < interval '90 days' then 0 when passed < interval '180 days' then 3 when passed < interval '365 days' then 6
      when passed < interval '545 days' then 12 end;
    member := case when due.trial_id is null
      then (select s.user_id from public.solutions s where s.id = due.solution_id)
      else (select t.user_id from public.solution_trials t where t.id = due.trial_id)
    end;
    if mark > 0 and (
      private.use_audience(due.solution_id, due.trial_id) is null
      or (due.trial_id is null and not exists (
        select from public.solution_outcomes o where o.solution_id = due.solution_id and o.trial_id is null
      ))
      or exists (select from public.use_questions q where q.user_id = member and q.asked_at between now() - interval '1 day' and now())
    ) then
      update private.use_subjects u set due_at = now() + interval '1 day' where u.id = due.id;
      continue;
    end if;
    -- From the start of the case, so that a clock that was wrong for a while moves no question.
    update private.use_subjects u
    set due_at = case mark when 0 then u.started_at + interval '90 days' when 3 then u.started_at + interval '180 days'
      when 6 then u.started_at + interval '365 days' end
    where u.id = due.id;
    continue when mark is null or mark = 0;
    insert into public.use_questions (solution_id, trial_id, user_id, months, asked_at)
    values (due.solution_id, due.trial_id, member, mark,
      case when private.wants_use_question(member, due.solution_id, due.trial_id) then now() end)
    on conflict do nothing
    returning * into question;
    if question.asked_at is not null then
      perform private.tell_of_use_question(question);
    end if;
  end loop;

  for question in
    update public.use_questions q set reminded_at = now()
    from (
      select o.id from public.use_questions o
      where o.answer is null and o.reminded_at is null and o.stopped_at is null
        and o.asked_at between now() - interval '60 days' and now() - interval '14 days'
        -- Of a case that is off the site for a while one is reminded afterwards.
        and o.audience is not null
      order by o.asked_at limit 100 for update skip locked
    ) old
    where q.id = old.id
    returning q.*
  loop
    if private.wants_use_question(question.user_id, question.solution_id, question.trial_id) then
      perform private.tell_of_use_question(question);
    end if;
  end loop;
end
$$;

/* The token by which the member who was asked answers without signing in. */
create function private.use_question_token(question uuid, member uuid) returns text
language sql stable set search_path = ''
return case when member is not null then question || '.' || (
  select encode(extensions.hmac(convert_to(concat_ws(' ', 'answer to', question, 'by', member), 'UTF8'), k.key, 'sha256'), 'hex')
  from private.mail_key k
) end;

/* The question of a link in an email; a row of nulls where the link is not one of ours. */
create function private.use_question_of(token text) returns public.use_questions
language sql stable set search_path = ''
return (
  select q from public.use_questions q
  where token ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}$' and q.id = split_part(token, '.', 1)::uuid
    and private.use_question_token(q.id, q.user_id) = token
);

/* Whether a link can still answer: 60 days long, once, and while the case is public. */
create function private.use_link_state(question public.use_questions) returns text
language sql stable set search_path = ''
return case
  when question.answer is not null then 'answered'
  when question.audience is not null and question.asked_at between now() - interval '60 days' and now() then 'open'
  else 'closed'
end;

/*
 * What a link in an email asks: {id, months, title, state} with state open, answered or closed, and the title while it is open; null
 * where the link is not one of ours. Security definer, because the reader of an email need not be signed in.
 */
create function public.use_question(token text) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object('id', q.id, 'months', q.months, 'state', private.use_link_state(q),
    'title', case private.use_link_state(q) when 'open' then (select s.title from public.solutions s where s.id = q.solution_id) end)
  from private.use_question_of(token) q where q.id is not null
);

/*
 * Answers a question: signed in, as often as its member wants to correct it, or once by the link of an email.
 *
 * answer: every_day, sometimes, no_longer or dont_know; reason: with no_longer one of broke, fit, burden, needs, replaced and other,
 * and not kept with the others. Errors: 23514 with a sentence for a link that does not count or a wrong value, PT404 for the question
 * of another, 42501 for members who may not take part. Security definer, because the reader of an email need not be signed in.
 */
create function public.answer_use_question(question uuid, answer text, reason text default null, token text default null) returns void
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  asked public.use_questions;
  refusal record;
begin
  select q.* into asked from public.use_questions q where q.id = answer_use_question.question for update;
  if answer_use_question.token is null then
    if asked.id is null or asked.user_id is distinct from (select auth.uid()) or not private.has_required_aal() then
      raise sqlstate 'PT404' using message = 'Question not found';
    end if;
  elsif asked.id is null or (private.use_question_of(answer_use_question.token)).id is distinct from asked.id then
    raise check_violation using message = 'This link doesn’t work. Please sign in to answer.';
  elsif asked.answer = answer_use_question.answer and asked.reason is not distinct from answer_use_question.reason then
    -- A button that was pressed twice.
    return;
  elsif private.use_link_state(asked) <> 'open' then
    raise check_violation using message = case private.use_link_state(asked)
      when 'answered' then 'You’ve already answered. Sign in to change your answer.'
      else 'This link is too old. Sign in to answer.'
    end;
  end if;
  select * into refusal from public.participation_refusal(asked.user_id);
  if found then
    raise insufficient_privilege using message = refusal.message, hint = refusal.code;
  end if;
  -- A link answers once, and comes from the site's own network.
  if answer_use_question.token is null and not private.within_rate_limit('use_answer', 30) then
    perform private.raise_rate_limited('Please wait a minute before you answer again', interval '1 minute');
  end if;
  if answer_use_question.answer is null then
    raise check_violation using message = 'Please choose one of the four answers';
  end if;
  update public.use_questions q
  set answer = answer_use_question.answer, answered_at = now(),
    reason = case answer_use_question.answer when 'no_longer' then answer_use_question.reason end
  where q.id = asked.id;
  update public.notifications n set is_read = true where n.use_question_id = asked.id and not n.is_read;
end
$$;

/*
 * How the questions were answered that readers may know of: of one solution with its trials, or of all. Returns [{months, answer,
 * reason, questions}], without an answer where none was given.
 *
 * Security definer, because no reader can read the questions of others; it counts those about approved solutions and trials of the
 * caller's audiences, and of the caller's own solution.
 */
create function public.use_sums(solution uuid default null) returns jsonb
language sql stable security definer set search_path = ''
return (
  select coalesce(jsonb_agg(jsonb_build_object('months', c.months, 'answer', nullif(c.answer, ''), 'reason', nullif(c.reason, ''),
    'questions', c.questions) order by c.months, c.answer, c.reason), '[]')
  from (
    select a.months, a.answer, a.reason, sum(a.questions) as questions
    from (
      select k.months, k.answer, k.reason, k.questions from private.use_counts k
      where solution is null and k.audience = any (private.readable_audiences())
      union all
      select q.months, coalesce(q.answer, ''), coalesce(q.reason, ''), 1 from public.use_questions q
      where q.solution_id = solution and q.audience is not null
        and (q.audience = any (private.readable_audiences())
          or exists (select from public.solutions s where s.id = solution and s.user_id = (select auth.uid())))
    ) a
    group by 1, 2, 3 having sum(a.questions) > 0
  ) c
);

grant execute on function public.use_question(text), public.answer_use_question(uuid, text, text, text), public.use_sums(uuid)
  to anon, authenticated;
