-- What holds for everything that members write, whatever table it is in.

/*
 * Gives every table that members may write the restrictive policies of all of them: a second step comes first where a member
 * has set one up, and those who are suspended, banned, or without a completed profile add and change nothing. A migration that
 * adds a table calls this again; what is there stays.
 */
create function private.restrict_writes() returns void
language plpgsql set search_path = ''
as $$
declare
  rule record;
begin
  for rule in
    with writes as (
      select c.oid, c.relname::text as name, v.verb from pg_class c, unnest(array['insert', 'update', 'delete']) v (verb)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (has_table_privilege('authenticated', c.oid, v.verb)
          or (v.verb <> 'delete' and has_any_column_privilege('authenticated', c.oid, v.verb)))
        -- Statistics of a visit are no act of a member.
        and c.relname <> 'page_views'
    ), rules as (
      select w.oid, w.name, w.verb, 'A second step comes before any ' || w.verb as policy, 'has_required_aal' as question from writes w
      union all
      select w.oid, w.name, w.verb, 'Suspended and banned members ' || case w.verb when 'insert' then 'add' else 'change' end || ' nothing',
        -- Which completes a profile.
        case w.name when 'member_declarations' then 'refuse_sanctioned' else 'may_take_part' end
      from writes w
      -- They still keep others away, mark as read and change their settings; policies of their own say to whom they write, and
      -- normalize_profile says the same of what others see.
      where w.verb <> 'delete' and w.name not in ('member_blocks', 'messages', 'notifications', 'profiles')
    )
    select r.* from rules r
    where not exists (select from pg_policy p where p.polrelid = r.oid and p.polname = r.policy)
    order by r.name, r.policy
  loop
    execute format('create policy %I on public.%I as restrictive for %s to authenticated %s ((select private.%I()))',
      rule.policy, rule.name, rule.verb, case rule.verb when 'insert' then 'with check' else 'using' end, rule.question);
  end loop;
end
$$;

select private.restrict_writes();
