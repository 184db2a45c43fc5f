-- A comment or a trial report is for those who could read its solution when it was written. A solution that is shown to more later,
-- with a consent of its own, takes neither along.

/* The audience that is within all of these; null stands for none. */
create function private.narrowest(variadic audiences text[]) returns text
language sql immutable parallel safe set search_path = ''
return (select a from unnest(audiences) a where a is not null order by array_position(private.audiences(), a) desc limit 1);

-- Kept by the triggers below; no client writes it.
alter table public.comments add column audience text not null default 'public'
  constraint "A comment has one of the audiences of solutions" check (audience = any (private.audiences()));
alter table public.held_posts add column audience text not null default 'public'
  constraint "A waiting post has one of the audiences of solutions" check (audience = any (private.audiences()));
-- Also the readers that the consent statement of a report covers.
alter table public.solution_trials add column audience text not null default 'public'
  constraint "A report has one of the audiences of solutions" check (audience = any (private.audiences()));

grant select (audience) on public.solution_trials to anon, authenticated;

-- Of what was written before: a comment is for those who were readers by the version before it and by the one after, since an audience
-- can be narrowed between them, and for those of what it answers. A report, which may show a patient, is for the fewest readers that its
-- solution ever had. Times stay as they are.
alter table public.comments disable trigger user;
alter table public.solution_trials disable trigger user;
alter table public.held_posts disable trigger user;
update public.comments c set audience = private.narrowest((
  select v.audience from public.solution_versions v
  where v.solution_id = c.solution_id and v.published_at <= c.created_at order by v.published_at desc limit 1
), coalesce((
  select v.audience from public.solution_versions v
  where v.solution_id = c.solution_id and v.published_at > c.created_at order by v.published_at limit 1
), s.audience))
from public.solutions s
where s.id = c.solution_id
  and exists (select from public.solution_versions v where v.solution_id = s.id and 'public' <> any (array[v.audience, s.audience]));
with recursive narrowed as (
  select c.id, c.audience from public.comments c where c.audience <> 'public'
  union all
  select c.id, private.narrowest(c.audience, n.audience) from narrowed n join public.comments c on c.parent_comment_id = n.id
)
update public.comments c set audience = n.audience
from (select o.id, private.narrowest(variadic array_agg(o.audience)) as audience from narrowed o group by o.id) n
where n.id = c.id and n.audience <> c.audience;
update public.held_posts h
set audience = private.narrowest(s.audience, (select c.audience from public.comments c where c.id = h.parent_comment_id))
from public.solutions s where s.id = h.solution_id;
update public.solution_trials t set audience = private.narrowest(variadic array(
  select v.audience from public.solution_versions v where v.solution_id = s.id
) || s.audience)
from public.solutions s where s.id = t.solution_id;
alter table public.comments enable trigger user;
alter table public.solution_trials enable trigger user;
alter table public.held_posts enable trigger user;

/* For whom a comment is, or a post that waits to be one: the readers of its solution and of what it answers, at the time at which it
   was sent. Security definer, because it reads what the caller need not be able to read. */
create function private.address_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  answered text;
begin
  if new.parent_comment_id is not null then
    select c.audience into answered
    from public.comments c join public.solutions s on s.id = c.solution_id
    where c.id = new.parent_comment_id and c.solution_id = new.solution_id
      and (me is null or me in (c.user_id, s.user_id) or c.audience = any (private.readable_audiences()));
    -- One that the caller may not read is answered like one that is not there, or the refusal would tell of it.
    if not found then
      raise foreign_key_violation using message = 'The comment you reply to has been removed';
    end if;
  end if;
  new.audience := private.narrowest(new.audience, (select s.audience from public.solutions s where s.id = new.solution_id), answered);
  return new;
end
$$;

create trigger comments_15_address before insert on public.comments for each row execute function private.address_comment();
create trigger held_posts_15_address before insert on public.held_posts for each row execute function private.address_comment();

/* A report, and the consent stated with it, is for the readers that its solution has as it is sent to review. Security definer, so
   that it sees the solution whatever the caller may. */
create function private.address_trial() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.audience := (select s.audience from public.solutions s where s.id = new.solution_id);
  return new;
end
$$;

create trigger solution_trials_12_address_insert before insert on public.solution_trials
  for each row execute function private.address_trial();
create trigger solution_trials_12_address_update before update on public.solution_trials
  for each row when (
    new.status = 'pending' and (
      old.status <> 'pending'
      or (old.submission_id, old.consent_recorded_at) is distinct from (new.submission_id, new.consent_recorded_at)
    )
  )
  execute function private.address_trial();

drop policy "Whoever sees a solution sees its comments" on public.comments;
create policy "Whoever sees a solution sees the comments for its readers then" on public.comments
  for select using (
    (
      audience = 'public' or audience = any ((select private.readable_audiences())::text[])
      or ((select auth.uid()) is not null and (select private.has_required_aal())
        and (user_id = (select auth.uid()) or (select s.user_id = (select auth.uid()) from public.solutions s where s.id = solution_id)))
    )
    and (select true from public.solutions s where s.id = solution_id)
  );

drop policy "Readers see approved trials, writers theirs, moderators all" on public.solution_trials;
create policy "Readers see approved trials for them, writers theirs, moderators all" on public.solution_trials
  for select using (
    (select private.is_moderator())
    or (user_id = (select auth.uid()) and (select private.has_required_aal()))
    or (
      status = 'approved'
      and (
        audience = 'public' or audience = any ((select private.readable_audiences())::text[])
        or ((select private.has_required_aal())
          and (select s.user_id = (select auth.uid()) from public.solutions s where s.id = solution_id))
      )
      and (select true from public.solutions s where s.id = solution_id)
    )
  );

