-- The objects that the realtime service needs in the database. Safe to run at every start.

-- The log itself contains every row's values; reading rows adds no access to it.
grant pg_read_all_data to supabase_replication_admin;

create schema if not exists realtime;
grant usage on schema realtime to postgres, anon, authenticated, service_role;

-- Projects write policies for private channels on this table. Broadcast and presence, for which those are asked, are not
-- served, so the table never has a row: it has no partition that could take one.
-- A hosted project lets `postgres` put policies on this table through a Supabase extension.
grant supabase_realtime_admin to postgres with inherit true, set false;

create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  primary key (id, inserted_at)
) partition by range (inserted_at);
alter table realtime.messages owner to supabase_realtime_admin;
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to postgres, anon, authenticated, service_role;

create or replace function realtime.topic() returns text
language sql stable
return nullif(current_setting('realtime.topic', true), '');
