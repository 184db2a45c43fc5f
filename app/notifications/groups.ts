import type { Notification } from './data.ts';
import { hrefOf, textOf } from './texts.ts';

/** Notifications that are shown as one, newest first. */
export interface Group {
  latest: Notification;
  all: Notification[];
}

/** Likes of the same solution are grouped; an unread notification never hides among read ones. */
export function groupNotifications(notifications: Notification[]): Group[] {
  const groups = new Map<string, Group>();
  for (const notification of notifications) {
    const { id, type, solution, is_read: isRead } = notification;
    const key = type === 'like' && solution ? `${solution.id} ${isRead}` : id;
    const group = groups.get(key);
    if (group) group.all.push(notification);
    else groups.set(key, { latest: notification, all: [notification] });
  }
  return [...groups.values()];
}

/** "Amara Okafor", "Amara Okafor and Ben Ito", "Amara Okafor and 4 others" */
export function actorsOf({ latest, all }: Group): string {
  const name = ({ actor }: Notification) => actor?.full_name ?? actor?.username ?? 'Somebody';
  const others = all.slice(1);
  const [second] = others;
  if (!second) return name(latest);
  return others.length === 1
    ? `${name(latest)} and ${name(second)}`
    : `${name(latest)} and ${others.length} others`;
}

/** The path a notification leads to. */
export const linkOf = ({ type, solution, topic, post, takedown_request_id }: Notification) =>
  hrefOf({ type, solution_id: solution?.id, topic_id: topic?.id, post_id: post?.id, takedown_request_id });

/**
 * The parts of a notification: its sentence, its subject, and the line below it, which quotes the text or
 * names the consequence.
 */
export function lineOf({ type, solution, comment, topic, post, message, badge }: Notification) {
  const text = textOf({ type, post_id: post?.id });
  const written = comment?.content ?? post?.content ?? message?.subject;
  const reason = type === 'solution_rejected' ? solution?.rejection_reason : undefined;
  return {
    ...text,
    about: type === 'message' ? undefined : (badge?.name ?? topic?.title ?? solution?.title),
    detail: text.explanation ?? reason ?? written,
  };
}
