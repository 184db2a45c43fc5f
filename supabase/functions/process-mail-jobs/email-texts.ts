import { textOf } from '../../../app/notifications/texts.ts';
import { SITE_NAME } from '../../../app/site.ts';

/** The event that an email reports. */
export interface Notice {
  type: string;
  actor: string;
  solution_id: string | null;
  topic_id: string | null;
  post_id: string | null;
  /** Title of the solution, topic or badge it is about. */
  title: string;
  /** Subject of the message it is about. */
  subject: string;
  takedown_request_id: string | null;
  /** For the sender of a takedown request: the address to follow it, and the answer. */
  tracking_id: string | null;
  answer: string | null;
}

interface EmailText {
  /** Also the email's subject line. */
  heading: string;
  text: string;
  button: string;
  /** The reason for sending it, where the settings offer no choice. */
  why?: string;
}

const toModerators = `You get this because you moderate ${SITE_NAME}.`;
const aboutRequest = {
  button: 'See how it stands',
  why: `You get this because this address was given in a request on ${SITE_NAME}. If that was not you, ignore it: nothing else is sent, and the address is erased 30 days after the request is closed.`,
};

/** The parts of an email beside, or in the place of, those of the notification on the site. */
const TEXTS: Record<string, (notice: Notice) => Partial<EmailText> & Pick<EmailText, 'button'>> = {
  message: ({ actor, subject }) => ({
    heading: `${actor} ${textOf({ type: 'message' }).headline}: ${subject}`,
    text: 'What it says is kept on the site, where only the two of you can read it.',
    button: 'Read and reply',
  }),
  solution_approved: () => ({ button: 'See your solution' }),
  solution_rejected: () => ({
    text: 'A moderator could not approve it yet. The reason is on its page, where you can revise and resubmit it.',
    button: 'Read the reason',
  }),
  content_deleted: () => ({ button: 'See the discussion' }),
  media_hidden: () => ({ button: 'See your solution' }),
  media_removed: () => ({ button: 'See your solution' }),
  media_restored: () => ({ button: 'See your solution' }),
  safety_notice: ({ title, actor }) => ({
    heading: `Safety notice: ${title}`,
    text: `${actor} has put a safety notice on a solution that you shared, liked or commented on. Please read it before you build on it.`,
    button: 'Read the notice',
  }),
  takedown_request: () => ({
    button: 'Open the request',
    why: `${toModerators} Requests like this reach every moderator.`,
  }),
  takedown_requests: () => ({
    heading: 'More requests to remove pictures are waiting',
    text: 'Further requests have come in since the last alert. A decision on each is due within 24 hours.',
    button: 'Open the requests',
    why: `${toModerators} Within an hour of an alert, further requests are told of together.`,
  }),
  takedown_received: () => ({
    heading: 'We have received your request',
    text: 'A moderator has been alerted. We decide within 24 hours and write to you again. Keep this e-mail to yourself: whoever has its link can see how your request stands.',
    ...aboutRequest,
  }),
  takedown_hidden: () => ({
    heading: 'The pictures are hidden',
    text: 'Readers no longer see the pictures you told us about. We now look into your request and write to you again when it is decided.',
    ...aboutRequest,
  }),
  takedown_removed: () => ({
    heading: 'The pictures have been removed',
    text: 'The pictures you told us about are no longer on the site, in any size. Copies in backups go when the backups are replaced.',
    ...aboutRequest,
  }),
  takedown_kept: () => ({
    heading: 'We have decided on your request',
    text: 'The pictures stay on the site. This is why:',
    ...aboutRequest,
  }),
};

/** The texts of an email about one thing. */
export function emailText(notice: Notice): EmailText {
  const { type, actor, title } = notice;
  const { headline, fromSite, explanation } = textOf(notice);
  return {
    heading: fromSite ? headline + (title && `: ${title}`) : `${actor} ${headline} ${title}`,
    text: explanation ?? '',
    button: 'See it on the site',
    ...TEXTS[type]?.(notice),
  };
}
