import { replyUrl } from '#app/community/forum/categories.ts';
import { siteSettings } from '#app/site.ts';
import { commentAnchor, DISCUSSION } from '#app/solution/comments/anchors.ts';

/*
 * The path and the sentence of a notification, on the page and by email. The function process-mail-jobs reads
 * this file too, so it imports nothing that needs a browser, React or the client.
 */

/** The ids of a notification's subject. */
interface Target {
  type: string;
  solution_id?: string | null | undefined;
  comment_id?: string | null | undefined;
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
  comment_id,
  topic_id,
  post_id,
  removal_request_id,
  use_question_id,
  part,
}: Target): string {
  if (use_question_id) return `/still-in-use/${use_question_id}`;
  if (type === 'removal_request') return `/admin?tab=removal-requests&item=${removal_request_id}`;
  if (['message', 'sanction', 'collection_unshared'].includes(type)) return '/messages';
  if (type === 'badge_earned' || type === 'licence_missing') return '/profile';
  if (type === 'suggestion_approved') return '/resources';
  if (type === 'suggestion_rejected' || type.startsWith('report_')) return '/reports';
  if (type.startsWith('registration_')) return '/settings#registration';
  if (part) return `/browse?q=${encodeURIComponent(part)}`;
  if (topic_id) return post_id ? replyUrl(topic_id, post_id) : `/forum/${topic_id}`;
  if (solution_id && type === 'trial_rejected') return `/solutions/${solution_id}/tried`;
  if (solution_id && type.startsWith('translation_')) return `/solutions/${solution_id}/translate`;
  if (solution_id && type.startsWith('comment'))
    return `/solutions/${solution_id}#${comment_id ? commentAnchor(comment_id) : DISCUSSION}`;
  if (solution_id) return `/solutions/${solution_id}${type.startsWith('trial_') ? '#tried' : ''}`;
  // Of deleted content only its forum is left.
  return type === 'content_deleted' ? '/forum' : '/notifications';
}

/** Where a headline names who acted, and what it is about. */
const [ACTOR, ABOUT] = ['{actor}', '{about}'];

export interface NotificationText {
  /** A whole sentence, so that a translation can put who acted and what it is about wherever its grammar wants them. */
  headline: string;
  /** The headline where the site knows the title of what was reported. */
  titled?: string;
  explanation?: string;
  /** It stands first until it is read, and "Mark all read" leaves it. */
  warning?: {
    about: 'safety' | 'moderation';
    /** The link that leads to it, on the page and by email. */
    open: string;
  };
}

