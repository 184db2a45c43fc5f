-- Gives today's tables their own names and columns again, after a restore of a backup from before 1.0, and works out from its rows
-- what was not kept then. See `accept.sql`.

-- With its triggers.
drop function pg_temp.accept_row() cascade;

alter table public.member_credentials rename to member_registrations;
alter table private.credential_submissions rename to registration_submissions;
alter table public.takedown_requests rename to removal_requests;
alter table private.takedown_senders rename to removal_request_senders;
alter table public.notifications rename takedown_request_id to removal_request_id;
alter table public.profiles rename credential_level to registration_level;
alter table public.profiles rename credential_register to registration_register;
alter table public.profiles rename credential_checked_on to registration_checked_on;

update public.removal_requests set due_at = created_at + interval '24 hours';
update public.outcome_measures set name = 'Quick Disabilities of the Arm, Shoulder and Hand' where abbreviation = 'QuickDASH';

insert into public.follows (user_id, topic_id, created_at) select f.user_id, f.topic_id, f.created_at from public.topic_follows f;

insert into public.pending_uploads (id, user_id, urls, byte_size, made, created_at)
select u.id, u.user_id, array[u.media_url, u.compressed_url, u.thumbnail_url], u.byte_size,
  to_jsonb(u) - array['id', 'user_id', 'created_at'], u.created_at
from public.media_uploads u
union all
select u.id, u.user_id, private.file_urls(u.file_url, u.previews), u.byte_size, to_jsonb(u) - array['id', 'user_id', 'created_at'],
  u.created_at
from public.file_uploads u;

-- The names of an unpublished solution's files had no bucket before them.
update public.media_jobs j
set object_names = array(select 'solution-media/' || n from unnest(j.object_names) n), due_at = j.created_at
where j.action = 'unpublish';

-- When it was last sent for review, as far as the record of reviews says.
update public.solutions s
set submitted_at = coalesce(
  (
    select max(r.created_at) from public.solution_reviews r
    where r.solution_id = coalesce(s.revises, s.id) and r.decision in ('submitted', 'resubmitted')
  ),
  s.created_at
);

with recursive threads as (
  select c.id, c.id as thread_id from public.comments c where c.parent_comment_id is null
  union all
  select c.id, t.thread_id from public.comments c join threads t on t.id = c.parent_comment_id
)
update public.comments c set thread_id = t.thread_id from threads t where t.id = c.id and c.parent_comment_id is not null;
insert into private.reply_counts (thread_id, replies)
select c.thread_id, count(*) from public.comments c where c.thread_id is not null and c.deleted_at is null group by c.thread_id;
insert into public.comment_counts (solution_id, comments_count)
select c.solution_id, count(*) from public.comments c where c.deleted_at is null group by c.solution_id;

update public.messages m set pair = concat_ws(' ', least(m.sender_id, m.recipient_id), greatest(m.sender_id, m.recipient_id));
do $$
begin
  perform private.find_latest_message(side, m.pair)
  from public.messages m, unnest(array[m.sender_id, m.recipient_id]) side where side is not null;
end
$$;

-- What `keep_count` keeps, from the arguments of its triggers.
do $$
declare
  kept record;
begin
  delete from private.kept_counts;
  for kept in
    select distinct t.tgrelid::regclass as counted, a.arguments[1] as name, a.arguments[2] as condition
    from pg_trigger t, string_to_array(encode(t.tgargs, 'escape'), '\000') as a (arguments)
    where t.tgfoid = 'private.keep_count'::regproc
  loop
    execute format('insert into private.kept_counts (name, rows) select %L, count(*) from %s r where %s', kept.name, kept.counted,
      kept.condition);
  end loop;
end
$$;

update public.site_settings s set staff_second_step = o.staff_need_second_step from private.settings o;
drop table private.settings, public.topic_follows, public.media_uploads, public.file_uploads;
alter table public.solutions drop comments_count;
alter table public.media_jobs drop action;
update public.solutions s set extra_facets = private.extra_facets(s) where s.extra_facets <> private.extra_facets(s);
select private.reindex_solutions(chunk) from (select distinct number / 32000 as chunk from public.solutions) chunks;
