-- What the site follows live; row-level security decides who hears of which row.
alter publication supabase_realtime add table
  public.comments, public.forum_posts, public.forum_topics, public.messages, public.notifications, public.solutions, public.user_roles;
