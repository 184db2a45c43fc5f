import { type EmailWords, type MailedNotice, partsOf } from '../../../app/frame/kinds/notice-type.ts';
import { noticeTypeOf } from '../../../app/notice-types.ts';
import { siteName } from '../../../app/site.ts';

/** A whole email about one thing. */
type EmailText = Required<EmailWords>;

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

/** Emails of which there is no notification on the site. */
const TEXTS: Record<string, () => EmailWords> = {
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
export function emailText(notice: MailedNotice): EmailText {
  const { type, actor, title } = notice;
  const { headline, explanation, warning, email } = noticeTypeOf(notice);
  return {
    heading: partsOf(headline, actor, title).join(''),
    text: explanation ?? '',
    button: warning?.open ?? 'View on the site',
    why: '',
    ...(typeof email === 'function' ? email(notice) : email),
    ...TEXTS[type]?.(),
  };
}
