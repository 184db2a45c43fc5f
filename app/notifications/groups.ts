import { replyUrl } from '#app/forum/categories.ts';
import type { Notification } from './data.ts';

/** Notifications that are told as one, newest first. */
export interface Group {
  latest: Notification;
  all: Notification[];
}

/** Likes of the same solution are told together; what is new never hides among what was read. */
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

/** Where a notification leads: to what it is about, or where that was. */
export function hrefOf({ type, solution, topic, post, takedown_request_id }: Notification): string {
  if (type === 'takedown_request') return `/admin?tab=takedowns&request=${takedown_request_id}`;
  if (type === 'message') return '/messages';
  if (type === 'badge_earned') return '/profile';
  if (topic) return post ? replyUrl(topic.id, post.id) : `/forum/${topic.id}`;
  if (solution) return `/solutions/${solution.id}`;
  // Of deleted content nothing is left but the forum it was in.
  return type === 'content_deleted' ? '/forum' : '/notifications';
}

interface Words {
  /** With whom it begins, unless the site itself tells it. */
  deed: string;
  about?: string | undefined;
  detail?: string | undefined;
  bySite?: true;
}

/** What a notification says. */
export function wordsOf({ type, solution, comment, topic, post, message, badge }: Notification): Words {
  switch (type) {
    case 'comment':
      return { deed: 'commented on', about: solution?.title, detail: comment?.content };
    case 'comment_reply':
      return { deed: 'replied to your comment on', about: solution?.title, detail: comment?.content };
    case 'like':
      return { deed: 'liked', about: solution?.title };
    case 'message':
      return { deed: 'sent you a message', detail: message?.subject ?? undefined };
    case 'forum_reply':
      return post
        ? { deed: 'replied in', about: topic?.title, detail: post.content }
        : { deed: 'mentioned you in', about: topic?.title };
    case 'solution_approved':
      return {
        deed: 'Your solution was approved:',
        about: solution?.title,
        detail: 'It is now public and has earned you 50 points.',
        bySite: true,
      };
    case 'solution_rejected':
      return {
        deed: 'A solution needs changes:',
        about: solution?.title,
        detail: solution?.rejection_reason ?? undefined,
        bySite: true,
      };
    case 'badge_earned':
      return { deed: 'You earned a badge:', about: badge?.name, bySite: true };
    case 'takedown_request':
      return {
        deed: 'Somebody shown in a picture asks for its removal:',
        about: solution?.title,
        detail: 'One click hides it while you look into it.',
        bySite: true,
      };
    case 'media_hidden':
      return {
        deed: 'Pictures of your solution are hidden for now:',
        about: solution?.title,
        detail: 'Somebody shown in them asked for their removal. A moderator will decide.',
        bySite: true,
      };
    case 'media_removed':
      return {
        deed: 'Pictures of your solution were removed:',
        about: solution?.title,
        detail: 'A person shown in them asked for it.',
        bySite: true,
      };
    case 'media_restored':
      return { deed: 'Pictures of your solution are shown again:', about: solution?.title, bySite: true };
    case 'safety_notice':
      return { deed: 'put a safety notice on', about: solution?.title };
    case 'content_deleted':
      return { deed: 'A moderator removed something you wrote', about: topic?.title, bySite: true };
    default:
      return { deed: 'Something of yours has changed', about: solution?.title ?? topic?.title, bySite: true };
  }
}