/* Whether a comment is for all readers that its solution has now, and so counted. Security definer, as its callers. */
create function private.is_for_all_readers(comment public.comments) returns boolean
language sql stable security definer set search_path = ''
return private.covers_audience(comment.audience, (select s.audience from public.solutions s where s.id = comment.solution_id));

/* Keeps the counts, the ledger and the audit log in step. Security definer, because clients
   can write none of them. */
create or replace function private.sync_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_counted boolean;
begin
  if tg_op = 'UPDATE' and (old.deleted_at is not null or new.deleted_at is null) then
    return null;
  end if;
  -- What changes the audience counts again, and holds this while it does: whom the solution is for is read after that.
  perform pg_advisory_xact_lock(hashtextextended('public.comments of ' || coalesce(new.solution_id, old.solution_id), 0));
  is_counted := private.is_for_all_readers(coalesce(new, old));
  if tg_op = 'INSERT' then
    insert into public.comment_counts as c (solution_id, comments_count) select new.solution_id, 1 where is_counted
    on conflict (solution_id) do update set comments_count = c.comments_count + 1;
    if new.thread_id is not null and is_counted then
      insert into private.reply_counts as c (thread_id, replies) values (new.thread_id, 1)
      on conflict (thread_id) do update set replies = c.replies + 1;
    end if;
    perform private.award_points(new.user_id, 'comment', new.id);
    return null;
  end if;
  if old.deleted_at is null then
    update public.comment_counts c set comments_count = c.comments_count - 1 where c.solution_id = old.solution_id and is_counted;
    update private.reply_counts c set replies = c.replies - 1 where c.thread_id = old.thread_id and is_counted;
    perform private.revoke_points('comment', old.id);
    -- Not when it is deleted with its whole solution, which is recorded separately.
    if (select auth.uid()) is distinct from old.user_id
      and (select auth.uid()) is not null
      and exists (select from public.solutions s where s.id = old.solution_id)
    then
      perform private.audit('comment_deleted', 'comment', old.id::text,
        jsonb_build_object('content', old.content, 'user_id', old.user_id), null);
    end if;
  end if;
  return null;
end
$$;

/* How many members' trials of a solution all its readers see. Security definer, because no client can write the count. */
create or replace function private.count_trials(solution uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Of two decisions at once the second counts the first.
  perform from public.solutions s where s.id = solution for no key update;
  update public.solutions s
  set tried_count = (
    select count(distinct coalesce(t.user_id, t.id)) from public.solution_trials t
    where t.solution_id = s.id and t.status = 'approved' and private.covers_audience(t.audience, s.audience)
  )
  where s.id = solution;
  perform private.refresh_extra_facets(solution);
end
$$;

/* Counts what all readers of a solution see, where something is not for them all. Security definer, because no client can write the
   counts. */
create function private.count_for_readers(solution uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('public.comments of ' || solution, 0));
  if exists (select from public.comments c where c.solution_id = solution and c.audience <> 'public') then
    insert into public.comment_counts as k (solution_id, comments_count)
    select solution, count(*) from public.comments c
    where c.solution_id = solution and c.deleted_at is null and private.is_for_all_readers(c)
    on conflict (solution_id) do update set comments_count = excluded.comments_count;
    insert into private.reply_counts as k (thread_id, replies)
    select c.thread_id, count(*) filter (where c.deleted_at is null and private.is_for_all_readers(c)) from public.comments c
    where c.solution_id = solution and c.thread_id is not null group by c.thread_id
    on conflict (thread_id) do update set replies = excluded.replies;
  end if;
  if exists (select from public.solution_trials t where t.solution_id = solution and t.audience <> 'public') then
    perform private.count_trials(solution);
  end if;
end
$$;

/* Security definer for the same reason. */
create function private.follow_readers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.count_for_readers(new.id);
  return null;
end
$$;

create trigger solutions_47_count_for_readers after update on public.solutions
  for each row when (old.audience <> new.audience and new.revises is null) execute function private.follow_readers();

/* The stored files that the rows of a solution name, and whether each is for the public; for the jobs that move them. */
create or replace function public.files_of_solution(solution uuid) returns table (url text, is_public boolean)
language sql stable set search_path = ''
as $$
  select unnest(array[m.media_url, m.compressed_url, m.thumbnail_url]),
    s.status = 'approved' and s.audience = 'public' and m.hidden_at is null
      and (t.id is null or (t.status = 'approved' and t.audience = 'public'))
  from public.solution_media m join public.solutions s on s.id = m.solution_id left join public.solution_trials t on t.id = m.trial_id
  where m.solution_id = solution
  union all
  select unnest(private.file_urls(f.file_url, f.previews)), s.status = 'approved' and s.audience = 'public' and f.hidden_at is null
  from public.solution_files f join public.solutions s on s.id = f.solution_id where f.solution_id = solution;
$$;

-- What was written before for fewer is no longer counted for all, and its files go where these alone read them.
select private.count_for_readers(n.solution_id) from (
  select c.solution_id from public.comments c where c.audience <> 'public'
  union select t.solution_id from public.solution_trials t where t.audience <> 'public'
) n;
insert into public.media_jobs (solution_id)
select distinct t.solution_id from public.solution_trials t join public.solution_media m on m.trial_id = t.id
where t.audience <> 'public' and m.media_url like '/storage/v1/object/public/%';
