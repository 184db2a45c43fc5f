-- The reply that helped, marked by who opened the topic, and a summary of the topic.

insert into private.notice_types (type, at_once, by_moderator, warns) values
  ('answer_marked', false, false, false),
  ('topic_summarised', false, true, false);

alter table public.forum_topics
  -- This and summary_by are no foreign keys, with which the API would no longer know which topic of a reply, and which member of a
  -- topic, is meant. What is named is held when it is written, and leaves these columns when it is deleted.
  add column answer_id uuid,
  add column summary text
    constraint "A summary cannot be empty" check (summary is null or not private.is_blank(summary))
    constraint "A summary must be at most 2000 characters" check (char_length(summary) <= 2000)
    constraint "Please nest lists and quotes in the summary less deeply" check (not private.is_nested_deeply(summary))
    constraint "Please use fewer lists, links and formatting in the summary" check (private.formatting_marks(summary) <= 1000)
    constraint "Please use no word or link over 1000 characters in the summary" check (private.longest_word(summary) <= 1000),
  -- Who wrote it last, and when.
  add column summary_language text
    constraint "Please choose the language of the summary from the list" check (summary_language = any (private.languages())),
  add column summary_by uuid,
  add column summary_at timestamptz,
  -- The time at which those who had replied were told of the first one; later ones are no news.
  add column summary_told_at timestamptz;

-- The time at which its author was told that it helped: once, however often the mark is taken back and set.
alter table public.forum_posts add column helped_told_at timestamptz;

-- What the deletion of an account looks for.
create index forum_topics_summary_by_idx on public.forum_topics (summary_by) where summary_by is not null;

drop index public.forum_topics_search_idx;
create index forum_topics_search_idx on public.forum_topics
  using gin (private.normalized(title || ' ' || coalesce(description, '') || ' ' || coalesce(summary, '')) extensions.gin_trgm_ops);

/* The topic that the caller would change, locked until the end of the transaction. Errors: PT404 when there is none, 42501 for who
   neither opened it nor moderates, and for who opened it once it is locked. */
create function private.own_topic(topic uuid) returns public.forum_topics
language plpgsql set search_path = ''
as $$
declare
  found_topic public.forum_topics;
begin
  perform private.may_take_part();
  select * into found_topic from public.forum_topics t where t.id = topic for no key update;
  if not found then
    raise sqlstate 'PT404' using message = 'Topic not found or has been deleted';
  end if;
  if private.may_moderate() then
    return found_topic;
  end if;
  if found_topic.user_id is distinct from (select auth.uid()) or not private.has_required_aal() then
    raise insufficient_privilege using message = 'Only the author of a topic and moderators can do this';
  end if;
  if found_topic.is_locked then
    raise insufficient_privilege using message = 'This topic is locked';
  end if;
  return found_topic;
end
$$;

/* Takes the mark of a reply back that is deleted. Security definer, because no client can write it. */
create function private.unmark_answer() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.forum_topics t set answer_id = null where t.id = old.topic_id and t.answer_id = old.id;
  return null;
end
$$;

create trigger forum_posts_20_unmark after delete on public.forum_posts
  for each row execute function private.unmark_answer();

/* As above, for who wrote a summary and leaves. */
create function private.unsign_summaries() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.forum_topics t set summary_by = null where t.summary_by = old.id;
  return null;
end
$$;

create trigger profiles_unsign_summaries after delete on public.profiles
  for each row execute function private.unsign_summaries();

/*
 * Marks the reply that helped the author of a topic, instead of one marked before, and tells its author once; without a reply,
 * takes the mark back, which moderators can do too. Errors: those of private.own_topic, 42501 for a moderator who would mark,
 * 23514 when the reply is not there. Security definer, because members cannot write these columns.
 */
create function public.mark_answer(topic uuid, post uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  asked constant public.forum_topics := private.own_topic(topic);
  is_author constant boolean := asked.user_id is not distinct from (select auth.uid());
  helper uuid;
begin
  if asked.answer_id is not distinct from post then
    return;
  end if;
  if post is null then
    update public.forum_topics t set answer_id = null where t.id = asked.id;
    if not is_author then
      perform private.audit('answer_unmarked', 'topic', asked.id::text, jsonb_build_object('post', asked.answer_id), null);
    end if;
    return;
  end if;
  if not is_author then
    raise insufficient_privilege using message = 'Only the author of a topic can mark the answer that helped';
  end if;
  -- One that is being deleted holds the topic next: to wait for it would be to wait for each other.
  perform from public.forum_posts p where p.id = post and p.topic_id = asked.id for key share skip locked;
  if not found then
    raise check_violation using message = 'This reply has been removed';
  end if;
  update public.forum_topics t set answer_id = post where t.id = asked.id;
  update public.forum_posts p set helped_told_at = now() where p.id = post and p.helped_told_at is null returning p.user_id into helper;
  if found then
    perform private.notify(private.build_notification(helper, asked.user_id, 'answer_marked',
      jsonb_build_object('forum_topic_id', asked.id, 'forum_post_id', post)));
  end if;
end
$$;

/*
 * Writes the summary of a topic, in place of the one before, or removes it without a text. Of the first one, each member who has
 * replied is told. Errors: those of private.own_topic, 42501 for new members whose posts wait for review, 23514 with the fault of
 * the text. Security definer, because members cannot write these columns.
 */
create function public.summarise_topic(topic uuid, content text default null, language text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  asked constant public.forum_topics := private.own_topic(topic);
  me constant uuid := (select auth.uid());
  written constant text := nullif(btrim(content, E' \t\r\n'), '');
  spoken constant text := case when written is not null then language end;
begin
  if (asked.summary, asked.summary_language) is not distinct from (written, spoken) then
    return;
  end if;
  if written is not null and private.holds_posts() then
    raise insufficient_privilege using message = 'A moderator reviews your first posts. You can write a summary after that.';
  end if;
  perform from public.profiles p where p.id = me for key share;
  update public.forum_topics t
  set summary = written,
    summary_language = spoken,
    summary_by = case when written is not null then me end,
    summary_at = case when written is not null then now() end,
    summary_told_at = coalesce(t.summary_told_at, case when written is not null then now() end)
  where t.id = asked.id;
  if asked.user_id is distinct from me then
    perform private.audit(case when written is null then 'topic_summary_removed' else 'topic_summary_written' end, 'topic',
      asked.id::text, jsonb_strip_nulls(jsonb_build_object('summary', asked.summary, 'user_id', asked.summary_by)),
      jsonb_strip_nulls(jsonb_build_object('summary', written)));
  end if;
  if written is not null and asked.summary_told_at is null then
    perform private.notify(private.build_notification(w.user_id, me, 'topic_summarised', jsonb_build_object('forum_topic_id', asked.id)))
    from (select distinct p.user_id from public.forum_posts p where p.topic_id = asked.id and p.user_id is not null) w;
  end if;
end
$$;

grant execute on function public.mark_answer(uuid, uuid), public.summarise_topic(uuid, text, text) to authenticated;
