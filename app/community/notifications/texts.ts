import { replyUrl } from '#app/community/forum/categories.ts';
import { siteSettings } from '#app/site.ts';

/*
 * The path and the sentence of a notification, on the page and by email. The function process-mail-jobs reads
 * this file too, so it imports nothing that needs a browser, React or the client.
 */

/** The ids of a notification's subject. */
interface Target {
  type: string;
  solution_id?: string | null | undefined;
  topic_id?: string | null | undefined;
  post_id?: string | null | undefined;
  removal_request_id?: string | null | undefined;
  use_question_id?: string | null | undefined;
  /** Maker and number of a part, by which the reader finds the solutions with it. */
  part?: string | null | undefined;
}

/** The path to a notification's subject, or to its former place. */
export function hrefOf({
  type,
  solution_id,
  topic_id,
  post_id,
  removal_request_id,
  use_question_id,
  part,
}: Target): string {
  if (use_question_id) return `/still-in-use/${use_question_id}`;
  if (type === 'removal_request') return `/admin?tab=removal-requests&request=${removal_request_id}`;
  if (type === 'message' || type === 'collection_unshared') return '/messages';
  if (type === 'badge_earned' || type === 'licence_missing') return '/profile';
  if (type === 'suggestion_approved') return '/resources';
  if (type === 'suggestion_rejected' || type.startsWith('report_')) return '/reports';
  if (type.startsWith('registration_')) return '/settings#registration';
  if (part) return `/browse?q=${encodeURIComponent(part)}`;
  if (topic_id) return post_id ? replyUrl(topic_id, post_id) : `/forum/${topic_id}`;
  if (solution_id && type === 'trial_rejected') return `/solutions/${solution_id}/tried`;
  if (solution_id && type.startsWith('translation_')) return `/solutions/${solution_id}/translate`;
  if (solution_id) return `/solutions/${solution_id}${type.startsWith('trial_') ? '#tried' : ''}`;
  // Of deleted content only its forum is left.
  return type === 'content_deleted' ? '/forum' : '/notifications';
}

/** What a contribution has earned its author, where the site shows points. */
const earned = (points: number) => (siteSettings().show_points ? ` and has earned you ${points} points` : '');

export interface NotificationText {
  /** Follows the name of the member who acted, unless the site itself reports it. */
  headline: string;
  fromSite?: true;
  explanation?: string;
}

