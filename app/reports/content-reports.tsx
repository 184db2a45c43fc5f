import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect } from 'react';
import { browserClient } from '#app/supabase.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LoadFailed, LoadingRows } from '#app/ui/loading-rows.tsx';
import { toast } from '#app/ui/toast.tsx';
import { reportedQuery, reportsQuery } from './data.ts';
import { ReportItem } from './report-item.tsx';

/** Content that members reported, longest waiting first. */
export function ContentReports() {
  const { data: reports, isError, refetch } = useQuery(reportsQuery(browserClient));
  const reported = useQuery({
    ...reportedQuery(browserClient, reports ?? []),
    enabled: reports !== undefined,
    // Loaded subjects stay while the list is read anew.
    placeholderData: keepPreviousData,
  });
  const detailsFailed = reported.isError;

  useEffect(() => {
    if (detailsFailed) toast({ tone: 'error', title: 'Failed to fetch content details' });
  }, [detailsFailed]);

  if (!reports)
    return isError ? (
      <LoadFailed title="Failed to load content reports" onRetry={() => void refetch()} />
    ) : (
      <LoadingRows label="Loading content reports" />
    );
  if (reports.length === 0) return <EmptyState icon={ShieldCheck}>No content reports are waiting</EmptyState>;
  return (
    <ul aria-label="Content reports" className="divide-y overflow-clip rounded-md border bg-surface">
      {reports.map((report) => (
        <ReportItem
          key={report.id}
          report={report}
          details={
            reported.isPlaceholderData && !reported.data.has(report.content_id)
              ? undefined
              : (reported.data ?? (detailsFailed ? 'failed' : undefined))
          }
          onRetry={() => void reported.refetch()}
        />
      ))}
    </ul>
  );
}
