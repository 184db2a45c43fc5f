-- What moderators and members do about the images of posts.

/*
 * The files of a job, as `bucket/name`, that no row of any kind names. A name that no row has is never given to one again:
 * a file that leaves the public gets a new one, and one that becomes public keeps its name while its row has it.
 */
create or replace function public.unnamed_files(job bigint, attempt integer) returns setof text
language plpgsql set search_path = ''
as $$
begin
  perform public.renew_media_job(job, attempt);
  return query
  select n.name
  from public.media_jobs j, unnest(j.object_names) as n (name)
  cross join lateral (
    select '/storage/v1/object/' || case when n.name like 'pending-media/%' then 'authenticated/' else 'public/' end || n.name as url,
      split_part(n.name, '/', 2) as member
  ) f
  where j.id = job
    and not exists (select from public.solution_media m where m.media_url = f.url or m.compressed_url = f.url or m.thumbnail_url = f.url)
    and not exists (
      select from public.solution_files o
      where o.folder = regexp_replace(f.url, '[^/]+$', '') and f.url = any (private.file_urls(o.file_url, o.previews))
    )
    and not exists (select from private.posts_with_file(f.url))
    and not exists (select from public.pending_uploads u where f.url = any (u.urls))
    and not exists (
      select from public.profiles p
      where p.id = case when pg_input_is_valid(f.member, 'uuid') then f.member::uuid end and p.avatar_url = f.url
    )
    and not exists (select from public.site_settings s where s.logo_url = f.url)
    and not exists (select from public.incoming_uploads i where n.name = 'incoming-media/' || i.name);
end
$$;

/* Takes the images of a post away, wherever it stands; false where it has none. */
create function private.drop_images(post uuid) returns boolean
language plpgsql set search_path = ''
as $$
declare
  place text;
  dropped integer;
begin
  foreach place in array array['held_posts', 'forum_posts', 'forum_topics'] loop
    execute format('update public.%I p set images = ''[]'', image_consent = null where p.id = $1 and p.images <> ''[]''', place) using post;
    get diagnostics dropped = row_count;
    if dropped > 0 then
      return true;
    end if;
  end loop;
  return false;
end
$$;

/* Hides the images of a published post, until a moderator decides, or shows them again; false where it has none. */
create function private.hide_images(post uuid, hide boolean) returns boolean
language plpgsql set search_path = ''
as $$
declare
  place text;
  changed integer;
