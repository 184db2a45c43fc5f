-- The roles and objects that the realtime service needs in the database. Safe to run at every start.

do $$
begin
  if not exists (select from pg_roles where rolname = 'supabase_replication_admin') then
    create role supabase_replication_admin login replication bypassrls;
  end if;
end
$$;

-- The log itself contains every row's values; reading rows adds no access to it.
grant pg_read_all_data to supabase_replication_admin;

create schema if not exists realtime;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
