import { queryOptions } from '@tanstack/react-query';
import { readAnswer, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import { reportedKinds } from '#app/kinds.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

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

/**
 * The subject of a report with what was decided on it before; null when it was deleted. A message is not included: a moderator
 * opens one on purpose, and that is recorded.
 */
export const reportedQuery = (client: ClientSource, report: Report) =>
  queryOptions({
    queryKey: ['moderation', 'reported', report.id],
    queryFn: async () =>
      reportedKinds.get(report.content_type)?.read?.(await client(), report.content_id) ?? null,
  });

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
