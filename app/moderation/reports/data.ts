import { queryOptions } from '@tanstack/react-query';
import { readAnswer, unwrap } from '#app/errors.ts';
import { readCollection } from '#app/finding/collections/data.ts';
import { type Author, authorColumns, authorName } from '#app/people/members/names.ts';
import { resultLabel } from '#app/sharing/trials/results.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** Reports that wait for a moderator, the one that has waited longest first. */
export const reportsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['moderation', 'reports'],
    queryFn: async () => {
      const db = await client();
      return unwrap(
        await db
          .from('content_reports')
          .select(
            `id,reporter_id,content_type,content_id,reason,created_at,reporter:profiles!content_reports_reporter_id_fkey(${authorColumns})`,
          )
          .eq('status', 'pending')
          .order('created_at'),
      );
    },
    refetchOnWindowFocus: true,
    refetchInterval: 60_000,
  });

export type Report = Awaited<ReturnType<NonNullable<ReturnType<typeof reportsQuery>['queryFn']>>>[number];

/** The subject of a report, as far as a moderator may see it without an extra, recorded request. */
export interface ReportedContent {
  /** A title, or the first 50 characters of a text. */
  preview: string;
  /** The whole text; null where the preview is all. */
  text: string | null;
  /** The topic or solution in which it stands. */
  context: { title: string; href: string } | null;
  createdAt: string | null;
  authorId: string | null;
  authorName: string;
  /** The path to read it in its context. */
  href: string;
  /** The topic or solution that contains it, to which its author's notification leads after the deletion. */
  within: { forum_topic_id: string } | { solution_id: string } | null;
}

/** The first 50 characters, with an ellipsis when there are more. */
function previewOf(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length > 50 ? `${characters.slice(0, 50).join('')}…` : characters.join('');
}

/**
 * The subjects of the reports, by content id; an id that is missing was deleted. Messages are not included: a
 * moderator opens one on purpose, and that is recorded.
 */
export const reportedQuery = (client: ClientSource, reports: readonly Report[]) =>
  queryOptions({
    queryKey: ['moderation', 'reported', reports.map(({ id }) => id)],
    queryFn: async () => readReported(await client(), reports),
  });

async function readReported(db: Client, reports: readonly Report[]): Promise<Map<string, ReportedContent>> {
  const ids = (kind: string) => [
    ...new Set(reports.filter((report) => report.content_type === kind).map((report) => report.content_id)),
  ];
  const [topics, posts, solutions, trials, comments, profiles, collections] = await Promise.all([
    db
      .from('forum_topics')
      .select(
        `id,title,description,created_at,user_id,author:profiles!forum_topics_user_id_fkey(${authorColumns})`,
      )
      .in('id', ids('topic')),
    db
      .from('forum_posts')
      .select(
        `id,content,created_at,topic_id,topic:forum_topics(title),user_id,author:profiles!forum_posts_user_id_fkey(${authorColumns})`,
      )
      .in('id', ids('post')),
    db
      .from('solutions')
      .select(
        `id,title,description,created_at,user_id,author:profiles!solutions_user_id_fkey(${authorColumns})`,
      )
      .in('id', ids('solution')),
    db
      .from('solution_trials')
      .select(
        `id,result,changes,experience,created_at,solution_id,solution:solutions(title),user_id,writer:profiles!solution_trials_user_id_fkey(${authorColumns})`,
      )
      .in('id', ids('trial')),
    db
      .from('comments')
      .select(
        `id,content,created_at,solution_id,solution:solutions(title),user_id,author:profiles!comments_user_id_fkey(${authorColumns})`,
      )
      .is('deleted_at', null)
      .in('id', ids('comment')),
    db.from('profiles').select(`${authorColumns},bio`).in('id', ids('profile')),
    Promise.all(ids('collection').map((id) => readCollection(db, id))),
  ]);
  const by = ({ user_id, author }: { user_id: string | null; author: Author | null }) => ({
    authorId: user_id,
    authorName: authorName(user_id, author),
  });
  const titled = (row: { title: string; description: string | null; created_at: string }) => ({
    preview: row.title,
    text: row.description,
    context: null,
    createdAt: row.created_at,
    within: null,
  });
  const written = (row: { content: string; created_at: string }) => ({
    preview: previewOf(row.content),
    text: row.content,
    createdAt: row.created_at,
  });
  return new Map<string, ReportedContent>([
    ...unwrap(topics).map(
      (row) => [row.id, { ...titled(row), href: `/forum/${row.id}`, ...by(row) }] as const,
    ),
    ...unwrap(posts).map(
      (row) =>
        [
          row.id,
          {
            ...written(row),
            href: `/forum/${row.topic_id}?post=${row.id}`,
            context: row.topic && { title: row.topic.title, href: `/forum/${row.topic_id}` },
            within: { forum_topic_id: row.topic_id },
            ...by(row),
          },
        ] as const,
    ),
    ...unwrap(solutions).map(
      (row) => [row.id, { ...titled(row), href: `/solutions/${row.id}`, ...by(row) }] as const,
    ),
    ...unwrap(trials).map(
      ({ writer, result, changes, experience, ...row }) =>
        [
          row.id,
          {
            ...written({
              content: [resultLabel(result), changes, experience].filter(Boolean).join('\n'),
              created_at: row.created_at,
            }),
            href: `/solutions/${row.solution_id}#trial-${row.id}`,
            context: row.solution && { title: row.solution.title, href: `/solutions/${row.solution_id}` },
            within: { solution_id: row.solution_id },
            ...by({ user_id: row.user_id, author: writer }),
          },
        ] as const,
    ),
    ...unwrap(comments).map(
      (row) =>
        [
          row.id,
          {
            ...written(row),
            href: `/solutions/${row.solution_id}`,
            context: row.solution && { title: row.solution.title, href: `/solutions/${row.solution_id}` },
            within: { solution_id: row.solution_id },
            ...by(row),
          },
        ] as const,
    ),
    ...collections.flatMap((row) =>
      // Its owner no longer shares it.
      row?.is_shared
        ? [
            [
              row.id,
              {
                preview: row.title,
                text: row.items
                  .map(({ note, solution }) => (note ? `${solution.title}: ${note}` : solution.title))
                  .join('\n\n'),
                context: null,
                createdAt: null,
                href: `/collections/${row.id}`,
                within: null,
                authorId: row.user_id,
                authorName: row.owner,
              },
            ] as const,
          ]
        : [],
    ),
    ...unwrap(profiles).map(
      (row) =>
        [
          row.id,
          {
            preview: authorName(row.id, row),
            text: row.bio,
            context: null,
            createdAt: null,
            href: row.username ? `/members/${row.username}` : '',
            within: null,
            ...by({ user_id: row.id, author: row }),
          },
        ] as const,
    ),
  ]);
}

export interface ReportedMessage {
  subject: string | null;
  content: string;
  sender: string;
  sender_id: string | null;
  created_at: string;
}

/** A reported message, while the report is open; null when it was deleted. Reading it is recorded. */
export async function readReportedMessage(db: Client, reportId: string): Promise<ReportedMessage | null> {
  return readAnswer<ReportedMessage | null>(db.rpc('read_reported_message', { report: reportId }), (z) =>
    z.nullable(
      z.object({
        subject: z.nullable(z.string()),
        content: z.string(),
        sender: z.string(),
        sender_id: z.nullable(z.string()),
        created_at: z.string(),
      }),
    ),
  );
}