const TEXTS: Record<string, NotificationText> = {
  comment: { headline: 'commented on' },
  comment_reply: { headline: 'replied to your comment on' },
  like: { headline: 'liked' },
  message: { headline: 'sent you a message' },
  forum_reply: { headline: 'replied in' },
  answer_marked: { headline: 'marked your reply as the answer that helped in' },
  topic_summarised: { headline: 'wrote a summary of' },
  safety_notice: { headline: 'added a safety notice to' },
  part_notice: { headline: 'Safety notice on a part you shared, tried or saved', fromSite: true },
  suggestion_approved: {
    headline: 'approved your suggestion',
    explanation: 'It is now listed on the resources page.',
  },
  suggestion_rejected: { headline: 'declined your suggestion' },
  report_resolved: { headline: 'answered your report' },
  report_dismissed: {
    headline: 'closed your report',
    explanation: 'They found nothing that needs action.',
  },
  registration_checked: {
    headline: 'Your registration was checked',
    fromSite: true,
    explanation: 'Your name and number match the register. Your badge now says so.',
  },
  registration_declined: {
    headline: 'Your registration could not be checked',
    fromSite: true,
    explanation: 'Settings shows the reason. You can correct it there and submit it again.',
  },
  registration_lapsed: {
    headline: 'Please confirm your registration',
    fromSite: true,
    explanation: 'The last check was a year ago. Confirm in Settings that you are still registered.',
  },
  badge_earned: { headline: 'You earned a badge', fromSite: true },
  solution_approved: {
    headline: 'Your solution was approved',
    fromSite: true,
    get explanation() {
      return `It is now public${earned(50)}. Thank you for sharing it.`;
    },
  },
  version_approved: {
    headline: 'Your new version was approved',
    fromSite: true,
    explanation: 'Readers now see it in place of the earlier one.',
  },
  adaptation: { headline: 'shared a solution based on' },
  trial_received: { headline: 'tried your solution' },
  trial_answered: { headline: 'answered your trial report on' },
  trial_approved: {
    headline: 'Your trial report was approved',
    fromSite: true,
    get explanation() {
      return `It is now public${earned(20)}. Thank you for saying how it went.`;
    },
  },
  trial_rejected: {
    headline: 'Changes requested to your trial report',
    fromSite: true,
    explanation: 'The form shows the reason. You can revise the report there and resubmit it.',
  },
  translation_approved: {
    headline: 'Your translation was approved',
    fromSite: true,
    explanation: 'It is now public. Thank you for bringing it to more readers.',
  },
  translation_rejected: {
    headline: 'Changes requested to your translation',
    fromSite: true,
    explanation: 'The form shows the reason. You can revise the translation there and resubmit it.',
  },
  solution_translated: { headline: 'translated your solution' },
  solution_rejected: { headline: 'Changes requested', fromSite: true },
  removal_request: {
    headline: 'Image removal requested',
    fromSite: true,
    explanation: 'You can hide it in one click while you review. A decision is due within 24 hours.',
  },
  media_hidden: {
    headline: 'Images of your solution are hidden for now',
    fromSite: true,
    explanation: 'Someone shown in them has asked for their removal. A moderator will decide.',
  },
  media_removed: {
    headline: 'Images of your solution were removed',
    fromSite: true,
    explanation:
      'Someone shown in them asked for this, and a moderator agreed. The rest of your solution stays public.',
  },
  media_restored: {
    headline: 'Images of your solution are shown again',
    fromSite: true,
    explanation: 'A moderator decided that they can stay.',
  },
  licence_missing: {
    headline: 'Choose a licence for the texts and images of your solutions',
    fromSite: true,
    explanation: 'Readers may not copy or translate them yet. Your profile says which.',
  },
  collection_unshared: {
    headline: 'Your collection is no longer shared',
    fromSite: true,
    explanation: 'A moderator removed its link. Their message says why. The collection is still yours.',
  },
  post_published: {
    headline: 'Your post was published',
    fromSite: true,
    explanation: 'A moderator has reviewed it. Others can see it now.',
  },
  still_in_use: {
    headline: 'Please tell us if this is still in use',
    fromSite: true,
    explanation: 'It takes a few seconds. “No longer” helps colleagues as much as “every day”.',
  },
  images_hidden: {
    headline: 'Images of your post are hidden for now',
    fromSite: true,
    explanation: 'Members reported that a patient can be recognised. A moderator will decide.',
  },
  images_removed: {
    headline: 'Images of your post were removed',
    fromSite: true,
    explanation: 'The text of your post stays.',
  },
  images_restored: {
    headline: 'Images of your post are shown again',
    fromSite: true,
  },
  content_deleted: {
    headline: 'A moderator removed one of your posts',
    fromSite: true,
  },
};

/** The name of who acted, as a sentence begins with it; moderators have none where the site names none. */
export function actorName(type: string, name: string | null | undefined): string {
  const isModerator =
    /^(suggestion|report)_/.test(type) || (type === 'safety_notice' && !siteSettings().names_moderators);
  return name ?? (isModerator ? 'A moderator' : 'Someone');
}

/** The sentence of a notification; a forum reply without a reply's id is a mention in the topic itself. */
export function textOf({ type, post_id }: Pick<Target, 'type' | 'post_id'>): NotificationText {
  if (type === 'forum_reply' && !post_id) return { headline: 'mentioned you in' };
  return TEXTS[type] ?? { headline: 'There’s an update on something you posted', fromSite: true };
}
