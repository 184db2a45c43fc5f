import { useQuery } from '@tanstack/react-query';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed, LoadingRows } from '#app/ui/states/loading-rows.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { type Report, reportedQuery, reportQuery } from './data.ts';
import { ReportItem } from './report-item.tsx';

/** One report of the queue. */
export function ReportReview({ id }: { id: string }) {
  const { data: report, isError, refetch } = useQuery(reportQuery(browserClient, id));
  if (isError && !report)
    return <LoadFailed isTold title="Failed to load content reports" onRetry={() => void refetch()} />;
  if (!report) return <LoadingRows label="Loading the report" />;
  return <WithContent report={report} />;
}

function WithContent({ report }: { report: Report }) {
  const { data, isError, refetch } = useQuery(reportedQuery(browserClient, report));
  useErrorToast(isError, 'Failed to fetch content details');
  return (
    <ReportItem
      report={report}
      details={data === undefined && isError ? 'failed' : data}
      onRetry={() => void refetch()}
    />
  );
}
