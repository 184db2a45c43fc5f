import { tallyOf } from '#app/sharing/trials/results.ts';
import { makerText } from '#app/solution/fabrication/fabrication.ts';
import { isSafetyKind, safetyKinds } from '#app/solution/warnings/safety-notice-kinds.ts';
import type { Notification } from './data.ts';
import { actorName, hrefOf, isFromSite, textOf } from './texts.ts';

/** Notifications that are shown as one, newest first. */
export interface Group {
  latest: Notification;
  all: Notification[];
}

/**
 * What is said together where it came about one solution or topic on one day, in this order. All else stands alone, since it asks
 * for something or leads elsewhere.
 */
const counted: Record<string, (count: number, results: string) => string> = {
  solution_approved: () => 'approved',
  version_approved: () => 'new version approved',
  trial_approved: () => 'your trial report approved',
  trial_received: (count, results) =>
    count === 1 ? `1 trial report (${results})` : `${count} trial reports (${results})`,
  trial_answered: () => 'an answer to your trial report',
  adaptation: (count) => (count === 1 ? '1 solution based on it' : `${count} solutions based on it`),
  solution_translated: (count) => (count === 1 ? '1 translation' : `${count} translations`),
  topic_summarised: () => 'a summary',
  answer_marked: () => 'your reply marked as the answer',
  mention: (count) => (count === 1 ? '1 mention of you' : `${count} mentions of you`),
  comment_reply: (count) => (count === 1 ? '1 reply to your comment' : `${count} replies to your comments`),
  comment: (count) => (count === 1 ? '1 comment' : `${count} comments`),
  forum_reply: (count) => (count === 1 ? '1 reply' : `${count} replies`),
  like: (count) => (count === 1 ? '1 like' : `${count} likes`),
};

// Without a reply it is a mention in the topic itself.
const kindOf = ({ type, post }: Notification) => (type === 'forum_reply' && !post ? 'mention' : type);

/** The thing around which notifications are grouped; undefined for those that stand alone. */
function subjectOf(notification: Notification): string | undefined {
  if (notification.type === 'badge_earned') return 'badges';
  return counted[kindOf(notification)] && (notification.solution ?? notification.topic)?.id;
}

/** "2 trial reports (1 worked, 1 did not work), 3 comments, 9 likes". */
function countsOf(all: Notification[]): string {
  const trials = all.flatMap(({ id, actor, trial }) =>
    trial ? [{ id, user_id: actor?.id ?? null, version: 0, result: trial.result }] : [],
  );
  const { results } = tallyOf(trials);
  return Object.entries(counted)
    .flatMap(([kind, say]) => {
      const count = all.filter((one) => kindOf(one) === kind).length;
      return count > 0 ? [say(count, results)] : [];
    })
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
  const acts = all.filter((one) => !isFromSite(textOf({ type: one.type, post_id: one.post?.id }).headline));
  const names = [...new Map(acts.map((one) => [one.actor?.id ?? one.id, actorOf(one)])).values()];
  return names.length > 2 ? { names: names.slice(0, 1), others: names.length - 1 } : { names, others: 0 };
}

/** The path a group leads to: what it names first, and of several of those the one to begin reading with. */
export const linkOf = ({ latest, all }: Group) => {
  const placeOf = (one: Notification) => Object.keys(counted).indexOf(kindOf(one));
  const first = Math.min(...all.map(placeOf));
  const { type, solution, comment, topic, post, removal_request_id, use_question_id, part_notice } =
    all.findLast((one) => placeOf(one) === first) ?? latest;
  return hrefOf({
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
  const text = textOf({ type, post_id: latest.post?.id });
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
