-- Comments on solutions, the threads in which they are read, and likes.

create table public.comments (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  user_id uuid default auth.uid() references public.profiles on delete set null,
  content text not null
    constraint "A comment must be at most 5000 characters" check (char_length(content) <= 5000),
  parent_comment_id uuid,
  depth smallint not null default 0
    constraint "Replies can be nested at most 50 deep" check (depth between 0 and 50),
  -- The first-level comment below which a reply stands, at any depth; null for the first level. Without a foreign key: what
  -- deletes that comment deletes its replies. Kept by place_comment.
  thread_id uuid,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  -- A removed comment that has replies stays as an empty place to which they belong.
  deleted_at timestamptz,
  -- The form's own number for its submission, so that sending it twice writes it once.
  submission_id uuid,
  unique (user_id, submission_id),
  unique (id, solution_id),
  constraint "A reply belongs to a comment on the same solution" foreign key (parent_comment_id, solution_id)
    references public.comments (id, solution_id) on delete cascade,
  constraint "A comment cannot be empty" check (deleted_at is not null or not private.is_blank(content))
);

comment on table public.comments is 'Comments of members on an approved solution; parent_comment_id is null for the first level.';

alter table public.comments enable row level security;

/* Not security definer: an approved solution is visible to all, so the policies of solutions suffice. */
create function private.is_approved(solution uuid) returns boolean
language sql stable set search_path = ''
return exists (select from public.solutions s where s.id = solution and s.status = 'approved');

grant execute on function private.is_approved(uuid) to anon, authenticated, service_role;

create policy "Whoever sees a solution sees its comments" on public.comments
  for select using ((select true from public.solutions s where s.id = solution_id));
create policy "Members can comment on approved solutions" on public.comments
  for insert to authenticated with check (user_id = (select auth.uid()) and private.is_approved(solution_id));
-- Later, others have read and answered it.
create policy "Authors can edit their own comments for 15 minutes" on public.comments
  for update to authenticated
  using (user_id = (select auth.uid()) and deleted_at is null and created_at > now() - interval '15 minutes')
  with check (user_id = (select auth.uid()));
create policy "Authors can delete their own comments, moderators any" on public.comments
  for delete to authenticated using (user_id = (select auth.uid()) or (select private.may_moderate()));

-- A solution's newest comments at any level.
create index comments_solution_id_idx on public.comments (solution_id, created_at desc, id desc);
-- Its first-level comments, and the replies below each, in the order in which they are read.
create index comments_first_level_idx on public.comments (solution_id, created_at desc, id desc) where parent_comment_id is null;
create index comments_thread_idx on public.comments (thread_id, created_at, depth, id) where thread_id is not null;
-- The replies to a comment, and the cascade.
create index comments_parent_comment_id_idx on public.comments (parent_comment_id, solution_id);
create index comments_user_id_idx on public.comments (user_id, created_at);

-- How many replies a first-level comment has, at any depth, without removed ones; kept by sync_comment. Not a column of the
-- comment, which each reply would then change.
create table private.reply_counts (
  thread_id uuid primary key references public.comments on delete cascade,
  replies integer not null
);

alter table private.reply_counts enable row level security;

/* Security definer, so that the parent's place is known whatever the caller may see. */
create function private.place_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.content := btrim(new.content, E' \t\r\n');
  if new.parent_comment_id is not null then
    select p.depth + 1, coalesce(p.thread_id, p.id) into new.depth, new.thread_id
    from public.comments p where p.id = new.parent_comment_id and p.deleted_at is null;
    if not found then
      raise foreign_key_violation using message = 'The comment you reply to has been removed';
    end if;
  end if;
  return new;
end
$$;

create trigger comments_10_place before insert on public.comments
  for each row execute function private.place_comment();

/* Shows readers that a comment is no longer as its author first wrote it. Not security definer: it checks which role
   the statement runs as. */
create function private.mark_edited_comment() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    new.content := btrim(new.content, E' \t\r\n');
    new.edited_at := case when new.content = old.content then old.edited_at else now() end;
  end if;
  return new;
end
$$;

create trigger comments_mark_edited before update of content on public.comments
  for each row execute function private.mark_edited_comment();

/* A removed comment with replies becomes an empty place instead of taking the replies with it. When the whole
   solution is deleted, all its comments are. Security definer, because clients may update no
   other columns than the text. */
