-- After all tables: who is suspended or banned adds and changes nothing. They may still remove what is theirs, and what
-- nobody else sees stays open to them:
-- - page_views: statistics;
-- - notifications, messages: marking as read; what they write, and to whom, is said at messages;
-- - member_blocks: keeping others away;
-- - profiles: their settings; of what others see, normalize_profile says the same.

do $$
declare
  written record;
begin
  for written in
    select c.relname as name, p.privilege
    from pg_catalog.pg_class c, unnest(array['insert', 'update']) as p (privilege)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname <> all (array['page_views', 'notifications', 'messages', 'member_blocks', 'profiles'])
      and has_any_column_privilege('authenticated', c.oid, p.privilege)
  loop
    execute format(
      'create policy "Suspended and banned members %s nothing" on public.%I as restrictive for %s to authenticated %s',
      case written.privilege when 'insert' then 'add' else 'change' end, written.name, written.privilege,
      case written.privilege
        when 'insert' then 'with check ((select private.may_take_part()))'
        else 'using ((select private.may_take_part()))'
      end
    );
  end loop;
end
$$;
