-- For backups, which keep a list of permanent deletions, so that restoring an earlier one does not bring the
-- deleted items back.

/*
 * The deletions by members and moderators since a time, also at the request of a person shown, and the
 * accounts that an operator has deleted, from the two audit logs, in order. kind: account, solution, media,
 * hidden (a picture that was withheld), shown (one that was given back), trial, comment, topic, post or
 * collection (one whose link a moderator took away); shared: of
 * an account, whether its contributions were kept or removed.
 */
create function private.deletions_since(since timestamptz) returns table (at timestamptz, kind text, id text, shared text)
language plpgsql stable set search_path = ''
as $$
begin
  return query
  select a.created_at, case a.action when 'account_deleted' then 'account' else split_part(a.action, '_', 1) end,
    a.target_id, a.after ->> 'shared'
  from public.audit_events a
  where a.created_at > since
    and a.action in ('account_deleted', 'solution_deleted', 'trial_deleted', 'comment_deleted', 'topic_deleted', 'post_deleted', 'collection_unshared')
  union all
  select a.created_at, case a.action when 'takedown_removed' then 'media' when 'takedown_hidden' then 'hidden' else 'shown' end, m.id, null
  from public.audit_events a, jsonb_array_elements_text(a.after -> 'media_ids') as m (id)
  where a.created_at > since and a.action in ('takedown_removed', 'takedown_hidden', 'takedown_kept')
  union all
  select e.created_at, 'account', e.payload ->> 'actor_id', 'keep'
  from auth.audit_log_entries e where e.created_at > since and e.payload ->> 'action' = 'user_deleted'
  order by 1;
end
$$;

/* Repeats one deletion of deletions_since; false when the database has no row that it concerns. */
create function private.repeat_deletion(kind text, target uuid, shared text) returns boolean
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
    when 'collection' then
      update public.collections c set is_shared = false, link_removed_at = now() where c.id = target and c.link_removed_at is null;
    when 'comment' then
      delete from public.comments c where c.id = target;
    when 'topic' then
      delete from public.forum_topics t where t.id = target;
    when 'post' then
      delete from public.forum_posts p where p.id = target;
  end case;
  return found;
end
$$;
