import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutgoingMail } from '../context.ts';
import { words } from './words.ts';

export interface Notice {
  type: string;
  actor: string;
  solution_id: string | null;
  topic_id: string | null;
  /** Of the solution, topic or badge it is about. */
  title: string;
  /** Of the message it is about. */
  subject: string;
  takedown_request_id: string | null;
  /** For whoever asked for a takedown: where they follow it, and what was answered. */
  tracking_id: string | null;
  answer: string | null;
}

/** What `claim_mail` answers. */
export interface ClaimedMail {
  ids: number[];
  digest: boolean;
  to: string;
  /** Lets whoever has the mail stop further ones; null where it is no matter of choice. */
  unsubscribe: string | null;
  notices: Notice[];
}

const MOST_LINES = 40;

/** A mail as its template in `supabase/templates` words it; the template's title is the subject. */
export function letterOf(mail: ClaimedMail, siteUrl: string): OutgoingMail {
  const unsubscribe =
    mail.unsubscribe === null
      ? undefined
      : `${siteUrl}/unsubscribe?token=${encodeURIComponent(mail.unsubscribe)}`;
  const [first] = mail.notices;
  const told = mail.digest || !first ? undefined : words[first.type]?.(first);
  const lines = mail.digest
    ? digestLines(mail.notices, siteUrl)
    : first?.answer
      ? [{ Text: first.answer, Title: '', LinkURL: '' }]
      : [];
  const rest = lines.length - MOST_LINES;
  const values = {
    Actor: first?.actor ?? '',
    Title: first?.title ?? '',
    Subject: first?.subject ?? '',
    LinkURL: siteUrl + (mail.digest || !first ? '/notifications' : placeOf(first)),
    UnsubscribeURL: unsubscribe ?? '',
    Rest: rest > 0 ? `And ${rest} more.` : '',
    Heading: told?.heading ?? '',
    Text: told?.text ?? '',
    Button: told?.button ?? '',
    Why: told?.why ?? '',
  };
  const generic = told && (unsubscribe ? 'site_notice' : 'site_letter');
  const template = readFileSync(
    join(
      import.meta.dirname,
      `../../templates/${mail.digest ? 'daily_digest' : (generic ?? `${first?.type}_notice`)}.html`,
    ),
    'utf8',
  );
  // What people wrote is filled in once, so that nothing in it is taken for a variable.
  const [head = '', block = '', tail = ''] = template.split(/\{\{ range \.Notices \}\}|\{\{ end \}\}/);
  const listed = lines.slice(0, MOST_LINES).map((line) => fill(block, line));
  const subject = /<title>(.*?)<\/title>/.exec(template)?.[1] ?? '';
  return {
    to: mail.to,
    subject: fill(subject, values, (text) => text.replaceAll(/\s+/g, ' ')),
    html: [fill(head, values), ...listed, fill(tail, values)].join(''),
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

/** The same for the same notices and for no others: a mail program shows only one of two mails of one name. */
const nameOf = (ids: number[]) =>
  ids.length === 1 ? ids[0] : createHash('sha256').update(ids.join()).digest('hex').slice(0, 32);

type Line = { Text: string; Title: string; LinkURL: string };

/** One line for each thing, with all who did the same to it. */
function digestLines(notices: Notice[], siteUrl: string): Line[] {
  const groups = new Map<string, Notice[]>();
  for (const notice of notices) {
    const key = [notice.type, notice.solution_id, notice.topic_id, notice.title].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  return [...groups.values()].flatMap((group) => {
    const [one] = group;
    if (!one) return [];
    const actors = [...new Set(group.map(({ actor }) => actor))];
    const others = actors.length - 1;
    const who = others > 0 ? `${actors[0]} and ${others} ${others === 1 ? 'other' : 'others'}` : actors[0];
    return {
      Text: one.type === 'badge_earned' ? 'You earned a badge:' : `${who} ${DEEDS[one.type]}`,
      Title: one.title,
      LinkURL: siteUrl + placeOf(one),
    };
  });
}

const DEEDS: Record<string, string> = {
  like: 'liked',
  comment: 'commented on',
  comment_reply: 'replied to your comment on',
  forum_reply: 'replied in',
};

/** The same places to which the notifications page leads. */
function placeOf({ type, solution_id: solution, topic_id: topic, ...takedown }: Notice): string {
  if (takedown.tracking_id) return `/takedown/${takedown.tracking_id}`;
  if (type === 'takedown_requests') return '/admin?tab=takedowns';
  if (type === 'takedown_request') return `/admin?tab=takedowns&request=${takedown.takedown_request_id}`;
  if (type === 'message') return '/messages';
  if (type === 'badge_earned') return '/profile';
  if (type === 'content_deleted') return '/notifications';
  if (topic) return `/forum/${topic}`;
  return solution ? `/solutions/${solution}` : '/notifications';
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Replaces `{{ .Name }}`, as in the templates of the sign-in mails. */
function fill(template: string, values: Record<string, string>, safely = escapeHtml): string {
  return template.replaceAll(/\{\{ \.(\w+) \}\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : safely(value);
  });
}
