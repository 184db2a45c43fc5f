-- What widens a member's rights or a warning says how far: a moderator has a completed profile, and a notice on a part how many it warns.

alter policy "Admins can make whoever is no admin a moderator" on public.user_roles with check (
  role = 'moderator' and (select private.may_administer()) and not private.is_admin_account(user_id)
    and private.has_completed_profile(user_id)
);

grant execute on function private.has_completed_profile(uuid) to authenticated;

/* How many public solutions have a part, to about a thousand; zero for who is no moderator. Security definer, because the policies of
   parts read each solution, and moderators see all of them. */
create function public.count_solutions_with(maker text, part_number text) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(distinct c.solution_id)::integer
  from (
    select p.solution_id from public.solution_parts p
    where p.part_number is not null and (select private.is_moderator())
      and private.part_key(p.maker, p.part_number) = private.part_key(count_solutions_with.maker, count_solutions_with.part_number)
    limit 1000
  ) c
  where exists (select from public.solutions s where s.id = c.solution_id and s.status = 'approved')
$$;

grant execute on function public.count_solutions_with(text, text) to authenticated;
