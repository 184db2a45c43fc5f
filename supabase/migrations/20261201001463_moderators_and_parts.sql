-- What widens a member's rights or a warning says how far: a moderator has a completed profile, and a notice on a part how many it warns.

alter policy "Admins can make whoever is no admin a moderator" on public.user_roles with check (
  role = 'moderator' and (select private.may_administer()) and not private.is_admin_account(user_id)
    and private.has_completed_profile(user_id)
);

grant execute on function private.has_completed_profile(uuid) to authenticated;

/* How many public solutions have a part. Not security definer: the caller's own rights show them the solutions and their parts. */
create function public.count_solutions_with(maker text, part_number text) returns integer
language sql stable set search_path = ''
as $$
  select count(distinct s.id)::integer
  from public.solution_parts p join public.solutions s on s.id = p.solution_id
  where p.part_number is not null and s.status = 'approved'
    and private.part_key(p.maker, p.part_number) = private.part_key(count_solutions_with.maker, count_solutions_with.part_number)
$$;

grant execute on function public.count_solutions_with(text, text) to authenticated;
