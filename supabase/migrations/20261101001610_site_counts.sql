/* The home page's three numbers, of what everyone can see. Security definer, so that counting needs no reading of the
   rows. */
create function public.site_counts() returns jsonb
language sql stable security definer set search_path = ''
return jsonb_build_object(
  'members', (select count(*) from public.profiles p where p.username is not null),
  'solutions', (select count(*) from public.solutions s where s.status = 'approved' and s.audience = 'public'),
  'success_stories', (select count(*) from public.forum_topics t where t.category = 'success-stories')
);

grant execute on function public.site_counts() to anon, authenticated;
