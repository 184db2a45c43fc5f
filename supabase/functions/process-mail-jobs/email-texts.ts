import { partsOf, textOf } from '../../../app/community/notifications/texts.ts';
import { siteName } from '../../../app/site.ts';

/** The event that an email reports. */
export interface Notice {
  type: string;
  actor: string;
  solution_id: string | null;
  topic_id: string | null;
  post_id: string | null;
  /** Title of the solution, topic or badge it is about. */
  title: string;
  /** The safety notice on the solution, if any. */
  safety_kind: string | null;
  /** Its language; null where none is said. */
  language: string | null;
  /** Subject of the message it is about. */
  subject: string;
  removal_request_id: string | null;
  /** For the sender of a removal request: the address to follow it, and the answer. */
  tracking_id: string | null;
  answer: string | null;
  /** What “Still in use?” asks about, with the tokens that answer it and that stop its questions without signing in. */
  use_question: { id: string; months: number; token: string; stop: string } | null;
}

interface EmailText {
  /** Also the email's subject line. */
  heading: string;
  text: string;
  button: string;
  /** The reason for sending it, where the settings offer no choice. */
  why?: string;
}

const toModerators = () => `You’re getting this email because you moderate ${siteName()}.`;
const aboutRequest = () => ({
  button: 'Track your request',
  why: `You’re getting this email because someone gave this address in a request on ${siteName()}. If it wasn’t you, you can ignore it. We delete the address 30 days after closing the request.`,
});

const ABOUT_ACCOUNT = 'You’re getting this email because it is about your account.';

/** After an account has been deleted; the reader chose what happened to their published content. */
const farewell = (content: string) => () => ({
  heading: 'Your account was deleted',
  text: `We’ve deleted your ${siteName()} account and your personal data. ${content} Messages you sent stay with the people who received them, attributed to “Former member”. Thank you for taking part.`,
  button: `Visit ${siteName()}`,
  why: 'This is the last email we’ll send you. If you didn’t delete your account, please contact us straight away.',
});

const aMessage = ({ actor, subject }: Notice) => ({
  heading: `${actor} sent you a message: ${subject}`,
  text: 'The message is on the site, where only the two of you can read it.',
});

/** The parts of an email beside, or in the place of, those of the notification on the site. */
const TEXTS: Record<string, (notice: Notice) => Partial<EmailText>> = {
  message: (notice) => ({ ...aMessage(notice), button: 'Read and reply' }),
  sanction: (notice) => aMessage(notice),
  solution_approved: () => ({ button: 'View your solution' }),
  solution_rejected: () => ({
    text: 'A moderator couldn’t approve it yet. You can read the reason, revise it and resubmit it on its page.',
    button: 'Read the reason',
  }),
  trial_approved: () => ({ button: 'View your trial report' }),
  trial_rejected: () => ({ button: 'Read the reason' }),
  translation_approved: () => ({ button: 'View your translations' }),
  translation_rejected: () => ({ button: 'Read the reason' }),
  content_deleted: () => ({
    text: 'If the moderator explained why, you’ll find the explanation in your messages.',
  }),
  images_restored: () => ({ button: 'View your post' }),
  post_published: () => ({ button: 'View your post' }),
  still_in_use: ({ title, use_question }) => ({
    heading: `Still in use? ${title}`,
    text: `It is ${use_question?.months} months since you reported on this. Is it still used: every day, sometimes or no longer? “No longer” and “I don’t know” help colleagues as much as “every day”. You can answer without signing in.`,
    button: 'Answer',
  }),
  licence_missing: () => ({ button: 'View your solutions' }),
  suggestion_approved: () => ({ button: 'View all resources' }),
  suggestion_rejected: () => ({
    text: 'It was not added to the resources page. Thank you for suggesting it.',
    button: 'Read the reason',
  }),
  report_resolved: () => ({
    text: 'The answer is on the site, where only you and the moderators can read it.',
    button: 'Read the answer',
  }),
  report_dismissed: () => ({ button: 'View your reports' }),
  registration_checked: () => ({ button: 'View your registration' }),
  registration_declined: () => ({ button: 'Read the reason' }),
  registration_lapsed: () => ({ button: 'Confirm your registration' }),
  media_restored: () => ({ button: 'View your solution' }),
  // The title has the warning before it.
  safety_notice: ({ title, actor, safety_kind }) => ({
    heading: safety_kind ? title : `Safety notice: ${title}`,
    text: `${actor} added a safety notice to a solution that you shared, tried, liked, commented on or follow. Please read it before you use or build it.`,
  }),
  part_notice: () => ({
    text: 'The notice is on the page of every solution with this part. Please read it before you use or build one.',
  }),
  removal_request: () => ({
    why: `${toModerators()} Requests like this reach every moderator.`,
  }),
  removal_requests: () => ({
    heading: 'More requests to remove images are waiting',
    text: 'We’ve received more requests since the last alert. Each needs a decision within 24 hours.',
    button: 'Open the requests',
    why: `${toModerators()} Requests that arrive within an hour of an alert are sent together.`,
  }),
  removal_request_received: () => ({
    heading: 'We have received your request',
    text: 'We’ve alerted a moderator. We’ll decide within 24 hours and email you again. Keep this email private, because anyone with its link can see the progress of your request.',
    ...aboutRequest(),
  }),
  removal_request_hidden: () => ({
    heading: 'The images are hidden',
    text: 'Readers can no longer see the images you told us about. We’re reviewing your request and will email you when we’ve decided.',
    ...aboutRequest(),
  }),
  removal_request_removed: () => ({
    heading: 'The images have been removed',
    text: 'The images you told us about are no longer on the site, in any size. Copies in backups are deleted when the backups are replaced.',
    ...aboutRequest(),
  }),
  account_deleted_keep: farewell('Your published content stays, attributed to “Former member”.'),
  account_deleted_remove: farewell('Your published content was deleted too.'),
  account_disabled: () => ({
    heading: 'Your account was disabled',
    text: `An administrator of ${siteName()} has disabled your account. You can’t sign in; what you published stays.`,
    button: 'Contact us',
    why: ABOUT_ACCOUNT,
  }),
  account_enabled: () => ({
    heading: 'Your account was enabled again',
    text: `You can sign in to ${siteName()} again.`,
    button: 'Sign in',
    why: ABOUT_ACCOUNT,
  }),
  second_step_removed: () => ({
    heading: 'Your second step was removed',
    text: 'An administrator has removed two-step sign-in from your account and signed you out everywhere. Please sign in and set it up again. If you didn’t ask for this, contact us straight away.',
    button: 'Sign in',
    why: ABOUT_ACCOUNT,
  }),
  invitation: () => ({
    heading: `You’ve been invited to ${siteName()}`,
    text: `You’ve been invited to join ${siteName()}, where prosthetics professionals share solutions that worked. Sign up with this email within 30 days.`,
    button: 'Create your account',
    why: 'If you don’t know why you got this email, you can ignore it.',
  }),
  removal_request_kept: () => ({
    heading: 'We have decided on your request',
    text: 'The images will stay on the site, for this reason:',
    ...aboutRequest(),
  }),
};

/** The texts of an email about one thing. */
export function emailText(notice: Notice): EmailText {
  const { type, actor, title } = notice;
  const { headline, explanation, warning } = textOf(notice);
  return {
    heading: partsOf(headline, actor, title).join(''),
    text: explanation ?? '',
    button: warning?.open ?? 'View on the site',
    ...TEXTS[type]?.(notice),
  };
}
