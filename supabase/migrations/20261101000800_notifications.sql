create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles on delete cascade,
  actor_id uuid references public.profiles on delete set null,
  type text not null check (type in (
    'comment', 'like', 'message', 'content_deleted',
    'solution_approved', 'solution_rejected', 'forum_reply', 'comment_reply', 'badge_earned',
    'removal_request', 'media_hidden', 'media_removed', 'media_restored', 'safety_notice',
    'suggestion_approved', 'suggestion_rejected', 'report_resolved', 'report_dismissed', 'version_approved', 'adaptation',
    'registration_checked', 'registration_declined', 'registration_lapsed',
    'trial_received', 'trial_approved', 'trial_rejected', 'trial_answered', 'collection_unshared', 'post_published'
  )),
  solution_id uuid references public.solutions on delete cascade,
  trial_id uuid references public.solution_trials on delete cascade,
  comment_id uuid references public.comments on delete cascade,
  forum_topic_id uuid references public.forum_topics on delete cascade,
  forum_post_id uuid references public.forum_posts on delete cascade,
  -- A notification with a message is counted with the unread messages, and read when the message is.
  message_id uuid references public.messages on delete cascade,
  badge_id uuid references public.badges on delete cascade,
  removal_request_id uuid references public.removal_requests on delete cascade,
  resource_suggestion_id uuid references public.resource_suggestions on delete cascade,
  content_report_id uuid references public.content_reports on delete cascade,
  is_read boolean not null default false,
  created_at timestamptz not null default now()
);

comment on table public.notifications is 'Events around a member''s contributions; written by triggers, and deleted with their subject.';

alter table public.notifications enable row level security;

create policy "Members can read their own notifications" on public.notifications
  for select to authenticated using (user_id = (select auth.uid()) and (type <> 'badge_earned' or (select private.shows_points())));
create policy "Members can mark their own notifications read" on public.notifications
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "Members can delete their own notifications" on public.notifications
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "Moderators can tell a member that their content was deleted" on public.notifications
  for insert to authenticated
  with check (
    type = 'content_deleted' and (select private.may_moderate()) and actor_id = (select auth.uid())
    and (
      message_id is null
      or exists (
        select from public.messages m
        where m.id = message_id and m.sender_id = (select auth.uid()) and m.recipient_id = notifications.user_id
      )
    )
  );
create policy "A second step comes before reading" on public.notifications
  as restrictive for select to authenticated using ((select private.has_required_aal()));

-- The latest 50 of a member, and the header's unread count.
create index notifications_user_id_idx on public.notifications (user_id, created_at desc);
create index notifications_unread_idx on public.notifications (user_id) where not is_read;
-- Foreign keys. A notification has few of them, and each index that it is not in makes writing it faster.
create index notifications_actor_id_idx on public.notifications (actor_id) where actor_id is not null;
create index notifications_solution_id_idx on public.notifications (solution_id) where solution_id is not null;
create index notifications_trial_id_idx on public.notifications (trial_id) where trial_id is not null;
create index notifications_comment_id_idx on public.notifications (comment_id) where comment_id is not null;
create index notifications_forum_topic_id_idx on public.notifications (forum_topic_id) where forum_topic_id is not null;
create index notifications_forum_post_id_idx on public.notifications (forum_post_id) where forum_post_id is not null;
create index notifications_message_id_idx on public.notifications (message_id) where message_id is not null;
create index notifications_badge_id_idx on public.notifications (badge_id) where badge_id is not null;
create index notifications_removal_request_id_idx on public.notifications (removal_request_id) where removal_request_id is not null;
create index notifications_resource_suggestion_id_idx on public.notifications (resource_suggestion_id)
  where resource_suggestion_id is not null;
create index notifications_content_report_id_idx on public.notifications (content_report_id) where content_report_id is not null;

grant select, delete on public.notifications to authenticated;
grant update (is_read) on public.notifications to authenticated;
grant insert (user_id, actor_id, type, solution_id, comment_id, forum_topic_id, forum_post_id, message_id) on public.notifications
  to authenticated;