create function private.leave_tombstone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.comments c where c.parent_comment_id = old.id)
    and exists (select from public.solutions s where s.id = old.solution_id)
  then
    update public.comments c set content = '', user_id = null, edited_at = null, deleted_at = now() where c.id = old.id;
    return null;
  end if;
  return old;
end
$$;

create trigger comments_leave_tombstone before delete on public.comments
  for each row execute function private.leave_tombstone();

/* Keeps the counts, the ledger and the audit log in step. Security definer, because clients
   can write none of them. */
create function private.sync_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into public.comment_counts as c (solution_id, comments_count) values (new.solution_id, 1)
    on conflict (solution_id) do update set comments_count = c.comments_count + 1;
    if new.thread_id is not null then
      insert into private.reply_counts as c (thread_id, replies) values (new.thread_id, 1)
      on conflict (thread_id) do update set replies = c.replies + 1;
    end if;
    perform private.award_points(new.user_id, 'comment', new.id);
    return null;
  end if;
  if old.deleted_at is null and (tg_op = 'DELETE' or new.deleted_at is not null) then
    update public.comment_counts c set comments_count = c.comments_count - 1 where c.solution_id = old.solution_id;
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

create trigger comments_10_sync after insert or update or delete on public.comments
  for each row execute function private.sync_comment();

grant select on public.comments to anon, authenticated;
grant insert (solution_id, user_id, content, parent_comment_id, submission_id) on public.comments to authenticated;
grant update (content) on public.comments to authenticated;
grant delete on public.comments to authenticated;

/* A comment as the discussion shows it. Not security definer: the reader's own rights decide. */
create function private.comment_card(c public.comments) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'id', c.id, 'user_id', c.user_id, 'content', c.content, 'parent_comment_id', c.parent_comment_id,
  'created_at', c.created_at, 'edited_at', c.edited_at, 'deleted_at', c.deleted_at,
  'author', private.author_card(c.user_id)
);

/*
 * The next replies below a first-level comment, at any depth and in the order of the conversation, so that
 * none comes before the one it answers. A row of {items [comment], next_cursor}; next_cursor is null at the
 * end.
 */
create function public.comment_replies(thread uuid, cursor text default null, page_size integer default 40) returns jsonb
language sql stable set search_path = ''
as $$
  with page as (
    select c as comment, row_number() over (order by c.created_at, c.depth, c.id) as place
    from public.comments c
    -- A comparison for each call, also for the first page, so that the index gives the page whatever stands before it.
    where c.thread_id = thread and (c.created_at, c.depth, c.id) > (
      coalesce(split_part(cursor, '~', 1)::timestamptz, '-infinity'), coalesce(split_part(cursor, '~', 2)::smallint, 0::smallint),
      coalesce(split_part(cursor, '~', 3)::uuid, '00000000-0000-0000-0000-000000000000')
    )
    order by c.created_at, c.depth, c.id
    limit least(greatest(coalesce(page_size, 40), 1), 100) + 1
  )
  select jsonb_build_object(
    'items', coalesce(
      jsonb_agg(private.comment_card(p.comment) order by p.place)
        filter (where p.place <= least(greatest(coalesce(page_size, 40), 1), 100)),
      '[]'
    ),
    'next_cursor', max(concat_ws('~', (p.comment).created_at, (p.comment).depth, (p.comment).id))
      filter (where p.place = least(greatest(coalesce(page_size, 40), 1), 100)
        and (select count(*) from page) > least(greatest(coalesce(page_size, 40), 1), 100))
  )
  from page p
$$;

/* How many replies a first-level comment has, at any depth, without removed ones. Security definer, because no reader can read the
   counts. */
create function private.count_replies(thread uuid) returns integer
language sql stable security definer set search_path = ''
return coalesce((select c.replies from private.reply_counts c where c.thread_id = thread), 0);

/*
 * One page of a solution's discussion in one call: first-level comments in the order of `sort`, 'newest' or 'oldest'
 * first, each with the first replies below it. cursor: next_cursor of the page before, in the same order;
 * page_size: 1 to 50. Returns {items [comment with reply_count and replies {items, next_cursor}], next_cursor}.
 */
