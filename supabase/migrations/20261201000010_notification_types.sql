-- What a notification can be about: those of 1.0, and what came after.
alter table public.notifications drop constraint notifications_type_check;
alter table public.notifications add constraint notifications_type_check check (type in (
  'comment', 'like', 'message', 'content_deleted',
  'solution_approved', 'solution_rejected', 'forum_reply', 'comment_reply', 'badge_earned',
  'removal_request', 'media_hidden', 'media_removed', 'media_restored', 'safety_notice',
  'suggestion_approved', 'suggestion_rejected', 'report_resolved', 'report_dismissed', 'version_approved', 'adaptation',
  'registration_checked', 'registration_declined', 'registration_lapsed',
  'trial_received', 'trial_approved', 'trial_rejected', 'trial_answered', 'collection_unshared', 'post_published',
  'answer_marked', 'topic_summarised',
  'still_in_use', 'part_notice',
  'translation_approved', 'translation_rejected', 'solution_translated',
  'images_hidden', 'images_removed', 'images_restored',
  'licence_missing'
));