const TEXTS: Record<string, NotificationText> = {
  comment: { headline: `${ACTOR} commented on ${ABOUT}` },
  comment_reply: { headline: `${ACTOR} replied to your comment on ${ABOUT}` },
  like: { headline: `${ACTOR} liked ${ABOUT}` },
  message: { headline: `${ACTOR} sent you a message` },
  sanction: {
    headline: `${ACTOR} sent you a message about your account`,
    warning: { about: 'moderation', open: 'Read the message' },
  },
  forum_reply: { headline: `${ACTOR} replied in ${ABOUT}` },
  answer_marked: { headline: `${ACTOR} marked your reply as the answer that helped in ${ABOUT}` },
  topic_summarised: { headline: `${ACTOR} wrote a summary of ${ABOUT}` },
  safety_notice: {
    headline: `${ACTOR} added a safety notice to ${ABOUT}`,
    warning: { about: 'safety', open: 'Read the notice' },
  },
  part_notice: {
    headline: 'Safety notice on a part you shared, tried or saved',
    warning: { about: 'safety', open: 'View the solutions' },
  },
  suggestion_approved: {
    headline: `${ACTOR} approved your suggestion ${ABOUT}`,
    explanation: 'It is now listed on the resources page.',
  },
  suggestion_rejected: {
    headline: `${ACTOR} declined your suggestion ${ABOUT}`,
    explanation: 'The page of your reports and suggestions shows the reason.',
  },
  report_resolved: {
    headline: `${ACTOR} answered your report`,
    titled: `${ACTOR} answered your report about ${ABOUT}`,
  },
  report_dismissed: {
    headline: `${ACTOR} closed your report`,
    titled: `${ACTOR} closed your report about ${ABOUT}`,
    explanation: 'They found nothing that needs action.',
  },
  registration_checked: {
    headline: 'Your registration was checked',
    explanation: 'Your name and number match the register. Your badge now says so.',
  },
  registration_declined: {
    headline: 'Your registration could not be checked',
    explanation: 'Settings shows the reason. You can correct it there and submit it again.',
  },
  registration_lapsed: {
    headline: 'Please confirm your registration',
    explanation: 'The last check was a year ago. Confirm in Settings that you are still registered.',
  },
  badge_earned: { headline: 'You earned a badge' },
  solution_approved: {
    headline: 'Your solution was approved',
    get explanation() {
      return siteSettings().show_points
        ? 'It is now public and has earned you 50 points. Thank you for sharing it.'
        : 'It is now public. Thank you for sharing it.';
    },
  },
  version_approved: {
    headline: 'Your new version was approved',
    explanation: 'Readers now see it in place of the earlier one.',
  },
  adaptation: { headline: `${ACTOR} shared a solution based on ${ABOUT}` },
  trial_received: { headline: `${ACTOR} tried your solution ${ABOUT}` },
  trial_answered: { headline: `${ACTOR} answered your trial report on ${ABOUT}` },
  trial_approved: {
    headline: 'Your trial report was approved',
    get explanation() {
      return siteSettings().show_points
        ? 'It is now public and has earned you 20 points. Thank you for saying how it went.'
        : 'It is now public. Thank you for saying how it went.';
    },
  },
  trial_rejected: {
    headline: 'Changes requested to your trial report',
    explanation: 'The form shows the reason. You can revise the report there and resubmit it.',
  },
  translation_approved: {
    headline: 'Your translation was approved',
    explanation: 'It is now public. Thank you for bringing it to more readers.',
  },
  translation_rejected: {
    headline: 'Changes requested to your translation',
    explanation: 'The form shows the reason. You can revise the translation there and resubmit it.',
  },
  solution_translated: { headline: `${ACTOR} translated your solution ${ABOUT}` },
  solution_rejected: { headline: 'Changes requested' },
  removal_request: {
    headline: 'Image removal requested',
    explanation: 'You can hide it in one click while you review. A decision is due within 24 hours.',
    warning: { about: 'safety', open: 'Open the request' },
  },
  media_hidden: {
    headline: 'Images of your solution are hidden for now',
    explanation: 'Someone shown in them has asked for their removal. A moderator will decide.',
    warning: { about: 'moderation', open: 'View your solution' },
  },
  media_removed: {
    headline: 'Images of your solution were removed',
    explanation:
      'Someone shown in them asked for this, and a moderator agreed. The rest of your solution stays public.',
    warning: { about: 'moderation', open: 'View your solution' },
  },
  media_restored: {
    headline: 'Images of your solution are shown again',
    explanation: 'A moderator decided that they can stay.',
  },
  licence_missing: {
    headline: 'Choose a licence for the texts and images of your solutions',
    explanation: 'Readers may not copy or translate them yet. Your profile says which.',
  },
  collection_unshared: {
    headline: 'Your collection is no longer shared',
    explanation: 'A moderator removed its link. Their message says why. The collection is still yours.',
    warning: { about: 'moderation', open: 'Read the reason' },
  },
  post_published: {
    headline: 'Your post was published',
    explanation: 'A moderator has reviewed it. Others can see it now.',
  },
  still_in_use: {
    headline: 'Please tell us if this is still in use',
    explanation: 'It takes a few seconds. “No longer” helps colleagues as much as “every day”.',
  },
  images_hidden: {
    headline: 'Images of your post are hidden for now',
    explanation: 'Members reported that a patient can be recognised. A moderator will decide.',
    warning: { about: 'moderation', open: 'View your post' },
  },
  images_removed: {
    headline: 'Images of your post were removed',
    explanation: 'The text of your post stays.',
    warning: { about: 'moderation', open: 'View your post' },
  },
  images_restored: {
    headline: 'Images of your post are shown again',
  },
  content_deleted: {
    headline: 'A moderator removed one of your posts',
    warning: { about: 'moderation', open: 'View the discussion' },
  },
};

/** The types of those that warn. */
export const warningTypes = Object.keys(TEXTS).filter((type) => TEXTS[type]?.warning);

/** The name of who acted, as a sentence begins with it; moderators have none where the site names none. */
export function actorName(type: string, name: string | null | undefined): string {
  const isModerator =
    /^(suggestion|report)_/.test(type) || (type === 'safety_notice' && !siteSettings().names_moderators);
  return name ?? (isModerator ? 'A moderator' : 'Someone');
}

/** The sentence of a notification; a forum reply without a reply's id is a mention in the topic itself. */
export function textOf({ type, post_id }: Pick<Target, 'type' | 'post_id'>): NotificationText {
  if (type === 'forum_reply' && !post_id) return { headline: `${ACTOR} mentioned you in ${ABOUT}` };
  return TEXTS[type] ?? { headline: 'There’s an update on something you posted' };
}

/** Whether the site itself reports it, and not a member. */
export const isFromSite = (headline: string): boolean => !headline.includes(ACTOR);

/**
 * A headline with who acted and what it is about at their places. What the site itself reports is a sentence without
 * either, and what it is about follows it where there is something to name.
 */
export function partsOf<Part>(
  headline: string,
  actor: Part | string,
  about: Part | string | undefined,
): (Part | string)[] {
  const sentence = about && isFromSite(headline) ? `${headline}: ${ABOUT}` : headline;
  return sentence
    .split(/(\{\w+\})/)
    .map((part) => (part === ACTOR ? actor : part === ABOUT ? (about ?? '') : part));
}
