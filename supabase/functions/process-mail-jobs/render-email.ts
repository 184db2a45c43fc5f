import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { hrefOf, textOf } from '../../../app/notifications/texts.ts';
import { SITE_NAME } from '../../../app/site.ts';
import { button, emailHtml, link, paragraph, quote, row, smallPrint } from '../../emails/layout.ts';
import type { OutgoingMail } from '../context.ts';
import { emailText, type Notice } from './email-texts.ts';

/** The result of `claim_mail`. */
export interface ClaimedMail {
  ids: number[];
  digest: boolean;
  to: string;
  /** Lets the reader of the email unsubscribe; null where the settings offer no choice. */
  unsubscribe: string | null;
  notices: Notice[];
}

/** Lines of a daily summary. */
const MAX_LINES = 40;

/** An email about one thing, or about all of a member's day. */
export function renderEmail(mail: ClaimedMail, siteUrl: string): OutgoingMail {
  const unsubscribe =
    mail.unsubscribe && `${siteUrl}/unsubscribe?token=${encodeURIComponent(mail.unsubscribe)}`;
  const [notice] = mail.notices;
  const { heading, parts, why } =
    mail.digest || !notice ? digest(mail.notices, siteUrl) : single(notice, siteUrl);
  const end = unsubscribe
    ? html`You’re getting this email because email notifications are on in your settings. ${link('Unsubscribe', unsubscribe)}`
    : why;
  return {
    to: mail.to,
    subject: heading.replaceAll(/\s+/g, ' '),
    html: emailHtml(heading, [...parts, smallPrint(end)]),
    headers: {
      ...(unsubscribe && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
      'Auto-Submitted': 'auto-generated',
    },
    messageId: `<notice-${nameOf(mail.ids)}@${new URL(siteUrl).hostname}>`,
  };
}

/**
 * The same for the same notices and for no others: a mail program shows only one of two emails with the same
 * id.
 */
const nameOf = (ids: number[]) =>
  ids.length === 1 ? ids[0] : createHash('sha256').update(ids.join()).digest('hex').slice(0, 32);

function single(notice: Notice, siteUrl: string) {
  const { heading, text, button: label, why = '' } = emailText(notice);
  return {
    heading,
    parts: [
      paragraph(text),
      ...(notice.answer ? [quote(notice.answer)] : []),
      button(label, siteUrl + pathOf(notice)),
    ],
    why,
  };
}

/** One line for each thing, with all members who did the same to it. */
function digest(notices: Notice[], siteUrl: string) {
  const groups = new Map<string, Notice[]>();
  for (const notice of notices) {
    const key = [textOf(notice).headline, notice.solution_id, notice.topic_id, notice.title].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  const rows = [...groups.values()].flatMap((group) => {
    const [one] = group;
    if (!one) return [];
    const { headline, fromSite } = textOf(one);
    const text = fromSite ? `${headline}:` : `${actorsOf(group)} ${headline}`;
    return row(html`${text} ${link(one.title, siteUrl + pathOf(one))}`);
  });
  const rest = rows.length - MAX_LINES;
  return {
    heading: `New for you on ${SITE_NAME}`,
    parts: [
      ...rows.slice(0, MAX_LINES),
      row(rest > 0 ? `And ${rest} more.` : ''),
      button('View your notifications', `${siteUrl}/notifications`),
    ],
    why: '',
  };
}

function actorsOf(group: Notice[]): string {
  const [first = '', ...others] = new Set(group.map(({ actor }) => actor));
  if (others.length === 0) return first;
  return `${first} and ${others.length} ${others.length === 1 ? 'other' : 'others'}`;
}

/**
 * The path to an email's subject; for an email without a notification on the site, a page that says the same.
 */
function pathOf(notice: Notice): string {
  if (notice.type.startsWith('account_deleted')) return '/';
  if (notice.tracking_id) return `/takedown/${notice.tracking_id}`;
  return notice.type === 'takedown_requests' ? '/admin?tab=takedowns' : hrefOf(notice);
}
