import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { type MailedNotice, partsOf } from '../../../app/frame/kinds/notice-type.ts';
import { actorName, noticePath, noticeTypeOf } from '../../../app/notice-types.ts';
import { type FollowedNews, newsPath, newsText, subjectTitle } from '../../../app/people/follows/news.ts';
import { siteName } from '../../../app/site.ts';
import { warnedTitle } from '../../../app/solution/warnings/safety-notice-kinds.ts';
import { asWritten } from '../../../app/ui/languages/guess-language.ts';
import { textLanguage } from '../../../app/ui/languages/languages.ts';
import {
  button,
  emailHtml,
  group,
  line,
  link,
  paragraph,
  quote,
  row,
  smallPrint,
} from '../../emails/layout.ts';
import type { OutgoingMail } from '../context.ts';
import { emailText } from './email-texts.ts';

/** The result of `claim_mail`. */
export interface ClaimedMail {
  ids: number[];
  digest: boolean;
  to: string;
  /** Lets the reader of the email unsubscribe; null where the settings offer no choice. */
  unsubscribe: string | null;
  /** The reader of a weekly digest, and the start of the time that it covers. */
  member: string | null;
  since: string | null;
  until: string | null;
  /** The tokens that end following a subject, by the id of the follow or topic. */
  unfollow: Record<string, string> | null;
  notices: MailedNotice[];
}

/** Lines of a daily summary. */
const MAX_LINES = 40;
/** Lines of a weekly digest. */
const MAX_DIGEST_LINES = 150;

