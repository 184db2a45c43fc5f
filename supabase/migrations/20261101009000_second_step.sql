-- After all tables: who has set up a second step can do nothing as themselves before they have taken it. What
-- everybody may read stays readable, since a visitor could read it too.

do $$
declare
  written record;
  personal text;
begin
  for written in
    select c.relname as name, p.privilege
    from pg_catalog.pg_class c, unnest(array['insert', 'update', 'delete']) as p (privilege)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      -- The statistics of a visit are not an act.
      and c.relname <> 'page_views'
      and (
        has_table_privilege('authenticated', c.oid, p.privilege)
        or (p.privilege <> 'delete' and has_any_column_privilege('authenticated', c.oid, p.privilege))
      )
  loop
    execute format(
      'create policy "A second step comes before any %s" on public.%I as restrictive for %s to authenticated %s',
      written.privilege, written.name, written.privilege,
      case written.privilege
        when 'insert' then 'with check ((select private.has_required_aal()))'
        else 'using ((select private.has_required_aal()))'
      end
    );
  end loop;
  foreach personal in array array['messages', 'notifications', 'solution_drafts', 'point_events', 'member_declarations', 'member_blocks'] loop
    execute format(
      'create policy "A second step comes before reading" on public.%I as restrictive for select to authenticated using ((select private.has_required_aal()))',
      personal
    );
  end loop;
end
$$;
