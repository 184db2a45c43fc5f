-- The authors of solutions from before texts had licences are asked once, each for all of theirs.
select private.notify(private.build_notification(author.id, null, 'licence_missing', '{}'))
from (
  select distinct s.user_id as id from public.solutions s where s.status = 'approved' and s.licence is null and s.user_id is not null
) as author;
