import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import type { ClientSource } from '#app/supabase.ts';

const MAX_LISTED = 50;

/** The latest reports and suggestions of a member, with what became of them. */
export const ownReportsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['reports', memberId],
    queryFn: async () => {
      const db = await client();
      const [reports, suggestions] = await Promise.all([
        db
          .from('content_reports')
          .select(
            `id,content_type,content_id,title:reported_title,reason,status,admin_response,created_at,resolved_at,resolver:profiles!content_reports_resolved_by_fkey(${authorColumns})`,
          )
          .eq('reporter_id', memberId)
          .order('created_at', { ascending: false })
          .limit(MAX_LISTED),
        db
          .from('resource_suggestions')
          .select('id,resource_name,resource_url,category,status,rejection_reason,created_at')
          .eq('user_id', memberId)
          .order('created_at', { ascending: false })
          .limit(MAX_LISTED),
      ]);
      return { reports: unwrap(reports), suggestions: unwrap(suggestions) };
    },
    refetchOnWindowFocus: true,
    refetchInterval: 60_000,
  });

type Own = Awaited<ReturnType<NonNullable<ReturnType<typeof ownReportsQuery>['queryFn']>>>;
export type OwnReport = Own['reports'][number];
export type OwnSuggestion = Own['suggestions'][number];
