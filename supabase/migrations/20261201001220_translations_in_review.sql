-- The claims and notes of translations, and what a restore repeats; the queue itself follows with images of
-- posts.

create trigger solution_translations_end_claim after update of status or delete on public.solution_translations
  for each row execute function private.end_claim('translation');
create trigger solution_translations_count_waiting after insert or delete or update on public.solution_translations
  for each row execute function private.keep_count('waiting translation', $$status = 'pending'$$);

alter table public.staff_notes add column translation_id uuid references public.solution_translations on delete cascade;
alter table public.staff_notes drop constraint "A note is about one member or one item";
alter table public.staff_notes add constraint "A note is about one member or one item" check (
  num_nonnulls(solution_id, trial_id, translation_id, resource_suggestion_id, content_report_id, removal_request_id, registration_id,
    held_post_id) between (about_id is null)::integer and 1
);
create index staff_notes_translation_id_idx on public.staff_notes (translation_id) where translation_id is not null;
grant insert (translation_id) on public.staff_notes to authenticated;

/* Says whom a note on an item is about, and puts one on a new version with the solution, which outlives it. Not security definer: a
   moderator sees all of these rows. */
create or replace function private.guard_staff_note() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.content := btrim(new.content, E' \t\r\n');
  if new.solution_id is not null then
    select coalesce(s.revises, s.id), s.user_id into new.solution_id, new.about_id from public.solutions s where s.id = new.solution_id;
  elsif new.trial_id is not null then
    new.about_id := (select t.user_id from public.solution_trials t where t.id = new.trial_id);
  elsif new.translation_id is not null then
    new.about_id := (select t.user_id from public.solution_translations t where t.id = new.translation_id);
  elsif new.resource_suggestion_id is not null then
    new.about_id := (select r.user_id from public.resource_suggestions r where r.id = new.resource_suggestion_id);
  elsif new.registration_id is not null then
    new.about_id := (select c.user_id from public.member_registrations c where c.id = new.registration_id);
  elsif new.held_post_id is not null then
    new.about_id := (select h.user_id from public.held_posts h where h.id = new.held_post_id);
  elsif num_nonnulls(new.content_report_id, new.removal_request_id) > 0 then
    new.about_id := null;
  end if;
  return new;
end
$$;

/*
 * The deletions by members and moderators since a time, also at the request of a person shown, and the
 * accounts that an operator has deleted, from the two audit logs, in order. kind: account, solution, media,
 * hidden (a picture that was withheld), shown (one that was given back), trial, translation, comment, topic,
 * post, images (those of a post), images_hidden, images_shown or collection (one whose link a moderator took away); shared: of
 * an account, whether its contributions were kept or removed.
 */
create or replace function private.deletions_since(since timestamptz) returns table (at timestamptz, kind text, id text, shared text)
language plpgsql stable set search_path = ''
as $$
begin
  return query
  select a.created_at, case a.action when 'account_deleted' then 'account' else split_part(a.action, '_', 1) end,
    a.target_id, a.after ->> 'shared'
  from public.audit_events a
  where a.created_at > since
    and a.action in ('account_deleted', 'solution_deleted', 'trial_deleted', 'translation_deleted', 'comment_deleted', 'topic_deleted',
      'post_deleted', 'images_removed', 'collection_unshared')
  union all
  select a.created_at,
    case a.action when 'removal_request_removed' then 'media' when 'removal_request_hidden' then 'hidden' else 'shown' end, m.id, null
  from public.audit_events a, jsonb_array_elements_text(a.after -> 'media_ids') as m (id)
  where a.created_at > since and a.action in ('removal_request_removed', 'removal_request_hidden', 'removal_request_kept')
  union all
  select a.created_at, case a.action when 'images_hidden' then a.action else 'images_shown' end, a.target_id, null
  from public.audit_events a where a.created_at > since and a.action in ('images_hidden', 'images_kept')
  union all
  select e.created_at, 'account', e.payload ->> 'actor_id', 'keep'
  from auth.audit_log_entries e where e.created_at > since and e.payload ->> 'action' = 'user_deleted'
  order by 1;
end
$$;

/* Repeats one deletion of deletions_since; false when the database has no row that it concerns. */
create or replace function private.repeat_deletion(kind text, target uuid, shared text) returns boolean
language plpgsql set search_path = ''
as $$
begin
  case kind
    when 'account' then
      perform private.erase_account(u.id, coalesce(shared, 'keep')) from auth.users u where u.id = target;
    when 'solution' then
      delete from public.solutions s where s.id = target;
    when 'media' then
      -- A card must not continue to name a deleted picture.
      perform private.repeat_deletion('hidden', target, null);
      delete from public.solution_media m where m.id = target;
      if not found then
        delete from public.solution_files f where f.id = target;
      end if;
    when 'hidden' then
      perform private.withhold_media(shown.solution_id, array[shown.id], true)
      from (
        select m.id, m.solution_id from public.solution_media m where m.hidden_at is null
        union all select f.id, f.solution_id from public.solution_files f where f.hidden_at is null
      ) shown where shown.id = target;
    when 'shown' then
      perform private.withhold_media(hidden.solution_id, array[hidden.id], false)
      from (
        select m.id, m.solution_id from public.solution_media m where m.hidden_at is not null
        union all select f.id, f.solution_id from public.solution_files f where f.hidden_at is not null
      ) hidden where hidden.id = target;
    when 'trial' then
      delete from public.solution_trials t where t.id = target;
    when 'translation' then
      delete from public.solution_translations t where t.id = target;
    when 'collection' then
      update public.collections c set is_shared = false, link_removed_at = now() where c.id = target and c.link_removed_at is null;
    when 'comment' then
      delete from public.comments c where c.id = target;
    when 'topic' then
      delete from public.forum_topics t where t.id = target;
    when 'post' then
      delete from public.forum_posts p where p.id = target;
    when 'images' then
      return private.drop_images(target);
    when 'images_hidden', 'images_shown' then
      return private.hide_images(target, kind = 'images_hidden');
  end case;
  return found;
end
$$;

/* The kinds of personal detail that a translation seems to hold; null for callers who are not moderators. */
create function public.translation_identifiers_found(translation uuid) returns text[]
language sql stable set search_path = ''
return (
  select private.identifiers_in((select string_agg(x.value, E'\n') from jsonb_each_text(t.texts) x))
  from public.solution_translations t where t.id = translation and private.is_moderator()
);

grant execute on function public.translation_identifiers_found(uuid) to authenticated;
