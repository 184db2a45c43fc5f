create table public.forum_topics (
  id uuid primary key default gen_random_uuid(),
  title text not null
    constraint "Please enter a topic title" check (not private.is_blank(title))
    constraint "A topic title must be at most 200 characters" check (char_length(title) <= 200),
  description text constraint "A topic description must be at most 10000 characters" check (char_length(description) <= 10000)
    constraint "Please nest lists and quotes less deeply" check (not private.is_nested_deeply(description))
    constraint "Please use fewer lists, links and other formatting" check (private.formatting_marks(description) <= 1000)
    constraint "Please use no word or link over 1000 characters" check (private.longest_word(description) <= 1000),
  category text not null default 'general'
    constraint "Please select a category" check (category in ('general', 'technical', 'success-stories', 'materials', 'research')),
  user_id uuid default auth.uid() references public.profiles on delete set null,
  is_pinned boolean not null default false,
  is_locked boolean not null default false,
  views_count integer not null default 0 check (views_count >= 0),
  posts_count integer not null default 0 check (posts_count >= 0),
  created_at timestamptz not null default now(),
  -- The time at which its author changed its text.
  edited_at timestamptz,
  -- The form's own number for its submission, so that sending it twice writes it once.
  submission_id uuid,
  unique (user_id, submission_id)
);

comment on table public.forum_topics is 'Topics of the forum.';

alter table public.forum_topics enable row level security;

create policy "Everybody can read the forum" on public.forum_topics for select using (true);
create policy "Members can open topics" on public.forum_topics
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "Authors can edit topics for 15 minutes, moderators pin and lock" on public.forum_topics
  for update to authenticated
  using (
    (user_id = (select auth.uid()) and created_at > now() - interval '15 minutes' and not is_locked) or (select private.may_moderate())
  )
  with check (user_id = (select auth.uid()) or (select private.may_moderate()));
create policy "Moderators can delete topics" on public.forum_topics
  for delete to authenticated using ((select private.may_moderate()));

-- The list: pinned first, then newest.
create index forum_topics_list_idx on public.forum_topics (is_pinned desc, created_at desc, id desc);
-- The list of one category, and the home page's count of success stories.
create index forum_topics_category_idx on public.forum_topics (category, is_pinned desc, created_at desc, id desc);
-- The latest texts, which a search of common words reads.
create index forum_topics_created_at_idx on public.forum_topics (created_at);
create index forum_topics_user_id_idx on public.forum_topics (user_id, created_at);
-- Any part of a word, ignoring accents and case.
create index forum_topics_search_idx on public.forum_topics
  using gin (private.normalized(title || ' ' || coalesce(description, '')) extensions.gin_trgm_ops);

/* The columns of a topic that a caller may change, which policies cannot distinguish: authors change their
   text, moderators its place and lock. Not security definer: it checks who the caller is. */
create function private.guard_topic() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.title := btrim(new.title, E' \t\r\n');
  new.description := nullif(btrim(new.description, E' \t\r\n'), '');
  if tg_op = 'INSERT' or not private.is_client() then
    return new;
  end if;
  if (old.is_pinned, old.is_locked) is distinct from (new.is_pinned, new.is_locked) and not private.may_moderate() then
    raise insufficient_privilege using message = 'Only moderators can pin and lock topics';
  end if;
  if (old.title, old.description, old.category) is distinct from (new.title, new.description, new.category) then
    if old.user_id is distinct from (select auth.uid()) or old.created_at <= now() - interval '15 minutes' or old.is_locked then
      raise insufficient_privilege using message = 'A topic can be edited by its author for 15 minutes';
    end if;
    new.edited_at := now();
  end if;
  return new;
end
$$;

create trigger forum_topics_10_guard before insert or update on public.forum_topics
  for each row execute function private.guard_topic();

create table public.forum_posts (
  id uuid primary key default gen_random_uuid(),
  topic_id uuid not null references public.forum_topics on delete cascade,
  user_id uuid default auth.uid() references public.profiles on delete set null,
  content text not null
    constraint "A reply cannot be empty" check (not private.is_blank(content))
    constraint "A reply must be at most 10000 characters" check (char_length(content) <= 10000)
    constraint "Please nest lists and quotes less deeply" check (not private.is_nested_deeply(content))
    constraint "Please use fewer lists, links and other formatting" check (private.formatting_marks(content) <= 1000)
    constraint "Please use no word or link over 1000 characters" check (private.longest_word(content) <= 1000),
  created_at timestamptz not null default now(),
  -- The time at which its author changed it.
  edited_at timestamptz,
  -- The form's own number for its submission, so that sending it twice writes it once.
  submission_id uuid,
  unique (user_id, submission_id)
);

comment on table public.forum_posts is 'Replies to forum topics.';

alter table public.forum_posts enable row level security;

