create table public.safety_notices (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  user_id uuid default auth.uid() references public.profiles on delete set null,
  kind text not null check (kind in ('caution', 'recall')),
  content text not null
    constraint "Please say what readers need to know" check (not private.is_blank(content))
    constraint "A safety notice must be at most 1000 characters" check (char_length(content) <= 1000),
  created_at timestamptz not null default now(),
  -- Withdrawn, or replaced by the next one.
  ended_at timestamptz,
  ended_by uuid references public.profiles on delete set null
);

comment on table public.safety_notices is
  'Warnings that readers of a public solution must know before they build on it. A change is a new row; earlier notices are kept.';

alter table public.safety_notices enable row level security;

create policy "Visitors who see a solution see the notice that holds" on public.safety_notices
  for select to anon using (ended_at is null and (select true from public.solutions s where s.id = solution_id));
create policy "Members see what holds, authors and moderators earlier ones too" on public.safety_notices
  for select to authenticated
  using (
    (select private.is_moderator())
    or (
      select true from public.solutions s
      where s.id = solution_id and (
        safety_notices.ended_at is null or (s.user_id = (select auth.uid()) and (select private.has_required_aal()))
      )
    )
  );
create policy "Authors and moderators can write notices on what is public" on public.safety_notices
  for insert to authenticated with check (
    user_id = (select auth.uid())
    and exists (
      select from public.solutions s
      where s.id = solution_id and s.status = 'approved' and (s.user_id = (select auth.uid()) or (select private.may_moderate()))
    )
  );
create policy "Moderators can withdraw notices, authors their own" on public.safety_notices
  for update to authenticated
  using (ended_at is null and ((user_id = (select auth.uid()) and private.owns_solution(solution_id)) or (select private.may_moderate())))
  with check (ended_at is not null);

-- One holds at a time; the history of a solution.
create unique index safety_notices_current_key on public.safety_notices (solution_id) where ended_at is null;
create index safety_notices_solution_id_idx on public.safety_notices (solution_id, created_at desc);
create index safety_notices_user_id_idx on public.safety_notices (user_id, created_at);
create index safety_notices_ended_by_idx on public.safety_notices (ended_by);

grant select on public.safety_notices to anon, authenticated;
grant insert (solution_id, user_id, kind, content), update (ended_at) on public.safety_notices to authenticated;

/* Ends the notice before, unless an author would end a moderator's. Of two at once the second replaces the
   first. Security definer, because an author must not be able to write the end of a moderator's notice in any
   other way. */
create function private.replace_safety_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := (select auth.uid());
  current_notice public.safety_notices;
begin
  perform from public.solutions s where s.id = new.solution_id for update;
  if me is not null and not private.may_moderate() then
    perform private.enforce_row_limit('public.safety_notices', 'user_id', 10, '1 day',
      'You have written 10 safety notices within a day. Please wait before the next one.');
  end if;
  select n.* into current_notice from public.safety_notices n where n.solution_id = new.solution_id and n.ended_at is null;
  if found and me is not null and current_notice.user_id is distinct from me and not private.may_moderate() then
    raise insufficient_privilege using message = 'A moderator wrote this notice, and only a moderator can change it';
  end if;
  update public.safety_notices n set ended_at = now(), ended_by = me where n.id = current_notice.id;
  new.content := btrim(new.content);
  return new;
end
$$;

create trigger safety_notices_replace before insert on public.safety_notices
  for each row execute function private.replace_safety_notice();

/* The server sets who withdrew it, and when. Not security definer: it only fills the row in. */
create function private.stamp_safety_notice() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    new.ended_at := now();
    new.ended_by := (select auth.uid());
  end if;
  return new;
end
$$;

create trigger safety_notices_stamp before update on public.safety_notices
  for each row execute function private.stamp_safety_notice();

/* Shows the state on cards, notifies author, likers, commenters, followers and those who tried it of a new notice, and writes the audit log
   of acts that are not the author's own. Security definer, because members write none of these. */
create function private.announce_safety_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
  author uuid := (select s.user_id from public.solutions s where s.id = new.solution_id);
  recipient uuid;
begin
  update public.solutions s
  set safety_kind = (select n.kind from public.safety_notices n where n.solution_id = s.id and n.ended_at is null)
  where s.id = new.solution_id;
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

create trigger safety_notices_announce after insert or update of ended_at on public.safety_notices
  for each row execute function private.announce_safety_notice();
