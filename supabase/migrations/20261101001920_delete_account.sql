create table private.retained_records (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  email text,
  record jsonb not null,
  deleted_at timestamptz not null default now(),
  keep_until timestamptz not null default now() + interval '7 years'
);

comment on table private.retained_records is 'The records of deleted accounts that the law requires: declarations, consents and decisions. Out of reach of the site and its API; deleted after 7 years.';

create index retained_records_keep_until_idx on private.retained_records (keep_until);

alter table private.retained_records enable row level security;

/*
 * Deletes a member's account permanently; called by public.delete_account, and for operators who restore a
 * backup from before a deletion. Not for clients.
 */
create function private.erase_account(member uuid, shared text) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into private.retained_records (user_id, email, record)
  select member, u.email, jsonb_build_object(
    'created_at', u.created_at,
    'declarations', (select jsonb_agg(to_jsonb(d) - 'user_id') from public.member_declarations d where d.user_id = member),
    'consents', (
      select jsonb_agg(jsonb_build_object('solution_id', c.solution_id, 'basis', c.basis, 'statement_version', c.statement_version, 'recorded_at', c.recorded_at))
      from public.solution_consents c join public.solutions s on s.id = c.solution_id where s.user_id = member
    ),
    'trial_consents', (
      select jsonb_agg(jsonb_build_object('solution_id', t.solution_id, 'basis', t.consent_basis, 'statement_version', t.consent_version, 'recorded_at', t.consent_recorded_at))
      from public.solution_trials t where t.user_id = member and t.consent_basis is not null
    ),
    'decisions', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('solution_id', r.solution_id, 'decision', r.decision, 'created_at', r.created_at, 'consent', r.consent)) order by r.id)
      from public.solution_reviews r join public.solutions s on s.id = r.solution_id where s.user_id = member
    )
  )
  from auth.users u where u.id = member;
  perform private.audit('account_deleted', 'profile', member::text, null, jsonb_build_object('shared', shared));

  -- The addresses of what was public say no more than that it was withdrawn.
  perform set_config('withdrawal.reason', 'none', true);
  delete from public.solutions s where s.user_id = member and (shared = 'remove' or s.status <> 'approved');
  perform set_config('withdrawal.reason', '', true);
  delete from public.solution_trials t where t.user_id = member and (shared = 'remove' or t.status <> 'approved');
  if shared = 'remove' then
    delete from public.comments c where c.user_id = member;
    delete from public.forum_posts p where p.user_id = member;
    delete from public.forum_topics t
    where t.user_id = member and not exists (select from public.forum_posts p where p.topic_id = t.id);
    update public.forum_topics t set title = 'Removed topic', description = null where t.user_id = member;
    delete from public.resource_suggestions r where r.user_id = member;
  end if;
  delete from public.resource_suggestions r where r.user_id = member and r.status <> 'approved';

  -- Their files go as well.
  delete from public.media_uploads u where u.user_id = member;
  delete from public.file_uploads u where u.user_id = member;
  insert into public.media_jobs (object_names)
  select array_agg(o.bucket_id || '/' || o.name)
  from storage.objects o
  where o.name like member || '/%'
    and not exists (
      select from private.stored_urls() as n (url) where n.url like '%/' || member || '/%' and private.file_name(n.url) = o.name
    )
  having count(*) > 0;
  delete from auth.users u where u.id = member;
end
$$;

/*
 * Deletes the caller's account permanently.
 *
 * shared: 'keep' leaves public content as that of a former member, 'remove' deletes it too; content that
 * never was public is deleted in either case. Topics with replies by others keep their place without their
 * text. Errors: 42501 when the session's last proof of identity is older than ten minutes or a second step is
 * missing, 23514 for another `shared` and for the last administrator. Security definer, because members
 * cannot write auth.users.
 */
create function public.delete_account(shared text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  proven timestamptz := (
    select to_timestamp(max((proof ->> 'timestamp')::bigint)) from jsonb_array_elements((select auth.jwt()) -> 'amr') as proof
  );
begin
  if shared is null or shared not in ('keep', 'remove') then
    raise check_violation using message = 'Choose whether to keep or delete your published content';
  end if;
  if me is null or proven is null or proven < now() - interval '10 minutes'
    or not private.has_required_aal()
  then
    raise insufficient_privilege using message = 'Please sign in again to delete your account';
  end if;
  if exists (select from public.user_roles r where r.user_id = me and r.role = 'admin')
    and not exists (select from public.user_roles r where r.user_id <> me and r.role = 'admin')
  then
    raise check_violation using message = 'The last administrator cannot delete their account';
  end if;

  perform private.mail_farewell(me, shared);
  perform private.erase_account(me, shared);
end
$$;

grant execute on function public.delete_account(text) to authenticated;
