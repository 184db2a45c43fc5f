-- The roles, schemas and defaults a Supabase project starts with, so that the product's migrations find the
-- same ground here and there. Safe to run at every start.

-- All of them; which are there already is looked at before this (backend/database/other-owner.ts).
do $$
begin
  if not exists (select from pg_roles where rolname = 'postgres') then
    create role postgres login createdb createrole replication bypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'service_role') then
    create role service_role nologin noinherit bypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticator') then
    create role authenticator login noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'supabase_auth_admin') then
    create role supabase_auth_admin login noinherit createrole;
  end if;
  if not exists (select from pg_roles where rolname = 'supabase_storage_admin') then
    create role supabase_storage_admin login noinherit createrole;
  end if;
  if not exists (select from pg_roles where rolname = 'supabase_replication_admin') then
    create role supabase_replication_admin login replication bypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'supabase_realtime_admin') then
    create role supabase_realtime_admin nologin noinherit;
  end if;
end
$$;

grant anon, authenticated, service_role to postgres with admin option;
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to supabase_storage_admin;
grant authenticator to supabase_storage_admin;
-- A migration may give this role settings, which are those of the table API.
grant authenticator to postgres with admin option, inherit false, set false;

alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';

do $$
begin
  execute format('grant create, connect, temporary on database %I to postgres', current_database());
end
$$;

create schema if not exists extensions;
grant usage on schema extensions to postgres, anon, authenticated, service_role;
grant create on schema extensions to postgres;
create extension if not exists pgcrypto schema extensions;
create extension if not exists pg_stat_statements schema extensions;

alter schema public owner to postgres;
grant usage on schema public to postgres, anon, authenticated, service_role;

-- The table in which `supabase migration` keeps its record.
create schema if not exists supabase_migrations authorization postgres;
-- The rights that a new project gives for new tables, before its first migration takes them. They are given once: at each start they
-- would come back, and the tables of later migrations would have them.
do $$
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    alter default privileges for role postgres in schema public
      grant truncate, references, trigger on tables to anon, authenticated, service_role;
    -- PostgreSQL 16 lacks this right.
    if current_setting('server_version_num')::int >= 170000 then
      execute 'alter default privileges for role postgres in schema public
        grant maintain on tables to anon, authenticated, service_role';
    end if;
  end if;
end
$$;
create table if not exists supabase_migrations.schema_migrations (
  version text primary key,
  statements text[],
  name text
);
alter table supabase_migrations.schema_migrations owner to postgres;
-- A server is ready when the migrations that it was built for have been applied.
grant usage on schema supabase_migrations to authenticator;
grant select (version) on supabase_migrations.schema_migrations to authenticator;

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    alter publication supabase_realtime owner to postgres;
  end if;
end
$$;
