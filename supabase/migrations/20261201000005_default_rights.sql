-- Version 1.0 gave the rights of a new project for new tables again at each start. New tables have those that their migration grants.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public grant select, insert, update, delete on tables to service_role;