create function private.is_open_topic(topic uuid) returns boolean
language sql stable set search_path = ''
return exists (select from public.forum_topics t where t.id = topic and not t.is_locked);

grant execute on function private.is_open_topic(uuid) to anon, authenticated, service_role;

create policy "Everybody can read replies" on public.forum_posts for select using (true);
create policy "Members can reply to topics that are not locked" on public.forum_posts
  for insert to authenticated with check (user_id = (select auth.uid()) and private.is_open_topic(topic_id));
create policy "Authors can edit their replies for 15 minutes" on public.forum_posts
  for update to authenticated
  using (user_id = (select auth.uid()) and created_at > now() - interval '15 minutes' and private.is_open_topic(topic_id))
  with check (user_id = (select auth.uid()));
create policy "Moderators can delete replies" on public.forum_posts
  for delete to authenticated using ((select private.may_moderate()));

-- A topic's replies, oldest first.
create index forum_posts_topic_id_idx on public.forum_posts (topic_id, created_at, id);
create index forum_posts_created_at_idx on public.forum_posts (created_at);
create index forum_posts_user_id_idx on public.forum_posts (user_id, created_at);
create index forum_posts_search_idx on public.forum_posts using gin (private.normalized(content) extensions.gin_trgm_ops);

/* Not security definer: it checks who the caller is, and all visitors can read topics. The policy refuses
   replies to locked topics as well; this one gives the reason. */
create function private.guard_post() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.content := btrim(new.content, E' \t\r\n');
  if private.is_client() then
    if tg_op = 'INSERT' and exists (select from public.forum_topics t where t.id = new.topic_id and t.is_locked) then
      raise insufficient_privilege using message = 'This topic is locked';
    end if;
    if tg_op = 'UPDATE' and new.content <> old.content then
      new.edited_at := now();
    end if;
  end if;
  return new;
end
$$;

create trigger forum_posts_10_guard before insert or update on public.forum_posts
  for each row execute function private.guard_post();

/* Keeps reply counts, the ledger and the audit log in step. Security definer, because clients can write none
   of them. */
create function private.sync_topic() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.award_points(new.user_id, 'topic', new.id);
  elsif tg_op = 'DELETE' then
    perform private.revoke_points('topic', old.id);
    if (select auth.uid()) is not null then
      perform private.audit('topic_deleted', 'topic', old.id::text, jsonb_build_object('title', old.title, 'user_id', old.user_id), null);
    end if;
  elsif (old.is_pinned, old.is_locked) is distinct from (new.is_pinned, new.is_locked) and (select auth.uid()) is not null then
    perform private.audit('topic_changed', 'topic', new.id::text,
      jsonb_build_object('is_pinned', old.is_pinned, 'is_locked', old.is_locked),
      jsonb_build_object('is_pinned', new.is_pinned, 'is_locked', new.is_locked));
  end if;
  return null;
end
$$;

create trigger forum_topics_10_sync after insert or update of is_pinned, is_locked or delete on public.forum_topics
  for each row execute function private.sync_topic();

/* As private.sync_topic, for replies. Security definer for the same reason. */
create function private.sync_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    update public.forum_topics t set posts_count = t.posts_count + 1 where t.id = new.topic_id;
    perform private.award_points(new.user_id, 'post', new.id);
  else
    update public.forum_topics t set posts_count = t.posts_count - 1 where t.id = old.topic_id;
    perform private.revoke_points('post', old.id);
    -- Not when it is deleted with its whole topic, which is recorded separately.
    if (select auth.uid()) is not null and exists (select from public.forum_topics t where t.id = old.topic_id) then
      perform private.audit('post_deleted', 'post', old.id::text, jsonb_build_object('content', old.content, 'user_id', old.user_id), null);
    end if;
  end if;
  return null;
end
$$;

create trigger forum_posts_10_sync after insert or delete on public.forum_posts
  for each row execute function private.sync_post();

/*
 * Counts one visit of a topic, of a visitor at most 30 a minute over all topics. Security definer, because no
 * client can write views_count.
 */
create function public.increment_topic_views(topic uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if private.within_rate_limit('topic_view', 30) then
    update public.forum_topics t set views_count = t.views_count + 1 where t.id = topic;
  end if;
end
$$;

grant execute on function public.increment_topic_views(uuid) to anon, authenticated;

grant select on public.forum_topics, public.forum_posts to anon, authenticated;
grant insert (title, description, category, user_id, submission_id) on public.forum_topics to authenticated;
grant update (title, description, category, is_pinned, is_locked) on public.forum_topics to authenticated;
grant insert (topic_id, content, user_id, submission_id) on public.forum_posts to authenticated;
grant update (content) on public.forum_posts to authenticated;
grant delete on public.forum_topics, public.forum_posts to authenticated;