begin
  foreach place in array array['forum_posts', 'forum_topics'] loop
    execute format(
      'update public.%I p set images_hidden_at = case when $2 then now() end, images_checked_at = case when not $2 then now() end
       where p.id = $1 and p.images <> ''[]''', place
    ) using post, hide;
    get diagnostics changed = row_count;
    if changed > 0 then
      return true;
    end if;
  end loop;
  return false;
end
$$;

/* Tells the author of a post, of which this is the row, what has become of its images; not of what they did themselves. */
create function private.tell_of_images(post jsonb, actor uuid, what text) returns void
language plpgsql set search_path = ''
as $$
begin
  if (post ->> 'user_id')::uuid is distinct from actor then
    perform private.notify(private.build_notification((post ->> 'user_id')::uuid, actor, what, case
      when post ? 'topic_id' then jsonb_build_object('forum_topic_id', post -> 'topic_id', 'forum_post_id', post -> 'id')
      else jsonb_build_object('forum_topic_id', post -> 'id')
    end));
  end if;
end
$$;

/*
 * Keeps the images of a topic or a reply, which a moderator has looked at, or takes them away, which its author can do as well, also
 * before it is published or while suspended. Errors: 42501 for others, 23514 where there are none, or they were hidden since the
 * caller looked at them. Security definer, because no client can write them.
 *
 * hidden_at: since when they were hidden as the caller saw them; only of those that are kept
 */
create function public.decide_images(post uuid, keep boolean, hidden_at timestamptz default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  place text;
  decided jsonb;
begin
  keep := coalesce(keep, false);
  -- One that is published in the meantime is found where it is then.
  foreach place in array array['held_posts', 'forum_posts', 'forum_topics'] loop
    -- Of two decisions the second is on what the first has left.
    execute format('select to_jsonb(p) from public.%I p where p.id = $1 and p.images <> ''[]'' for no key update', place)
      into decided using post;
    exit when decided is not null;
  end loop;
  if decided is null or (keep and place = 'held_posts') then
    raise check_violation using message = 'These images have already been removed';
  elsif (keep or decided ->> 'user_id' is distinct from me::text or not private.has_required_aal())
    and not (private.may_moderate() and private.may_take_part())
  then
    raise insufficient_privilege using message = 'Only the author and moderators can remove images';
  elsif keep and (decided ->> 'images_hidden_at')::timestamptz is distinct from hidden_at then
    raise check_violation using message = 'Members have reported these images since you opened them. Please look again.';
  end if;
  if keep then
    perform private.hide_images(post, false);
  else
    perform private.drop_images(post);
  end if;
  perform private.audit(case when keep then 'images_kept' else 'images_removed' end, 'post', post::text,
    jsonb_strip_nulls(jsonb_build_object('images', jsonb_array_length(decided -> 'images'), 'hidden_at', decided -> 'images_hidden_at',
      'user_id', decided -> 'user_id')), null);
  if place <> 'held_posts' and (not keep or decided ->> 'images_hidden_at' is not null) then
    perform private.tell_of_images(decided, me, case when keep then 'images_restored' else 'images_removed' end);
  end if;
end
$$;

grant execute on function public.decide_images(uuid, boolean, timestamptz) to authenticated;

alter table public.content_reports
  add column shows_patient boolean not null default false
    constraint "Only images of a post are reported to show a patient" check (not shows_patient or content_type in ('topic', 'post'));
grant insert (shows_patient) on public.content_reports to authenticated;

/*
 * Hides the images of a post once two members whose registration was checked have reported that a patient can be recognised in them,
 * until a moderator decides. No other report hides anything. Security definer, because members see neither the reports nor the
 * registrations of others, and write no post but their own.
 */
create function private.hide_reported_images() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  place constant text := case new.content_type when 'post' then 'forum_posts' else 'forum_topics' end;
  shown jsonb;
begin
  -- Of two reports the second waits for the first, and counts it.
  execute format(
    'select to_jsonb(p) from public.%I p where p.id = $1 and p.images <> ''[]'' and p.images_hidden_at is null for no key update', place
  ) into shown using new.content_id;
  if shown is null or 2 > (
    select count(distinct r.reporter_id) from public.content_reports r
    join public.profiles p on p.id = r.reporter_id and p.registration_level = 'checked'
    where r.content_id = new.content_id and r.status = 'pending' and r.shows_patient
      -- Those from before have been decided on with the images.
      and r.created_at > coalesce((shown ->> 'images_checked_at')::timestamptz, '-infinity')
      and r.reporter_id::text is distinct from shown ->> 'user_id'
  ) then
    return null;
  end if;
  perform private.hide_images(new.content_id, true);
  -- By no one: an author is not told who has reported them.
  insert into public.audit_events (action, target_type, target_id, before)
  values ('images_hidden', 'post', new.content_id::text, jsonb_build_object('user_id', shown -> 'user_id'));
  perform private.tell_of_images(shown, null, 'images_hidden');
  return null;
end
$$;

create trigger content_reports_hide_images after insert on public.content_reports
  for each row when (new.shows_patient) execute function private.hide_reported_images();

alter table public.review_claims drop constraint review_claims_kind_check;
alter table public.review_claims add constraint review_claims_kind_check
  check (kind in ('solution', 'trial', 'translation', 'resource', 'report', 'removal_request', 'registration', 'post', 'image'));

/*
 * The images of a topic or a reply as they are stored, hidden ones included, with the statement of consent and what moderators did about
 * them; null for who neither wrote it nor moderates. Security definer, because no client reads these columns.
 *
 * Returns {images, image_consent, images_hidden_at, images_checked_at}.
 */
create function public.images_of_post(post uuid) returns jsonb
language sql stable security definer set search_path = ''
return (
  select to_jsonb(p) - 'user_id'
  from (
    select r.user_id, r.images, r.image_consent, r.images_hidden_at, r.images_checked_at from public.forum_posts r where r.id = post
    union all
    select t.user_id, t.images, t.image_consent, t.images_hidden_at, t.images_checked_at from public.forum_topics t where t.id = post
  ) p
  where (p.user_id = (select auth.uid()) or (select private.is_moderator())) and (select private.has_required_aal())
);

-- Visitors ask it as well, for what reads a topic for everyone.
grant execute on function public.images_of_post(uuid) to anon, authenticated, service_role;

/* The topics and the replies whose images no moderator has looked at, of each the 100 that are due first, for the review queue; none for
   other callers. Security definer, because no client reads hidden images. */
create function private.posts_with_waiting_images()
returns table (id uuid, title text, user_id uuid, created_at timestamptz, hidden_at timestamptz, picture text)
language sql stable security definer set search_path = ''
as $$
  (
    select t.id, t.title, t.user_id, t.created_at, t.images_hidden_at, t.images -> 0 ->> 'thumbnail_url'
    from public.forum_topics t where t.images <> '[]' and t.images_checked_at is null and (select private.is_moderator())
    order by t.images_hidden_at, t.created_at, t.id limit 100
  )
  union all
  select w.id, t.title, w.user_id, w.created_at, w.images_hidden_at, w.images -> 0 ->> 'thumbnail_url'
  from (
    select p.* from public.forum_posts p where p.images <> '[]' and p.images_checked_at is null and (select private.is_moderator())
    order by p.images_hidden_at, p.created_at, p.id limit 100
  ) w
  join public.forum_topics t on t.id = w.topic_id
$$;

grant execute on function private.posts_with_waiting_images() to authenticated, service_role;

/* Whether the item waits for a moderator. Not security definer: a caller who does not see the item does not
   see that it waits. */
create or replace function private.is_pending_review(kind text, item uuid) returns boolean
language sql stable set search_path = ''
return case kind
  when 'solution' then exists (select from public.solutions s where s.id = item and s.status = 'pending')
  when 'trial' then exists (select from public.solution_trials t where t.id = item and t.status = 'pending')
  when 'resource' then exists (select from public.resource_suggestions r where r.id = item and r.status = 'pending')
  when 'report' then exists (select from public.content_reports r where r.id = item and r.status = 'pending')
  when 'removal_request' then exists (select from public.removal_requests r where r.id = item and r.resolved_at is null)
  when 'registration' then exists (select from public.member_registrations c where c.id = item and c.state = 'waiting')
  when 'post' then exists (select from public.held_posts h where h.id = item)
  when 'translation' then exists (select from public.solution_translations t where t.id = item and t.status = 'pending')
  when 'image' then coalesce(
    (select i -> 'images' <> '[]' and i ->> 'images_checked_at' is null from public.images_of_post(item) i), false
  )
  else false
end;

create trigger forum_topics_end_claim after update of images, images_checked_at or delete on public.forum_topics
  for each row execute function private.end_claim('image');
create trigger forum_posts_end_claim after update of images, images_checked_at or delete on public.forum_posts
  for each row execute function private.end_claim('image');
create trigger forum_topics_count_images after insert or delete or update of images, images_checked_at on public.forum_topics
  for each row execute function private.keep_count('waiting image', $$images <> '[]' and images_checked_at is null$$);
create trigger forum_posts_count_images after insert or delete or update of images, images_checked_at on public.forum_posts
  for each row execute function private.keep_count('waiting image', $$images <> '[]' and images_checked_at is null$$);

/*
 * What waits for a moderator, of all kinds, for one list: of each kind the 100 that are due first. Requests of persons shown, as
 * they are promised, reports, which may be about a patient, translations of a safety notice and images that were hidden are to be
 * decided within a day, and come before the others. With the caller's own rights. Each kind is cut off before anything is looked up
 * for its items, so that a long queue costs no more than a short one.
 */
create or replace view public.review_queue with (security_invoker = true) as
select w.kind, w.id, w.title, w.user_id, w.submitted_at, w.due_at, w.picture, w.reason,
  case
    when w.sender is not null then w.sender
    when w.user_id is null then 'Former member'
    -- Not a join, and in no query with a name: so names are looked up for those alone that are listed.
    else coalesce((select coalesce(p.full_name, p.username) from public.profiles p where p.id = w.user_id), 'Anonymous')
  end as sender,
  c.moderator_id as claimed_by, c.claimed_at
from (
  select 'solution' as kind, w.id, case when w.revises is null then w.title else 'New version: ' || w.title end as title, w.user_id,
    w.submitted_at, null::timestamptz as due_at, w.thumbnail_url as picture, null as reason, null as sender
  from (
    select s.id, s.title, s.user_id, s.revises, s.submitted_at, s.thumbnail_url
    from public.solutions s where s.status = 'pending' order by s.submitted_at, s.id limit 100
  ) w
  union all
  select 'trial', w.id, s.title, w.user_id, w.updated_at, null, s.thumbnail_url, null, null
  from (
    select t.id, t.solution_id, t.user_id, t.updated_at
    from public.solution_trials t where t.status = 'pending' order by t.updated_at, t.id limit 100
  ) w
  join public.solutions s on s.id = w.solution_id
  union all
  select 'translation', w.id, coalesce(w.texts ->> 'title', s.title), w.user_id, w.updated_at,
    case when s.safety_kind is not null then w.updated_at + interval '1 day' end, s.thumbnail_url, null, null
  from (
    select t.id, t.solution_id, t.texts, t.user_id, t.updated_at
    from public.solution_translations t where t.status = 'pending' order by t.updated_at, t.id limit 100
  ) w
  join public.solutions s on s.id = w.solution_id
  union all
  select 'resource', w.id, w.resource_name, w.user_id, w.created_at, null, null, null, null
  from (select r.* from public.resource_suggestions r where r.status = 'pending' order by r.created_at, r.id limit 100) w
  union all
  select 'report', w.id, public.reported_title(w.report), w.reporter_id, w.created_at, w.created_at + interval '1 day', null, w.reason, null
  from (select r.*, r as report from public.content_reports r where r.status = 'pending' order by r.created_at, r.id limit 100) w
  union all
  select 'removal_request', w.id, s.title, null, w.created_at, w.due_at, s.thumbnail_url, null,
    case w.asker when 'moderator' then 'A moderator, after a report' else 'Person shown' end
  from (
    select r.id, r.solution_id, r.asker, r.created_at, r.due_at
    from public.removal_requests r where r.resolved_at is null order by r.due_at, r.created_at, r.id limit 100
  ) w
  join public.solutions s on s.id = w.solution_id
  union all
  select 'registration', w.id, w.register || ' registration', w.user_id, w.submitted_at, null, null, null, null
  from (
    select c.id, c.register, c.user_id, c.submitted_at
    from public.member_registrations c where c.state = 'waiting' order by c.submitted_at, c.id limit 100
  ) w
  union all
  select 'post', w.id, coalesce('Comment on: ' || s.title, 'Reply in: ' || t.title, 'Topic: ' || w.title), w.user_id, w.created_at,
    null, null, null, null
  from (select h.* from public.held_posts h order by h.created_at, h.id limit 100) w
  left join public.solutions s on s.id = w.solution_id
  left join public.forum_topics t on t.id = w.topic_id
  union all
  select 'image', w.id, w.title, w.user_id, w.created_at, w.hidden_at + interval '1 day', w.picture, null, null
  from private.posts_with_waiting_images() w
) w
left join public.review_claims c on c.kind = w.kind and c.item_id = w.id and c.claimed_at > now() - interval '15 minutes'
where (select private.is_moderator());

comment on view public.review_queue is
  'Solutions, trials, translations, resource suggestions, reports, removal requests, registrations, first posts and images of '
  'posts that wait for a moderator, of each at most the first 100; empty for other callers.';
