import { queryOptions } from '@tanstack/react-query';
import { readAnswer, unwrap } from '#app/errors.ts';
import { type Author, authorColumns, authorName } from '#app/frame/members/names.ts';
import { readCollection } from '#app/people/collections/data.ts';
import { resultLabel } from '#app/sharing/trials/results.ts';
import { textsSchema } from '#app/solution/translations/texts.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { cutText } from '../../../texts/cut-text.ts';

/** A report that waits for a moderator; null when it was decided. */
export const reportQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['moderation', 'reports', id],
    queryFn: async () => {
      const db = await client();
      const rows = unwrap(
        await db
          .from('content_reports')
          .select(
            `id,reporter_id,content_type,content_id,reason,shows_patient,tells_of_harm,created_at,reporter:profiles!content_reports_reporter_id_fkey(${authorColumns})`,
          )
          .eq('id', id)
          .eq('status', 'pending'),
      );
      return rows[0] ?? null;
    },
    refetchOnWindowFocus: true,
    refetchInterval: 60_000,
  });

export type Report = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof reportQuery>['queryFn']>>>>;

/** The subject of a report, as far as a moderator may see it without an extra, recorded request. */
export interface ReportedContent {
  /** A title, or the first 50 characters of a text. */
  preview: string;
  isTitled: boolean;
  /** The whole text; null where the preview is all. */
  text: string | null;
  /** The language of both; null where none is said. */
  language: string | null;
  /** The title of the topic or solution in which it stands. */
  context: string | null;
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
  const whole = text.replace(/\s+/g, ' ').trim();
  const cut = cutText(whole, 50);
  return cut === whole ? whole : `${cut}…`;
}

/**
 * The subject of a report with what was decided on it before; null when it was deleted. A message is not included: a moderator
 * opens one on purpose, and that is recorded.
 */
export const reportedQuery = (client: ClientSource, report: Report) =>
  queryOptions({
    queryKey: ['moderation', 'reported', report.id],
    queryFn: async () => readReported(await client(), report),
  });

async function readReported(db: Client, report: Report): Promise<ReportedContent | null> {
  const { content_type: kind, content_id: id } = report;
  const by = (userId: string | null, author: Author | null) => ({
    authorId: userId,
    authorName: authorName(userId, author),
  });
  const titled = (row: {
    title: string;
    description: string | null;
    created_at: string;
    language: string;
    summary?: string | null;
  }) => ({
    preview: row.title,
    isTitled: true,
    text: row.summary ? `${row.description ?? ''}\n\nSummary: ${row.summary}`.trim() : row.description,
    language: row.language,
    createdAt: row.created_at,
    within: null,
  });
  const written = (text: string, language: string, createdAt: string) => ({
    preview: previewOf(text),
    isTitled: false,
    text,
    language,
    createdAt,
  });
  const ofSolution = (
    row: { solution_id: string; solution: { title: string } | null },
    place: string,
  ): Pick<ReportedContent, 'href' | 'context' | 'within'> => ({
    href: `/solutions/${row.solution_id}${place}`,
    context: row.solution?.title ?? null,
    within: { solution_id: row.solution_id },
  });
  switch (kind) {
    case 'topic': {
      const row = unwrap(
        await db
          .from('forum_topics')
          .select(
            `title,description,language,summary,created_at,user_id,author:profiles!forum_topics_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      )[0];
      return row
        ? { ...titled(row), ...by(row.user_id, row.author), href: `/forum/${id}`, context: null }
        : null;
    }
    case 'post': {
      const row = unwrap(
        await db
          .from('forum_posts')
          .select(
            `content,language,created_at,topic_id,topic:forum_topics(title),user_id,author:profiles!forum_posts_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      )[0];
      return row
        ? {
            ...written(row.content, row.language, row.created_at),
            ...by(row.user_id, row.author),
            href: `/forum/${row.topic_id}?post=${id}`,
            context: row.topic?.title ?? null,
            within: { forum_topic_id: row.topic_id },
          }
        : null;
    }
    case 'solution': {
      const row = unwrap(
        await db
          .from('solutions')
          .select(
            `title,description,language,created_at,user_id,author:profiles!solutions_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      )[0];
      return row
        ? { ...titled(row), ...by(row.user_id, row.author), href: `/solutions/${id}`, context: null }
        : null;
    }
    case 'translation': {
      const row = unwrap(
        await db
          .from('solution_translations')
          .select(
            `texts,language,created_at,solution_id,solution:solutions(title),user_id,writer:profiles!solution_translations_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      )[0];
      return row
        ? {
            ...written(
              Object.values(textsSchema.parse(row.texts)).join('\n\n'),
              row.language,
              row.created_at,
            ),
            ...by(row.user_id, row.writer),
            ...ofSolution(row, `/translations/${row.language}`),
          }
        : null;
    }
    case 'trial': {
      const row = unwrap(
        await db
          .from('solution_trials')
          .select(
            `language,result,changes,experience,created_at,solution_id,solution:solutions(title),user_id,writer:profiles!solution_trials_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      )[0];
      return row
        ? {
            ...written(
              [resultLabel(row.result), row.changes, row.experience].filter(Boolean).join('\n'),
              row.language,
              row.created_at,
            ),
            ...by(row.user_id, row.writer),
            ...ofSolution(row, `#trial-${id}`),
          }
        : null;
    }
    case 'comment': {
      const row = unwrap(
        await db
          .from('comments')
          .select(
            `content,language,created_at,solution_id,solution:solutions(title),user_id,author:profiles!comments_user_id_fkey(${authorColumns})`,
          )
          .is('deleted_at', null)
          .eq('id', id),
      )[0];
      return row
        ? {
            ...written(row.content, row.language, row.created_at),
            ...by(row.user_id, row.author),
            ...ofSolution(row, `#comment-${id}`),
          }
        : null;
    }
    case 'collection': {
      const row = await readCollection(db, id);
      // Its owner may no longer share it.
      return row?.is_shared
        ? {
            preview: row.title,
            isTitled: true,
            text: row.items
              .map(({ note, solution }) => (note ? `${solution.title}: ${note}` : solution.title))
              .join('\n\n'),
            language: row.language,
            createdAt: null,
            authorId: row.user_id,
            authorName: row.owner,
            href: `/collections/${id}`,
            context: null,
            within: null,
          }
        : null;
    }
    case 'profile': {
      const row = unwrap(
        await db.from('profiles').select(`${authorColumns},bio,bio_language`).eq('id', id),
      )[0];
      return row
        ? {
            ...by(row.id, row),
            preview: authorName(row.id, row),
            isTitled: true,
            text: row.bio,
            language: row.bio_language,
            createdAt: null,
            href: row.username ? `/members/${row.username}` : '',
            context: null,
            within: null,
          }
        : null;
    }
    default:
      return null;
  }
}

/** The last decisions on reports of the same content, the newest first. */
export const earlierReportsQuery = (client: ClientSource, contentId: string) =>
  queryOptions({
    queryKey: ['moderation', 'earlier-reports', contentId],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('content_reports')
          .select('id,reason,status,admin_response,resolved_at')
          .eq('content_id', contentId)
          .neq('status', 'pending')
          .order('resolved_at', { ascending: false })
          .limit(5),
      ),
  });

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
