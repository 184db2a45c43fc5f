-- Ground for all other migrations: extensions, and a schema the API does not expose for the functions that
-- policies, constraints and triggers call.

create extension if not exists pg_trgm schema extensions;
create extension if not exists unaccent schema extensions;
create extension if not exists pgcrypto schema extensions;

create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- Objects created from here on are open to the service key alone, and to visitors and members only where a
-- grant names them: the same on a new Supabase project, whose defaults leave a few rights to each of them, on
-- an older one, whose defaults leave all, and here. PostgreSQL itself lets every role execute a new function.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public grant select, insert, update, delete on tables to service_role;
alter default privileges in schema public grant usage, select on sequences to service_role;
alter default privileges in schema public grant execute on functions to service_role;

/* Stamps `updated_at`; a value from the client is ignored. */
create function private.touch() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

/* A statement that came through the API as a visitor or member, as opposed to one of our own functions, a
   trusted service or an operator. Trigger functions that call this must not be security definer. */
create function private.is_client() returns boolean
language sql stable set search_path = ''
return current_user in ('anon', 'authenticated');

grant execute on function private.is_client() to anon, authenticated, service_role;
