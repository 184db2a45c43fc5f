-- What the realtime service needs of the database. Safe to run at every start.

do $$
begin
  if not exists (select from pg_roles where rolname = 'supabase_replication_admin') then
    create role supabase_replication_admin login replication;
  end if;
end
$$;

create schema if not exists realtime;
grant usage on schema realtime to postgres, anon, authenticated, service_role;

-- Signing out, being removed and housekeeping all end a session; open sockets hear of it in every process.
create or replace function realtime.announce_ended_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('realtime_ended_sessions', old.id::text);
  return null;
end
$$;
revoke execute on function realtime.announce_ended_session() from public;

create or replace trigger announce_ended_session after delete on auth.sessions
  for each row execute function realtime.announce_ended_session();
