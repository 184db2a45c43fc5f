-- The first posts of new members, where the site has a moderator read them before others do.

create table public.held_posts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  -- A comment on a solution, a reply to a topic, or a topic, which alone has a title.
  solution_id uuid references public.solutions on delete cascade,
  parent_comment_id uuid references public.comments on delete cascade,
  topic_id uuid references public.forum_topics on delete cascade,
  title text
    constraint "Please enter a topic title" check (title is null or not private.is_blank(title))
    constraint "A topic title must be at most 200 characters" check (char_length(title) <= 200),
  category text
    constraint "Please select a category" check (category in ('general', 'technical', 'success-stories', 'materials', 'research')),
  content text
    constraint "A reply must be at most 10000 characters" check (char_length(content) <= 10000)
    constraint "Please nest lists and quotes less deeply" check (solution_id is not null or not private.is_nested_deeply(content))
    constraint "Please use fewer lists, links and other formatting" check (
      solution_id is not null or private.formatting_marks(content) <= 1000
    )
    constraint "Please use no word or link over 1000 characters" check (solution_id is not null or private.longest_word(content) <= 1000),
  created_at timestamptz not null default now(),
  -- The form's own number for its submission, so that sending it twice writes it once.
  submission_id uuid,
  -- Grows with each change of its author's, so that a decision is on the text that was read.
  version integer not null default 1,
  unique (user_id, submission_id),
  constraint "A post is a comment, a reply or a topic" check (
    num_nonnulls(solution_id, topic_id, title) = 1 and (title is null) = (category is null)
    and (parent_comment_id is null or solution_id is not null)
  ),
  constraint "A comment must be at most 5000 characters" check (solution_id is null or char_length(content) <= 5000),
  constraint "A post cannot be empty" check (title is not null or (content is not null and not private.is_blank(content)))
);

comment on table public.held_posts is
  'First posts of new members that wait for a moderator. '
  'They stand in no other table, and nothing tells of them, until they are published.';

alter table public.held_posts enable row level security;

create policy "Members can read their own waiting posts, moderators all" on public.held_posts
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_moderator()));
create policy "Members can have posts wait where they may post" on public.held_posts
  for insert to authenticated with check (
    user_id = (select auth.uid())
    and (solution_id is null or private.is_approved(solution_id))
    and (topic_id is null or private.is_open_topic(topic_id))
  );
-- Until it is decided on, however long that takes: no one has answered it.
create policy "Members can edit their own waiting posts" on public.held_posts
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "Members can withdraw their own waiting posts" on public.held_posts
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.held_posts
  as restrictive for select to authenticated using ((select private.has_required_aal()));

-- The review queue, what a member has waiting, and the cascades.
create index held_posts_queue_idx on public.held_posts (created_at, id);
create index held_posts_user_id_idx on public.held_posts (user_id, created_at);
create index held_posts_solution_id_idx on public.held_posts (solution_id) where solution_id is not null;
create index held_posts_parent_comment_id_idx on public.held_posts (parent_comment_id) where parent_comment_id is not null;
create index held_posts_topic_id_idx on public.held_posts (topic_id) where topic_id is not null;

grant select on public.held_posts to authenticated;
grant insert (user_id, solution_id, parent_comment_id, topic_id, title, category, content, submission_id) on public.held_posts
  to authenticated;
grant update (title, category, content) on public.held_posts to authenticated;
grant delete on public.held_posts to authenticated;

/* Twenty a day from one member, whatever becomes of them. Not security definer: it sees the rows that the member
   sees, which are all of their own. */
create function private.guard_held_post() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() and not private.is_moderator() then
    perform private.enforce_row_limit('public.held_posts', 'user_id', 20, '1 day',
      'You have 20 posts waiting for review. Please wait until a moderator has read them.');
  end if;
  return new;
end
$$;

create trigger held_posts_guard before insert on public.held_posts
  for each row execute function private.guard_held_post();

/* Trims an edited text as the tables do where it will be published, and counts the change. Not security definer: it changes its own
   row alone. */
create function private.revise_held_post() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.title := btrim(new.title, E' \t\r\n');
  new.content := nullif(btrim(new.content, E' \t\r\n'), '');
  new.version := old.version + 1;
  return new;
end
$$;

create trigger held_posts_revise before update on public.held_posts
  for each row execute function private.revise_held_post();

/* Whether what the caller posts waits for a moderator: until others can see as many of their posts as the site has
   reviewed. Those with a role and those whose registration was checked are known. Security definer, because the policies of a
   table would be asked about each of the rows that are counted. */
create function private.holds_posts() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := (select s.reviewed_first_posts from public.site_settings s);
begin
  if most = 0
    or exists (select from public.user_roles r where r.user_id = me)
    or exists (select from public.member_registrations c where c.user_id = me and c.state = 'checked')
  then
    return false;
  end if;
  return most > (
    select count(*) from (
      select from public.comments c where c.user_id = me
      union all select from public.forum_topics t where t.user_id = me
      union all select from public.forum_posts p where p.user_id = me
      limit most
    ) seen
  );
end
$$;

grant execute on function private.holds_posts() to authenticated, service_role;

/* Puts a post among those that wait instead of where others would see it, so that all that follows a post follows its
   publication. One sent again after that is refused as any other. Not security definer: the policies of held_posts decide,
   since those of its own table are asked about no row that is not added. */
create function private.hold_post() returns trigger
language plpgsql set search_path = ''
as $$
declare
  post constant jsonb := to_jsonb(new);
  is_published boolean;
begin
  if new.user_id is distinct from (select auth.uid()) or not private.holds_posts() then
    return new;
  end if;
  execute format('select exists (select from %I.%I p where p.user_id = $1 and p.submission_id = $2)', tg_table_schema, tg_table_name)
    into is_published using new.user_id, new.submission_id;
  if is_published then
    return new;
  end if;
  insert into public.held_posts (user_id, solution_id, parent_comment_id, topic_id, title, category, content, submission_id)
  values (new.user_id, (post ->> 'solution_id')::uuid, (post ->> 'parent_comment_id')::uuid, (post ->> 'topic_id')::uuid,
    post ->> 'title', post ->> 'category', coalesce(post ->> 'content', post ->> 'description'), new.submission_id)
  on conflict (user_id, submission_id) do nothing;
  return null;
end
$$;

-- Last of each table's triggers before a row is added: by then its text is as it will be stored.
create trigger comments_20_wait before insert on public.comments
  for each row when (private.is_client()) execute function private.hold_post();
create trigger forum_topics_20_wait before insert on public.forum_topics
  for each row when (private.is_client()) execute function private.hold_post();
create trigger forum_posts_20_wait before insert on public.forum_posts
  for each row when (private.is_client()) execute function private.hold_post();
