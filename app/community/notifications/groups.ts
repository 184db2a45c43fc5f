import { isFromSite, type NoticeType, WEIGHTS } from '#app/frame/kinds/notice-type.ts';
import { actorName, noticePath, noticeTypeOf, noticeTypes } from '#app/notice-types.ts';
import { tallyOf } from '#app/sharing/trials/results.ts';
import { makerText } from '#app/solution/fabrication/fabrication.ts';
import { isSafetyKind, safetyKinds } from '#app/solution/warnings/safety-notice-kinds.ts';
import type { Notification } from './data.ts';

/** Notifications that are shown as one, newest first. */
export interface Group {
  latest: Notification;
  all: Notification[];
}

const typeOf = ({ type, post }: Notification) => noticeTypeOf({ type, post_id: post?.id });

const weightOf = ({ together }: NoticeType) => (together ? WEIGHTS.indexOf(together.weight) : -1);

/** What notifications are about, each type once: what is said together first, in its order. */
function typesOf(all: Notification[]): NoticeType[] {
  const listed = Object.values(noticeTypes);
  return [...new Set(all.map(typeOf))].sort(
    (one, other) => weightOf(one) - weightOf(other) || listed.indexOf(one) - listed.indexOf(other),
  );
}

/** The thing around which notifications are grouped; undefined for those that stand alone. */
function subjectOf(notification: Notification): string | undefined {
  if (notification.type === 'badge_earned') return 'badges';
  return typeOf(notification).together && (notification.solution ?? notification.topic)?.id;
}

/** "2 trial reports (1 worked, 1 did not work), 3 comments, 9 likes". */
function countsOf(all: Notification[]): string {
  const trials = all.flatMap(({ id, actor, trial }) =>
    trial ? [{ id, user_id: actor?.id ?? null, version: 0, result: trial.result }] : [],
  );
  const { results } = tallyOf(trials);
  return typesOf(all)
    .flatMap((type) => type.together?.say(all.filter((one) => typeOf(one) === type).length, results) ?? [])
    .join(', ');
}

/** A day by the reader's clock, as `2026-11-20`. */
const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** What came about one thing on one day is one group; an unread notification never hides among read ones. */
export function groupNotifications(notifications: Notification[]): Group[] {
  const groups = new Map<string, Group>();
  for (const notification of notifications) {
    const { id, is_read: isRead, created_at } = notification;
    const subject = subjectOf(notification);
    const key = subject ? `${subject} ${isRead} ${dayOf(new Date(created_at))}` : id;
    const group = groups.get(key);
    if (group) group.all.push(notification);
    else groups.set(key, { latest: notification, all: [notification] });
  }
  return [...groups.values()];
}

/** The groups of today, of this week before it, and of before, by the reader's clock. */
export function byTime(groups: Group[], now = new Date()): { title: string; groups: Group[] }[] {
  const monday = new Date(now);
  monday.setDate(now.getDate() - ((now.getDay() + 6) % 7));
  const parts = new Map<string, Group[]>();
  for (const group of groups) {
    const day = dayOf(new Date(group.latest.created_at));
    const title =
      day >= dayOf(now) ? 'Today' : day >= dayOf(monday) ? 'Earlier this week' : 'Before this week';
    parts.set(title, [...(parts.get(title) ?? []), group]);
  }
  return [...parts].map(([title, ofTime]) => ({ title, groups: ofTime }));
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

/** The members who acted: one or two by name, or the first and how many others; none where only the site reports. */
export function actorsOf({ all }: Group): { names: string[]; others: number } {
  const acts = all.filter((one) => !isFromSite(typeOf(one).headline));
  const names = [...new Map(acts.map((one) => [one.actor?.id ?? one.id, actorOf(one)])).values()];
  return names.length > 2 ? { names: names.slice(0, 1), others: names.length - 1 } : { names, others: 0 };
}

/** The path a group leads to: what it names first, and of several of those the one to begin reading with. */
export const linkOf = ({ latest, all }: Group) => {
  const [first] = typesOf(all);
  const { type, solution, comment, topic, post, removal_request_id, use_question_id, part_notice } =
    all.findLast((one) => typeOf(one) === first) ?? latest;
  return noticePath({
    type,
    solution_id: solution?.id,
    comment_id: comment?.id,
    topic_id: topic?.id,
    post_id: post?.id,
    removal_request_id,
    use_question_id,
    part: part_notice && makerText(part_notice),
  });
};

/**
 * The parts of a group: its sentence or its counts, its subject, and what stands below it: the latest that was written, the
 * consequence, or how a trial went.
 */
export function lineOf({ latest, all }: Group) {
  const { type, solution, trial, topic, message, suggestion, report, badge, part_notice } = latest;
  const { comment, post } = all.find((one) => one.comment ?? one.post) ?? latest;
  const counts = all.length > 1 && !badge ? countsOf(all) : undefined;
  const text = typeOf(latest);
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
  const explanation = counts ? undefined : text.explanation;
  const headline = badges.length > 1 ? 'You earned badges' : (report?.title && text.titled) || text.headline;
  return {
    headline,
    /** What a group of several has come to, in place of the sentence of one. */
    counts,
    fromSite: isFromSite(headline),
    /** In the place of a picture; undefined where the member who acted is shown. */
    icon: text.icon ?? (isFromSite(headline) ? ('award' as const) : undefined),
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
    detail: explanation ?? reason ?? written,
    /** Whether that is the newest of several. */
    isNewest: all.filter((one) => one.comment ?? one.post).length > 1,
    detailLanguage:
      explanation !== undefined || reason !== undefined
        ? notice?.language
        : (comment?.language ?? post?.language),
    /** The reader has to act on it, and so reads all of it. */
    isWhole: reason !== undefined,
    result: type === 'trial_received' && !counts ? trial?.result : undefined,
    /** The severity and the text of a safety notice that holds. */
    safety,
    notice,
    warning: text.warning,
  };
}
