import type { AnswerOf, Schemas } from '#app/errors.ts';
import { browseUrl } from '#app/solution/solutions/filters.ts';
import { facetLabel } from '#app/solution/solutions/value-lists.ts';
import { warnedTitle } from '#app/solution/warnings/safety-notice-kinds.ts';

/*
 * The texts and paths of what is new for a follower, on the page and in the weekly email. The function process-mail-jobs
 * reads this file too, so it imports nothing that needs a browser, React or the client.
 */

/** The form in which `following_news` gives what is new. */
export const newsSchema = (z: Schemas) =>
  z.array(
    z.object({
      /** The follow's id, or that of the topic itself. */
      id: z.string(),
      kind: z.oneOf(['member', 'solution', 'tag', 'search', 'topic']),
      label: z.string(),
      /** The safety notice on a solution, if any. */
      safety_kind: z.nullable(z.string()),
      /** A member's username, the id of a solution or topic; null for a tag or a search. */
      subject: z.nullable(z.string()),
      filters: z.nullable(z.array(z.string())),
      match: z.nullable(z.oneOf(['all', 'any'])),
      /** False for a search with a filter that Browse no longer offers. */
      is_known: z.boolean(),
      items: z.array(
        z.object({
          kind: z.oneOf(['solution', 'version', 'comments', 'trials', 'replies']),
          solution_id: z.nullable(z.string()),
          topic_id: z.nullable(z.string()),
          title: z.string(),
          safety_kind: z.nullable(z.string()),
          author: z.nullable(
            z.object({ full_name: z.nullable(z.string()), username: z.nullable(z.string()) }),
          ),
          /** The version's number, or how many comments, trials or replies there are. */
          number: z.nullable(z.number()),
          /** Time of the newest, as ISO text. */
          at: z.string(),
        }),
      ),
    }),
  );

export type FollowedNews = AnswerOf<typeof newsSchema>[number];
type NewsItem = FollowedNews['items'][number];

/** What is followed, in words. */
export function subjectTitle({ kind, label, safety_kind, filters }: FollowedNews): string {
  if (kind === 'tag') return `Tag: ${label}`;
  if (kind !== 'search') return warnedTitle(safety_kind, label);
  return `Search: ${searchText({ label, filters })}`;
}

/** What a search looks for. */
const searchText = ({ label, filters }: Pick<FollowedNews, 'label' | 'filters'>) =>
  [...(label ? [`“${label}”`] : []), ...(filters ?? []).map(facetLabel)].join(', ');

/** The page of what is followed. */
export function subjectPath({ kind, label, subject, filters, match }: FollowedNews): string {
  if (kind === 'member') return `/members/${subject}`;
  if (kind === 'solution') return `/solutions/${subject}`;
  if (kind === 'topic') return `/forum/${subject}`;
  return browseUrl({ search: label, values: filters ?? [], match: match ?? 'all' });
}

/** A news item as words and a link; neither repeats the subject that stands above it. */
export function newsText(subject: FollowedNews, { kind, author, number, title, safety_kind }: NewsItem) {
  const link = (text: string) => ({ text: '', link: text });
  if (kind === 'version') return link(`Version ${number}`);
  if (kind === 'comments') return link(number === 1 ? '1 new comment' : `${number} new comments`);
  if (kind === 'trials') return link(number === 1 ? '1 member tried it' : `${number} members tried it`);
  if (kind === 'replies') return link(number === 1 ? '1 new reply' : `${number} new replies`);
  return {
    text: subject.kind === 'member' ? 'Shared' : `${authorOf({ author })} shared`,
    link: warnedTitle(safety_kind, title),
  };
}

const authorOf = ({ author }: Pick<NewsItem, 'author'>): string =>
  author?.full_name ?? author?.username ?? 'Former member';

/** The path of the topic or solution that a news item is about. */
export const newsPath = ({ solution_id, topic_id }: NewsItem): string =>
  topic_id ? `/forum/${topic_id}` : `/solutions/${solution_id}`;

/** A solution or topic with all that is new of it. */
export interface FeedEntry {
  path: string;
  /** Null for a topic. */
  solutionId: string | null;
  title: string;
  safetyKind: string | null;
  news: string[];
  /** What is followed, of which this is news. */
  reasons: FollowedNews[];
  /** Time of the newest, as ISO text. */
  at: string;
}

/** The news of all subjects by date, newest first, each solution and topic once, however many subjects lead to it. */
export function feedOf(subjects: FollowedNews[]): FeedEntry[] {
  const feed = new Map<string, FeedEntry>();
  for (const subject of subjects)
    for (const item of subject.items) {
      const path = newsPath(item);
      const entry = feed.get(path) ?? {
        path,
        solutionId: item.solution_id,
        title: item.title,
        safetyKind: item.safety_kind,
        news: [],
        reasons: [],
        at: item.at,
      };
      feed.set(path, entry);
      const text = item.kind === 'solution' ? `Shared by ${authorOf(item)}` : newsText(subject, item).link;
      if (!entry.news.includes(text)) entry.news.push(text);
      if (!entry.reasons.includes(subject)) entry.reasons.push(subject);
      if (item.at > entry.at) entry.at = item.at;
    }
  return [...feed.values()].toSorted((a, b) => b.at.localeCompare(a.at));
}

const inALine = new Intl.ListFormat('en-GB');

/** Why an entry is in the feed. */
export const reasonOf = ({ reasons }: FeedEntry): string =>
  `You follow ${inALine.format(
    reasons.map((subject) => {
      if (subject.kind === 'solution') return 'this solution';
      if (subject.kind === 'topic') return 'this topic';
      if (subject.kind === 'member') return subject.label;
      if (subject.kind === 'tag') return `the tag “${subject.label}”`;
      return `your search for ${searchText(subject)}`;
    }),
  )}`;
