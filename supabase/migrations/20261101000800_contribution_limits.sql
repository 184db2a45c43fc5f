/*
 * Refuses a client that adds more in a day than any serious member does, and sooner on the first day of an
 * account. The trigger's arguments: the limit for a day, the limit for the first day, and the name of the
 * items. It runs after the row, so that a row sent twice and stored once is not counted twice. Moderation is
 * exempt. Security definer, because the policies of a table would be asked about each of the rows that are
 * counted; the triggers ask themselves who the caller is.
 */
create function private.limit_contributions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  max_a_day integer := tg_argv[0];
  max_on_first_day integer := tg_argv[1];
  joined_at timestamptz;
begin
  if private.is_moderator() then
    return null;
  end if;
  select p.created_at into joined_at from public.profiles p where p.id = (select auth.uid());
  -- The new row is among those that are counted.
  if joined_at > now() - interval '1 day' then
    perform private.enforce_row_limit(tg_relid, 'user_id', max_on_first_day + 1, '1 day',
      format('On your first day you can add %s %s. Please wait until tomorrow to add more.', max_on_first_day, tg_argv[2]), joined_at + interval '1 day');
  else
    perform private.enforce_row_limit(tg_relid, 'user_id', max_a_day + 1, '1 day',
      format('You have added %s %s within a day. Please wait before the next one.', max_a_day, tg_argv[2]));
  end if;
  return null;
end
$$;

create trigger solutions_limit after insert on public.solutions
  for each row when (private.is_client()) execute function private.limit_contributions('20', '5', 'solutions');
create trigger comments_limit after insert on public.comments
  for each row when (private.is_client()) execute function private.limit_contributions('200', '30', 'comments');
create trigger likes_limit after insert on public.likes
  for each row when (private.is_client()) execute function private.limit_contributions('300', '50', 'likes');
create trigger forum_topics_limit after insert on public.forum_topics
  for each row when (private.is_client()) execute function private.limit_contributions('20', '5', 'topics');
create trigger forum_posts_limit after insert on public.forum_posts
  for each row when (private.is_client()) execute function private.limit_contributions('200', '30', 'replies');
