-- Of what was withdrawn before its audience was kept with it, a title says that all could read it. Any other may have been for few, and
-- is said to those alone who could read it whatever it was.
update public.withdrawn_solutions w set audience = 'checked' where w.title is null and w.audience = 'public';
