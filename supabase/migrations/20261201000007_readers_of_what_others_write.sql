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

-- Of what was written before: a comment is for the readers of the version that was public then, and a report, which may show a
-- patient, for the fewest that its solution ever had. Times stay as they are.
alter table public.comments disable trigger user;
alter table public.solution_trials disable trigger user;
update public.comments c set audience = coalesce((
  select v.audience from public.solution_versions v
  where v.solution_id = c.solution_id and v.published_at <= c.created_at order by v.published_at desc limit 1
), s.audience)
from public.solutions s
where s.id = c.solution_id
  and exists (select from public.solution_versions v where v.solution_id = s.id and 'public' <> any (array[v.audience, s.audience]));
update public.comments c set audience = private.narrowest(c.audience, t.audience)
from public.comments t where t.id = c.thread_id and t.audience <> 'public';
update public.solution_trials t set audience = private.narrowest(variadic array(
  select v.audience from public.solution_versions v where v.solution_id = s.id
) || s.audience)
from public.solutions s where s.id = t.solution_id;
alter table public.comments enable trigger user;
alter table public.solution_trials enable trigger user;

/* For whom a comment is, or a post that waits to be one: the readers of its solution and of what it answers, at the time at which it
   was sent. Security definer, because it reads what the caller need not be able to read. */
create function private.address_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  answered text;
begin
  if new.parent_comment_id is not null then
    select c.audience into answered
    from public.comments c where c.id = new.parent_comment_id and c.solution_id = new.solution_id;
    -- One elsewhere is answered like one that is not there, or the refusal would tell of a comment that the caller may not read.
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
  for each row when (new.status = 'pending') execute function private.address_trial();

drop policy "Whoever sees a solution sees its comments" on public.comments;
create policy "Whoever sees a solution sees the comments for its readers then" on public.comments
  for select using (
    (
      audience = 'public' or audience = any ((select private.readable_audiences())::text[])
      or ((select private.has_required_aal())
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
begin
  -- What changes the audience counts again, and holds the count while it does: whom the solution is for is read after that.
  insert into public.comment_counts (solution_id, comments_count)
  select s.id, 0 from public.solutions s where s.id = coalesce(new.solution_id, old.solution_id)
  on conflict do nothing;
  perform from public.comment_counts c where c.solution_id = coalesce(new.solution_id, old.solution_id) for update;
  if tg_op = 'INSERT' then
    update public.comment_counts c set comments_count = c.comments_count + 1
    where c.solution_id = new.solution_id and private.is_for_all_readers(new);
    if new.thread_id is not null then
      insert into private.reply_counts as c (thread_id, replies) values (new.thread_id, 1)
      on conflict (thread_id) do update set replies = c.replies + 1;
    end if;
    perform private.award_points(new.user_id, 'comment', new.id);
    return null;
  end if;
  if old.deleted_at is null and (tg_op = 'DELETE' or new.deleted_at is not null) then
    update public.comment_counts c set comments_count = c.comments_count - 1
    where c.solution_id = old.solution_id and private.is_for_all_readers(old);
    update private.reply_counts c set replies = c.replies - 1 where c.thread_id = old.thread_id;
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
  perform from public.solutions s where s.id = solution for update;
  update public.solutions s
  set tried_count = (
    select count(distinct coalesce(t.user_id, t.id)) from public.solution_trials t
    where t.solution_id = s.id and t.status = 'approved' and private.covers_audience(t.audience, s.audience)
  )
  where s.id = solution;
  perform private.refresh_extra_facets(solution);
end
$$;

/* Counts what all readers of a solution see, once these are others. Security definer, because no client can write the counts. */
create function private.count_for_readers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.comment_counts k where k.solution_id = new.id for update;
  update public.comment_counts k
  set comments_count = (
    select count(*) from public.comments c
    where c.solution_id = new.id and c.deleted_at is null and private.covers_audience(c.audience, new.audience)
  )
  where k.solution_id = new.id;
  perform private.count_trials(new.id);
  return null;
end
$$;

create trigger solutions_47_count_for_readers after update on public.solutions
  for each row when (old.audience <> new.audience) execute function private.count_for_readers();

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
