create table public.topic_follows (
  topic_id uuid not null references public.forum_topics on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  created_at timestamptz not null default now(),
  primary key (topic_id, user_id)
);

comment on table public.topic_follows is 'The members who are notified of every reply to a topic. Only the member can read it.';

alter table public.topic_follows enable row level security;

create policy "Members can read which topics they follow" on public.topic_follows
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can follow topics" on public.topic_follows
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "Members can unfollow topics" on public.topic_follows
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.topic_follows
  as restrictive for select to authenticated using ((select private.has_required_aal()));
create policy "A second step comes before any insert" on public.topic_follows
  as restrictive for insert to authenticated with check ((select private.has_required_aal()));
create policy "A second step comes before any delete" on public.topic_follows
  as restrictive for delete to authenticated using ((select private.has_required_aal()));
create policy "Suspended and banned members add nothing" on public.topic_follows
  as restrictive for insert to authenticated with check ((select private.may_take_part()));

create index topic_follows_user_id_idx on public.topic_follows (user_id, created_at);

/* At most a hundred topics a day. Not security definer: it counts the rows that the member can see. */
create function private.guard_follow() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    perform private.enforce_row_limit('public.topic_follows', 'user_id', 100, '1 day',
      'You have followed 100 topics within a day. Please wait before you follow another.');
  end if;
  return new;
end
$$;

create trigger topic_follows_guard before insert on public.topic_follows
  for each row execute function private.guard_follow();

grant select, delete on public.topic_follows to authenticated;
grant insert (topic_id, user_id) on public.topic_follows to authenticated;

/* The author of a topic follows it from the start. Security definer, so that it does not count as their own
   act for the limit. */
create function private.follow_own_topic() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.topic_follows (topic_id, user_id) values (new.id, new.user_id);
  return null;
end
$$;

create trigger forum_topics_15_follow after insert on public.forum_topics
  for each row when (new.user_id is not null) execute function private.follow_own_topic();
