-- Lets today's tables take the rows of a backup that was made before 1.0, whose migrations are no longer here: under the names and
-- with the columns of then. `convert.sql` follows when the rows are in. Both run in the restore's transaction, without triggers except
-- those that are made here.

alter table public.member_registrations rename to member_credentials;
alter table private.registration_submissions rename to credential_submissions;
alter table public.removal_requests rename to takedown_requests;
alter table private.removal_request_senders rename to takedown_senders;
alter table public.notifications rename removal_request_id to takedown_request_id;
alter table public.profiles rename registration_level to credential_level;
alter table public.profiles rename registration_register to credential_register;
alter table public.profiles rename registration_checked_on to credential_checked_on;

alter table public.solutions add comments_count integer;
alter table public.media_jobs add action text;

create table private.settings (only_row boolean, staff_need_second_step boolean);
create table public.topic_follows (topic_id uuid, user_id uuid, created_at timestamptz);
create table public.media_uploads (
  id uuid, user_id uuid, media_url text, compressed_url text, thumbnail_url text, media_type text, width integer, height integer,
  duration_seconds real, byte_size bigint, created_at timestamptz
);
create table public.file_uploads (
  id uuid, user_id uuid, file_url text, file_name text, file_type text, byte_size bigint, facts jsonb, previews text[],
  page_texts text[], created_at timestamptz
);

/* Leaves four of the marks that are stacked on one letter, as many as a script writes. */
create function pg_temp.without_stacked_marks(value text) returns text
language sql return regexp_replace(normalize(value, NFC),
  '([\u0300-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]{4})'
  '[\u0300-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]+', '\1', 'g');

/* Says in today's words what some columns said in others, and leaves out what a text may no longer hold, so that the conditions of
   the tables hold for the rows. */
create function pg_temp.accept_row() returns trigger
language plpgsql as $$
begin
  case tg_table_name
    when 'notifications' then
      new.type := replace(replace(new.type, 'takedown_', 'removal_'), 'credential_', 'registration_');
    when 'review_claims' then
      new.kind := case new.kind when 'takedown' then 'removal_request' when 'credential' then 'registration' else new.kind end;
    when 'audit_events' then
      new.action := replace(replace(new.action, 'takedown_', 'removal_request_'), 'credential_', 'registration_');
      new.target_type := replace(new.target_type, 'takedown_request', 'removal_request');
    when 'mail_jobs' then
      new.notice := replace(replace(replace(new.notice::text, '"takedown_request', '"removal_request'), '"takedown_', '"removal_request_'),
        '"credential_', '"registration_')::jsonb;
    when 'solution_parts' then
      if new.link ~ '^https?://[^/?#]*[@\\]' or private.has_hidden_characters(new.link) then
        new.link := null;
      end if;
    when 'profiles' then
      new.full_name := regexp_replace(normalize(new.full_name, nfkc), '^\s*([^\s@]+)@\S+\.\S+\s*$', '\1');
      if private.has_stacked_marks(concat_ws(' ', new.full_name, new.workplace, new.profession, new.location)) then
        new.full_name := pg_temp.without_stacked_marks(new.full_name);
        new.workplace := pg_temp.without_stacked_marks(new.workplace);
        new.profession := pg_temp.without_stacked_marks(new.profession);
        new.location := pg_temp.without_stacked_marks(new.location);
      end if;
  end case;
  return new;
end
$$;

do $$
declare
  accepting text;
begin
  foreach accepting in array array[
    'public.notifications', 'public.review_claims', 'public.audit_events', 'private.mail_jobs', 'public.solution_parts',
    'public.profiles'
  ] loop
    execute format('create trigger accept_row before insert on %s for each row execute function pg_temp.accept_row()', accepting);
    -- The other triggers are off, since they would repeat what the rows show already.
    execute format('alter table %s enable always trigger accept_row', accepting);
  end loop;
end
$$;
