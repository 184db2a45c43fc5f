-- Translations of solutions: what one version says in another language, by a named member, reviewed like everything else.

insert into private.notice_types (type, at_once, by_moderator, warns) values
  ('solution_translated', false, false, false),
  ('translation_approved', true, true, false),
  ('translation_rejected', true, true, false);

create table public.solution_translations (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  -- The version that was translated. Who reads that reads its translations.
  version integer not null,
  language text not null
    constraint "Please choose a language from the list" check (language = any (private.languages())),
  -- Null once the member has left: "Former member".
  user_id uuid default auth.uid() references public.profiles on delete set null,
  -- By the names of translatable_texts, and 'notice/' with its id for the safety notice. Empty once another translation has taken
  -- its place.
  texts jsonb not null,
  status text not null default 'pending'
    constraint "Status must be pending, approved, rejected or replaced" check (status in ('pending', 'approved', 'rejected', 'replaced')),
  rejection_reason text
    constraint "A rejection reason must be at most 2000 characters" check (char_length(rejection_reason) <= 2000),
  -- The items that a moderator has checked, written with the decision; decide_translation takes it into the audit log.
  checklist jsonb constraint "Only a decision has a checklist" check (checklist is null),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  approved_at timestamptz,
  foreign key (solution_id, version) references public.solution_versions on delete cascade,
  constraint "A rejection needs a reason" check (status <> 'rejected' or not private.is_blank(rejection_reason)),
  constraint "Only a rejected translation has a reason" check (status = 'rejected' or rejection_reason is null)
);

comment on table public.solution_translations is
  'What a version of a solution says in another language, by a member; public once a moderator has approved it.';

alter table public.solution_translations enable row level security;

create policy "Readers of a version see its translations, writers theirs, moderators all" on public.solution_translations
  for select using (
    (select private.is_moderator())
    or (user_id = (select auth.uid()) and (select private.has_required_aal()))
    or (status in ('approved', 'replaced') and (
      select true from public.solution_versions v
      where v.solution_id = solution_translations.solution_id and v.version = solution_translations.version
    ))
  );
create policy "Members can translate what they read" on public.solution_translations
  for insert to authenticated with check (
    user_id = (select auth.uid()) and status = 'pending'
    and (
      select true from public.solution_versions v
      where v.solution_id = solution_translations.solution_id and v.version = solution_translations.version
    )
  );
-- Which of them may change what is decided by guard_translation.
create policy "Members change theirs, moderators decide" on public.solution_translations
  for update to authenticated
  using (user_id = (select auth.uid()) or (select private.may_moderate()))
  with check (user_id = (select auth.uid()) or status in ('approved', 'rejected'));
create policy "Members can delete their own translations, moderators any" on public.solution_translations
  for delete to authenticated using (user_id = (select auth.uid()) or (select private.may_moderate()));

-- One of a language is read, and each member has one that waits or was sent back.
create unique index solution_translations_approved_key on public.solution_translations (solution_id, language) where status = 'approved';
create unique index solution_translations_own_key on public.solution_translations (solution_id, language, user_id)
  where status in ('pending', 'rejected');
create index solution_translations_solution_id_idx on public.solution_translations (solution_id, version);
create index solution_translations_user_id_idx on public.solution_translations (user_id, created_at);
-- The review queue, oldest first.
create index solution_translations_queue_idx on public.solution_translations (updated_at, id) where status = 'pending';

grant select (id, solution_id, version, language, user_id, texts, status, rejection_reason, created_at, updated_at, approved_at)
  on public.solution_translations to anon, authenticated;
grant insert (solution_id, version, language, texts), update (version, texts, status, rejection_reason, checklist), delete
  on public.solution_translations to authenticated;

select private.restrict_writes();

/* The texts of a version that can be translated, by the names that app/solution/translations/texts.ts gives them as well: the columns
   that are no choice from a list, and the others by their place or id. */
