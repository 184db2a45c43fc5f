-- The schema `storage` as Supabase's own service keeps it, so that the product's policies and buckets mean the
-- same here and there. Safe to run at every start.

create schema if not exists storage authorization supabase_storage_admin;
grant usage on schema storage to postgres, anon, authenticated, service_role;
alter role supabase_storage_admin set search_path = 'storage';

-- A hosted project lets `postgres` put policies on these tables through a Supabase extension; ownership by
-- membership has the same effect.
grant supabase_storage_admin to postgres with inherit true, set false;

set local role supabase_storage_admin;

do $$
begin
  if to_regtype('storage.buckettype') is null then
    create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');
  end if;
end
$$;

create table if not exists storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD'
);
create unique index if not exists bname on storage.buckets (name);

create table if not exists storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  owner_id text,
  user_metadata jsonb
);
-- Listing walks names byte by byte; the same index keeps a name unique in its bucket.
create unique index if not exists bucketid_objname on storage.objects (bucket_id, name collate "C");
-- The sweeper looks up which of the files it found belong to a row.
create index if not exists objects_version on storage.objects (version);

-- Uploads that arrive piece by piece. Their bytes are in a file named by the row's id, which becomes the
-- object's version once they are complete; the row of a finished one is kept for a while, for clients that
-- missed the answer.
create table if not exists storage.resumable_uploads (
  id uuid primary key,
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  -- The creator of the upload, as the service names them; no other caller finds it.
  owner text not null,
  upsert boolean not null,
  -- Unknown until the client sends it.
  size bigint,
  -- The size it may still reach, counted against the limit for all files.
  reserved bigint not null,
  metadata jsonb,
  done boolean not null default false,
  created_at timestamptz not null default now(),
  -- The request that is writing to it, in any process; it updates this every second while it lives.
  held_by uuid,
  held_until timestamptz,
  -- Another request waits for its release.
  wanted boolean not null default false
);
create index if not exists resumable_uploads_owner on storage.resumable_uploads (owner) where not done;

-- The bytes of all objects are the sum of these few rows. Each statement that changes some adds one, so that none waits for another;
-- the sweep makes one of them.
create table if not exists storage.stored_bytes (bytes bigint not null);

alter table storage.stored_bytes enable row level security;
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.resumable_uploads enable row level security;

create or replace function storage.foldername(name text) returns text[]
language sql immutable
return trim_array(string_to_array(name, '/'), least(1, cardinality(string_to_array(name, '/'))));

create or replace function storage.filename(name text) returns text
language sql immutable
return (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))];

create or replace function storage.extension(name text) returns text
language sql immutable
return reverse(split_part(reverse(storage.filename(name)), '.', 1));

create or replace function storage.update_updated_at_column() returns trigger
language plpgsql
as $$
begin
  new.updated_at = now();
  return new;
end
$$;

create or replace trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();

create or replace function storage.count_bytes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  change bigint := 0;
begin
  if tg_op <> 'DELETE' then
    change := coalesce((select sum((a.metadata ->> 'size')::bigint) from added a), 0);
  end if;
  if tg_op <> 'INSERT' then
    change := change - coalesce((select sum((r.metadata ->> 'size')::bigint) from removed r), 0);
  end if;
  if change <> 0 then
    insert into storage.stored_bytes values (change);
  end if;
  return null;
end
$$;

create or replace trigger count_inserted_bytes after insert on storage.objects
  referencing new table as added for each statement execute function storage.count_bytes();
create or replace trigger count_updated_bytes after update on storage.objects
  referencing old table as removed new table as added for each statement execute function storage.count_bytes();
create or replace trigger count_deleted_bytes after delete on storage.objects
  referencing old table as removed for each statement execute function storage.count_bytes();

-- Makes one row of those that are there, or of the objects themselves.
create or replace function storage.sum_bytes(of_objects boolean) returns void
language plpgsql set search_path = ''
as $$
begin
  -- Of two at once, the second sees what the first has made.
  perform pg_advisory_xact_lock(hashtext('storage.stored_bytes'));
  with counted as (delete from storage.stored_bytes returning bytes)
  insert into storage.stored_bytes
  select case when of_objects then (select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o) else sum(c.bytes) end
  from counted c having of_objects or count(*) > 0;
end
$$;

-- A row deleted without the service would leave its file behind, unreadable and uncounted.
create or replace function storage.protect_delete() returns trigger
language plpgsql
as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
  end if;
  return null;
end
$$;

create or replace trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create or replace trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

grant all on storage.buckets, storage.objects to postgres, anon, authenticated, service_role;
grant select, insert, update, delete on storage.resumable_uploads to service_role;
grant select, insert, delete on storage.stored_bytes to service_role;
grant execute on all functions in schema storage to postgres, anon, authenticated, service_role;

-- At each start, since rows may have come without triggers, as by a restore.
select storage.sum_bytes(of_objects => true);

reset role;