/** An email about one thing, about all of a member's day, or with the news of a week. */
export function renderEmail(claimed: ClaimedMail, siteUrl: string, news: FollowedNews[] = []): OutgoingMail {
  // Of one who is not named, the database says "Someone".
  const named = ({ type, actor }: MailedNotice) => actorName(type, actor === 'Someone' ? null : actor);
  const mail = { ...claimed, notices: claimed.notices.map((one) => ({ ...one, actor: named(one) })) };
  const stopUrl = (token: string) => `${siteUrl}/unsubscribe?token=${encodeURIComponent(token)}`;
  const unsubscribe = mail.unsubscribe && stopUrl(mail.unsubscribe);
  const [notice] = mail.notices;
  const unfollow = Object.values(mail.unfollow ?? {}).slice(0, 1);
  const { heading, parts, why, said } = mail.member
    ? weeklyDigest(news, (id) => stopUrl(mail.unfollow?.[id] ?? ''), siteUrl)
    : mail.digest || !notice
      ? digest(mail.notices, siteUrl, mail.to)
      : single(notice, siteUrl, mail.to);
  const end = !unsubscribe
    ? why
    : mail.member
      ? html`You’re getting this email because the weekly digest is on in your settings. ${link('Stop the weekly digest', unsubscribe)}`
      : notice?.use_question
        ? html`You’re getting this email because “Still in use?” questions are on in your settings. ${link('Stop questions about this one', stopUrl(notice.use_question.stop))} · ${link('Stop all these questions', unsubscribe)}`
        : html`You’re getting this email because email notifications are on in your settings. ${link('Unsubscribe', unsubscribe)}${unfollow.map((token) => html` · ${link('Stop following this', stopUrl(token))}`)}`;
  return {
    to: mail.to,
    subject: heading.replaceAll(/\s+/g, ' '),
    html: emailHtml(heading, [...parts, smallPrint(end)], siteName(), said),
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

/** The title of what a notice is about, in its language, behind what readers are warned of. */
function titleOf({ title, language, safety_kind }: MailedNotice) {
  const warning = warnedTitle(safety_kind, '');
  if (!language) return warning + title;
  const { lang, dir } = textLanguage(language);
  return html`${warning}<bdi lang="${lang}" dir="${dir}">${title}</bdi>`;
}

function single(notice: MailedNotice, siteUrl: string, to: string) {
  const { heading, text, button: label, why } = emailText(notice);
  // The title within it is in the language of its author.
  const [before = '', ...after] = notice.title ? heading.split(notice.title) : [heading];
  return {
    heading: notice.title
      ? heading.replace(notice.title, () => warnedTitle(notice.safety_kind, notice.title))
      : heading,
    said: after.length > 0 ? html`${before}${titleOf(notice)}${after.join(notice.title)}` : heading,
    parts: [
      paragraph(text),
      ...(notice.answer ? [quote(notice.answer)] : []),
      button(label, siteUrl + pathOf(notice, to)),
    ],
    why,
  };
}

/** One line for each thing, with all members who did the same to it. */
function digest(notices: MailedNotice[], siteUrl: string, to: string) {
  const groups = new Map<string, MailedNotice[]>();
  for (const notice of notices) {
    const key = [noticeTypeOf(notice).headline, notice.solution_id, notice.topic_id, notice.title].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  const rows = [...groups.values()].flatMap((group) => {
    const [one] = group;
    if (!one) return [];
    const about = link(titleOf(one), siteUrl + pathOf(one, to));
    return row(html`${partsOf(noticeTypeOf(one).headline, actorsOf(group), about)}`);
  });
  const rest = rows.length - MAX_LINES;
  return {
    heading: `New for you on ${siteName()}`,
    said: undefined,
    parts: [
      ...rows.slice(0, MAX_LINES),
      row(rest > 0 ? `And ${rest} more.` : ''),
      button('View your notifications', `${siteUrl}/notifications`),
    ],
    why: '',
  };
}

/** A text of which no language is said, in the one that it tells by itself. */
function written(text: string) {
  const { lang } = asWritten(text);
  return lang ? html`<bdi lang="${lang}" dir="auto">${text}</bdi>` : text;
}

/** Each subject with its news, and the link that ends following it. */
function weeklyDigest(news: FollowedNews[], stopUrl: (id: string) => string, siteUrl: string) {
  const rows = news.flatMap((subject) => [
    group(
      html`<strong>${written(subjectTitle(subject))}</strong> · <small style="white-space: nowrap;">${link('Stop following', stopUrl(subject.id))}</small>`,
    ),
    ...subject.items.map((item) => {
      const { text, link: words } = newsText(subject, item);
      return line(html`${text} ${link(written(words), siteUrl + newsPath(item))}`);
    }),
  ]);
  const rest = rows.length - MAX_DIGEST_LINES;
  return {
    heading: `This week on ${siteName()}`,
    said: undefined,
    parts: [
      ...rows.slice(0, MAX_DIGEST_LINES),
      group(rest > 0 ? 'There is more on the site.' : ''),
      button('View what you follow', `${siteUrl}/following`),
    ],
    why: '',
  };
}

function actorsOf(group: MailedNotice[]): string {
  const [first = '', ...others] = new Set(group.map(({ actor }) => actor));
  if (others.length === 0) return first;
  return `${first} and ${others.length} ${others.length === 1 ? 'other' : 'others'}`;
}

/** The pages that emails about accounts lead to. */
const PAGES: Record<string, string> = {
  account_deleted_keep: '/',
  account_deleted_remove: '/',
  account_disabled: '/contact',
  account_enabled: '/auth',
  second_step_removed: '/auth',
};

/**
 * The path to an email's subject; for an email without a notification on the site, a page that says the same.
 *
 * @param to the address of its reader
 */
function pathOf(notice: MailedNotice, to: string): string {
  // Browsers keep what stands behind the sign to themselves: addresses of pages are logged.
  if (notice.type === 'invitation') return `/auth?tab=sign-up#email=${encodeURIComponent(to)}`;
  const page = PAGES[notice.type];
  if (page) return page;
  const { use_question: asked } = notice;
  if (asked)
    return `${noticePath({ type: notice.type, use_question_id: asked.id })}?token=${encodeURIComponent(asked.token)}`;
  if (notice.tracking_id) return `/removal-request/${notice.tracking_id}`;
  return notice.type === 'removal_requests'
    ? '/admin?tab=removal-requests'
    : noticePath({ ...notice, part: notice.type === 'part_notice' ? notice.title : null });
}
