-- What marks say of a solution follows the notices on its parts too, so that nothing names it without the warning.

/*
 * What readers are warned of where a solution is named: the gravest of its own notice (caution, recall) and of those on its parts
 * (part_caution, part_recall). Null where nothing holds.
 */
create function private.safety_kind_of(solution uuid) returns text
language sql stable set search_path = ''
return (
  select w.kind from (
    select n.kind from public.safety_notices n where n.solution_id = solution and n.ended_at is null
    union all
    select 'part_' || n.kind from public.part_notices_of(solution) n
  ) w
  order by w.kind not in ('recall', 'part_recall'), w.kind like 'part%' limit 1
);

/*
 * Brings the marks of solutions up to date. Their rows are locked before the notices are read: of two changes at once the second sees
 * the first. Not security definer: definers alone call it.
 */
create function private.mark_solutions(touched uuid[]) returns void
language plpgsql set search_path = ''
as $$
begin
  perform from public.solutions s where s.id = any (touched) order by s.id for no key update;
  update public.solutions s set safety_kind = w.kind
  from (select t.id, private.safety_kind_of(t.id) as kind from unnest(touched) as t (id)) w
  where s.id = w.id and s.safety_kind is distinct from w.kind;
end
$$;

/* The solutions with a part, also those that are not public. */
create function private.solutions_with(part text) returns uuid[]
language sql stable set search_path = ''
return array(
  select distinct p.solution_id from public.solution_parts p
  where p.part_number is not null and private.part_key(p.maker, p.part_number) = part
);

/*
 * Keeps the parts of solutions and the notices on them apart until the transaction ends: a notice finds every part that is written, and
 * what writes parts finds every notice. The solutions come first, as for who writes their parts (private.mark_parts), and the notice
 * that holds before them, as for who withdraws it. Security definer, because moderators may not lock the solutions of others.
 */
create function private.hold_part() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  key constant text := private.part_key(new.maker, new.part_number);
begin
  -- A replaced notice is held with its replacement.
  if pg_trigger_depth() = 1 then
    perform from public.part_notices n where n.part = key and n.ended_at is null for no key update;
    perform from public.solutions s where s.id = any (private.solutions_with(key)) order by s.id for no key update;
    perform pg_advisory_xact_lock(hashtext('public.part_notices'));
  end if;
  return new;
end
$$;

create trigger part_notices_05_hold before insert or update of ended_at on public.part_notices
  for each row execute function private.hold_part();

/*
 * Tells everyone who shared, tried or saved a solution with the part, in one statement however many they are, and takes it back when the
 * notice ends. No solution is named to them: each finds those that they may read by the part, and who may read none of theirs is not told.
 * A solution that gets the part later shows the notice, and tells no one. No setting keeps it back on the site. Security definer, because
 * it reads what is whose, and members write neither notifications nor the audit log.
 */
create or replace function private.announce_part_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  said constant jsonb := jsonb_build_object('kind', new.kind, 'maker', new.maker, 'part_number', new.part_number, 'content', new.content);
begin
  if tg_op = 'UPDATE' then
    -- Their mails go with them.
    delete from public.notifications n where n.part_notice_id = new.id;
  else
    with cases as materialized (
      select distinct s.id, s.revises, s.user_id, s.status, s.audience
      from public.solution_parts p join public.solutions s on s.id = p.solution_id
      where p.part_number is not null and private.part_key(p.maker, p.part_number) = new.part
    ), concerned as materialized (
      select t.user_id as member, array_agg(distinct h.audience) as audiences from cases h
      join lateral (
        select r.user_id from public.solution_trials r where r.solution_id = h.id and r.status in ('approved', 'pending')
        union all
        select c.user_id from public.collection_items c where c.solution_id = h.id
      ) t on true
      where h.status = 'approved' and t.user_id is not null group by 1
    ), told as materialized (
      select h.user_id as member from cases h where h.user_id is not null
      union
      select c.member from concerned c where c.audiences && private.audiences_of(c.member)
    ), notified as (
      insert into public.notifications (user_id, type, part_notice_id)
      select p.id, 'part_notice', new.id from told t join public.profiles p on p.id = t.member
      where p.id is distinct from me
      returning id, user_id
    )
    insert into private.mail_jobs (user_id, notice, notification_id, digest, due_at)
    select p.id, jsonb_build_object('user_id', p.id, 'type', 'part_notice', 'part_notice_id', new.id), n.id, false, now()
    from notified n join public.profiles p on p.id = n.user_id where p.email_notifications;
  end if;
  -- A replaced notice leaves the marks to its replacement, and needs no entry beside that one's.
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return null;
  end if;
  perform private.mark_solutions(private.solutions_with(new.part));
  if me is not null then
    perform private.audit(case tg_op when 'INSERT' then 'part_notice_written' else 'part_notice_withdrawn' end, 'part', new.part,
      case tg_op when 'UPDATE' then said end, case tg_op when 'INSERT' then said end);
  end if;
  return null;