create function private.translatable_texts(content jsonb) returns table (name text, original text)
language sql stable set search_path = ''
as $$
  select * from (
    select c.name, content ->> c.name as original
    from private.content_columns() c
    where c.name in ('title', 'description') or not (c.is_required or c.is_list or c.name = 'licence')
    union all
    select l.name || '/' || (r.value ->> 'id'), r.value ->> 'description'
    from unnest(array['media', 'files']) l (name), jsonb_array_elements(content -> l.name) r
    union all
    select 'tool/' || t.ordinality - 1, t.value from jsonb_array_elements_text(content #> '{fabrication,tools}') with ordinality t
    union all
    select 'part/' || p.ordinality - 1, p.value ->> 'component'
    from jsonb_array_elements(content #> '{fabrication,parts}') with ordinality p
    union all
    select 'step/' || s.ordinality - 1, s.value ->> 'instruction'
    from jsonb_array_elements(content #> '{fabrication,steps}') with ordinality s
  ) texts
  where not private.is_blank(texts.original)
$$;

/*
 * Texts as they are kept: those of a version and of the notice that holds, without blank ones. Holds the solution and then the version
 * until the transaction ends, in the order of an approval of a version, so that no text is translated that is being removed.
 * Security definer, because it holds rows that its caller may not change; guard_translation asks first whether they are read.
 */
create function private.checked_translation(translation public.solution_translations) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  original record;
  content jsonb;
  notice text;
  names text[];
  kept jsonb;
begin
  select s.user_id, s.licence, s.language into original from public.solutions s where s.id = translation.solution_id for share;
  content := (
    select v.content from public.solution_versions v
    where v.solution_id = translation.solution_id and v.version = translation.version for share
  );
  if content is null then
    raise sqlstate 'PT404' using message = 'Solution not found';
  end if;
  -- Both: what a version may be used for is said with it, and its author may have changed their mind.
  if translation.user_id is distinct from original.user_id
    and 'All rights reserved' in (coalesce(original.licence, 'All rights reserved'), coalesce(content ->> 'licence', 'All rights reserved'))
  then
    raise check_violation
      using message = 'The licence of these texts does not let others translate them. Please ask their author.';
  end if;
  if translation.language = original.language then
    raise check_violation using message = 'The solution is in this language already';
  end if;
  notice := (select 'notice/' || n.id from public.safety_notices n where n.solution_id = translation.solution_id and n.ended_at is null);
  names := notice || array(select n.name from private.translatable_texts(content) n);
  select coalesce(jsonb_object_agg(t.key, btrim(t.value #>> '{}', E' \t\r\n')), '{}') into kept
  from jsonb_each(case jsonb_typeof(translation.texts) when 'object' then translation.texts else '{}' end) t
  where t.key = any (names) and jsonb_typeof(t.value) = 'string' and not private.is_blank(t.value #>> '{}');
  if not kept ? notice then
    raise check_violation using message = 'Please translate the safety notice first';
  end if;
  if not kept ?& array_remove(names, null) then
    raise check_violation using message = 'Please translate every text';
  end if;
  if char_length(kept ->> 'title') > 150 then
    raise check_violation using message = 'Title must be at most 150 characters';
  end if;
  if exists (select from jsonb_each_text(kept) t where char_length(t.value) > 10000) then
    raise check_violation using message = 'Each text must be at most 10000 characters';
  end if;
  if exists (
    select from public.solution_translations t
    where t.solution_id = translation.solution_id and t.language = translation.language and t.version = translation.version
      and t.status = 'approved' and t.texts = kept
  ) then
    raise check_violation using message = 'This is the translation that readers see. Change what you would say otherwise.';
  end if;
  return kept;
end
$$;

grant execute on function private.checked_translation(public.solution_translations) to authenticated;

/* Enforces rules that policies cannot express: which columns change together, and who may change them. Not security
   definer, because it checks which role the statement runs as. */
create function private.guard_translation() returns trigger
language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if not private.is_client() then
    return new;
  end if;
  if tg_op = 'INSERT' or (old.user_id = me and new.status = 'pending') or (new.version, new.texts) is distinct from (old.version, old.texts)
  then
    if tg_op = 'UPDATE' and old.user_id is distinct from me then
      raise insufficient_privilege using message = 'Only the member who wrote a translation can change it';
    end if;
    if tg_op = 'UPDATE' and old.status not in ('pending', 'rejected') then
      raise check_violation using message = 'A public translation is changed by sending a new one';
    end if;
    if not exists (
      select from public.solution_versions v join public.solutions s on s.id = v.solution_id
      where v.solution_id = new.solution_id and v.version = new.version and v.content is not null and s.status = 'approved'
    ) then
      raise sqlstate 'PT404' using message = 'Solution not found';
    end if;
    if tg_op = 'INSERT' then
      perform private.enforce_row_limit('public.solution_translations', 'user_id', 20, '1 day',
        'You have sent 20 translations within a day. Please wait before the next one.');
    end if;
    new.texts := private.checked_translation(new);
    new.status := 'pending';
    new.rejection_reason := null;
    return new;
  end if;
  if new.status is distinct from old.status then
    if not private.may_moderate() or (old.user_id = me and not private.is_admin()) then
      raise insufficient_privilege using message = 'Only a moderator can decide on a translation, but not on their own';
    end if;
    if old.status <> 'pending' or new.status not in ('approved', 'rejected') then
      raise check_violation using message = 'Only a pending translation can be approved or rejected';
    end if;
  elsif new.rejection_reason is distinct from old.rejection_reason then
    raise insufficient_privilege using message = 'A decision cannot be reworded';
  end if;
  return new;
end
$$;

create trigger solution_translations_10_guard before insert or update on public.solution_translations
  for each row execute function private.guard_translation();
create trigger solution_translations_15_touch before update on public.solution_translations
  for each row execute function private.touch();

/*
 * What comes with a decision: an approved translation takes the place of the one before in its language, whose text goes, since it
 * may hold what the new one leaves out, and whose writer stays named. Security definer, because clients can write neither
 * that nor the log.
 */
create function private.decide_translation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status = 'approved' then
    new.approved_at := now();
    -- Of two decisions at once the second replaces the first.
    perform from public.solutions s where s.id = new.solution_id for update;
    if exists (
      select from public.solution_translations t
      where t.solution_id = new.solution_id and t.language = new.language and t.status = 'approved' and t.version > new.version
    ) then
      raise check_violation using message = 'Readers see a translation of a later version. Please reject this one.';
    end if;
    if exists (
      select from public.safety_notices n
      where n.solution_id = new.solution_id and n.ended_at is null and not new.texts ? ('notice/' || n.id)
    ) then
      raise check_violation
        using message = 'The safety notice is not translated. Please reject this translation, so that it is translated first.';
    end if;
    update public.solution_translations t set status = 'replaced', texts = '{}'
    where t.solution_id = new.solution_id and t.language = new.language and t.status = 'approved' and t.id <> new.id;
  end if;
  if (select auth.uid()) is not null then
    perform private.audit('translation_' || new.status, 'translation', new.id::text, jsonb_build_object('status', old.status),
      jsonb_build_object('status', new.status, 'reason', new.rejection_reason, 'own', (select auth.uid()) = new.user_id,
        'checklist', new.checklist, 'solution_id', new.solution_id, 'language', new.language));
  end if;
  new.checklist := null;
  return new;
end
$$;

create trigger solution_translations_20_decide before update on public.solution_translations
  for each row when (old.status = 'pending' and new.status in ('approved', 'rejected')) execute function private.decide_translation();

/* Keeps facets, notifications and audit log in step with a translation. Security definer, because clients can write none of them. */
create function private.sync_translation() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor constant uuid := (select auth.uid());
  about constant jsonb := jsonb_build_object('solution_id', old.solution_id);
begin
  if tg_op = 'DELETE' then
    -- Not when it is deleted with its whole solution, which is recorded separately.
    if exists (select from public.solutions s where s.id = old.solution_id) then
      delete from public.notifications n
      where n.solution_id = old.solution_id and n.type = 'solution_translated' and n.actor_id = old.user_id
        -- Unless it is the news of one in another language as well.
        and not exists (
          select from public.solution_translations t
          where t.solution_id = old.solution_id and t.user_id = old.user_id and t.status = 'approved'
        );
      if actor is not null and actor is distinct from old.user_id and pg_trigger_depth() = 1 then
        perform private.audit('translation_deleted', 'translation', old.id::text,
          jsonb_build_object('texts', old.texts, 'user_id', old.user_id, 'solution_id', old.solution_id, 'language', old.language), null);
      end if;
      perform private.refresh_extra_facets(old.solution_id);
    end if;
    return null;
  end if;
  if old.status = 'pending' and new.status in ('approved', 'rejected') then
    perform private.notify(private.build_notification(new.user_id, actor, 'translation_' || new.status, about));
  end if;
  if new.status = 'approved' then
    perform private.notify(private.build_notification(
      (select s.user_id from public.solutions s where s.id = new.solution_id), new.user_id, 'solution_translated', about));
  end if;
  perform private.refresh_extra_facets(new.solution_id);
  return null;
end
$$;

create trigger solution_translations_10_sync_status after update on public.solution_translations
  for each row when (old.status <> new.status) execute function private.sync_translation();
create trigger solution_translations_10_sync_delete after delete on public.solution_translations
  for each row execute function private.sync_translation();

/* With the text of a version go its translations, those that wait too. Security definer, because who removes it did not write them. */
create function private.remove_translations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.solution_translations t where t.solution_id = new.solution_id and t.version = new.version;
  return null;
end
$$;

create trigger solution_versions_remove_translations after update on public.solution_versions
  for each row when (old.content is not null and new.content is null) execute function private.remove_translations();

/* What translations say of an image, a build file or a safety notice goes with it. Security definer, for the same reason. */
create function private.redact_translations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solution_translations t set texts = t.texts - (tg_argv[0] || '/' || old.id)
  where t.solution_id = old.solution_id and t.texts ? (tg_argv[0] || '/' || old.id);
  return null;
end
$$;

create trigger solution_media_redact_translations_deleted after delete on public.solution_media
  for each row execute function private.redact_translations('media');
create trigger solution_media_redact_translations_hidden after update of hidden_at on public.solution_media
  for each row when (new.hidden_at is not null) execute function private.redact_translations('media');
create trigger solution_files_redact_translations_deleted after delete on public.solution_files
  for each row execute function private.redact_translations('files');
create trigger solution_files_redact_translations_hidden after update of hidden_at on public.solution_files
  for each row when (new.hidden_at is not null) execute function private.redact_translations('files');
create trigger safety_notices_redact_translations after update of ended_at on public.safety_notices
  for each row when (new.ended_at is not null) execute function private.redact_translations('notice');

/*
 * Sends the caller's translation of a version to review, in place of the one of theirs in this language that waits or was sent back;
 * one that is public stays until a moderator has approved this. Sent again unchanged after that, it changes nothing.
 *
 * texts: {name: text}, with the names of private.translatable_texts and 'notice/' with its id for the safety notice in force;
 * other names are left out. Returns the id. Errors: 23514 with a sentence for its writer; PT404 when the caller reads no
 * published solution with this version; 42501 without a session.
 */
create function public.submit_translation(solution uuid, version integer, language text, texts jsonb) returns uuid
language plpgsql set search_path = ''
as $$
#variable_conflict use_column
declare
  sent uuid := (
    select t.id from public.solution_translations t
    where t.solution_id = submit_translation.solution and t.version = submit_translation.version
      and t.language = submit_translation.language and t.user_id = (select auth.uid()) and t.status = 'approved'
      and t.texts = submit_translation.texts
  );
begin
  if sent is null then
    insert into public.solution_translations as t (solution_id, version, language, texts)
    values (submit_translation.solution, submit_translation.version, submit_translation.language, submit_translation.texts)
    on conflict (solution_id, language, user_id) where status in ('pending', 'rejected')
      do update set version = excluded.version, texts = excluded.texts, status = 'pending', rejection_reason = null
    returning t.id into sent;
  end if;
  return sent;
end
$$;

grant execute on function public.submit_translation(uuid, integer, text, jsonb) to authenticated;
