-- The tables that the site follows live; row-level security decides which subscribers receive which row.
alter publication supabase_realtime add table
  public.audit_events, public.comments, public.content_reports, public.forum_posts, public.forum_topics,
  public.message_deletions, public.messages, public.notifications,
  public.resource_suggestions, public.sanctions, public.solution_reviews, public.solutions, public.takedown_requests, public.user_roles;

-- For a deleted row the log has its replica identity, and the deletion is sent to the readers who could have
-- read the row: the columns that the policies for reading refer to have to be in it. The forum's policies
-- refer to none; a solution changes with each like, so its log has only the status and the audience.
alter table public.comments replica identity full;
alter table public.messages replica identity full;
alter table public.notifications replica identity full;
alter table public.user_roles replica identity full;
create unique index solutions_replica_identity_idx on public.solutions (id, status, audience);
alter table public.solutions replica identity using index solutions_replica_identity_idx;
