-- The objects of a new Supabase project before any migration, as far as the product depends on them: written from the
-- project's public documentation and image, not from the embedded services, so that the two can disagree.

create role postgres login createdb createrole replication bypassrls;
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit;
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres with admin option;
create role supabase_auth_admin nologin noinherit createrole;
create role supabase_storage_admin nologin noinherit createrole;
grant authenticator to supabase_storage_admin;
create role supabase_realtime_admin nologin noinherit;
create role dashboard_user nologin createdb createrole replication;

alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role postgres set search_path = "$user", public, extensions;

do $$ begin execute format('grant create, connect, temporary on database %I to postgres', current_database()); end $$;

-- Supabase's migration guide has `postgres` load rows without triggers.
grant set on parameter session_replication_role to postgres;

create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;

create schema extensions;
grant usage, create on schema extensions to postgres;
grant usage on schema extensions to anon, authenticated, service_role;
create extension "uuid-ossp" schema extensions;
create extension pgcrypto schema extensions;
create extension pg_stat_statements schema extensions;

alter schema public owner to pg_database_owner;
grant all on schema public to postgres;
grant usage on schema public to anon, authenticated, service_role;
-- The remaining defaults since new objects are exposed by explicit grants alone (from 30 May 2026 on).
alter default privileges for role postgres in schema public
  grant truncate, references, trigger, maintain on tables to anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public grant all on tables to postgres, anon, authenticated, service_role;

create schema auth authorization supabase_auth_admin;
grant usage on schema auth to postgres, anon, authenticated, service_role, dashboard_user;
create schema storage authorization supabase_storage_admin;
grant usage on schema storage to postgres, anon, authenticated, service_role, dashboard_user;
create schema realtime authorization supabase_admin;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
create schema vault;
create schema graphql_public;

set role supabase_auth_admin;
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');
create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.one_time_token_type as enum (
  'confirmation_token', 'reauthentication_token', 'recovery_token', 'email_change_token_new', 'email_change_token_current',
  'phone_change_token'
);

create table auth.users (
  instance_id uuid, id uuid not null primary key, aud varchar(255), role varchar(255), email varchar(255),
  encrypted_password varchar(255), email_confirmed_at timestamptz, invited_at timestamptz,
  confirmation_token varchar(255), confirmation_sent_at timestamptz, recovery_token varchar(255),
  recovery_sent_at timestamptz, email_change_token_new varchar(255), email_change varchar(255),
  email_change_sent_at timestamptz, last_sign_in_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb,
  is_super_admin boolean, created_at timestamptz, updated_at timestamptz, phone text unique,
  phone_confirmed_at timestamptz, phone_change text default '', phone_change_token varchar(255) default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '', email_change_confirm_status smallint default 0,
  banned_until timestamptz, reauthentication_token varchar(255) default '', reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false, deleted_at timestamptz, is_anonymous boolean not null default false
);
create table auth.sessions (
  id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade, created_at timestamptz,
  updated_at timestamptz, factor_id uuid, aal auth.aal_level, not_after timestamptz, refreshed_at timestamp,
  user_agent text, ip inet, tag text
);
create table auth.mfa_factors (
  id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade, friendly_name text,
  factor_type auth.factor_type not null, status auth.factor_status not null, created_at timestamptz not null,
  updated_at timestamptz not null, secret text, phone text, last_challenged_at timestamptz unique,
  web_authn_credential jsonb, web_authn_aaguid uuid
);
create table auth.identities (
  provider_id text not null, user_id uuid not null references auth.users (id) on delete cascade,
  identity_data jsonb not null, provider text not null, last_sign_in_at timestamptz, created_at timestamptz,
  updated_at timestamptz, email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid primary key default gen_random_uuid(), unique (provider_id, provider)
);
create table auth.one_time_tokens (
  id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade,
  token_type auth.one_time_token_type not null, token_hash text not null check (char_length(token_hash) > 0),
  relates_to text not null, created_at timestamp not null default now(), updated_at timestamp not null default now()
);
alter table auth.users enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.mfa_factors enable row level security;

create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
$$;
create function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
$$;
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;
grant all on all tables in schema auth to postgres, dashboard_user;
grant all on all sequences in schema auth to postgres, dashboard_user;
grant all on all routines in schema auth to postgres, dashboard_user;
reset role;

set role supabase_storage_admin;
create table storage.buckets (
  id text not null primary key, name text not null unique, owner uuid, created_at timestamptz default now(),
  updated_at timestamptz default now(), public boolean default false, avif_autodetection boolean default false,
  file_size_limit bigint, allowed_mime_types text[], owner_id text
);
create table storage.objects (
  id uuid not null default gen_random_uuid() primary key, bucket_id text references storage.buckets (id), name text,
  owner uuid, created_at timestamptz default now(), updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(), metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored, version text, owner_id text,
  user_metadata jsonb
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

create function storage.foldername(name text) returns text[] language plpgsql as $$
declare
  parts text[];
begin
  select string_to_array(name, '/') into parts;
  return parts[1 : array_length(parts, 1) - 1];
end
$$;
create function storage.filename(name text) returns text language plpgsql as $$
declare
  parts text[];
begin
  select string_to_array(name, '/') into parts;
  return parts[array_length(parts, 1)];
end
$$;
create function storage.extension(name text) returns text language plpgsql as $$
declare
  parts text[];
  last text;
begin
  select string_to_array(name, '/') into parts;
  select parts[array_length(parts, 1)] into last;
  return reverse(split_part(reverse(last), '.', 1));
end
$$;
create function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed.' using errcode = '42501';
  end if;
  return null;
end
$$;
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();
grant all on storage.buckets, storage.objects to postgres, anon, authenticated, service_role;
reset role;

-- A hosted project lets `postgres` put policies on storage's tables by a separate extension, which is not available
-- here; membership is the nearest equivalent.
grant supabase_storage_admin to postgres with inherit true, set false;
