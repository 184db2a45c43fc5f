/*
 * Holds a client back who adds more in a day than anybody does in earnest, and sooner on the first day of an account. The
 * trigger's arguments: how many a day, how many on the first day, and what they are called. It comes after the row, so
 * that what is sent twice and stored once is not counted twice. Moderation is not held back. Not security definer: it
 * asks who the caller is, and counts what they see.
 */
create function private.limit_contributions() returns trigger
language plpgsql set search_path = ''
as $$
declare
  most integer := tg_argv[0];
  most_at_first integer := tg_argv[1];
  joined timestamptz;
begin
  if not private.is_client() or private.is_moderator() then
    return null;
  end if;
  select p.created_at into joined from public.profiles p where p.id = (select auth.uid());
  -- The new row is among those that are counted.
  if joined > now() - interval '1 day' then
    perform private.limit_rate(tg_relid, 'user_id', most_at_first + 1, '1 day',
      format('On your first day you can add %s %s. Please wait until tomorrow to add more.', most_at_first, tg_argv[2]), joined + interval '1 day');
  else
    perform private.limit_rate(tg_relid, 'user_id', most + 1, '1 day',
      format('You have added %s %s within a day. Please wait before the next one.', most, tg_argv[2]));
  end if;
  return null;
end
$$;

create trigger solutions_limit after insert on public.solutions
  for each row execute function private.limit_contributions('20', '5', 'solutions');
create trigger comments_limit after insert on public.comments
  for each row execute function private.limit_contributions('200', '30', 'comments');
create trigger likes_limit after insert on public.likes
  for each row execute function private.limit_contributions('300', '50', 'likes');
create trigger forum_topics_limit after insert on public.forum_topics
  for each row execute function private.limit_contributions('20', '5', 'topics');
create trigger forum_posts_limit after insert on public.forum_posts
  for each row execute function private.limit_contributions('200', '30', 'replies');
