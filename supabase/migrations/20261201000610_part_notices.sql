-- What moderators warn of in a part, for all solutions with it.

create table public.part_notices (
  id uuid primary key default gen_random_uuid(),
  -- Who wrote it and who ended it are in the audit log, and no reader is told.
  user_id uuid default auth.uid() references public.profiles on delete set null,
  maker text not null
    constraint "Please name the maker of the part" check (private.part_key(maker, null) is not null)
    constraint "A maker must be at most 120 characters" check (char_length(maker) <= 120),
  part_number text not null
    constraint "Please enter the part number" check (private.part_key(null, part_number) is not null)
    constraint "A part number must be at most 80 characters" check (char_length(part_number) <= 80),
  -- As the parts of solutions are compared with it.
  part text not null generated always as (private.part_key(maker, part_number)) stored,
  kind text not null check (kind in ('caution', 'recall')),
  content text not null
    constraint "Please say what readers need to know" check (not private.is_blank(content))
    constraint "A notice on a part must be at most 1000 characters" check (char_length(content) <= 1000),
  language text
    constraint "Please choose a language from the list" check (language = any (private.languages())),
  created_at timestamptz not null default now(),
  -- Withdrawn, or replaced by the next one.
  ended_at timestamptz,
  ended_by uuid references public.profiles on delete set null
);

comment on table public.part_notices is
  'Warnings about a part by its maker and number, shown on every solution with it. A change is a new row; earlier notices are kept.';

alter table public.part_notices enable row level security;

create policy "Visitors can read the notices that hold" on public.part_notices for select to anon using (ended_at is null);
create policy "Members can read the notices that hold, moderators earlier ones too" on public.part_notices
  for select to authenticated using (ended_at is null or (select private.is_moderator()));
create policy "Moderators can write notices on parts" on public.part_notices
  for insert to authenticated with check ((select private.may_moderate()));
create policy "Moderators can withdraw notices on parts" on public.part_notices
  for update to authenticated using (ended_at is null and (select private.may_moderate())) with check (ended_at is not null);

-- One holds at a time.
create unique index part_notices_current_key on public.part_notices (part) where ended_at is null;
create index part_notices_user_id_idx on public.part_notices (user_id);
create index part_notices_ended_by_idx on public.part_notices (ended_by);

grant select (id, maker, part_number, part, kind, content, language, created_at, ended_at) on public.part_notices to anon, authenticated;
grant insert (maker, part_number, kind, content, language), update (ended_at) on public.part_notices to authenticated;

select private.restrict_writes();

/* Ends the notice before; of two at once the second replaces the first. The server sets who withdraws one, and when. Not security
   definer: only moderators write here. */
create function private.replace_part_notice() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    if private.is_client() then
      new.ended_at := now();
      new.ended_by := (select auth.uid());
    end if;
    return new;
  end if;
  new.maker := btrim(new.maker);
  new.part_number := btrim(new.part_number);
  new.content := btrim(new.content);
  perform pg_advisory_xact_lock(hashtext('public.part_notices'), hashtext(private.part_key(new.maker, new.part_number)));
  update public.part_notices n set ended_at = now()
  where n.part = private.part_key(new.maker, new.part_number) and n.ended_at is null;
  return new;
end
$$;

create trigger part_notices_replace before insert or update of ended_at on public.part_notices
  for each row execute function private.replace_part_notice();

insert into private.notice_types (type, at_once, by_moderator, warns) values ('part_notice', false, true, true);

alter table public.notifications add column part_notice_id uuid references public.part_notices on delete cascade;

-- A member is told of a notice once.
create unique index notifications_part_notice_id_key on public.notifications (part_notice_id, user_id) where part_notice_id is not null;

/*
 * Tells everyone who shared, tried or saved a solution with the part, in one statement however many they are, and takes it back when the
 * notice ends. No solution is named to them: each finds those that they may read by the part, and who may read none of theirs is not told.
 * A solution that gets the part later shows the notice, and tells no one. Security definer, because it reads what is whose, and members
 * write neither notifications nor the audit log.
 */
create function private.announce_part_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  said constant jsonb := jsonb_build_object('kind', new.kind, 'maker', new.maker, 'part_number', new.part_number, 'content', new.content);
begin
  if tg_op = 'UPDATE' then
    -- First, since those of members who want no notifications have none of these.
    delete from private.mail_jobs j where j.notice ->> 'part_notice_id' = new.id::text;
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
      where p.allow_notifications and p.id is distinct from me
      returning id, user_id
    )
    insert into private.mail_jobs (user_id, notice, notification_id, digest, due_at)
    select p.id, jsonb_build_object('user_id', p.id, 'type', 'part_notice', 'part_notice_id', new.id), n.id, false, now()
    from told t join public.profiles p on p.id = t.member left join notified n on n.user_id = p.id
    where p.email_notifications and p.id is distinct from me;
  end if;
  -- A replaced notice needs no entry beside the one of its replacement.
  if me is not null and (tg_op = 'INSERT' or pg_trigger_depth() = 1) then
    perform private.audit(case tg_op when 'INSERT' then 'part_notice_written' else 'part_notice_withdrawn' end, 'part', new.part,
      case tg_op when 'UPDATE' then said end, case tg_op when 'INSERT' then said end);
  end if;
  return null;
end
$$;

create trigger part_notices_announce after insert or update of ended_at on public.part_notices
  for each row execute function private.announce_part_notice();

/* The notices that hold on parts of a solution, the gravest first. Not security definer: the caller's own rights show them its parts. */
create function public.part_notices_of(solution uuid)
returns table (id uuid, maker text, part_number text, kind text, content text, language text, created_at timestamptz)
language sql stable set search_path = ''
as $$
  select n.id, n.maker, n.part_number, n.kind, n.content, n.language, n.created_at
  from public.part_notices n
  where n.ended_at is null and n.part in (
    select private.part_key(p.maker, p.part_number) from public.solution_parts p
    where p.solution_id = part_notices_of.solution and p.part_number is not null
  )
  order by n.kind desc, n.created_at, n.id
$$;

grant execute on function public.part_notices_of(uuid) to anon, authenticated;