create function public.comment_threads(
  solution uuid, cursor text default null, page_size integer default 20, sort text default 'newest'
) returns jsonb
language sql stable set search_path = ''
as $$
  with newest as (
    select c as comment, row_number() over (order by c.created_at desc, c.id desc) as place
    from public.comments c
    where sort <> 'oldest' and c.solution_id = solution and c.parent_comment_id is null
      and (c.created_at, c.id) < (
        coalesce(split_part(cursor, '~', 1)::timestamptz, 'infinity'),
        coalesce(split_part(cursor, '~', 2)::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      )
    order by c.created_at desc, c.id desc
    limit least(greatest(coalesce(page_size, 20), 1), 50) + 1
  ),
  oldest as (
    select c as comment, row_number() over (order by c.created_at, c.id) as place
    from public.comments c
    where sort = 'oldest' and c.solution_id = solution and c.parent_comment_id is null
      and (c.created_at, c.id) > (
        coalesce(split_part(cursor, '~', 1)::timestamptz, '-infinity'),
        coalesce(split_part(cursor, '~', 2)::uuid, '00000000-0000-0000-0000-000000000000')
      )
    order by c.created_at, c.id
    limit least(greatest(coalesce(page_size, 20), 1), 50) + 1
  ),
  page as (select * from newest union all select * from oldest)
  select jsonb_build_object(
    'items', coalesce(
      jsonb_agg(
        private.comment_card(p.comment) || jsonb_build_object(
          'reply_count', private.count_replies((p.comment).id), 'replies', public.comment_replies((p.comment).id)
        )
        order by p.place
      ) filter (where p.place <= least(greatest(coalesce(page_size, 20), 1), 50)), '[]'),
    'next_cursor', max(concat_ws('~', (p.comment).created_at, (p.comment).id))
      filter (where p.place = least(greatest(coalesce(page_size, 20), 1), 50)
        and (select count(*) from page) > least(greatest(coalesce(page_size, 20), 1), 50))
  )
  from page p
$$;

/*
 * The thread of a comment at any depth, for a link that leads to it: as one of `comment_threads`, with the replies up to
 * it at least where there are at most 100 of them. Null when there is no such comment.
 */
create function public.comment_thread(comment uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select private.comment_card(t)
    || jsonb_build_object('reply_count', private.count_replies(t.id), 'replies', public.comment_replies(t.id, page_size => 100))
  from public.comments c join public.comments t on t.id = coalesce(c.thread_id, c.id) where c.id = comment
$$;

grant execute on function private.comment_card(public.comments), private.count_replies(uuid) to anon, authenticated, service_role;
grant execute on function public.comment_replies(uuid, text, integer), public.comment_threads(uuid, text, integer, text),
  public.comment_thread(uuid)
  to anon, authenticated, service_role;

create table public.likes (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  created_at timestamptz not null default now(),
  unique (solution_id, user_id)
);

comment on table public.likes is 'The likes of solutions by members; the count is kept on the solution.';

alter table public.likes enable row level security;

create policy "Whoever sees a solution sees its likes" on public.likes
  for select using ((select true from public.solutions s where s.id = solution_id));
create policy "Members can like approved solutions" on public.likes
  for insert to authenticated with check (user_id = (select auth.uid()) and private.is_approved(solution_id));
create policy "Members can take back their own likes" on public.likes
  for delete to authenticated using (user_id = (select auth.uid()));

create index likes_user_id_idx on public.likes (user_id, created_at);

/* Keeps the count and the author's points in step; an author's like of their own solution counts but earns
   nothing. Security definer, because clients can write neither. */
create function private.sync_like() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    update public.solutions s set likes_count = s.likes_count + 1 where s.id = new.solution_id;
    perform private.award_points(s.user_id, 'like', new.id)
    from public.solutions s where s.id = new.solution_id and s.user_id <> new.user_id;
  else
    update public.solutions s set likes_count = s.likes_count - 1 where s.id = old.solution_id;
    perform private.revoke_points('like', old.id);
  end if;
  return null;
end
$$;

create trigger likes_10_sync after insert or delete on public.likes
  for each row execute function private.sync_like();

grant select on public.likes to anon, authenticated;
grant insert (solution_id, user_id) on public.likes to authenticated;
grant delete on public.likes to authenticated;
