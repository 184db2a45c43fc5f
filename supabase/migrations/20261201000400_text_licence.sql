insert into private.notice_types (type, at_once, by_moderator, warns) values ('licence_missing', false, false, false);

-- The licence of a solution's texts, images and videos, as its build files have theirs. Null where its author has not chosen one,
-- as of all solutions from before: readers may look at those and not copy them, and the author is asked.
alter table public.solutions add column licence text
  constraint "Choose one of the listed licences"
  check (licence in ('CC BY 4.0', 'CC BY-SA 4.0', 'CC BY-NC 4.0', 'CC0 1.0', 'All rights reserved'));

grant select (licence) on public.solutions to anon, authenticated;
grant insert (licence), update (licence) on public.solutions to authenticated;
