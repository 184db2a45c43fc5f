import { makerText } from '#app/solution/fabrication/fabrication.ts';
import { isSafetyKind, safetyKinds } from '#app/solution/warnings/safety-notice-kinds.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import type { Notification } from './data.ts';
import { actorName, hrefOf, isFromSite, textOf } from './texts.ts';

/** Notifications that are shown as one, newest first. */
export interface Group {
  latest: Notification;
  all: Notification[];
}

/** The thing around which notifications of one kind are grouped; undefined for kinds that stand alone. */
function subjectOf({ type, solution, topic, post }: Notification): string | undefined {
  if (['like', 'comment', 'comment_reply', 'adaptation', 'trial_received'].includes(type))
    return solution?.id;
  if (type === 'badge_earned') return 'badges';
  // Without a reply it is a mention in the topic itself.
  return type === 'forum_reply' && post ? topic?.id : undefined;
}

/** A day by the reader's clock, as `2026-11-20`. */
const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/**
 * Likes, comments and replies on one thing on one day are grouped; an unread notification never hides among read ones.
 */
export function groupNotifications(notifications: Notification[]): Group[] {
  const groups = new Map<string, Group>();
  for (const notification of notifications) {
    const { id, type, is_read: isRead, created_at } = notification;
    const subject = subjectOf(notification);
    const key = subject ? `${type} ${subject} ${isRead} ${dayOf(new Date(created_at))}` : id;
    const group = groups.get(key);
    if (group) group.all.push(notification);
    else groups.set(key, { latest: notification, all: [notification] });
  }
  return [...groups.values()];
}

/** The groups of each day, by the reader's clock. */
export function byDay(groups: Group[], now = new Date()): { title: string; groups: Group[] }[] {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  const names = new Map([
    [dayOf(now), 'Today'],
    [dayOf(yesterday), 'Yesterday'],
  ]);
  const parts = new Map<string, Group[]>();
  for (const group of groups) {
    const day = dayOf(new Date(group.latest.created_at));
    const title = names.get(day) ?? formatDay(day);
    parts.set(title, [...(parts.get(title) ?? []), group]);
  }
  return [...parts].map(([title, ofDay]) => ({ title, groups: ofDay }));
}

/** The safety notice that a notification tells of, as long as it holds. */
const noticeOf = ({ type, solution, part_notice }: Notification) =>
  part_notice ??
  (type === 'safety_notice' ? solution?.safety_notices.find(({ ended_at }) => !ended_at) : undefined);

/** Whether it says that something must not be used. */
export const isRecall = (notification: Notification): boolean => noticeOf(notification)?.kind === 'recall';

/** The name of the member who acted. */
export const actorOf = ({ type, actor }: Notification): string =>
  actorName(type, actor?.full_name ?? actor?.username);

/** The members who acted: one or two by name, or the first and how many others. */
export function actorsOf({ all }: Group): { names: string[]; others: number } {
  const names = [...new Map(all.map((one) => [one.actor?.id ?? one.id, actorOf(one)])).values()];
  return names.length > 2 ? { names: names.slice(0, 1), others: names.length - 1 } : { names, others: 0 };
}

/** The path a group leads to: of several replies, the one to begin reading with. */
export const linkOf = ({ latest, all }: Group) => {
  const { type, solution, topic, post, removal_request_id, use_question_id, part_notice } =
    all.at(-1) ?? latest;
  return hrefOf({
    type,
    solution_id: solution?.id,
    topic_id: topic?.id,
    post_id: post?.id,
    removal_request_id,
    use_question_id,
    part: part_notice && makerText(part_notice),
  });
};

/**
 * The parts of a group: its sentence, its subject, and what stands below it: the text of the latest, the consequence, or how
 * a trial went.
 */
export function lineOf({ latest, all }: Group) {
  const { type, solution, trial, comment, topic, post, message, suggestion, report, badge, part_notice } =
    latest;
  const text = textOf({ type, post_id: post?.id });
  const isLetter = type === 'message' || type === 'sanction';
  const letter = isLetter ? message?.subject : message?.content;
  const written = comment?.content ?? post?.content ?? letter;
  const notice = noticeOf(latest);
  const safety = isSafetyKind(notice?.kind) ? safetyKinds[notice.kind] : undefined;
  const reason =
    type === 'solution_rejected'
      ? solution?.rejection_reason
      : notice && [safety?.title, notice.content].filter(Boolean).join(' ');
  const badges = all.flatMap((one) => one.badge?.name ?? []);
  // What one member found says nothing of what the others did.
  const result = type === 'trial_received' && all.length === 1 ? trial?.result : undefined;
  const headline = badges.length > 1 ? 'You earned badges' : (report?.title && text.titled) || text.headline;
  return {
    headline,
    fromSite: isFromSite(headline),
    about: isLetter
      ? undefined
      : badge
        ? badges.join(', ')
        : part_notice
          ? makerText(part_notice)
          : (suggestion?.resource_name ?? report?.title ?? topic?.title ?? solution?.title),
    /** The language of the subject; undefined for what says none. */
    aboutLanguage: suggestion
      ? suggestion.language
      : report || badge
        ? undefined
        : (topic?.language ?? solution?.language),
    detail: text.explanation ?? reason ?? written,
    detailLanguage:
      text.explanation !== undefined || reason !== undefined
        ? notice?.language
        : (comment?.language ?? post?.language),
    /** The reader has to act on it, and so reads all of it. */
    isWhole: reason !== undefined,
    result,
    /** The severity and the text of a safety notice that holds. */
    safety,
    notice,
    warning: text.warning,
  };
}