end
$$;

/* Security definer, because members write no marks. */
create function private.mark_parts() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- None of a solution that is being deleted.
  touched constant uuid[] := array(
    select s.id from public.solutions s
    where s.id in (select c.solution_id from changed c where c.part_number is not null) order by s.id for no key update
  );
begin
  if cardinality(touched) > 0 then
    perform pg_advisory_xact_lock_shared(hashtext('public.part_notices'));
    perform private.mark_solutions(touched);
  end if;
  return null;
end
$$;

create trigger solution_parts_mark_insert after insert on public.solution_parts referencing new table as changed
  for each statement execute function private.mark_parts();
-- Parts are given to another solution only when that takes the place of their own, whose mark goes with it.
create trigger solution_parts_mark_update after update on public.solution_parts referencing new table as changed
  for each statement execute function private.mark_parts();
create trigger solution_parts_mark_delete after delete on public.solution_parts referencing old table as changed
  for each statement execute function private.mark_parts();

/* Shows the state on cards, notifies author, likers, commenters, followers and those who tried it of a new notice, and writes the audit log
   of acts that are not the author's own. Security definer, because members write none of these. */
create or replace function private.announce_safety_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
  author uuid := (select s.user_id from public.solutions s where s.id = new.solution_id);
  recipient uuid;
begin
  perform private.mark_solutions(array[new.solution_id]);
  if tg_op = 'UPDATE' then
    delete from public.notifications n where n.type = 'safety_notice' and n.solution_id = new.solution_id;
  else
    for recipient in
      select author where author is not null
      union select l.user_id from public.likes l where l.solution_id = new.solution_id
      union select c.user_id from public.comments c where c.solution_id = new.solution_id and c.deleted_at is null and c.user_id is not null
      union select t.user_id from public.solution_trials t
      where t.solution_id = new.solution_id and t.status in ('approved', 'pending') and t.user_id is not null
      union select f.user_id from private.follows_of(new.solution_id) f
    loop
      perform private.notify(
        private.build_notification(recipient, coalesce(actor, new.user_id), 'safety_notice',
          jsonb_build_object('solution_id', new.solution_id))
      );
    end loop;
  end if;
  -- A replaced notice needs no audit entry beside the one of its replacement.
  if actor is not null and actor is distinct from author and (tg_op = 'INSERT' or pg_trigger_depth() = 1) then
    perform private.audit(case tg_op when 'INSERT' then 'safety_notice_written' else 'safety_notice_withdrawn' end,
      'solution', new.solution_id::text,
      case tg_op when 'UPDATE' then jsonb_build_object('kind', old.kind, 'content', old.content) end,
      case tg_op when 'INSERT' then jsonb_build_object('kind', new.kind, 'content', new.content) end);
  end if;
  return null;
end
$$;

select private.mark_solutions(array(
  select distinct p.solution_id from public.part_notices n
  join public.solution_parts p on p.part_number is not null and private.part_key(p.maker, p.part_number) = n.part
  where n.ended_at is null
));
