-- What is removed stays removed when an earlier backup is restored, a power too: each act that takes something away says so, in the
-- list of all acts.

create table private.audited_acts (
  action text primary key,
  -- What server/backup/deletions.ts repeats after a restore; null where nothing was taken away.
  removes text
);

comment on table private.audited_acts is
  'All acts that the audit log can hold. A new one says here whether it takes something away that no restored backup may bring back.';

alter table private.audited_acts enable row level security;

insert into private.audited_acts (action, removes) values
  ('account_deleted', 'account'),
  ('account_disabled', 'sign_in'),
  ('account_enabled', 'sign_in_again'),
  ('answer_unmarked', null),
  ('collection_unshared', 'collection'),
  ('comment_deleted', 'comment'),
  ('held_post_published', null),
  ('held_post_removed', 'held_post'),
  ('images_hidden', 'images_hidden'),
  ('images_kept', 'images_shown'),
  ('images_removed', 'images'),
  ('invitation_withdrawn', null),
  ('member_banned', 'sanction'),
  ('member_invited', null),
  ('member_suspended', 'sanction'),
  ('member_warned', null),
  ('part_notice_withdrawn', null),
  ('part_notice_written', null),
  ('post_deleted', 'post'),
  ('register_added', null),
  ('register_changed', null),
  ('registration_checked', null),
  ('registration_declined', null),
  ('removal_request_hidden', 'hidden'),
  ('removal_request_kept', 'shown'),
  ('removal_request_removed', 'media'),
  ('report_dismissed', null),
  ('report_resolved', null),
  ('reported_message_read', null),
  ('resource_approved', null),
  ('resource_rejected', null),
  ('role_granted', null),
  ('role_removed', 'role'),
  ('safety_notice_withdrawn', null),
  ('safety_notice_written', null),
  ('sanction_lifted', 'sanction_lifted'),
  ('second_step_removed', null),
  ('setting_changed', null),
  ('solution_approved', null),
  ('solution_deleted', 'solution'),
  ('solution_rejected', null),
  ('staff_note_removed', 'staff_note'),
  ('staff_note_written', null),
  ('topic_changed', null),
  ('topic_deleted', 'topic'),
  ('topic_summary_removed', 'summary'),
  -- It takes the place of the summary before.
  ('topic_summary_written', 'summary'),
  -- It takes the place of the one before in its language.
  ('translation_approved', 'translation_before'),
  ('translation_deleted', 'translation'),
  ('translation_rejected', null),
  ('trial_answer_removed', 'trial_answer'),
  -- As corrected, where readers saw it before.
  ('trial_approved', 'trial_before'),
  ('trial_deleted', 'trial'),
  ('trial_rejected', null),
  ('version_removed', 'version');

-- Of what is in the log already nothing is asked, which would read all of it.
alter table public.audit_events add constraint "An act is one of those that are listed"
  foreign key (action) references private.audited_acts (action) not valid;

/* As before, and also when its author removes it. Security definer, because it writes the audit log. */
create or replace function private.audit_removed_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform private.audit('version_removed', 'solution', new.solution_id::text, null, jsonb_build_object('version', new.version));
  end if;
  return null;
end
$$;

/*
 * What was removed since a time, in order: the audited acts that remove something, each picture of a request, what authors have
 * withdrawn, and, of the log of sign-ins, the accounts that an operator has deleted or banned, and the passkeys and connected providers
 * that were removed.
 *
 * In PL/pgSQL, since a Supabase project may not have the table of the last when this is made. id: of a version that of its solution, then
 * its number; of a translation that of its solution, then its language; of a member's role, suspension or ban by the service key that of
 * the member, then the role or the end; shared: of an account, whether its contributions were kept or removed
 */
create or replace function private.deletions_since(since timestamptz) returns table (at timestamptz, kind text, id text, shared text)
language plpgsql stable set search_path = ''
as $$
begin
  return query
  select r.at, r.kind, r.id, r.shared from (
    select a.created_at as at, a.id as place, t.removes as kind,
      coalesce(m.id, concat_ws('/',
        case t.removes when 'translation_before' then a.after ->> 'solution_id' else a.target_id end,
        coalesce(a.after ->> 'version', a.after ->> 'language', a.after ->> 'until', a.before ->> 'until', a.before ->> 'role')
      )) as id,
      a.after ->> 'shared' as shared
    from public.audit_events a
    join private.audited_acts t on t.action = a.action and t.removes is not null
    left join jsonb_array_elements_text(a.after -> 'media_ids') m (id) on true
    -- A warning takes nothing away.
    where a.created_at > since and a.before ->> 'kind' is distinct from 'warning'
    union all
    select w.withdrawn_at, null, 'solution', w.id::text, null from public.withdrawn_solutions w where w.withdrawn_at > since
    union all
    select e.created_at, null, t.removes,
      case
        when t.removes in ('passkey', 'identity') then e.payload -> 'traits' ->> t.trait
        else concat_ws('/', e.payload ->> 'actor_id', e.payload -> 'traits' ->> t.trait)
      end,
      case t.removes when 'account' then 'keep' end
    from auth.audit_log_entries e
    join (
      values ('user_deleted', 'account', null), ('user_modified', 'service_ban', 'banned_until'),
        ('passkey_deleted', 'passkey', 'passkey_id'), ('identity_unlinked', 'identity', 'identity_id')
    ) t (action, removes, trait) on t.action = e.payload ->> 'action'
    where e.created_at > since and (t.trait is null or (e.payload -> 'traits')::jsonb ? t.trait)
  ) r
  -- Acts of one transaction have one time.
  order by r.at, r.place;
end
$$;

-- server/backup/deletions.ts does this now, so that it can be done to the database of an earlier version as well.
drop function private.repeat_deletion(text, uuid, text);
