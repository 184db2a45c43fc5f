import { browseUrl } from '#app/solution/solutions/filters.ts';

/*
 * The texts and paths of what is new for a follower, on the page and in the weekly email. The function process-mail-jobs
 * reads this file too, so it imports nothing that needs a browser, React or the client.
 */

interface NewsItem {
  kind: 'solution' | 'version' | 'comments' | 'trials' | 'replies';
  solution_id: string | null;
  topic_id: string | null;
  title: string;
  author: { full_name: string | null; username: string | null } | null;
  /** The version's number, or how many comments, trials or replies there are. */
  number: number | null;
  /** Time of the newest, as ISO text. */
  at: string;
}

/** A subject of `following_news`. */
export interface FollowedNews {
  /** The follow's id, or that of the topic itself. */
  id: string;
  kind: 'member' | 'solution' | 'tag' | 'search' | 'topic';
  label: string;
  /** A member's username, the id of a solution or topic; null for a tag or a search. */
  subject: string | null;
  filters: string[] | null;
  match: 'all' | 'any' | null;
  /** False for a search with a filter that Browse no longer offers. */
  is_known: boolean;
  items: NewsItem[];
}

/** What is followed, in words. */
export function subjectTitle({ kind, label, filters }: FollowedNews): string {
  if (kind === 'tag') return `Tag: ${label}`;
  if (kind !== 'search') return label;
  return `Search: ${[...(label ? [`“${label}”`] : []), ...(filters ?? [])].join(', ')}`;
}

/** The page of what is followed. */
export function subjectPath({ kind, label, subject, filters, match }: FollowedNews): string {
  if (kind === 'member') return `/members/${subject}`;
  if (kind === 'solution') return `/solutions/${subject}`;
  if (kind === 'topic') return `/forum/${subject}`;
  return browseUrl({ search: label, values: filters ?? [], match: match ?? 'all' });
}

/** A news item as words and a link; neither repeats the subject that stands above it. */
export function newsText(subject: FollowedNews, { kind, author, number, title }: NewsItem) {
  const link = (text: string) => ({ text: '', link: text });
  if (kind === 'version') return link(`Version ${number}`);
  if (kind === 'comments') return link(number === 1 ? '1 new comment' : `${number} new comments`);
  if (kind === 'trials') return link(number === 1 ? '1 member tried it' : `${number} members tried it`);
  if (kind === 'replies') return link(number === 1 ? '1 new reply' : `${number} new replies`);
  const name = author?.full_name ?? author?.username ?? 'Former member';
  return { text: subject.kind === 'member' ? 'Shared' : `${name} shared`, link: title };
}

/** The path of the topic or solution that a news item is about. */
export const newsPath = ({ solution_id, topic_id }: NewsItem): string =>
  topic_id ? `/forum/${topic_id}` : `/solutions/${solution_id}`;
