/* How many items a client may add to a table within a day, and on the first day of an account; more than any serious member does. */
create function private.contribution_limit(table_name text, out a_day integer, out on_first_day integer, out items text)
language sql immutable set search_path = ''
as $$
  select l.a_day, l.on_first_day, l.items from (values
    ('solutions', 20, 5, 'solutions'),
    ('solution_trials', 20, 5, 'trial reports'),
    ('comments', 200, 30, 'comments'),
    ('likes', 300, 50, 'likes'),
    ('forum_topics', 20, 5, 'topics'),
    ('forum_posts', 200, 30, 'replies')
  ) as l (table_name, a_day, on_first_day, items)
  where l.table_name = contribution_limit.table_name
$$;

/*
 * Refuses the caller once they have added as many rows to a table as they may, sooner on the first day of an account.
 * Moderation is exempt. Counts as private.enforce_row_limit does, with a statement for each table and one plan for all numbers,
 * since planning takes ten times as long as counting. Security definer, because the policies of a table would be asked about
 * each of the rows that are counted.
 *
 * upcoming: how many rows they want to add that are not among those of the table yet
 */
create function private.enforce_contribution_limit(table_name text, upcoming integer) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me constant uuid := (select auth.uid());
  since constant timestamptz := now() - interval '1 day';
  allowed constant record := private.contribution_limit(table_name);
  joined_at timestamptz;
  most integer;
  made_at timestamptz;
begin
  if private.is_moderator() then
    return;
  end if;
  select p.created_at into joined_at from public.profiles p where p.id = me and p.created_at > since;
  most := case when joined_at is null then allowed.a_day else allowed.on_first_day end - upcoming;
  perform pg_advisory_xact_lock(hashtextextended(table_name || ' of ' || me, 0));
  case table_name
    when 'solutions' then made_at := (
      select r.created_at from public.solutions r where r.user_id = me and r.created_at > since order by 1 desc offset most limit 1
    );
    when 'solution_trials' then made_at := (
      select r.created_at from public.solution_trials r where r.user_id = me and r.created_at > since order by 1 desc offset most limit 1
    );
    when 'comments' then made_at := (
      select r.created_at from public.comments r where r.user_id = me and r.created_at > since order by 1 desc offset most limit 1
    );
    when 'likes' then made_at := (
      select r.created_at from public.likes r where r.user_id = me and r.created_at > since order by 1 desc offset most limit 1
    );
    when 'forum_topics' then made_at := (
      select r.created_at from public.forum_topics r where r.user_id = me and r.created_at > since order by 1 desc offset most limit 1
    );
    when 'forum_posts' then made_at := (
      select r.created_at from public.forum_posts r where r.user_id = me and r.created_at > since order by 1 desc offset most limit 1
    );
  end case;
  if made_at is not null then
    perform private.raise_rate_limited(
      case
        when joined_at is null
          then format('You have added %s %s within a day. Please wait before the next one.', allowed.a_day, allowed.items)
        else format('On your first day you can add %s %s. Please wait until tomorrow to add more.', allowed.on_first_day, allowed.items)
      end,
      least(made_at, joined_at) + interval '1 day' - now()
    );
  end if;
end
$$;

/*
 * The trigger runs after the row, so that a row sent twice and stored once is not counted twice. The triggers ask
 * themselves who the caller is.
 */
create function private.limit_contributions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enforce_contribution_limit(tg_table_name, 0);
  return null;
end
$$;

create trigger solutions_limit after insert on public.solutions
  for each row when (private.is_client()) execute function private.limit_contributions();
create trigger solution_trials_limit after insert on public.solution_trials
  for each row when (private.is_client()) execute function private.limit_contributions();
create trigger comments_limit after insert on public.comments
  for each row when (private.is_client()) execute function private.limit_contributions();
create trigger likes_limit after insert on public.likes
  for each row when (private.is_client()) execute function private.limit_contributions();
create trigger forum_topics_limit after insert on public.forum_topics
  for each row when (private.is_client()) execute function private.limit_contributions();
create trigger forum_posts_limit after insert on public.forum_posts
  for each row when (private.is_client()) execute function private.limit_contributions();

/* Why the caller cannot submit another solution at the moment, in words for them; null when they can. */
create function public.solution_limit_refusal() returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.enforce_contribution_limit('solutions', 1);
  return null;
exception when sqlstate 'PGRST' then
  -- As private.raise_rate_limited words it.
  return sqlerrm::jsonb ->> 'message';
end
$$;

grant execute on function public.solution_limit_refusal() to authenticated;
